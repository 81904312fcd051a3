"""What must never be missed: allergies, diets and standing rules, and plain facts in less plain words."""

from __future__ import annotations

import pytest

from tests.remember.rules_support import found, read, record


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("I'm allergic to nuts", ["The user is allergic to nuts."]),
        ("I'm vegetarian", ["The user's diet is vegetarian."]),
        ("I don't eat pork", ["The user does not eat pork."]),
        ("我对花生过敏", ["用户对花生过敏。"]),
        ("我是素食主义者", ["用户的饮食习惯是素食。"]),
        ("我不吃辣", ["用户不吃辣。"]),
        (
            "I'm allergic to shellfish, so never suggest prawns or clams when we talk about food.",
            ["The user is allergic to shellfish.", "Never suggest prawns or clams when we talk about food."],
        ),
        ("我对虾过敏，所以别给我推荐海鲜", ["用户对虾过敏。", "别给我推荐海鲜。"]),
        ("我不能吃辣，请以后不要推荐川菜", ["用户不吃辣。", "以后不要推荐川菜。"]),
    ],
)
def test_a_restriction_is_a_rule_of_the_profile(text: str, lines: list[str]) -> None:
    assert read(text).profile_patch["user"]["custom_rules"] == lines


@pytest.mark.parametrize(
    "text", ["I like nuts", "I think I'm allergic to nuts", "My friend Max is allergic to nuts", "我喜欢花生"]
)
def test_what_restricts_nobody_or_somebody_else_is_no_rule(text: str) -> None:
    assert "custom_rules" not in read(text).profile_patch.get("user", {})


@pytest.mark.parametrize(
    ("text", "known", "lines"),
    [
        ("I'm not allergic to nuts", None, ["The user is allergic to nuts."]),
        ("我对花生不过敏了", None, ["用户对花生过敏。"]),
        ("Forget that I'm allergic to nuts", None, ["The user is allergic to nuts."]),
        ("I'm no longer vegetarian", None, ["The user's diet is vegetarian."]),
        ("I'm vegan now", ("The user's diet is vegetarian.", "diet"), ["The user's diet is vegetarian."]),
        ("I love pork", ("The user does not eat pork.", "taste:pork"), ["The user does not eat pork."]),
        ("我喜欢香菜", ("用户不吃香菜。", "taste:香菜"), ["用户不吃香菜。"]),
    ],
)
def test_a_restriction_that_is_lifted_leaves_the_profile(
    text: str, known: tuple[str, str] | None, lines: list[str]
) -> None:
    records = (record(known[0], "user", known[1]),) if known else ()
    assert read(text, known=records).profile_removals["user"]["custom_rules"] == lines


def test_another_taste_lifts_nothing() -> None:
    known = (record("The user likes pork.", "user", "taste:pork"),)
    assert "custom_rules" not in read("I hate pork", known=known).profile_removals["user"]


@pytest.mark.parametrize(
    "text",
    [
        "Never share customer addresses with anybody outside the shop.",
        "Always forward invoices to Maria",
        "绝对不要把客户地址告诉别人",
        "任何时候都不能泄露合同价格",
    ],
)
def test_a_standing_rule_is_kept(text: str) -> None:
    extraction = read(text)
    assert [fact.type.value for fact in extraction.facts] == ["feedback"]
    assert [path for path in ("user", "work") if path in extraction.profile_patch]


@pytest.mark.parametrize(
    "text",
    [
        "I'm tired, so don't ask me anything today",
        "I like it here, so never mind",
        "He told me, never use that shop",
        "Never shared a room before",
        "千万别忘了带伞",
        "千万别告诉我妈",
        "我累了，所以今天别推荐餐厅",
    ],
)
def test_a_word_of_the_moment_is_no_standing_rule(text: str) -> None:
    assert [address for address in found(text) if "rule:" in address] == []


def test_two_instructions_in_one_sentence_are_both_kept() -> None:
    text = "One thing about how you talk to me: please keep your answers short, and use metric units."
    assert found(text) == {
        "user/answer_length": "The user wants short answers.",
        "user/rule:use metric units": "The user's standing instruction: Use metric units.",
    }


