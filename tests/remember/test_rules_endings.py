"""What ends: pets, lessons, old names, old homes; and what an ending must not take with it."""

from __future__ import annotations

import pytest

from memory_middleware.schemas.record import MemoryRecord
from tests.remember.rules_support import ended, found, read, record

BRUNO = record("The user has a dog named Bruno.", "user", "pet:bruno")
LUNA = record("The user has a cat named Luna.", "user", "pet:luna")
WANGCAI = record("用户养了一只狗，叫旺财。", "user", "pet:旺财")
MIMI = record("用户养了一只猫，叫咪咪。", "user", "pet:咪咪")


@pytest.mark.parametrize(
    ("text", "address"),
    [
        ("My dog Bruno died yesterday.", "pet:bruno"),
        ("My dog Bruno sadly passed away", "pet:bruno"),
        ("our cat Luna was put to sleep last week", "pet:luna"),
        ("My dog Bruno had to be put down", "pet:bruno"),
        ("My cat Luna is dead.", "pet:luna"),
        ("Sad news: my dog Bruno passed away", "pet:bruno"),
        ("We had to put our dog Bruno down", "pet:bruno"),
        ("My parrot died", "pet:parrot"),
        ("I don't have a hamster any more", "pet:hamster"),
        ("We no longer have a rabbit", "pet:rabbit"),
        ("我的猫咪咪去世了", "pet:咪咪"),
        ("我的狗旺财昨天死了", "pet:旺财"),
        ("我们家的狗旺财上周过世了。", "pet:旺财"),
        ("我家的乌龟死了", "pet:turtle"),
        ("我不养狗了", "pet:dog"),
        ("我们家已经没有猫了", "pet:cat"),
        ("我不再养猫", "pet:cat"),
    ],
)
def test_a_pet_that_is_no_more_is_retracted_and_never_added(text: str, address: str) -> None:
    assert found(text) == {}
    assert ended(text) == {f"user/{address}"}


@pytest.mark.parametrize(
    ("text", "gone"),
    [
        ("My dog died", {"user/pet:bruno"}),
        ("Bruno died this morning", {"user/pet:bruno"}),
        ("I don't have a dog any more", {"user/pet:bruno"}),
        ("We had to put Bruno down", {"user/pet:bruno"}),
        ("I don't have a cat anymore", {"user/pet:luna"}),
        ("我的狗死了", {"user/pet:bruno", "user/pet:旺财"}),
        ("旺财去世了", {"user/pet:旺财"}),
        ("我不养猫了", {"user/pet:luna", "user/pet:咪咪"}),
    ],
)
def test_a_pet_that_is_known_ends_by_its_name_or_by_its_kind(text: str, gone: set[str]) -> None:
    pets = (WANGCAI, MIMI) if "养猫" in text or text[0] in "我旺" else ()
    assert ended(text, known=(BRUNO, LUNA, *pets)) == gone


@pytest.mark.parametrize(
    "texts", [("I have a dog named Bruno.", "My dog Bruno died."), ("我养了一只狗，叫旺财", "我不养狗了")]
)
def test_a_pet_of_the_same_batch_lived_until_then(texts: tuple[str, str]) -> None:
    extraction = read(*texts)
    assert [fact.valid_to is None for fact in extraction.facts] == [False]
    assert len(extraction.retractions) == 1


@pytest.mark.parametrize(
    "text",
    [
        "My dog Bruno almost died last year",
        "My dog Bruno is dead tired",
        "My dog passed the exam",
        "I don't have a dog",
        "My phone is dead",
        "My grandmother Rosa died last year",
        "When did my dog Bruno die?",
        "We put the phone down",
        "We had to put Tom down",
        "我的狗差点死了",
        "我的手机死机了",
        "我爷爷去世了",
        "我不养狗",
        "你不养狗了吗？",
    ],
)
def test_nobody_is_buried_by_mistake(text: str) -> None:
    assert ended(text) == set()


@pytest.mark.parametrize(
    ("text", "address"),
    [
        ("I stopped learning French", "french"),
        ("I've given up on learning Korean", "korean"),
        ("I'm not learning French anymore", "french"),
        ("I'm no longer learning Rust", "rust"),
        ("I quit studying piano", "piano"),
        ("我不学法语了", "french"),
        ("我不再学法语", "french"),
        ("我放弃学法语了", "french"),
        ("我放弃了学吉他", "吉他"),
        ("我没继续学日语了", "japanese"),
    ],
)
def test_a_lesson_that_is_over_is_retracted(text: str, address: str) -> None:
    assert found(text) == {}
    assert ended(text) == {f"user/learning:{address}"}


@pytest.mark.parametrize(
    "text", ["I never stopped learning", "I'm not learning French", "我不学法语", "我不想学法语了"]
)
def test_a_lesson_that_never_was_does_not_end(text: str) -> None:
    assert ended(text) == set()


