"""Batches on their way through the extractor: in order, once, and never lost."""

from __future__ import annotations

import asyncio
import threading
from datetime import datetime, timedelta
from typing import Any

import pytest
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage

from memory_middleware import Dialogue, LanceStore, MemoryConfig, MemoryType, Scope
from memory_middleware.errors import ConflictError, ExtractionError, InvalidInputError
from memory_middleware.graph.extractor import ExtractorGraph
from memory_middleware.remember.batches import retry_parked
from memory_middleware.remember.earlier import round_before
from memory_middleware.remember.extraction.base import Extraction, ExtractionBatch, Retraction
from memory_middleware.remember.forgetting import forget
from memory_middleware.remember.observe import Observer
from memory_middleware.remember.pipeline import ExtractionPipeline
from memory_middleware.schemas.dialogue import RunState
from memory_middleware.schemas.profile import UserMemoryContent
from memory_middleware.schemas.record import RecordKind, RecordState
from memory_middleware.storage.repositories import Repositories
from tests.remember.support import ANA, BOB, NOON, ScriptedExtractor, fact, failing, lives_in, said

SETTINGS = MemoryConfig.from_dict({"extract": {"batch_size": 2, "max_attempts": 2}})


class Clock:
    """A time that tests can move."""

    def __init__(self) -> None:
        self.now = NOON + timedelta(hours=1)

    def __call__(self) -> datetime:
        return self.now


def graph_of(memories: Repositories, extractor: Any, config: MemoryConfig = SETTINGS, **more: Any) -> ExtractorGraph:
    return ExtractorGraph(ExtractionPipeline(memories, extractor, config, **more))


def buffer(memories: Repositories, *rounds: Dialogue) -> None:
    for one in rounds:
        memories.dialogues.append(Scope(one.owner_id), one)


def active(memories: Repositories) -> list[str]:
    kinds = [kind for kind in RecordKind if kind is not RecordKind.DIALOGUE]
    return [record.content for record in memories.records.newest(ANA, kinds=kinds)]


def test_rounds_become_records_profile_and_dialogue(memories: Repositories) -> None:
    one, two = said("I live in Lisbon and I'm a nurse"), said("ok", "Sure.", at=1)

    def script(batch: ExtractionBatch) -> Extraction:
        return Extraction(
            (fact("The user lives in Lisbon.", one, attribute="city"),), profile_patch={"user": {"occupation": "nurse"}}
        )

    buffer(memories, one, two)
    [report] = graph_of(memories, ScriptedExtractor(script)).run(ANA, force=False)
    assert (report.rounds, len(report.added), report.profile.changed) == (2, 1, (MemoryType.USER,))
    assert active(memories) == ["The user lives in Lisbon."]
    profile = memories.profiles.load(ANA, MemoryType.USER)
    assert getattr(profile.content, "occupation", None) == "nurse"
    source = memories.profiles.fields.get(ANA, MemoryType.USER)["occupation"]
    assert (source.source, source.rounds) == ("extracted", (one.id,))
    spoken = memories.records.newest(ANA, kinds=[RecordKind.DIALOGUE])
    assert [(record.subject, record.content, record.provenance.turn) for record in spoken] == [
        ("user", "I live in Lisbon and I'm a nurse", 0)
    ]
    assert memories.dialogues.count(ANA, "t1") == 0
    [run] = memories.runs.newest(ANA)
    assert (run.state, run.facts) == (RunState.DONE, 1)


def test_less_than_a_batch_waits_unless_forced(memories: Repositories) -> None:
    buffer(memories, said("I live in Lisbon"))
    graph = graph_of(memories, ScriptedExtractor(lives_in))
    assert graph.run(ANA, force=False) == []
    assert len(graph.run(ANA)) == 1
    assert graph.run(ANA) == []
    with pytest.raises(InvalidInputError, match="thread_id"):
        graph.run(Scope("ana"))


