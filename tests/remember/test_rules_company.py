"""Who is meant: namesakes, words for relations, children, friends, and names that are none."""

from __future__ import annotations

import pytest

from memory_middleware.remember.extraction.rules.relations import RELATIONS, chinese_word
from tests.remember.rules_support import found, read, record


@pytest.mark.parametrize(
    ("text", "people"),
    [
        (
            "My brother Tom is a pilot. My neighbor Tom is a nurse.",
            [
                {"name": "Tom", "relationship": "brother", "role": "pilot"},
                {"name": "Tom", "relationship": "neighbor", "role": "nurse"},
            ],
        ),
        (
            "我朋友王伟是医生。我邻居王伟是老师。",
            [
                {"name": "王伟", "relationship": "朋友", "role": "医生"},
                {"name": "王伟", "relationship": "邻居", "role": "老师"},
            ],
        ),
    ],
)
def test_two_people_of_one_name_stay_two(text: str, people: list[dict[str, str]]) -> None:
    assert read(text).profile_patch["user"]["people"] == people


@pytest.mark.parametrize(
    ("known", "content"),
    [
        (("用户的妹妹是小敏。", "user", "sister:小敏"), "用户的妹妹小敏住在柳州。"),
        (("用户的妹妹小敏住在桂林。", "小敏 (sister)", "city"), "用户的妹妹小敏住在柳州。"),
        (("The user's sister 小敏 lives in Guilin.", "小敏 (sister)", "city"), "用户的姐妹小敏住在柳州。"),
        (("The user's dentist 小敏 lives in Guilin.", "小敏 (dentist)", "city"), "用户的牙医小敏住在柳州。"),
    ],
)
def test_a_relation_is_said_in_the_language_of_the_sentence(known: tuple[str, str, str], content: str) -> None:
    assert list(found("小敏搬到柳州了。", known=(record(*known),)).values()) == [content]


def test_a_word_that_is_said_later_is_the_word() -> None:
    known = (record("The user's sister 小敏 lives in Guilin.", "小敏 (sister)", "city"),)
    assert found("我妹妹小敏很好。小敏搬到柳州了。", known=known)["小敏 (sister)/city"] == "用户的妹妹小敏住在柳州。"


def test_english_sentences_keep_english_words() -> None:
    known = (record("用户的妹妹Nora住在桂林。", "Nora (sister)", "city"),)
    assert list(found("Nora lives in Oslo now", known=known).values()) == ["The user's sister Nora lives in Oslo."]


def test_every_relation_has_a_chinese_word() -> None:
    assert [relation for relation in set(RELATIONS.values()) if chinese_word(relation).islower()] == []
    assert chinese_word("stepmother") == "stepmother"


@pytest.mark.parametrize(
    ("text", "facts"),
    [
        (
            "我们有一个女儿，叫周小禾，今年五岁。",
            {"user/daughter:周小禾": "用户的女儿是周小禾。", "周小禾 (daughter)/age": "用户的女儿周小禾五岁。"},
        ),
        ("我有一个儿子，今年八岁", {"son/age": "用户的儿子八岁。"}),
        ("我有个哥哥，住在北京", {"brother/city": "用户的哥哥住在北京。"}),
        ("我养了一只猫，三岁", {"user/pet:cat": "用户有一只猫。", "cat/age": "用户的猫三岁。"}),
        ("我养了一只猫，今年32岁", {"user/pet:cat": "用户有一只猫。", "user/age": "用户32岁。"}),
        (
            "We have a daughter, called Mia, she's 5 years old",
            {"user/daughter:mia": "The user's daughter is Mia.", "Mia (daughter)/age": None},
        ),
    ],
)
def test_the_name_and_the_age_of_a_child_are_the_childs(text: str, facts: dict[str, str | None]) -> None:
    said = found(text)
    assert set(said) == set(facts)
    assert all(content is None or said[address] == content for address, content in facts.items())


@pytest.mark.parametrize(
    "text",
    [
        "今晚陈涛来家里吃饭，他是我大学同学，不吃辣。",
        "陈涛来了，不吃辣",
        "他不吃辣，在腾讯上班",
        "他是北京人，住在上海",
    ],
)
def test_what_is_said_of_somebody_else_is_not_the_owners(text: str) -> None:
    assert [address for address in found(text) if address.startswith("user/")] == []


def test_what_a_friend_does_not_eat_is_the_friends() -> None:
    said = read("我朋友陈涛来了，他不吃辣")
    assert "陈涛 (friend)" in {fact.subject for fact in said.facts}
    assert "custom_rules" not in said.profile_patch["user"]


def test_a_given_name_is_that_of_the_one_who_bears_it() -> None:
    known = (record("用户的女儿周小禾五岁。", "周小禾 (daughter)", "age"),)
    assert list(found("小禾最近迷上了恐龙。", known=known)) == ["周小禾 (daughter)/taste:恐龙"]
    twins = (*known, record("用户的朋友王小禾住在北京。", "王小禾 (friend)", "city"))
    assert found("小禾最近迷上了恐龙。", known=twins) == {}


@pytest.mark.parametrize(
    ("text", "facts"),
    [
        (
            "My sister Teresa's birthday is on 4 May.",
            {
                "user/sister:teresa": "The user's sister is Teresa.",
                "Teresa (sister)/birthday": "The user's sister Teresa's birthday is May 4.",
            },
        ),
        (
            "My friend O'Brien lives in Cork",
            {
                "user/friend:o'brien": "The user's friend is O'Brien.",
                "O'Brien (friend)/city": "The user's friend O'Brien lives in Cork.",
            },
        ),
    ],
)
def test_a_name_ends_before_its_possessive(text: str, facts: dict[str, str]) -> None:
    assert found(text) == facts


def test_somebody_known_by_relation_alone_has_a_name() -> None:
    known = (record("The user's sister is Anna.", "user", "sister:anna"),)
    assert list(found("Anna moved to Oslo", known=known)) == ["Anna (sister)/city"]
    lent = (record("The user's hobby is Anna.", "user", "taste:anna"),)
    assert found("Anna moved to Oslo", known=lent) == {}