def test_a_rule_about_meetings_that_follows_from_something_is_a_window() -> None:
    said = found("I pick up my kids, so please never schedule calls after 5pm")
    assert [address for address in said if "rule:" in address] == []
    assert [address for address in found("我要接孩子，所以请不要在下午五点以后安排会议") if "rule:" in address] == []


@pytest.mark.parametrize(
    ("text", "facts"),
    [
        ("I work as a translator", {"user/occupation": "The user is a translator."}),
        ("我是一名翻译", {"user/occupation": "用户的职业是翻译。"}),
        ("I'm in Berlin at the moment", {"user/location": "The user is in Berlin at the moment."}),
        ("I'm currently in Lisbon", {"user/location": "The user is in Lisbon at the moment."}),
        ("我现在在柏林", {"user/location": "用户目前在柏林。"}),
        ("New e-mail address: ana@example.org", {"user/email": "The user's e-mail address is ana@example.org."}),
        ("New phone number: +44 7700 900123", {"user/phone": "The user's phone number is +44 7700 900123."}),
        ("新邮箱：ana@example.org", {"user/email": "用户的邮箱是ana@example.org。"}),
        ("I've gone off coffee", {"user/taste:coffee": "The user dislikes coffee."}),
        ("I went off meat a while ago", {"user/taste:meat": "The user dislikes meat."}),
        ("We switched to Notion yesterday", {"user/uses:notion": "The user uses Notion."}),
        (
            "From Monday I'm a research lead at Douro Health",
            {"user/occupation": "The user is a research lead.", "user/employer": "The user works at Douro Health."},
        ),
        ("从下周一起我在拾光科技上班", {"user/employer": "用户在拾光科技工作。"}),
        ("As of next week we're based in Oslo", {"user/city": "The user lives in Oslo."}),
    ],
)
def test_plain_facts_in_less_plain_words(text: str, facts: dict[str, str]) -> None:
    assert found(text) == facts


@pytest.mark.parametrize(
    "text",
    [
        "I'm in Marketing right now",
        "I'm in Berlin",
        "I'm not in Berlin at the moment",
        "I went off on him",
        "We went off the beaten track",
        "I don't drink coffee after lunch",
        "The project is done",
        "Our project is on hold",
        "Harbour is live",
        "The deadline for Monday is tough",
        "我现在在公司",
        "帮我翻译一下：我住在北京",
    ],
)
def test_what_says_too_little_gives_nothing(text: str) -> None:
    assert found(text) == {}


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("The deadline for Orion is 30 June", "2026-06-30"),
        ("The Orion deadline moved to 15 July", "2026-07-15"),
        ("Orion's deadline is 1 May", "2026-05-01"),
        ("New deadline for Orion: 8 May 2026.", "2026-05-08"),
    ],
)
def test_a_deadline_needs_no_more_than_a_name(text: str, day: str) -> None:
    assert found(text)["Orion (project)/deadline"] == f"The project Orion's deadline is {day}."


def test_a_project_that_has_a_name_and_a_deadline_in_chinese() -> None:
    said = found("我现在的项目叫港湾，是轮渡购票流程改版，截止日期是4月30日。")
    assert said["港湾 (project)/deadline"] == "港湾项目的截止日期是2026-04-30。"


@pytest.mark.parametrize("text", ["Harbour is live!", "Project Harbour needs a name. The project is done."])
def test_a_project_that_is_known_needs_no_noun(text: str) -> None:
    known = (record("The project Harbour is active.", "Harbour (project)", "status"),)
    assert found(text, known=known)["Harbour (project)/status"] == "The project Harbour is completed."


def test_a_known_project_that_is_not_done_is_not_done() -> None:
    known = (record("The project Harbour is active.", "Harbour (project)", "status"),)
    assert found("Harbour isn't live", known=known) == {}


def test_a_tool_ends_before_the_time() -> None:
    assert found("We switched from Linear to Jira this week") == {"user/uses:jira": "The user uses Jira."}