def test_all_batches_of_a_thread_are_read_in_order(memories: Repositories) -> None:
    buffer(memories, *(said(f"I live in {city}", at=at) for at, city in enumerate(["Lisbon", "Porto", "Faro"])))
    reports = graph_of(memories, ScriptedExtractor(lives_in)).run(ANA)
    assert [report.rounds for report in reports] == [2, 1]
    assert active(memories) == ["The user lives in Faro."]
    old = memories.records.newest(ANA, states=[RecordState.SUPERSEDED])
    assert {record.content for record in old} == {"The user lives in Lisbon.", "The user lives in Porto."}


def test_what_comes_meanwhile_stays(memories: Repositories) -> None:
    buffer(memories, said("I live in Lisbon"), said("nice here", at=1))

    def script(batch: ExtractionBatch) -> Extraction:
        if batch.rounds[0].user_query == "I live in Lisbon":
            buffer(memories, said("I live in Porto", at=2))
        return lives_in(batch)

    graph = graph_of(memories, ScriptedExtractor(script))
    assert len(graph.run(ANA, force=False)) == 1
    assert [one.user_query for one in memories.dialogues.batch(ANA, "t1", 9)] == ["I live in Porto"]


def test_a_failed_batch_is_tried_again_later_then_parked(memories: Repositories) -> None:
    clock = Clock()
    first, second, third = (said(f"I live in {city}", at=at) for at, city in enumerate(["Lisbon", "Porto", "Faro"]))
    buffer(memories, first, second, third)
    extractor = ScriptedExtractor(failing)
    graph = graph_of(memories, extractor, clock=clock)
    [report] = graph.run(ANA, force=False)
    assert (report.error, report.parked) == ("no answer for 2 rounds", False)
    assert memories.dialogues.count(ANA, "t1") == 3
    assert graph.run(ANA, force=False) == [], "not before a pause"
    assert graph.run(ANA, patient=True) == []
    clock.now = datetime.now(NOON.tzinfo) + timedelta(minutes=5)
    [report] = graph.run(ANA, force=False)
    assert report.parked
    assert [run.round_ids for run in memories.runs.in_state(ANA, RunState.PARKED)] == [(first.id, second.id)]
    # What came after goes on.
    healthy = graph_of(memories, ScriptedExtractor(lives_in))
    assert len(healthy.run(ANA)) == 1
    assert active(memories) == ["The user lives in Faro."]
    with pytest.raises(InvalidInputError, match="no parked run 'x'"):
        retry_parked(memories, ANA, "x")
    assert len(retry_parked(memories, ANA)) == 1
    assert len(healthy.run(ANA)) == 1
    assert active(memories) == ["The user lives in Faro."], "what was said earlier and read later is history"
    assert len(memories.records.newest(ANA, states=[RecordState.SUPERSEDED])) == 2
    assert memories.dialogues.count(ANA, "t1") == 0


def test_a_permanent_failure_is_parked_at_once(memories: Repositories) -> None:
    def script(batch: ExtractionBatch) -> Extraction:
        raise ExtractionError("the key is wrong", permanent=True)

    buffer(memories, said("I live in Lisbon"))
    [report] = asyncio.run(graph_of(memories, ScriptedExtractor(script)).arun(ANA))
    assert report.parked


def test_an_unforeseen_failure_gives_the_batch_back(memories: Repositories) -> None:
    def script(batch: ExtractionBatch) -> Extraction:
        raise ZeroDivisionError("bug")

    buffer(memories, said("I live in Lisbon"))
    graph = graph_of(memories, ScriptedExtractor(script))
    with pytest.raises(ZeroDivisionError):
        graph.run(ANA)
    assert len(memories.runs.in_state(ANA, RunState.FAILED)) == 1
    with pytest.raises(ZeroDivisionError):
        asyncio.run(graph.arun(ANA))
    assert len(memories.runs.in_state(ANA, RunState.PARKED)) == 1, "it does not block the thread for ever"
    retry_parked(memories, ANA)
    assert len(graph_of(memories, ScriptedExtractor(lives_in)).run(ANA)) == 1


