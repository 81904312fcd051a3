"""Corrections, changes, ends, jokes, and answers to what the assistant asked."""

from __future__ import annotations

import pytest

from memory_middleware.remember.extraction.base import ExtractionBatch
from memory_middleware.remember.extraction.rules import RuleExtractor
from memory_middleware.schemas.record import RecordKind
from tests.remember.rules_support import NOW, batch, ended, found, read, record


@pytest.mark.parametrize(
    ("before", "now", "address", "content"),
    [
        ("I live in Lisbon", "sorry, I meant Porto", "user/city", "The user lives in Porto."),
        ("I live in Lisbon", "It's Porto, not Lisbon", "user/city", "The user lives in Porto."),
        ("My name is John", "No, actually my name is Jon", "user/name", "The user's name is Jon."),
        (
            "our demo is on Monday",
            "I was wrong, the demo is on Tuesday",
            "user/event:demo",
            "The user's demo is on 2026-03-10.",
        ),
        ("our demo is on Monday", "wait no, it's Thursday", "user/event:demo", "The user's demo is on 2026-03-05."),
        ("我住在杭州", "不对，是苏州", "user/city", "用户住在苏州。"),
        ("我住在杭州", "不是杭州，是苏州", "user/city", "用户住在苏州。"),
        ("我是1995年出生的", "打错了，我是1993年生的", "user/birthday", "用户出生于1993年。"),
        ("我周四有个面试", "说错了，是周五", "user/event:面试", "用户 2026-03-06 有面试。"),
    ],
)
def test_a_correction_takes_the_place_of_what_was_never_true(before: str, now: str, address: str, content: str) -> None:
    facts = read(before, now).facts
    assert [(f"{fact.subject}/{fact.attribute}", fact.content) for fact in facts] == [(address, content)]
    assert facts[0].evidence == ("r1",)


@pytest.mark.parametrize(
    ("text", "address", "content"),
    [
        ("I'm not a nurse but a doctor", "user/occupation", "The user is a doctor."),
        ("I'm not a nurse, but rather a doctor", "user/occupation", "The user is a doctor."),
        ("我不是护士，而是医生", "user/occupation", "用户的职业是医生。"),
        ("我不叫李明，我叫黎明", "user/name", "用户的名字是黎明。"),
    ],
)
def test_not_this_but_that_gives_that(text: str, address: str, content: str) -> None:
    assert found(text) == {address: content}


@pytest.mark.parametrize(
    "text", ["sorry, I meant Porto", "不对，是苏州", "no, it's the other one", "It's Porto, not Lisbon"]
)
def test_a_correction_of_nothing_gives_nothing(text: str) -> None:
    assert found(text) == {}


@pytest.mark.parametrize(
    ("before", "now", "address", "new"),
    [
        ("I live in Rome", "I moved to Milan", "city", "Milan"),
        ("I love coffee", "I don't like coffee any more", "taste:coffee", "dislikes coffee"),
        ("我在阿里上班", "我入职美团了", "employer", "美团"),
    ],
)
def test_a_change_keeps_the_old_value_until_then(before: str, now: str, address: str, new: str) -> None:
    old, later = read(before, now).facts
    assert old.attribute == later.attribute == address
    assert old.valid_to == NOW.replace(minute=1)
    assert new in later.content
    assert later.valid_to is None


def test_a_change_in_one_message_keeps_both() -> None:
    old, new = read("I work at Oracle. Big news: I just joined Stripe.").facts
    assert (old.content, new.content) == ("The user works at Oracle.", "The user works at Stripe.")
    assert old.valid_to is not None


def test_a_passing_state_ends_no_later_for_being_replaced() -> None:
    old, new = read("I'm in Berlin until Friday", "I'm in Paris until Sunday").facts
    assert old.valid_to == NOW.replace(minute=1)
    assert "Paris" in new.content


