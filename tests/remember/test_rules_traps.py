"""What rules must not read: questions, suppositions, quotations, irony, secrets, the lives of others."""

from __future__ import annotations

import pytest

from tests.remember.rules_support import found, labelled, read

NOTHING = [
    "",
    "   \n\n  ",
    "?!?",
    "🙂🙂",
    "Where do I live?",
    "I live in Lisbon, right?",
    "I live in Lisbon, don't I?",
    "Does anyone actually like Comic Sans",
    "If I lived in Tokyo, I would drive a Honda",
    "I'd love to work at Apple one day",
    "Imagine I live in Paris. I work as a baker.",
    "Act as a guide. My name is Mr. Smith.",
    "I wish I spoke Italian",
    "I used to live in Prague",
    "I'm not a lawyer",
    "I don't speak Russian",
    'He said "I live in Rome" and left',
    "In the interview she goes, I hate flying, and laughed",
    "Translate: I live in Paris and I love cheese",
    "Is 'I am from Spain' correct English?",
    "> I work at Google",
    "```\nmy name is Bob\n```",
    "~~~\nI live in Rome",
    "Why does `my name is Bob` fail",
    "Alice: I live in Oslo, I hate fish",
    "For example, I live in Rome",
    "yeah, I just LOVE Mondays",
    "sure, because I love paying taxes",
    "I love Mondays /s",
    "My password is hunter2hunter2",
    "remember my PIN is 4821",
    "My API key is sk-abcdefghijklmnop1234",
    "my card is 4111 1111 1111 1111",
    "I love it!",
    "I like the second option better",
    "I live in fear of deadlines",
    "I'm working on it",
    "I use it for testing",
    "Always a pleasure!",
    "Never mind, I found it",
    "Messi lives in Miami",
    "She lives in Madrid",
    "https://example.com/i-live-in-rome",
    "我住在哪里？",
    "我是住在上海对吧？",
    "我住在上海，对吗？",
    "我住在上海，对吗",
    "如果我住在巴黎，我会每天吃面包",
    "假设我叫小红，今年20岁",
    "我要是会说法语就好了",
    "我想住在海边",
    "我以前住在武汉",
    "我在百度工作过",
    "我不是律师",
    "他说：“我住在罗马。”",
    "翻译：我喜欢喝咖啡",
    "「我来自潮汐」是什么意思",
    "《我是余欢水》好看吗",
    "小张：我住在天津",
    "呵呵，我最爱堵车了",
    "我可太喜欢加班了",
    "谁不喜欢放假呢",
    "我的密码是abc12345",
    "我的身份证号是110101199001011234",
    "我喜欢你",
    "我喜欢后面那个版本",
    "我住院了",
    "我在忙",
    "马云是杭州人",
    "他住在马德里",
    "我同学的姐姐在谷歌当工程师",
    "下个月我就32了",
]


@pytest.mark.parametrize("text", NOTHING)
def test_nothing_is_read(text: str) -> None:
    extraction = read(text)
    assert not extraction.facts
    assert not extraction.retractions
    assert not extraction.profile_patch


@pytest.mark.parametrize(
    ("text", "address"),
    [
        ("My daughter Lily is allergic to peanuts", "user/allergy:peanuts"),
        ("My colleague Tom lives in Berlin", "user/city"),
        ("My wife is a lawyer and she drives a Volvo", "user/occupation"),
        ("My friend says she's vegan", "user/diet"),
        ("my roommate's boyfriend is a lawyer", "user/occupation"),
        ("我老公叫张伟，是个程序员", "user/occupation"),
        ("我同事小王对猫毛过敏", "user/allergy:猫毛"),
        ("我朋友说他不喜欢上海", "user/taste:上海"),
        ("我养了一只猫，叫咪咪", "user/name"),
    ],
)
def test_the_facts_of_others_are_not_the_owners(text: str, address: str) -> None:
    assert address not in found(text)


@pytest.mark.parametrize("row", [row for row in labelled() if "forbidden" in row], ids=lambda row: str(row["id"]))
def test_what_is_labelled_as_forbidden_is_never_current(row: dict[str, list[dict[str, str]]]) -> None:
    turns = [(turn["user"], turn["assistant"]) for turn in row.get("before", [])]
    facts = [fact for fact in read(*turns, (str(row["user"]), "")).facts if fact.valid_to is None]
    for wrong in row["forbidden"]:
        assert not any(
            fact.subject == wrong["subject"]
            and str(fact.attribute).partition(":")[0] == wrong["attribute"].partition(":")[0]
            and wrong["contains"] in fact.content
            for fact in facts
            if not any(one["contains"] and one["contains"] in fact.content for one in row["facts"])
        )


def test_a_statement_before_a_question_is_read() -> None:
    assert set(found("I'm vegan, can you suggest a dinner?")) == {"user/diet"}
    assert set(found("我住在上海，周末去哪玩好？")) == {"user/city"}


def test_a_clause_with_a_secret_is_skipped_and_the_others_are_read() -> None:
    assert set(found("I live in Oslo. My password is swordfish99. I like tea.")) == {"user/city", "user/taste:tea"}


def test_a_short_quoted_name_is_kept() -> None:
    assert found('my name is "Bob"')["user/name"] == "The user's name is Bob."


def test_what_lies_beyond_the_longest_message_is_not_read() -> None:
    filler = "The weather is nice today. " * 900
    assert found(f"I live in Oslo. {filler} I like tea.") == found("I live in Oslo.")
    assert found("x" * 30_000) == {}