@pytest.mark.parametrize(
    ("texts", "old", "new"),
    [
        (
            (
                "I'm working on a project called Falcon. It's due on 30 June.",
                "We renamed the project Falcon to Harbour.",
            ),
            "Falcon",
            "Harbour",
        ),
        (("我在做一个叫“海燕”的项目，预计6月30日上线。", "海燕项目改名叫“远航”了。"), "海燕", "远航"),
    ],
)
def test_what_was_said_of_a_project_moves_with_its_name(texts: tuple[str, str], old: str, new: str) -> None:
    extraction = read(*texts)
    standing = {f"{fact.subject}/{fact.attribute}" for fact in extraction.facts if fact.valid_to is None}
    assert standing == {f"user/project:{new.casefold()}", f"{new} (project)/status", f"{new} (project)/deadline"}
    assert not [fact for fact in extraction.facts if old in fact.content and fact.valid_to is None]
    (project,) = extraction.profile_patch["work"]["current_projects"]
    assert project == {"name": new, "status": "active", "deadline": "2026-06-30"}


@pytest.mark.parametrize(
    ("text", "records", "standing"),
    [
        (
            "We renamed project Falcon to Harbour",
            (
                record("The project Falcon is paused.", "Falcon (project)", "status"),
                record("The project Falcon's deadline is 2026-06-30.", "Falcon (project)", "deadline"),
                record("The project Falcon has three testers.", "Falcon (project)", "note:testers"),
            ),
            {"status": "paused", "deadline": "2026-06-30"},
        ),
        (
            "海燕项目改名叫远航了",
            (record("海燕项目的状态：暂停。", "海燕 (project)", "status"),),
            {"status": "paused"},
        ),
    ],
)
def test_what_is_known_of_a_project_moves_with_its_name(
    text: str, records: tuple[MemoryRecord, ...], standing: dict[str, str]
) -> None:
    extraction = read(text, known=records)
    assert {one.content for one in records} <= {fact.replace for fact in extraction.facts}
    (project,) = extraction.profile_patch["work"]["current_projects"]
    assert {key: value for key, value in project.items() if key != "name"} == standing


def test_what_a_batch_said_of_a_project_goes_before_what_is_known() -> None:
    old = record("The project Falcon is active.", "Falcon (project)", "status")
    texts = ("Project Falcon is on hold.", "We renamed project Falcon to Harbour.", "Project Harbour is done.")
    assert found(*texts, known=(old,))["Harbour (project)/status"] == "The project Harbour is completed."


@pytest.mark.parametrize(
    ("text", "city", "left"),
    [
        ("我现在住在苏州，不住杭州了。", "用户住在苏州。", "杭州"),
        ("我不住杭州了，我现在住在苏州。", "用户住在苏州。", "杭州"),
        ("I live in Porto now, I don't live in Lisbon any more", "The user lives in Porto.", "Lisbon"),
        ("I no longer live in Lisbon, I live in Porto", "The user lives in Porto.", "Lisbon"),
    ],
)
def test_the_old_home_ends_and_the_new_one_stays(text: str, city: str, left: str) -> None:
    before = "用户住在杭州。" if left == "杭州" else "The user lives in Lisbon."
    extraction = read(text, known=(record(before, "user", "city"),))
    assert [fact.content for fact in extraction.facts] == [city]
    assert not extraction.retractions
    assert extraction.profile_removals["user"]["places"] == [left]


@pytest.mark.parametrize(
    ("text", "employer"),
    [
        ("I joined Stripe last month, I no longer work at Google", "The user works at Stripe."),
        (
            "From Monday I'm a research lead at Douro Health. I left Faro Travel last week.",
            "The user works at Douro Health.",
        ),
        ("我现在在拾光科技上班，上周离开了西溪科技。", "用户在拾光科技工作。"),
    ],
)
def test_leaving_the_old_place_does_not_end_the_new_one(text: str, employer: str) -> None:
    assert found(text)["user/employer"] == employer
    assert ended(text) == set()


@pytest.mark.parametrize(
    ("text", "content", "attribute", "gone"),
    [
        ("I no longer live in Lisbon", "The user lives in Porto.", "city", False),
        ("I no longer live in Lisbon", "The user lives in Lisbon.", "city", True),
        ("I no longer live in Lisbon", "用户住在里斯本。", "city", True),
        ("我不在网易上班了", "用户在腾讯工作。", "employer", False),
        ("我不在网易上班了", "用户在网易工作。", "employer", True),
    ],
)
def test_what_does_not_hold_does_not_end_what_does(text: str, content: str, attribute: str, gone: bool) -> None:
    assert bool(ended(text, known=(record(content, "user", attribute),))) is gone


@pytest.mark.parametrize(
    ("text", "before", "languages", "gone"),
    [
        ("以后请用中文回答", "用户希望用英文回答。", ["Chinese"], ["English"]),
        ("From now on, answer in French", "The user wants answers in German.", ["French"], ["German"]),
        ("Please always answer in English", "用户希望用中文回答。", ["English"], ["Chinese"]),
    ],
)
def test_a_new_language_of_answers_takes_the_place_of_the_old(
    text: str, before: str, languages: list[str], gone: list[str]
) -> None:
    extraction = read(text, known=(record(before, "user", "answer_language"),))
    assert extraction.profile_patch["user"]["preferences"]["language_preference"] == languages
    assert extraction.profile_removals["user"]["preferences"]["language_preference"] == gone


def test_the_same_language_by_another_word_stays() -> None:
    extraction = read("以后请用英语回答", known=(record("用户希望用英文回答。", "user", "answer_language"),))
    assert extraction.profile_removals == {}