def test_two_extractions_of_one_pipeline_at_once_lose_nothing(memories: Repositories) -> None:
    started, go_on = threading.Event(), threading.Event()

    def slow(batch: ExtractionBatch) -> Extraction:
        started.set()
        go_on.wait(20)
        return lives_in(batch)

    buffer(memories, said("I live in Lisbon"))
    graph = graph_of(memories, ScriptedExtractor(slow))
    first = threading.Thread(target=graph.run, args=(ANA,))
    first.start()
    assert started.wait(20)
    assert graph.run(ANA) == [], "the batch is in other hands"
    go_on.set()
    first.join()
    assert active(memories) == ["The user lives in Lisbon."]


def test_a_batch_that_was_taken_over_is_not_written(memories: Repositories) -> None:
    clock = Clock()
    buffer(memories, said("I live in Lisbon"))
    mine = ExtractionPipeline(memories, ScriptedExtractor(lives_in), SETTINGS, clock=clock)
    work = mine.batch(ANA, force=True)
    assert work is not None
    for step in (mine.extract, mine.check, mine.reconcile):
        step(work)
    clock.now += timedelta(hours=1)
    theirs = ExtractionPipeline(memories, ScriptedExtractor(lives_in), SETTINGS, clock=clock)
    assert len(ExtractorGraph(theirs).run(ANA)) == 1
    with pytest.raises(ConflictError, match="in other hands"):
        mine.write(work)
    mine.release(work, ConflictError("late"))
    assert memories.runs.newest(ANA)[0].state == RunState.DONE


def test_an_answer_that_comes_during_extraction_is_read_too(memories: Repositories) -> None:
    one = said("I live in Lisbon by the river", "The first answer is this.")
    buffer(memories, one)
    longer = one.model_copy(update={"assistant_response": "The first answer is this.\nThe second answer is that."})

    def script(batch: ExtractionBatch) -> Extraction:
        memories.dialogues.replace(ANA, longer)
        return lives_in(batch)

    graph_of(memories, ScriptedExtractor(script)).run(ANA)
    spoken = [record.content for record in memories.records.newest(ANA, kinds=[RecordKind.DIALOGUE])]
    assert longer.assistant_response in spoken
    assert memories.dialogues.count(ANA, "t1") == 0


def test_what_is_read_again_does_not_come_back_to_life(memories: Repositories) -> None:
    one = said("The plan is called Falcon", "I see, it is Falcon.")

    def script(batch: ExtractionBatch) -> Extraction:
        return Extraction((fact("The plan is called Falcon.", *batch.rounds, subject="plan"),))

    graph = graph_of(memories, ScriptedExtractor(script))
    buffer(memories, one)
    graph.run(ANA)
    [record] = memories.records.newest(ANA, kinds=[RecordKind.FACT])
    memories.records.patch(ANA, record.id, state="superseded", pinned=True)
    buffer(memories, one)
    graph.run(ANA)
    found = memories.records.get(ANA, record.id)
    assert found is not None
    assert (found.state, found.pinned) == ("superseded", True)


