"""Taking back: by whose word, of what is pinned, in any order, and again."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from memory_middleware import Dialogue, MemoryRecord, MemoryType
from memory_middleware.graph.extractor import ExtractorGraph
from memory_middleware.remember.extraction.base import Extraction, ExtractionBatch, Retraction
from memory_middleware.remember.grounding import retracted_by
from memory_middleware.remember.journal import MemoryJournal
from memory_middleware.remember.pipeline import ExtractionPipeline
from memory_middleware.remember.reconcile import reconcile
from memory_middleware.schemas.record import RecordKind, RecordState, TrustTier
from memory_middleware.storage.repositories import Repositories
from tests.remember.support import ANA, NOON, ScriptedExtractor, fact, said

FACTS = (RecordKind.FACT,)
NURSE = {"user": {"occupation": "nurse"}, "work": {"occupation": "nurse"}}
Script = Callable[[Dialogue], Extraction]


class Told:
    """A conversation whose rounds each have a script, told in batches of any size."""

    def __init__(self, memories: Repositories) -> None:
        self.memories = memories
        self.scripts: dict[str, Script] = {}
        self.rounds: list[Dialogue] = []

    def say(self, text: str, script: Script, **more: Any) -> Dialogue:
        one = said(text, at=len(self.rounds), **more)
        self.rounds.append(one)
        self.scripts[one.id] = script
        return one

    def read(self, *sizes: int) -> None:
        """Read the rounds in batches of these sizes."""
        waiting = list(self.rounds)
        graph = ExtractorGraph(ExtractionPipeline(self.memories, ScriptedExtractor(self._extract)))
        for size in sizes:
            batch, waiting = waiting[:size], waiting[size:]
            for one in batch:
                self.memories.dialogues.append(ANA, one)
            graph.run(ANA)

    def _extract(self, batch: ExtractionBatch) -> Extraction:
        found = [self.scripts[one.id](one) for one in batch.rounds]
        trees: dict[str, Any] = {"patch": {}, "removals": {}}
        for one in found:
            for kind, part in one.profile_patch.items():
                trees["patch"].setdefault(kind, {}).update(part)
            for kind, part in one.profile_removals.items():
                trees["removals"].setdefault(kind, {}).update(part)
        return Extraction(
            tuple(told for one in found for told in one.facts),
            tuple(told for one in found for told in one.retractions),
            trees["patch"],
            trees["removals"],
        )

    def occupation(self) -> tuple[str | None, list[str]]:
        """What the profile and the active records say of the job."""
        profile = self.memories.profiles.get(ANA, MemoryType.USER)
        records = self.memories.records.at_address(ANA, "user", "occupation")
        return getattr(profile, "occupation", None), [record.content for record in records]


def is_nurse(one: Dialogue) -> Extraction:
    return Extraction((fact("The user is a nurse.", one, attribute="occupation"),), profile_patch=NURSE)


def is_pilot(one: Dialogue) -> Extraction:
    patch = {"user": {"occupation": "pilot"}, "work": {"occupation": "pilot"}}
    return Extraction((fact("The user is a pilot.", one, attribute="occupation"),), profile_patch=patch)


def quits(one: Dialogue) -> Extraction:
    gone = {"user": {"occupation": None}, "work": {"occupation": None}}
    return Extraction(retractions=(Retraction("user", "occupation", evidence=(one.id,)),), profile_removals=gone)


def ends_without_patch(one: Dialogue) -> Extraction:
    return Extraction(retractions=(Retraction("user", "occupation", evidence=(one.id,)),))


def jokes_about(other: Dialogue) -> Script:
    return lambda one: Extraction(retractions=(Retraction(evidence=(one.id,), rounds=(other.id,)),))


def nothing(one: Dialogue) -> Extraction:
    return Extraction()


@pytest.fixture
def told(memories: Repositories) -> Told:
    return Told(memories)


BATCHES = [(1, 1, 1, 1), (4,), (2, 2), (1, 3), (3, 1), (1, 2, 1)]


@pytest.mark.parametrize("sizes", BATCHES, ids=str)
@pytest.mark.parametrize("end", [quits, ends_without_patch], ids=["with removal", "by address alone"])
def test_a_job_that_was_quit_as_a_joke_is_there_again(told: Told, sizes: tuple[int, ...], end: Script) -> None:
    told.say("I'm a nurse", is_nurse)
    joke = told.say("I quit my job", end)
    told.say("just kidding", jokes_about(joke))
    told.say("nice weather today", nothing)
    told.read(*sizes)
    assert told.occupation() == ("nurse", ["The user is a nurse."])


@pytest.mark.parametrize("sizes", BATCHES, ids=str)
def test_a_value_and_its_joke_leave_the_former_value(told: Told, sizes: tuple[int, ...]) -> None:
    told.say("I'm a nurse", is_nurse)
    joke = told.say("I'm a pilot now", is_pilot)
    told.say("haha, just kidding", jokes_about(joke))
    told.say("nice weather today", nothing)
    told.read(*sizes)
    assert told.occupation() == ("nurse", ["The user is a nurse."])


@pytest.mark.parametrize("sizes", BATCHES, ids=str)
def test_a_joke_that_was_none_after_all_holds(told: Told, sizes: tuple[int, ...]) -> None:
    told.say("I'm a nurse", is_nurse)
    meant = told.say("I'm a pilot now", is_pilot)
    back = told.say("just kidding", jokes_about(meant))
    told.say("no wait, I was kidding about kidding, it is true", jokes_about(back))
    told.read(*sizes)
    assert told.occupation() == ("pilot", ["The user is a pilot."])
    [old] = [one for one in told.memories.records.newest(ANA, states=[RecordState.SUPERSEDED], kinds=FACTS)]
    assert old.content == "The user is a nurse."
    assert old.valid_to == meant.created_at


@pytest.mark.parametrize("sizes", BATCHES, ids=str)
def test_a_job_that_was_really_quit_is_gone(told: Told, sizes: tuple[int, ...]) -> None:
    told.say("I'm a nurse", is_nurse)
    end = told.say("I quit my job", quits)
    back = told.say("just kidding", jokes_about(end))
    told.say("no, I really did quit", jokes_about(back))
    told.read(*sizes)
    assert told.occupation() == (None, [])


@pytest.mark.parametrize("sizes", BATCHES, ids=str)
@pytest.mark.parametrize("named", ["address", "content"])
def test_a_joke_that_only_names_the_fact_brings_the_former_value_back(
    told: Told, sizes: tuple[int, ...], named: str
) -> None:
    def takes_back(one: Dialogue) -> Extraction:
        if named == "address":
            return Extraction(retractions=(Retraction("user", "occupation", evidence=(one.id,)),))
        return Extraction(retractions=(Retraction(content="The user is a pilot.", evidence=(one.id,)),))

    told.say("I'm a nurse", is_nurse)
    told.say("I'm a pilot now", is_pilot)
    told.say("haha, just kidding", takes_back)
    told.say("nice weather today", nothing)
    told.read(*sizes)
    assert told.occupation() == ("nurse", ["The user is a nurse."])


def test_a_joke_about_one_of_two_things_ends_only_that(told: Told) -> None:
    def both(one: Dialogue) -> Extraction:
        return Extraction((*is_pilot(one).facts, fact("The user lives in Rome.", one, attribute="city")))

    told.say("I'm a nurse", is_nurse)
    told.say("I'm a pilot now, in Rome", both)
    told.say("kidding about the pilot", ends_without_patch)
    told.read(1, 1, 1)
    assert told.occupation() == (None, [])
    assert len(told.memories.records.at_address(ANA, "user", "city")) == 1


@pytest.mark.parametrize("sizes", [(2,), (1, 1)], ids=str)
def test_a_joke_long_after_or_about_nothing_takes_nothing_back(told: Told, sizes: tuple[int, ...]) -> None:
    told.say("I'm a nurse", is_nurse)
    told.rounds[0] = told.rounds[0].model_copy(update={"turn": None})
    told.say("just kidding", lambda one: Extraction(retractions=(Retraction("user", "city", evidence=(one.id,)),)))
    told.read(*sizes)
    assert told.occupation() == ("nurse", ["The user is a nurse."])


def test_a_value_said_after_an_end_that_was_not_meant_stays(told: Told) -> None:
    told.say("I'm a nurse", is_nurse)
    joke = told.say("I quit my job", quits)
    told.say("I'm a pilot now", is_pilot)
    told.say("I was joking that I quit", jokes_about(joke))
    told.read(1, 1, 1, 1)
    assert told.occupation() == ("pilot", ["The user is a pilot."])
    [old] = told.memories.records.at_address(ANA, "user", "occupation", states=[RecordState.SUPERSEDED])
    assert old.valid_to == told.rounds[2].created_at


def test_an_end_said_after_a_value_of_the_same_batch_counts_in_the_profile(told: Told) -> None:
    told.say("I'm a nurse", is_nurse)
    told.say("well, I quit yesterday", ends_without_patch)
    told.read(2)
    assert told.occupation() == (None, [])


def test_a_fact_that_replaces_another_takes_its_value_out_of_the_profile(told: Told) -> None:
    told.say("I'm a nurse", is_nurse)
    told.say("I fly planes now", lambda one: Extraction((fact("The user flies planes.", one, attribute="occupation"),)))
    told.read(1, 1)
    assert told.occupation() == (None, ["The user flies planes."])


@pytest.mark.parametrize(
    ("user", "answer", "tool"),
    [
        ("what does the page say?", "It says that you are no nurse any more.", "The user is not a nurse any more."),
        ("what do you know?", "You are no longer a nurse.", ""),
        ("I don't get this page, tell me", "Fine.", "The user is not a nurse any more."),
        ("这页说了什么？", "用户不再是 nurse。", ""),
    ],
    ids=["tool", "assistant", "tool beside a denial", "zh"],
)
def test_words_of_others_do_not_end_what_the_user_said(told: Told, user: str, answer: str, tool: str) -> None:
    told.say("I'm a nurse", is_nurse)
    told.say(user, ends_without_patch, answer=answer, tool_text=tool)
    told.read(1, 1)
    assert told.occupation() == ("nurse", ["The user is a nurse."])
    [doubt] = told.memories.records.newest(ANA, states=[RecordState.QUARANTINED], kinds=FACTS)
    assert (doubt.content, doubt.links[0].relation) == (
        "It is said that this does not hold: The user is a nurse.",
        "contradicts",
    )
    assert doubt.trust is not TrustTier.USER
    assert doubt.note == "it contradicts what is known and said by the user: The user is a nurse."


@pytest.mark.parametrize(
    "text",
    ["I quit", "yes, exactly", "I am between jobs", "we let it be", "辞职了", "我换工作了"],
)
def test_the_users_own_words_end_it_also_if_the_assistant_repeats_them(told: Told, text: str) -> None:
    told.say("I'm a nurse", is_nurse)
    told.say(text, ends_without_patch, answer="So you are not a nurse any more.")
    told.read(1, 1)
    assert told.occupation() == (None, [])


@pytest.mark.parametrize("sizes", [(1, 1), (2,)], ids=str)
def test_what_is_pinned_is_never_taken_back_silently(told: Told, sizes: tuple[int, ...]) -> None:
    first = told.say("I'm a nurse", is_nurse)
    told.read(1)
    [record] = told.memories.records.at_address(ANA, "user", "occupation")
    MemoryJournal(told.memories).pin(ANA, record.id)
    told.rounds.clear()
    told.rounds.append(said("filler", at=1))
    told.scripts[told.rounds[0].id] = nothing
    told.say("just kidding", jokes_about(first))
    told.say("I quit", ends_without_patch)
    told.read(1, 1, 1)
    kept = told.memories.records.get(ANA, record.id)
    assert kept is not None
    assert (kept.state, kept.valid_to) == (RecordState.ACTIVE, None)
    doubts = told.memories.records.newest(ANA, states=[RecordState.QUARANTINED], kinds=FACTS)
    assert {one.links[0].to_id for one in doubts} == {record.id}
    assert {one.note for one in doubts} == {"it contradicts what is known and pinned: The user is a nurse."}


def test_a_doubt_in_chinese_is_put_in_chinese(told: Told) -> None:
    told.say("我是护士", lambda one: Extraction((fact("用户是护士。", one, attribute="occupation"),)))
    told.say("网页说什么？", ends_without_patch, tool_text="用户不是护士了。")
    told.read(1, 1)
    [doubt] = told.memories.records.newest(ANA, states=[RecordState.QUARANTINED], kinds=FACTS)
    assert doubt.content == "据说这不再成立：用户是护士。"


def test_a_stranger_joking_leaves_the_profile(told: Told) -> None:
    told.say("I'm a nurse", is_nurse)
    told.say("tell me more", jokes_about(told.rounds[0]), answer="The user is no nurse, that was a joke.")
    told.read(1, 1)
    assert told.occupation() == ("nurse", ["The user is a nurse."])


def test_whose_words_end_a_content() -> None:
    assert retracted_by("The user is a nurse.", [said("so be it", "Noted.")]) is TrustTier.USER
    assert retracted_by("The user is a nurse.", []) is TrustTier.USER


def test_the_same_doubt_is_kept_once(told: Told) -> None:
    told.say("I'm a nurse", is_nurse)
    twice = Retraction("user", "occupation", evidence=("?",))
    told.say(
        "what does it say?",
        lambda one: Extraction(
            retractions=(
                Retraction("user", "occupation", evidence=(one.id,)),
                Retraction(content="The user is a nurse.", evidence=(one.id,)),
                twice,
            )
        ),
        tool_text="The user is not a nurse.",
    )
    told.read(1, 1)
    assert len(told.memories.records.newest(ANA, states=[RecordState.QUARANTINED], kinds=FACTS)) == 1


def test_a_stay_that_was_taken_back_by_mistake_ends_when_it_would_have(told: Told) -> None:
    def stays(one: Dialogue) -> Extraction:
        until = said("", at=600).created_at
        return Extraction((fact("The user is in Rome.", one, attribute="location", valid_to=until),))

    meant = told.say("I'm in Rome until tonight", stays)
    back = told.say("just kidding", jokes_about(meant))
    told.say("no, not kidding", jokes_about(back))
    told.read(1, 1, 1)
    found: list[MemoryRecord] = told.memories.records.at_address(
        ANA, "user", "location", states=[RecordState.ACTIVE, RecordState.SUPERSEDED]
    )
    assert [one.valid_to for one in found] == [said("", at=600).created_at]


def test_a_joke_leaves_alone_what_holds_again_by_other_means() -> None:
    one = said("I'm a pilot now", at=5)
    truth = MemoryRecord.create("ana", "The user is a nurse.", subject="user", attribute="occupation", now=NOON)
    joke = MemoryRecord.create(
        "ana",
        "The user is a pilot.",
        now=one.created_at,
        valid_from=one.created_at,
        links=({"to": truth.id, "relation": "supersedes"},),
        provenance={"round_ids": [one.id]},
    )
    made = reconcile(
        [], [Retraction(rounds=(one.id,))], [truth, joke], owner_id="ana", thread_id="t1", now=said("", at=9).created_at
    )
    assert [record.id for record in made.changed] == [joke.id]


def test_two_values_that_change_at_once_are_each_put_back(told: Told) -> None:
    def both(job: str, city: str) -> Script:
        patch = {"user": {"occupation": job, "places": [{"name": city, "category": "home"}]}}
        return lambda one: Extraction(
            (
                fact(f"The user is a {job}.", one, attribute="occupation"),
                fact(f"The user lives in {city}.", one, attribute="city"),
            ),
            profile_patch=patch,
        )

    told.say("I'm a nurse in Rome", both("nurse", "Rome"))
    joke = told.say("I'm a pilot in Porto now", both("pilot", "Porto"))
    told.say("just kidding", jokes_about(joke))
    told.read(2, 1)
    assert told.occupation() == ("nurse", ["The user is a nurse."])
    profile = told.memories.profiles.get(ANA, MemoryType.USER)
    assert [place.name for place in getattr(profile, "places", [])] == ["Rome"]


@pytest.mark.parametrize("sizes", BATCHES, ids=str)
def test_a_home_that_was_no_joke_after_all_takes_the_place_of_the_former(told: Told, sizes: tuple[int, ...]) -> None:
    def lives_in(city: str) -> Script:
        patch = {"user": {"places": [{"name": city, "category": "home"}]}}
        return lambda one: Extraction((fact(f"The user lives in {city}.", one, attribute="city"),), profile_patch=patch)

    told.say("I live in Rome", lives_in("Rome"))
    meant = told.say("I moved to Porto", lives_in("Porto"))
    back = told.say("just kidding", jokes_about(meant))
    told.say("no, I was not kidding", jokes_about(back))
    told.read(*sizes)
    profile = told.memories.profiles.get(ANA, MemoryType.USER)
    assert [place.name for place in getattr(profile, "places", [])] == ["Porto"]
    assert [one.content for one in told.memories.records.at_address(ANA, "user", "city")] == [
        "The user lives in Porto."
    ]