@pytest.mark.parametrize(
    ("text", "address"),
    [
        ("I no longer use Vim", "user/uses:vim"),
        ("I stopped using Evernote", "user/uses:evernote"),
        ("I uninstalled Slack", "user/uses:slack"),
        ("I don't work with Tom any more", "user/colleague:tom"),
        ("I quit my job at Oracle", "user/employer"),
        ("I lost my job", "user/employer"),
        ("I was laid off from Meta", "user/employer"),
        ("I no longer work as a nurse", "user/occupation"),
        ("I don't live in Rome any more", "user/city"),
        ("I'm not vegetarian anymore", "user/diet"),
        ("I broke up with my girlfriend Dana", "user/girlfriend"),
        ("I'm no longer working on Project Atlas", "user/project:atlas"),
        ("I no longer run every Tuesday", "user/routine:run"),
        ("Forget that I live in Rome", "user/city"),
        ("我不再用Vim了", "user/uses:vim"),
        ("我卸载了Slack", "user/uses:slack"),
        ("我从阿里离职了", "user/employer"),
        ("我上周离职了", "user/employer"),
        ("我不再是学生了", "user/occupation"),
        ("我已经不住朝阳了", "user/city"),
        ("我跟女朋友分手了", "user/girlfriend"),
        ("我不养猫了", "user/pet:cat"),
        ("我不再吃素了", "user/diet"),
        ("忘掉我住在罗马", "user/city"),
    ],
)
def test_what_ends_is_retracted_by_its_address(text: str, address: str) -> None:
    assert ended(text) == {address}
    assert found(text) == {}


@pytest.mark.parametrize(
    ("text", "old", "new"),
    [
        ("I switched from Notion to Obsidian", "user/uses:notion", "user/uses:obsidian"),
        ("I ditched Chrome for Firefox", "user/uses:chrome", "user/uses:firefox"),
        ("我不用VS Code了，现在改用Neovim", "user/uses:vs code", "user/uses:neovim"),
        ("我把Chrome换成了Firefox", "user/uses:chrome", "user/uses:firefox"),
        ("我们从Jenkins换到了GitHub Actions", "user/uses:jenkins", "user/uses:github actions"),
    ],
)
def test_a_switch_ends_the_one_and_begins_the_other(text: str, old: str, new: str) -> None:
    assert ended(text) == {old}
    assert set(found(text)) == {new}


def test_a_plain_denial_ends_only_what_was_said() -> None:
    assert ended("I live in Rome", "I don't live in Rome") == {"user/city"}
    assert ended("I don't live in Rome") == set()
    assert ended("I don't live in Rome", known=(record("The user lives in Rome.", "user", "city"),)) == {"user/city"}
    assert ended("我不在华为上班", known=(record("用户在华为工作。", "user", "employer"),)) == {"user/employer"}


def test_what_ends_and_begins_anew_is_only_what_begins() -> None:
    assert found("I left Google in January and started at Mozilla") == {"user/employer": "The user works at Mozilla."}
    assert ended("I left Google in January and started at Mozilla") == set()


@pytest.mark.parametrize(
    "back", ["just kidding lol", "I was joking", "forget what I said", "开玩笑的啦，别当真", "当我没说"]
)
def test_a_joke_takes_back_the_round_before(back: str) -> None:
    extraction = read("I like tea", "I'm the king of Norway and I live in Oslo", back)
    assert [fact.attribute for fact in extraction.facts] == ["taste:tea"]
    (retraction,) = extraction.retractions
    assert (retraction.rounds, retraction.evidence) == (("r1",), ("r2",))


def test_a_joke_takes_back_what_its_own_round_said_before() -> None:
    extraction = read("I'm a pilot. Just kidding, I'm a librarian.")
    assert [fact.content for fact in extraction.facts] == ["The user is a librarian."]
    assert extraction.retractions == ()
    assert read("I'm a pilot, just kidding").retractions[0].rounds == ("r0",)


def test_a_joke_reaches_the_round_before_the_batch() -> None:
    first, second = batch("I'm the king of Norway", "just kidding").rounds
    extraction = RuleExtractor().extract(ExtractionBatch((second,), before=first))
    assert [retraction.rounds for retraction in extraction.retractions] == [(first.id,)]


def test_an_answer_reaches_the_question_before_the_batch() -> None:
    first, second = batch(("hi", "Where do you live?"), "Lisbon").rounds
    (fact,) = RuleExtractor().extract(ExtractionBatch((second,), before=first)).facts
    assert fact.content == "The user lives in Lisbon."


def test_a_joke_about_nothing_takes_back_nothing() -> None:
    assert read("just kidding").retractions == ()
    assert set(found("I'm not kidding, I live in Rome")) == {"user/city"}
    assert set(found("我没开玩笑，我住在罗马")) == {"user/city"}


