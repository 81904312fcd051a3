"""What a forgotten fact leaves beside its record: in profiles, in the journal, in summaries and in experience."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from langchain_core.messages import AIMessage, HumanMessage

from memory_middleware import (
    Dialogue,
    EpisodeTrace,
    LanceStore,
    MemoryRecord,
    MemoryType,
    Scope,
    SemanticPattern,
    ThreadSummary,
    UserMemoryContent,
)
from memory_middleware.errors import ConflictError
from memory_middleware.graph.extractor import ExtractorGraph
from memory_middleware.remember.cutting import Cutter
from memory_middleware.remember.extraction.base import Extraction, ExtractionBatch
from memory_middleware.remember.forgetting import forget
from memory_middleware.remember.observe import Observer
from memory_middleware.remember.pipeline import ExtractionPipeline
from memory_middleware.schemas.record import RecordKind
from memory_middleware.storage.repositories import Repositories
from memory_middleware.storage.vector_cache import VectorCache
from tests.remember.support import ANA, BOB, ScriptedExtractor, fact, said

Script = Callable[[Dialogue], Extraction]


def learn(memories: Repositories, text: str, script: Script, *, at: int = 0) -> Dialogue:
    one = said(text, "Noted, thank you.", at=at)
    memories.dialogues.append(ANA, one)
    read(memories, script)
    return one


def read(memories: Repositories, script: Script) -> None:
    def extract(batch: ExtractionBatch) -> Extraction:
        [one] = batch.rounds
        return script(one)

    ExtractorGraph(ExtractionPipeline(memories, ScriptedExtractor(extract))).run(ANA)


def finding(content: str, attribute: str | None, patch: dict[str, Any], **more: Any) -> Script:
    return lambda one: Extraction((fact(content, one, attribute=attribute, **more),), profile_patch=patch)


def record_of(memories: Repositories, content: str) -> MemoryRecord:
    [found] = [one for one in memories.records.newest(ANA, limit=100) if one.content == content]
    return found


def profile(memories: Repositories, kind: MemoryType = MemoryType.USER) -> dict[str, Any]:
    found = memories.profiles.get(ANA, kind)
    assert found is not None
    return found.model_dump(mode="json")


TEETH = "I fix teeth as a dentist for a living"


def test_a_value_told_in_other_words_goes_with_its_fact(memories: Repositories) -> None:
    patch = {"user": {"occupation": "dentist"}, "work": {"occupation": "dentist"}}
    learn(memories, TEETH, finding("The user fixes teeth.", "occupation", patch))
    record = record_of(memories, "The user fixes teeth.")
    plan = forget(memories, ANA, ids=record.id, dry_run=True)
    assert profile(memories)["occupation"] == "dentist"
    receipt = forget(memories, ANA, ids=record.id)
    assert plan.profile == receipt.profile == ("user.occupation", "work.occupation")
    assert profile(memories)["occupation"] is None
    for kind in MemoryType:
        assert "dentist" not in str(memories.profiles.history.newest(ANA, kind))
        assert "dentist" not in str(memories.profiles.fields.get(ANA, kind))
    learn(memories, TEETH, finding("The user fixes teeth.", "occupation", patch))
    learn(memories, TEETH, lambda one: Extraction(profile_patch=patch))
    assert profile(memories)["occupation"] is None, "the same words do not bring it back, not even without a fact"


def test_a_zone_goes_with_the_city_it_was_drawn_from(memories: Repositories) -> None:
    patch = {"user": {"timezone": "Europe/Lisbon", "places": [{"name": "Lisbon", "category": "home"}]}}
    learn(memories, "I moved to Lisbon", finding("The user lives in Lisbon.", "city", patch))
    receipt = forget(memories, ANA, ids=record_of(memories, "The user lives in Lisbon.").id)
    assert set(receipt.profile) == {"user.timezone", "user.places:lisbon"}
    assert profile(memories) == UserMemoryContent().model_dump(mode="json")


def test_what_the_same_words_say_of_something_else_stays(memories: Repositories) -> None:
    patch = {"user": {"occupation": "nurse", "interests": ["chess"], "primary_language": "Danish"}}

    def script(one: Dialogue) -> Extraction:
        told = (("The user is a nurse.", "occupation"), ("The user plays chess.", "plays:chess"))
        return Extraction(tuple(fact(text, one, attribute=name) for text, name in told), profile_patch=patch)

    learn(memories, "I'm a nurse from Denmark, so Danish, and play chess", script)
    assert forget(memories, ANA, ids=record_of(memories, "The user is a nurse.").id).profile == ("user.occupation",)
    assert (profile(memories)["interests"], profile(memories)["primary_language"]) == (["chess"], "Danish")


def test_a_fact_without_an_address_takes_along_what_its_one_sentence_set(memories: Repositories) -> None:
    learn(memories, TEETH, finding("The user fixes teeth.", None, {"user": {"occupation": "dentist"}}))
    assert forget(memories, ANA, query="fixes teeth").profile == ("user.occupation",)
    both = "I fix teeth. As a dentist I get up early."
    learn(memories, both, finding("The user fixes teeth.", None, {"user": {"occupation": "dentist"}}), at=1)
    assert forget(memories, ANA, query="fixes teeth").profile == (), "two sentences may say two things"


def test_a_part_of_an_entry_goes_and_the_entry_stays(memories: Repositories) -> None:
    patch = {"work": {"current_projects": [{"name": "Atlas", "deadline": "2026-09-01", "status": "active"}]}}

    def script(one: Dialogue) -> Extraction:
        told = (
            fact("The deadline of Atlas is 2026-09-01.", one, subject="Atlas", attribute="deadline"),
            fact("The user works on Atlas.", one, attribute="project:atlas"),
        )
        return Extraction(told, profile_patch=patch)

    learn(memories, "Atlas is active and due on 2026-09-01", script)
    receipt = forget(memories, ANA, ids=record_of(memories, "The deadline of Atlas is 2026-09-01.").id)
    assert receipt.profile == ("work.current_projects:atlas.deadline",)
    [project] = profile(memories, MemoryType.WORK)["current_projects"]
    assert (project["deadline"], project["status"]) == (None, "active")
    assert memories.profiles.fields.get(ANA, MemoryType.WORK)["current_projects:atlas"].source == "extracted"
    assert forget(memories, ANA, query="works on Atlas").profile == ("work.current_projects:atlas",)


def test_a_fact_about_somebody_does_not_take_the_person_along(memories: Repositories) -> None:
    patch = {"user": {"people": [{"name": "Anna", "relationship": "sister", "role": "pilot"}]}}

    def script(one: Dialogue) -> Extraction:
        told = (
            fact("The user's sister is Anna.", one, attribute="sister:anna"),
            fact("The user's sister Anna lives in Rome.", one, subject="Anna (sister)", attribute="city"),
            fact("The user's sister Anna is a pilot.", one, subject="Anna (sister)", attribute="occupation"),
        )
        return Extraction(told, profile_patch=patch)

    learn(memories, "My sister Anna is a pilot and lives in Rome", script)
    assert forget(memories, ANA, ids=record_of(memories, "The user's sister Anna lives in Rome.").id).profile == ()
    receipt = forget(memories, ANA, ids=record_of(memories, "The user's sister Anna is a pilot.").id)
    assert receipt.profile == ("user.people:anna.role",)
    receipt = forget(memories, ANA, ids=record_of(memories, "The user's sister is Anna.").id)
    assert receipt.profile == ("user.people:anna",)


def test_what_was_set_by_hand_is_kept_and_told_unless_asked(memories: Repositories) -> None:
    memories.profiles.patch(ANA, MemoryType.USER, {"occupation": "nurse", "interests": ["chess"]})
    learn(memories, "I'm a nurse", finding("The user is a nurse.", "occupation", {}))
    record = record_of(memories, "The user is a nurse.")
    plan = forget(memories, ANA, ids=record.id, dry_run=True)
    assert (plan.profile, plan.kept) == ((), ("user.occupation: set by hand",))
    receipt = forget(memories, ANA, ids=record.id, with_profile=True)
    assert (receipt.profile, receipt.kept) == (("user.occupation",), ())
    assert (profile(memories)["occupation"], profile(memories)["interests"]) == (None, ["chess"])


def test_a_value_that_another_record_tells_too_stays(memories: Repositories) -> None:
    patch = {"user": {"occupation": "nurse"}}
    learn(memories, "I'm a nurse", finding("The user is a nurse.", "occupation", patch))
    first = record_of(memories, "The user is a nurse.")
    other = MemoryRecord.create("ana", "The user is a head nurse.", subject="user", attribute="occupation")
    memories.records.put(ANA, [other])
    assert forget(memories, ANA, ids=first.id).profile == ()
    assert profile(memories)["occupation"] == "nurse"


def test_history_keeps_what_nobody_asked_about(memories: Repositories) -> None:
    memories.profiles.patch(ANA, MemoryType.USER, {"interests": ["chess"]})
    learn(memories, "I'm a nurse", finding("The user is a nurse.", "occupation", {"user": {"occupation": "nurse"}}))
    before = [one.changed_at for one in memories.profiles.history.newest(ANA, MemoryType.USER)]
    forget(memories, ANA, ids=record_of(memories, "The user is a nurse.").id)
    versions = memories.profiles.history.newest(ANA, MemoryType.USER)
    assert [one.changed_at for one in versions][1:] == before
    assert all(one.content.model_dump()["interests"] == ["chess"] for one in versions)


def test_what_was_taken_out_of_a_profile_goes_too(memories: Repositories) -> None:
    learn(memories, "I'm a nurse", finding("The user is a nurse.", "occupation", {"user": {"occupation": "nurse"}}))
    gone = {"user": {"occupation": None}}
    learn(memories, "I quit", lambda one: Extraction((fact("x", one),), profile_removals=gone), at=1)
    assert "nurse" in str(memories.profiles.fields.get(ANA, MemoryType.USER))
    forget(memories, ANA, ids=record_of(memories, "The user is a nurse.").id)
    assert "nurse" not in str(memories.profiles.fields.get(ANA, MemoryType.USER))
    forget(memories, ANA, everything=True)
    assert memories.profiles.fields.get(ANA, MemoryType.USER) == {}


def observed(memories: Repositories, text: str, at: int, *injected: MemoryRecord, thread: str = "t1") -> None:
    Observer(memories).observe(
        Scope("ana", thread), [HumanMessage(text, id=f"h{at}"), AIMessage("Fine, noted.", id=f"a{at}")], injected
    )


def journal(memories: Repositories) -> str:
    items = memories.short_term.recent(ANA, 100)
    turns, uses = memories.turns.newest(Scope("ana"), limit=100), memories.usage.newest(ANA)
    return str([*items, *turns, *uses, memories.summaries.get(ANA)])


def home(one: Dialogue) -> Extraction:
    return Extraction((fact("The user lives in Lisbon.", one, attribute="city"),))


def test_the_sentence_is_cut_out_of_rows_of_other_records(memories: Repositories) -> None:
    other = MemoryRecord.create("ana", "The user likes tea.")
    memories.records.put(ANA, [other])
    observed(memories, "What about tea? I live in Lisbon. It rains.", 1, other)
    read(memories, home)
    observed(memories, "So, what do I drink? I live in Lisbon, as I said.", 2, other)
    observed(memories, "Lisbon is a nice word.", 3, other)
    memories.summaries.put(ANA, ThreadSummary(content="The user lives in Lisbon by the sea.\nTea was asked for."))
    record = record_of(memories, "The user lives in Lisbon.")
    plan = forget(memories, ANA, ids=record.id, dry_run=True)
    assert "I live in Lisbon" in journal(memories)
    receipt = forget(memories, ANA, ids=record.id)
    assert plan.cut == receipt.cut == {"turns": 2, "usage": 2, "short_term": 2, "summaries": 1, "waiting": 1}
    left = journal(memories)
    assert "live in Lisbon" not in left
    assert "lives in Lisbon" not in left
    for kept in ("What about tea? It rains.", "So, what do I drink?", "Lisbon is a nice word.", "Tea was asked for."):
        assert kept in left
    assert forget(memories, ANA, query="likes tea").cut == {}, "nothing tells that"


def test_with_its_sources_all_words_of_the_round_go(memories: Repositories) -> None:
    other = MemoryRecord.create("ana", "The user likes tea.")
    memories.records.put(ANA, [other])
    observed(memories, "What about tea? I live in Lisbon. It rains.", 1, other)
    read(memories, home)
    receipt = forget(memories, ANA, ids=record_of(memories, "The user lives in Lisbon.").id, with_sources=True)
    assert receipt.cut == {"turns": 1, "usage": 1, "short_term": 1}
    assert "It rains" not in journal(memories)
    assert memories.short_term.recent(ANA, 9) == []


def test_words_that_say_it_otherwise_are_cut_in_its_own_round(memories: Repositories) -> None:
    def script(one: Dialogue) -> Extraction:
        told = (("The user fixes teeth.", "occupation"), ("The user has a cat.", "pet"))
        return Extraction(tuple(fact(text, one, attribute=name) for text, name in told))

    observed(memories, "I am a dentist. I have a cat.", 1)
    read(memories, lambda one: script(one))
    found = [one for one in memories.records.newest(ANA) if one.kind is RecordKind.FACT]
    forget(memories, ANA, ids=[one.id for one in found if "teeth" in one.content])
    assert [turn.query for turn in memories.turns.newest(ANA)] == ["I have a cat."]


def test_a_forgotten_thread_leaves_no_query_with_other_records(memories: Repositories) -> None:
    other = MemoryRecord.create("ana", "The user likes tea.")
    memories.records.put(ANA, [other])
    observed(memories, "What about tea? I live in Lisbon.", 1, other)
    observed(memories, "What about tea in here?", 2, other, thread="t2")
    memories.records.put(ANA, [MemoryRecord.create("ana", "The user brews tea.", provenance={"thread_id": "t1"})])
    run = EpisodeTrace.create("t1", "worker", goal="The user brews tea.", phase="ACT")
    lesson = SemanticPattern.create("Brew tea long.", "tea")
    lesson.source_episodes = [run.id]
    memories.experience.put(ANA, [run, lesson])
    memories.turns.forget(ANA, memories.turns.newest(ANA)[0].happened_at)
    receipt = forget(memories, ANA, thread=True)
    assert {one.query for one in memories.usage.newest(ANA)} == {"", "What about tea in here?"}
    assert receipt.cut == {"usage": 1}
    assert set(receipt.experience) == {run.id, lesson.id}


def test_a_thread_takes_along_what_the_profile_learned_from_it_alone(memories: Repositories) -> None:
    learn(memories, TEETH, finding("The user fixes teeth.", None, {"user": {"interests": ["teeth", "a living"]}}))
    receipt = forget(memories, ANA, thread=True)
    assert set(receipt.profile) == {"user.interests:teeth", "user.interests:a living"}


def test_experience_that_tells_it_is_cut(memories: Repositories) -> None:
    learn(memories, "I live in Lisbon", home)
    run = EpisodeTrace.create("t9", "worker", goal="Find a flat. The user lives in Lisbon.", phase="ACT")
    other = EpisodeTrace.create("t9", "worker", goal="The user lives in Lisbon.", phase="ACT")
    memories.experience.put(ANA, [run, other])
    memories.experience.put(BOB, [run])
    record = record_of(memories, "The user lives in Lisbon.")
    assert forget(memories, ANA, ids=record.id, dry_run=True).cut == {"episode": 2}
    assert forget(memories, ANA, ids=record.id).cut == {"episode": 2}
    found = memories.experience.get_many(ANA, [run.id, other.id])
    assert [getattr(one, "goal", "") for one in found] == ["Find a flat.", "…"]
    assert "Lisbon" in str(memories.experience.get_many(BOB, [run.id]))


def test_chinese_words_are_cut_as_well(memories: Repositories) -> None:
    observed(memories, "我住在上海。今天下雨了，我们去哪里呢？", 1)
    read(memories, lambda one: Extraction((fact("用户住在上海。", one, attribute="city"),)))
    forget(memories, ANA, ids=record_of(memories, "用户住在上海。").id)
    assert [turn.query for turn in memories.turns.newest(ANA)] == ["今天下雨了，我们去哪里呢？"]


def test_a_query_reaches_rounds_that_still_wait(memories: Repositories) -> None:
    waiting = said("Good morning. My phone number is 555 0100. It rains.", "Noted: your phone number is 555 0100.")
    memories.dialogues.append(ANA, waiting)
    assert forget(memories, ANA, query="my phone number", dry_run=True).cut == {"waiting": 1}
    forget(memories, ANA, query="my phone number")
    [left] = memories.dialogues.all_of(ANA, "t1")
    assert (left.user_query, left.assistant_response) == ("Good morning. It rains.", "")


def test_what_is_forgotten_while_it_is_read_is_not_written(memories: Repositories) -> None:
    text = "I live in Lisbon by the sea. It rains."
    pipeline = ExtractionPipeline(memories, ScriptedExtractor(lambda batch: home(batch.rounds[0])))
    memories.dialogues.append(ANA, said(text))
    work = pipeline.batch(ANA, force=True)
    assert work is not None
    pipeline.extract(work)
    pipeline.check(work)
    pipeline.reconcile(work)
    forget(memories, ANA, query="live in Lisbon")
    with pytest.raises(ConflictError, match="forgotten meanwhile"):
        pipeline.write(work)
    assert memories.records.newest(ANA) == []


def test_a_fact_forgotten_between_deciding_and_writing_stays_away(memories: Repositories) -> None:
    one = learn(memories, "I live in Lisbon by the sea", home)
    record = record_of(memories, "The user lives in Lisbon.")
    memories.dialogues.append(ANA, one)  # the same round, read once more
    patch = {"user": {"places": [{"name": "Lisbon", "category": "home"}]}}
    script = finding("The user lives in Lisbon.", "city", patch)
    pipeline = ExtractionPipeline(memories, ScriptedExtractor(lambda batch: script(batch.rounds[0])))
    work = pipeline.batch(ANA, force=True)
    assert work is not None
    for step in (pipeline.extract, pipeline.check, pipeline.reconcile):
        step(work)
    forget(memories, ANA, ids=record.id, with_sources=True)
    pipeline.write(work)
    assert memories.records.newest(ANA) == []
    assert profile(memories)["places"] == []


def test_vectors_of_cut_words_and_of_experience_go_from_the_disk(small: LanceStore) -> None:
    memories, cache = small.memories, VectorCache(small.database)
    learn(memories, "I live in Lisbon", home)
    run = EpisodeTrace.create("t9", "worker", goal="The user lives in Lisbon.", phase="ACT")
    memories.experience.put(ANA, [run])
    texts = ["The user lives in Lisbon.", "user: I live in Lisbon", "something else"]
    cache.write("embedder", dict.fromkeys(texts, np.ones(3, dtype=np.float32)))
    forget(memories, ANA, everything=True)
    assert set(cache.read("embedder", texts)) == {"something else"}


def test_a_cutter_leaves_short_facts_elsewhere_alone() -> None:
    record = MemoryRecord.create("ana", "Lisbon.", provenance={"round_ids": ["r1"], "thread_id": "t1"})
    cutter = Cutter([record])
    assert cutter.elsewhere("Lisbon is nice.") == "Lisbon is nice."
    assert cutter.of_round("Lisbon. Rain.", "r1") == "Rain."
    assert cutter.in_tree({"a": ["Lisbon.", 3, ""], "b": None}) == {"a": ["Lisbon.", 3, ""], "b": None}