@pytest.mark.parametrize("step", ["check", "reconcile", "write", "settle"])
def test_a_batch_that_stops_anywhere_is_finished_later(
    memories: Repositories, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    buffer(memories, said("I live in Lisbon"), said("I live in Porto", at=1))
    extractor = ScriptedExtractor(lives_in)
    pipeline = ExtractionPipeline(memories, extractor, SETTINGS)

    def stop(_work: Any) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(pipeline, step, stop)
        with pytest.raises(KeyboardInterrupt):
            ExtractorGraph(pipeline).run(ANA)
    graph = graph_of(memories, extractor)
    [report] = graph.run(ANA)
    assert report.rounds == 2
    assert active(memories) == ["The user lives in Porto."]
    assert len(memories.records.newest(ANA, states=[RecordState.SUPERSEDED])) == 1
    assert memories.dialogues.count(ANA, "t1") == 0


def test_a_batch_whose_facts_are_kept_is_only_settled(memories: Repositories) -> None:
    buffer(memories, said("I live in Lisbon"))
    extractor = ScriptedExtractor(lives_in)
    pipeline = ExtractionPipeline(memories, extractor, SETTINGS)
    work = pipeline.batch(ANA, force=True)
    assert work is not None
    for step in (pipeline.extract, pipeline.check, pipeline.reconcile, pipeline.write):
        step(work)
    [report] = graph_of(memories, extractor).run(ANA)  # as if the process had died here
    assert (report.added, len(extractor.batches)) == ((), 1)
    assert active(memories) == ["The user lives in Lisbon."]
    assert memories.dialogues.count(ANA, "t1") == 0


def test_a_batch_in_other_hands_is_left_alone(memories: Repositories) -> None:
    clock = Clock()
    buffer(memories, said("I live in Lisbon"))
    mine = ExtractionPipeline(memories, ScriptedExtractor(lives_in), SETTINGS, clock=clock)
    theirs = ExtractionPipeline(memories, ScriptedExtractor(lives_in), SETTINGS, clock=clock)
    assert mine.batch(ANA, force=True) is not None
    assert theirs.batch(ANA, force=True) is None
    clock.now += timedelta(hours=1)
    assert theirs.batch(ANA, force=True) is not None, "nobody holds a batch for ever"


def test_rounds_that_were_forgotten_meanwhile_end_their_run(memories: Repositories) -> None:
    one = said("I live in Lisbon")
    buffer(memories, one)
    pipeline = ExtractionPipeline(memories, ScriptedExtractor(failing), SETTINGS)
    work = pipeline.batch(ANA, force=True)
    assert work is not None
    pipeline.extract(work)
    memories.dialogues.settle(ANA, [one])
    assert pipeline.batch(ANA, force=True) is None
    assert memories.runs.newest(ANA)[0].state == RunState.DONE


def test_many_extractors_at_once_read_every_round_once(small: LanceStore) -> None:
    memories = small.memories
    rounds = [said(f"I live in City{at}", at=at) for at in range(20)]
    buffer(memories, *rounds)
    extractor = ScriptedExtractor(lives_in)
    graphs = [graph_of(memories, extractor) for _ in range(4)]
    failures: list[BaseException] = []

    def work(graph: ExtractorGraph) -> None:
        try:
            for _ in range(10):
                graph.run(ANA, force=True)
        except BaseException as error:  # noqa: BLE001
            failures.append(error)

    threads = [threading.Thread(target=work, args=(graph,)) for graph in graphs]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []
    graphs[0].run(ANA)
    read = [one.id for batch in extractor.batches for one in batch.rounds]
    assert sorted(read) == sorted(one.id for one in rounds)
    assert active(memories) == ["The user lives in City19."]


def test_owners_do_not_meet(memories: Repositories) -> None:
    buffer(memories, said("I live in Lisbon"), said("I live in Porto", owner="bob"))
    graph = graph_of(memories, ScriptedExtractor(lives_in))
    graph.run(ANA)
    graph.run(BOB)
    assert active(memories) == ["The user lives in Lisbon."]
    assert [record.content for record in memories.records.newest(BOB, kinds=[RecordKind.FACT])] == [
        "The user lives in Porto."
    ]


def test_a_joke_is_taken_back_in_the_profile_too(memories: Repositories) -> None:
    truth, joke, after = said("I'm a nurse"), said("I'm an astronaut", at=1), said("just kidding", at=2)

    def script(batch: ExtractionBatch) -> Extraction:
        [one] = batch.rounds
        if one.id == after.id:
            return Extraction(retractions=(Retraction(rounds=(joke.id,), evidence=(after.id,)),))
        job = one.user_query.split()[-1]
        found = fact(f"The user is a {job}.", one, attribute="occupation")
        return Extraction((found,), profile_patch={"user": {"occupation": job}})

    graph = graph_of(memories, ScriptedExtractor(script), MemoryConfig.from_dict({"extract": {"batch_size": 1}}))
    buffer(memories, truth, joke, after)
    graph.run(ANA)
    assert active(memories) == ["The user is a nurse."]
    assert getattr(memories.profiles.get(ANA, MemoryType.USER), "occupation", None) == "nurse"
    history = memories.profiles.history.newest(ANA, MemoryType.USER)
    assert [getattr(version.content, "occupation", None) for version in history] == ["nurse", "astronaut", "nurse"]


def test_a_joke_at_the_end_of_a_batch_leaves_the_rest_of_it_in_the_profile(memories: Repositories) -> None:
    home, true, joke, after = (
        said(text, at=at)
        for at, text in enumerate(["I live in Lisbon", "I like chess", "I live in Atlantis", "just kidding"])
    )

    def script(batch: ExtractionBatch) -> Extraction:
        if after.id in {one.id for one in batch.rounds}:
            return Extraction(retractions=(Retraction(rounds=(joke.id,), evidence=(after.id,)),))
        place = batch.rounds[-1].user_query.split()[-1]
        patch: dict[str, Any] = {"places": [{"name": place, "category": "home"}]}
        facts = [fact(f"The user lives in {place}.", batch.rounds[-1], attribute="city")]
        if true in batch.rounds:
            patch["interests"] = ["chess"]
            facts.append(fact("The user likes chess.", true, attribute="taste:chess"))
        return Extraction(tuple(facts), profile_patch={"user": patch})

    graph = graph_of(memories, ScriptedExtractor(script))
    for rounds in ([home], [true, joke], [after]):
        buffer(memories, *rounds)
        graph.run(ANA)
    profile = memories.profiles.get(ANA, MemoryType.USER)
    assert isinstance(profile, UserMemoryContent)
    assert ([place.name for place in profile.places], profile.interests) == (["Lisbon"], ["chess"])
    assert sorted(active(memories)) == ["The user likes chess.", "The user lives in Lisbon."]


def test_a_record_is_retracted_by_its_text(memories: Repositories) -> None:
    one, two = said("The code name is Falcon"), said("Forget the code name", at=1)

    def script(batch: ExtractionBatch) -> Extraction:
        if batch.rounds[0].id == one.id:
            return Extraction((fact("The code name is Falcon.", one),))
        return Extraction(retractions=(Retraction(content="the code name is Falcon", evidence=(two.id,)),))

    graph = graph_of(memories, ScriptedExtractor(script), MemoryConfig.from_dict({"extract": {"batch_size": 1}}))
    buffer(memories, one, two)
    graph.run(ANA)
    assert active(memories) == []


def test_the_extractor_is_told_of_the_round_before(memories: Repositories) -> None:
    observer = Observer(memories)
    talk: list[BaseMessage] = []
    extractor = ScriptedExtractor(lambda batch: Extraction())
    graph = graph_of(memories, extractor)
    for at, text in enumerate(["hello there, my friend", "I live in Atlantis", "just kidding"]):
        talk += [HumanMessage(text, id=f"m{at}"), AIMessage(f"I have heard you, number {at}.", id=f"a{at}")]
        observer.observe(ANA, talk, now=NOON + timedelta(minutes=at))
        if at:
            graph.run(ANA)
    first, second = extractor.batches
    assert first.before is None
    assert second.before is not None
    assert (second.before.id, second.before.user_query) == (first.rounds[-1].id, "I live in Atlantis")
    assert second.before.assistant_response == "I have heard you, number 1."
    forget(memories, ANA, everything=True)
    assert round_before(memories, ANA, second.rounds) is None
    assert round_before(memories, ANA, []) is None


def test_a_profile_patch_that_does_not_fit_is_told(memories: Repositories) -> None:
    one = said("my time zone is Lisbon")

    def script(batch: ExtractionBatch) -> Extraction:
        return Extraction(profile_patch={"user": {"timezone": "Lisbon"}, "work": {"team_context": "Lisbon"}})

    buffer(memories, one)
    [report] = graph_of(memories, ScriptedExtractor(script)).run(ANA)
    assert report.profile.changed == (MemoryType.WORK,)
    assert "timezone" in str(report.profile.problem)


def test_a_bare_name_is_the_only_one_known(memories: Repositories) -> None:
    first, second = said("my sister Anna lives in Rome"), said("Anna moved to Paris", at=1)

    def script(batch: ExtractionBatch) -> Extraction:
        [one] = batch.rounds
        subject = "Anna (sister)" if "sister" in one.user_query else "Anna"
        city = one.user_query.split()[-1]
        return Extraction((fact(f"Anna lives in {city}.", one, subject=subject, attribute="city"),))

    config = MemoryConfig.from_dict({"extract": {"batch_size": 1}})
    graph = graph_of(memories, ScriptedExtractor(script), config)
    buffer(memories, first, second)
    graph.run(ANA)
    assert active(memories) == ["Anna lives in Paris."]


def test_the_extractor_is_told_what_is_known(memories: Repositories) -> None:
    extractor = ScriptedExtractor(lives_in)
    graph = graph_of(memories, extractor, MemoryConfig.from_dict({"extract": {"batch_size": 1}}))
    buffer(memories, said("I live in Lisbon"), said("do I still live in Lisbon?", at=1), said("", "hm", at=2))
    graph.run(ANA)
    assert [[record.content for record in batch.known] for batch in extractor.batches] == [
        [],
        ["The user lives in Lisbon."],
        [],
    ]


def test_what_was_said_ends_with_what_it_told(memories: Repositories) -> None:
    config = MemoryConfig.from_dict({"extract": {"batch_size": 1}})
    graph = graph_of(memories, ScriptedExtractor(lives_in), config)
    old = said("Well, I live in Lisbon", "So you live in Lisbon!")
    more = said("My cat and my garden and me, we all live in Lisbon", at=1)
    buffer(memories, old, more, said("Now we live in Porto", at=2))
    graph.run(ANA)
    spoken = {record.content: record for record in memories.records.newest(ANA, kinds=[RecordKind.DIALOGUE])}
    assert spoken["Well, I live in Lisbon"].valid_to == NOON + timedelta(minutes=2)
    assert spoken["So you live in Lisbon!"].valid_to is not None
    assert spoken["Now we live in Porto"].valid_to is None
    kept = spoken["My cat and my garden and me, we all live in Lisbon"]
    assert (kept.valid_to, kept.importance) == (None, 0.0), "it tells more than the fact, and counts less from now on"


def test_dialogue_is_kept_only_if_wanted(memories: Repositories) -> None:
    config = MemoryConfig.from_dict({"long_term": {"keep_dialogue": False}})
    buffer(memories, said("I live in Lisbon, by the sea"))
    graph_of(memories, ScriptedExtractor(lives_in), config).run(ANA)
    assert memories.records.newest(ANA, kinds=[RecordKind.DIALOGUE]) == []


def test_the_state_of_the_graph_tells_no_content(memories: Repositories) -> None:
    buffer(memories, said("I live in Lisbon"))
    graph = graph_of(memories, ScriptedExtractor(lives_in)).graph
    state = {"owner_id": "ana", "thread_id": "t1", "force": True, "reports": []}
    told = list(graph.stream(state, stream_mode=["updates", "values"]))
    assert [part for part in told if "Lisbon" in str(part)] == []
    names = list(graph.get_graph().nodes)
    assert names[1:-1] == ["batch", "extract", "check", "reconcile", "write", "settle"]