@pytest.mark.parametrize(
    ("question", "answer", "address"),
    [
        ("Where do you live?", "Lisbon", "user/city"),
        ("Nice! And what do you do for a living?", "a nurse", "user/occupation"),
        ("How old are you?", "34", "user/age"),
        ("Which language should I answer in?", "French", "user/answer_language"),
        ("So your flight is on 3 May?", "yes, exactly", "user/event:flight"),
        ("Just to confirm, you're vegan, right?", "correct", "user/diet"),
        ("请问你住在哪里？", "杭州", "user/city"),
        ("你是做什么工作的？", "程序员", "user/occupation"),
        ("所以你住在杭州，对吗？", "对，没错", "user/city"),
    ],
)
def test_a_short_answer_completes_the_question(question: str, answer: str, address: str) -> None:
    (fact,) = read(("hi", question), answer).facts
    assert f"{fact.subject}/{fact.attribute}" == address
    assert fact.evidence == ("r0", "r1")


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Where do you live?", "why do you ask?"),
        ("Where do you live?", "I don't want to say"),
        ("Where do you live?", "`Rome`"),
        ("What is your password?", "swordfish"),
        ("What would you like to eat?", "pizza"),
        ("Where should we go?", "yes"),
        ("Nice weather today.", "yes"),
        ("你住在哪里？", "保密"),
    ],
)
def test_what_does_not_answer_gives_nothing(question: str, answer: str) -> None:
    assert read(("hi", question), answer).facts == ()


def test_a_record_is_named_that_a_fact_replaces() -> None:
    lisbon = record("The user lives in Lisbon.", "user", "city")
    extraction = read("I moved to Vienna", known=(lisbon,))
    assert extraction.facts[0].replace == "The user lives in Lisbon."
    assert extraction.profile_removals == {"user": {"places": ["Lisbon"]}}
    assert read("I live in Lisbon", known=(lisbon,)).facts[0].replace is None


def test_a_known_value_is_corrected_without_the_sentence() -> None:
    known = (record("The user lives in Lisbon.", "user", "city"), record("Bo hates Rome.", "Bo", "taste:rome"))
    extraction = read("no, it's Porto, not Lisbon", known=known)
    assert [(fact.attribute, fact.content) for fact in extraction.facts] == [("city", "The user lives in Porto.")]
    assert extraction.profile_removals == {"user": {"places": ["Lisbon"]}}
    (other,) = read("it's Milan, not Rome", known=known).facts
    assert (other.subject, other.attribute, other.content, other.type) == (
        "Bo",
        "taste:rome",
        "Bo hates Milan.",
        RecordKind.FACT,
    )
    note = record("The user dislikes Rome.", "user", "taste:rome")
    assert read("it's Milan, not Rome", known=(note,)).facts[0].subject == "user"


def test_a_renamed_project_keeps_what_is_known_of_it() -> None:
    deadline = record("The project Orion's deadline is 2026-05-03.", "Orion (project)", "deadline")
    facts = found("We renamed project Orion to Helios", known=(deadline,))
    assert facts["Helios (project)/deadline"] == "The project Helios's deadline is 2026-05-03."


def test_people_who_are_known_are_found_by_name_and_by_relation() -> None:
    known = (
        record("The user's sister Anna lives in Porto.", "Anna (sister)", "city"),
        record("The user's boss is Tom.", "user", "boss"),
        record("用户的老婆是林悦。", "user", "wife"),
    )
    assert found("Anna moved to Faro", known=known)["Anna (sister)/city"] == "The user's sister Anna lives in Faro."
    assert set(found("my boss lives in Kyiv", known=known)) == {"Tom (boss)/city"}
    assert set(found("我老婆住在上海", known=known)) == {"林悦 (wife)/city"}
    assert set(found("林悦对海鲜过敏", known=known)) == {"林悦 (wife)/allergy:海鲜"}
    changed = read("My new boss is Lisa", known=known)
    assert changed.profile_removals == {"work": {"team_members": ["Tom"]}}


def test_what_is_said_twice_is_one_fact_with_both_rounds() -> None:
    (fact,) = read("I live in Oslo", "Remember that I live in Oslo").facts
    assert fact.evidence == ("r0", "r1")
    assert fact.confidence == 0.95
