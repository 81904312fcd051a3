"""Forgetting reaches words of other rounds, rows that change meanwhile, and does not wait for a provider."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from langchain_core.messages import AIMessage, HumanMessage

from memory_middleware import Dialogue, EpisodeTrace, LanceStore, MemoryRecord, MemoryType, Scope
from memory_middleware.errors import ConflictError
from memory_middleware.graph.extractor import ExtractorGraph
from memory_middleware.remember.extraction.base import Extraction, ExtractionBatch
from memory_middleware.remember.forgetting import forget
from memory_middleware.remember.forgotten_profile import clear_traces, find_traces
from memory_middleware.remember.observe import Observer
from memory_middleware.remember.pipeline import ExtractionPipeline
from memory_middleware.schemas.record import RecordKind
from memory_middleware.storage.repositories import Repositories
from memory_middleware.testing import HashEmbeddings
from tests.remember.support import ANA, NOON, ScriptedExtractor, fact, said

HOME = "The user lives in Lisbon."
TOLD = "The user lives in Lisbon, so here is a cafe."


def read(memories: Repositories, *facts: tuple[str, str, str], patch: dict[str, Any] | None = None) -> None:
    """Read what waits; facts come from the rounds of the user that hold their last word."""

    def extract(batch: ExtractionBatch) -> Extraction:
        found = [
            fact(content, one, subject=subject, attribute=attribute)
            for subject, attribute, content in facts
            for one in batch.rounds
            if content.split()[-1].strip(".") in one.user_query
        ]
        return Extraction(tuple(found), profile_patch=patch or {})

    ExtractorGraph(ExtractionPipeline(memories, ScriptedExtractor(extract))).run(ANA)


def talked(memories: Repositories, text: str, answer: str, at: int, *injected: MemoryRecord) -> None:
    Observer(memories).observe(ANA, [HumanMessage(text, id=f"h{at}"), AIMessage(answer, id=f"a{at}")], injected)


def named(memories: Repositories, content: str) -> MemoryRecord:
    [found] = [one for one in memories.records.newest(ANA, limit=100) if one.content == content]
    return found


@pytest.mark.parametrize(
    "waiting",
    [
        pytest.param(said("What do you know about me?", f"{HOME} It rains."), id="answer"),
        pytest.param(said("What do you know about me?", tool_text=f"{HOME} It rains."), id="tool"),
    ],
)
def test_words_of_others_forgotten_while_a_batch_is_read_do_not_come_back(
    memories: Repositories, waiting: Dialogue
) -> None:
    memories.records.put(ANA, [MemoryRecord.create("ana", HOME)])
    memories.dialogues.append(ANA, waiting)
    pipeline = ExtractionPipeline(memories, ScriptedExtractor(lambda batch: Extraction()))
    work = pipeline.batch(ANA, force=True)
    assert work is not None
    for step in (pipeline.extract, pipeline.check, pipeline.reconcile):
        step(work)
    forget(memories, ANA, ids=named(memories, HOME).id)
    with pytest.raises(ConflictError, match="forgotten meanwhile"):
        pipeline.write(work)
    assert memories.records.newest(ANA) == []


def test_dialogue_of_other_rounds_that_tells_it_is_named_and_goes_with_the_sources(memories: Repositories) -> None:
    talked(memories, "I live in Lisbon.", "Noted, thank you.", 1)
    read(memories, ("user", "city", HOME))
    talked(memories, "Find me a cafe, please.", TOLD, 2)
    read(memories)
    record, other = named(memories, HOME), named(memories, TOLD)
    plan = forget(memories, ANA, ids=record.id, dry_run=True)
    assert other.id in plan.said_in
    receipt = forget(memories, ANA, ids=record.id, with_sources=True)
    assert other.id in receipt.records
    assert receipt.said_in == ()
    assert [one.content for one in memories.records.newest(ANA)] == ["Find me a cafe, please."]


def test_all_dialogue_is_looked_through_however_much_there_is(memories: Repositories) -> None:
    record = MemoryRecord.create("ana", HOME)
    first = MemoryRecord.create("ana", TOLD, kind=RecordKind.DIALOGUE, now=NOON)
    later = [MemoryRecord.create("ana", f"Good morning {at}.", kind=RecordKind.DIALOGUE) for at in range(500)]
    memories.records.put(ANA, [record, first, *later])
    assert forget(memories, ANA, ids=record.id).said_in == (first.id,)


def test_a_side_of_a_round_forgotten_by_its_id_takes_its_words_along(memories: Repositories) -> None:
    other = MemoryRecord.create("ana", "The user likes tea.")
    memories.records.put(ANA, [other])
    talked(memories, "My doctor says I have asthma. What now?", "I am sorry to hear that.", 1, other)
    [one] = memories.dialogues.all_of(ANA, "t1")
    read(memories)
    memories.dialogues.append(ANA, one)  # as if it waited to be read again
    receipt = forget(memories, ANA, ids=named(memories, "My doctor says I have asthma. What now?").id)
    assert receipt.cut == {"turns": 1, "usage": 1, "short_term": 1, "waiting": 1}
    assert [turn.query for turn in memories.turns.newest(ANA)] == [""]
    assert [row.query for row in memories.usage.newest(ANA)] == [""]
    [left] = memories.dialogues.all_of(ANA, "t1")
    assert (left.user_query, left.assistant_response) == ("", "I am sorry to hear that.")


class Provider(HashEmbeddings):
    """An embedder that can go down."""

    is_up = True

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        if not self.is_up:
            raise ConnectionError("no answer")
        return super().embed_documents(texts)


@pytest.fixture
def provider() -> Provider:
    return Provider()


@pytest.fixture
def embedded(tmp_path: Path, provider: Provider) -> Iterator[Repositories]:
    """Memory with that embedder."""
    with LanceStore.open(tmp_path / "embedded", embedding=provider) as opened:
        yield opened.memories


def test_forgetting_does_not_need_the_embedder(embedded: Repositories, provider: Provider) -> None:
    record = MemoryRecord.create("ana", HOME)
    run = EpisodeTrace.create("t9", "worker", goal=f"Find a flat by the sea. {HOME}", phase="ACT")
    embedded.records.put(ANA, [record])
    embedded.experience.put(ANA, [run])
    provider.is_up = False
    receipt = forget(embedded, ANA, ids=record.id)
    assert receipt.cut == {"episode": 1}
    assert embedded.records.newest(ANA) == []
    [left] = embedded.experience.newest(ANA, "episode")
    assert getattr(left, "goal", "") == "Find a flat by the sea."


def test_a_thread_is_forgotten_without_the_embedder(tmp_path: Path) -> None:
    place = {"thread_id": "t1", "round_ids": ["r1", "elsewhere"]}
    both = MemoryRecord.create("ana", HOME, provenance=place)
    with LanceStore.open(tmp_path / "thread", embedding=Provider()) as opened:
        opened.memories.records.put(ANA, [both])
    down = Provider()
    with LanceStore.open(tmp_path / "thread", embedding=down) as opened:
        down.is_up = False
        opened.memories.dialogues.append(ANA, said("I live in Lisbon."))
        assert forget(opened.memories, ANA, thread=True).rounds == 1
        assert [one.content for one in opened.memories.records.newest(ANA)] == [HOME]


def test_a_value_set_by_hand_meanwhile_stays(memories: Repositories) -> None:
    memories.dialogues.append(ANA, said("I am a nurse."))
    read(memories, ("user", "occupation", "The user is a nurse."), patch={"user": {"occupation": "nurse"}})
    record = named(memories, "The user is a nurse.")
    traces = find_traces(memories, ANA, [record])
    memories.profiles.patch(ANA, MemoryType.USER, {"occupation": "teacher"})
    clear_traces(memories, ANA, traces)
    found = memories.profiles.get(ANA, MemoryType.USER)
    assert found is not None
    assert found.model_dump()["occupation"] == "teacher"


def test_an_entry_that_went_meanwhile_is_no_error(memories: Repositories) -> None:
    patch = {"user": {"people": [{"name": "Anna", "relationship": "sister", "role": "pilot"}]}}
    memories.dialogues.append(ANA, said("My sister Anna is a pilot."))
    read(memories, ("Anna (sister)", "occupation", "The user's sister Anna is a pilot."), patch=patch)
    traces = find_traces(memories, ANA, [named(memories, "The user's sister Anna is a pilot.")])
    assert traces.names == ("user.people:anna.role",)
    memories.profiles.patch(ANA, MemoryType.USER, {"people": []})
    clear_traces(memories, ANA, traces)
    found = memories.profiles.get(ANA, MemoryType.USER)
    assert found is not None
    assert found.model_dump()["people"] == []


def test_a_sentence_that_tells_a_kept_fact_stays(memories: Repositories) -> None:
    talked(memories, "I live in Lisbon. My brother Tom lives in Porto.", "Noted, thank you.", 1)
    kept = ("Tom (brother)", "city", "The user's brother Tom lives in Porto.")
    read(memories, ("user", "city", HOME), kept)
    forget(memories, ANA, ids=named(memories, HOME).id)
    assert [turn.query for turn in memories.turns.newest(ANA)] == ["My brother Tom lives in Porto."]


def test_values_by_hand_that_the_fact_does_not_tell_stay(memories: Repositories) -> None:
    by_hand = {"primary_language": "English", "interests": ["music"], "occupation": "teacher"}
    memories.profiles.patch(ANA, MemoryType.USER, by_hand)
    record = MemoryRecord.create("ana", "The user's sister, a teacher, plays music and reads English.")
    owner = MemoryRecord.create("ana", "The user is a teacher.", subject="user", attribute="occupation")
    memories.records.put(ANA, [record, owner])
    receipt = forget(memories, ANA, ids=record.id, with_profile=True)
    assert (receipt.profile, receipt.kept) == ((), ())
    assert forget(memories, ANA, ids=owner.id, dry_run=True).kept == ("user.occupation: set by hand",)
    assert forget(memories, ANA, ids=owner.id, with_profile=True).profile == ("user.occupation",)


def test_a_short_fact_about_the_user_without_an_address_tells_a_value_by_hand(memories: Repositories) -> None:
    memories.profiles.patch(ANA, MemoryType.USER, {"occupation": "teacher", "interests": ["music"]})
    record = MemoryRecord.create("ana", "The user is a teacher.", subject="user")
    memories.records.put(Scope("ana"), [record])
    assert forget(memories, ANA, ids=record.id, with_profile=True).profile == ("user.occupation",)
