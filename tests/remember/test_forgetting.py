"""Forgetting: exactly what was asked, with all that hangs on it, and for good."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from langchain_core.messages import AIMessage, HumanMessage

from memory_middleware import (
    Dialogue,
    EpisodeTrace,
    LanceStore,
    MemoryConfig,
    MemoryRecord,
    MemoryType,
    Scope,
    UserMemoryContent,
)
from memory_middleware.errors import InvalidInputError
from memory_middleware.graph.extractor import ExtractorGraph
from memory_middleware.remember.extraction.base import Extraction, ExtractionBatch
from memory_middleware.remember.forgetting import forget
from memory_middleware.remember.journal import MemoryJournal
from memory_middleware.remember.observe import Observer
from memory_middleware.remember.pipeline import ExtractionPipeline
from memory_middleware.schemas.record import RecordKind
from memory_middleware.storage.repositories import Repositories
from tests.remember.support import ANA, BOB, ScriptedExtractor, fact, said


def put(memories: Repositories, content: str, owner: Scope = ANA, **more: Any) -> MemoryRecord:
    record = MemoryRecord.create(owner.owner_id, content, **more)
    memories.records.put(owner, [record])
    return record


def job(batch: ExtractionBatch) -> Extraction:
    facts = []
    for one in batch.rounds:
        if "nurse" in one.user_query:
            facts.append(fact("The user is a nurse.", one, attribute="occupation"))
        if "Lisbon" in one.user_query:
            facts.append(fact("The user lives in Lisbon.", one, attribute="city"))
    patch = {"user": {"occupation": "nurse", "interests": ["chess"]}}
    return Extraction(tuple(facts), profile_patch=patch)


def learn(memories: Repositories, *texts: str) -> None:
    for at, text in enumerate(texts):
        memories.dialogues.append(ANA, said(text, "Noted, thank you.", at=at))
    ExtractorGraph(ExtractionPipeline(memories, ScriptedExtractor(job))).run(ANA)


def contents(memories: Repositories, owner: Scope = ANA) -> set[str]:
    return {record.content for record in memories.records.newest(owner, limit=1000)}


def test_a_record_goes_with_all_that_hangs_on_it(memories: Repositories) -> None:
    base = put(memories, "The user lives in Lisbon.")
    made = put(memories, "The user is in the WET zone.", links=({"to": base.id, "relation": "derived_from"},))
    deeper = put(memories, "Call before eight.", links=({"to": made.id, "relation": "derived_from"},))
    beside = put(memories, "The user likes sardines.", links=({"to": base.id, "relation": "related_to"},))
    MemoryJournal(memories).record_memory_usage(ANA, base.id, "where?", True)
    plan = forget(memories, ANA, ids=base.id, dry_run=True)
    assert (plan.is_done, set(plan.records)) == (False, {base.id, made.id, deeper.id})
    assert len(contents(memories)) == 4
    receipt = forget(memories, ANA, ids=[base.id])
    assert (receipt.is_done, set(receipt.records), set(receipt.derived)) == (
        True,
        {base.id, made.id, deeper.id},
        {made.id, deeper.id},
    )
    assert receipt.asked == f"ids: ['{base.id}']"
    assert contents(memories) == {beside.content}
    assert memories.usage.newest(ANA) == []
    left = memories.records.get(ANA, beside.id)
    assert left is not None
    assert left.links == ()


def test_what_is_not_there_or_anothers_is_out_of_reach(memories: Repositories) -> None:
    mine, theirs = put(memories, "mine"), put(memories, "theirs", BOB)
    with pytest.raises(InvalidInputError, match="nothing was forgotten"):
        forget(memories, ANA, ids=[mine.id, theirs.id])
    assert contents(memories) == {"mine"}
    assert contents(memories, BOB) == {"theirs"}


@pytest.mark.parametrize("ways", [{}, {"query": "x", "source": "y"}, {"everything": True, "thread": True}])
def test_one_way_is_chosen(memories: Repositories, ways: dict[str, Any]) -> None:
    with pytest.raises(InvalidInputError, match="by exactly one of"):
        forget(memories, ANA, **ways)


def test_by_query_only_what_is_meant_goes(memories: Repositories) -> None:
    phone = put(memories, "The user's phone number is 555 0100.")
    for content in ("The user lives in Lisbon.", "The user likes sardines.", "The user's mother has a new phone case."):
        put(memories, content)
    receipt = forget(memories, ANA, query="my phone number")
    assert receipt.records == (phone.id,)
    assert forget(memories, ANA, query="quantum chromodynamics").records == ()


def test_by_source(memories: Repositories) -> None:
    put(memories, "from a file", source="import.json")
    put(memories, "from talk", source="dialogue")
    assert len(forget(memories, ANA, source="import.json").records) == 1
    assert contents(memories) == {"from talk"}


def test_experience_by_id(memories: Repositories) -> None:
    episode = EpisodeTrace.create("task", "worker", goal="deploy", phase="ACT")
    memories.experience.put(ANA, [episode])
    assert forget(memories, ANA, ids=episode.id).experience == (episode.id,)
    assert memories.experience.count(ANA)["episode"] == 0


def test_the_profile_loses_what_the_record_told_and_nothing_else(memories: Repositories) -> None:
    memories.profiles.patch(ANA, MemoryType.USER, {"interests": ["chess"]})
    learn(memories, "I'm a nurse and play chess and live in Lisbon")
    [record] = [one for one in memories.records.newest(ANA) if one.content == "The user is a nurse."]
    receipt = forget(memories, ANA, ids=record.id)
    assert receipt.profile == ("user.occupation",)
    assert len(receipt.said_in) == 2
    profile = memories.profiles.get(ANA, MemoryType.USER)
    assert isinstance(profile, UserMemoryContent)
    assert (profile.occupation, profile.interests) == (None, ["chess"])
    assert "nurse" not in str(memories.profiles.history.newest(ANA, MemoryType.USER))


def test_what_was_forgotten_does_not_come_back_from_the_same_words(memories: Repositories) -> None:
    text = "I'm a nurse and play chess and live in Lisbon"
    learn(memories, text)
    [record] = [one for one in memories.records.newest(ANA) if one.content == "The user is a nurse."]
    forget(memories, ANA, ids=record.id)
    learn(memories, text)  # the same round, read once more
    assert "The user is a nurse." not in contents(memories)
    assert "The user lives in Lisbon." in contents(memories)
    memories.dialogues.append(ANA, said("by the way, I'm a nurse", at=9))
    ExtractorGraph(ExtractionPipeline(memories, ScriptedExtractor(job))).run(ANA)
    assert "The user is a nurse." in contents(memories), "said again, it is new"


def test_with_its_sources_the_words_go_too(memories: Repositories) -> None:
    text = "I'm a nurse and play chess"
    learn(memories, text)
    [record] = [one for one in memories.records.newest(ANA) if one.kind is RecordKind.FACT]
    receipt = forget(memories, ANA, ids=record.id, with_sources=True)
    assert receipt.said_in == ()
    assert contents(memories) == set()
    learn(memories, text)
    assert contents(memories) == set()


def test_a_thread_is_forgotten_and_its_replay_changes_nothing(memories: Repositories) -> None:
    observer = Observer(memories)
    messages = [HumanMessage("I live in Lisbon", id="h"), AIMessage("ok", id="a")]
    observer.observe(ANA, messages)
    observer.observe(Scope("ana", "t2"), messages)
    kept = put(memories, "from elsewhere")
    put(memories, "from here", provenance={"thread_id": "t1"})
    plan = forget(memories, ANA, thread=True, dry_run=True)
    assert memories.dialogues.count(ANA, "t1") == 1
    receipt = forget(memories, ANA, thread=True)
    assert (receipt.rounds, receipt.short_term, receipt.turns, len(receipt.records)) == (1, 1, 1, 1)
    assert plan.rounds == 1
    assert contents(memories) == {kept.content}
    assert not observer.observe(ANA, messages).is_new
    assert memories.dialogues.count(ANA, "t2") == 1
    with pytest.raises(InvalidInputError, match="thread_id"):
        forget(memories, Scope("ana"), thread=True)


def test_what_was_said_in_another_thread_too_outlives_a_thread(memories: Repositories) -> None:
    learn(memories, "I'm a nurse and play chess")
    other = Scope("ana", "t2")
    again = Dialogue.create("ana", "t2", "as a nurse I work at night", "I see, at night.", turn=0)
    memories.dialogues.append(other, again)
    ExtractorGraph(ExtractionPipeline(memories, ScriptedExtractor(job))).run(other)
    receipt = forget(memories, ANA, thread=True)
    [record] = memories.records.newest(ANA, kinds=[RecordKind.FACT])
    assert record.content == "The user is a nurse."
    assert record.provenance.round_ids == (again.id,)
    assert record.id not in receipt.records


def test_what_the_profile_said_before_goes_too(memories: Repositories) -> None:
    memories.profiles.patch(ANA, MemoryType.WORK, {"occupation": "pilot"})
    learn(memories, "I'm a nurse and play chess")
    [record] = [one for one in memories.records.newest(ANA) if one.content == "The user is a nurse."]
    profile = memories.profiles.load(ANA, MemoryType.USER)
    later = profile.content.model_copy(update={"occupation": "teacher"})
    memories.profiles.put(ANA, MemoryType.USER, later)
    forget(memories, ANA, ids=record.id)
    assert "nurse" not in str(memories.profiles.fields.get(ANA, MemoryType.USER))
    assert "nurse" not in str(memories.profiles.history.newest(ANA, MemoryType.USER))
    assert getattr(memories.profiles.get(ANA, MemoryType.USER), "occupation", None) == "teacher"
    assert len(memories.profiles.history.newest(ANA, MemoryType.WORK)) == 1, "nobody asked about the other profile"


def test_parked_rounds_of_a_thread_go_too(memories: Repositories) -> None:
    one = said("I live in Lisbon by the sea")
    memories.dialogues.append(ANA, one)
    run = memories.runs.begin(ANA, "t1", [one.id])
    memories.runs.fail(ANA, run.id, "no", park=True)
    memories.dialogues.park(ANA, run.id, [one.id])
    assert forget(memories, ANA, thread=True).rounds == 1
    assert memories.runs.newest(ANA) == []
    assert memories.dialogues.all_of(ANA, "t1") == []


def test_everything_goes_and_nobody_elses(tmp_path: Path) -> None:
    with LanceStore.open(tmp_path, embedding=None) as store:
        memories = store.memories
        learn(memories, "I'm a nurse and play chess and live in Lisbon")
        Observer(memories).observe(ANA, [HumanMessage("hi there", id="h"), AIMessage("hello", id="a")])
        memories.experience.put(ANA, [EpisodeTrace.create("task", "worker", goal="deploy", phase="ACT")])
        other = put(memories, "The user is a nurse.", BOB)
        plan = forget(memories, ANA, everything=True, dry_run=True)
        assert (plan.is_done, len(contents(memories))) == (False, 4)
        receipt = forget(memories, ANA, everything=True)
        assert set(receipt.records) == set(plan.records)
        assert (receipt.rounds, receipt.turns, len(receipt.experience)) == (1, 1, 1)
        assert {"user.occupation", "user.interests:chess"} == set(receipt.profile)
        assert contents(memories) == set()
        assert memories.profiles.get(ANA, MemoryType.USER) == UserMemoryContent()
        assert memories.journal_counts(ANA) == {"rounds": 0, "short_term": 0, "summaries": 0, "turns": 0, "runs": 0}
        assert contents(memories, BOB) == {other.content}
        assert store.fsck().clean
        assert store.search(("memories", "ana"), query="nurse") == []


def test_config_is_not_needed(memories: Repositories) -> None:
    assert MemoryConfig().long_term.keep_dialogue
    assert forget(memories, ANA, everything=True).records == ()
