"""Extraction in the background: it follows the buffer, drains it at the end, and survives bad moments."""

from __future__ import annotations

import os
import subprocess
import sys
import textwrap
import time
from collections.abc import Callable
from pathlib import Path

from memory_middleware import LanceStore, MemoryConfig, Scope
from memory_middleware.graph.extractor import ExtractorGraph
from memory_middleware.graph.worker import ExtractionWorker
from memory_middleware.remember.extraction.base import Extraction, ExtractionBatch
from memory_middleware.remember.pipeline import ExtractionPipeline
from memory_middleware.schemas.record import RecordKind
from memory_middleware.storage.pending import waiting_sessions
from tests.remember.support import ANA, ScriptedExtractor, lives_in, said
from tests.support import ROOT

CONFIG = MemoryConfig.from_dict({"extract": {"batch_size": 2}})


def worker_of(
    store: LanceStore, script: Callable[[ExtractionBatch], Extraction] = lives_in, **more: float
) -> ExtractionWorker:
    pipeline = ExtractionPipeline(store.memories, ScriptedExtractor(script), CONFIG)
    return ExtractionWorker(ExtractorGraph(pipeline), store.database, batch_size=2, **more)


def wait_for(done: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 20
    while not done():
        assert time.monotonic() < deadline, "nothing happened"
        time.sleep(0.01)


def facts(store: LanceStore, scope: Scope = ANA) -> list[str]:
    return [record.content for record in store.memories.records.newest(scope, kinds=[RecordKind.FACT])]


def test_a_batch_is_extracted_soon_after_a_wake_up(small: LanceStore) -> None:
    worker = worker_of(small)
    small.memories.dialogues.append(ANA, said("I live in Lisbon"))
    worker.wake()
    small.memories.dialogues.append(ANA, said("nice", at=1))
    worker.wake()
    wait_for(lambda: facts(small) == ["The user lives in Lisbon."])
    worker.stop()


def test_a_quiet_thread_is_extracted_with_what_it_has(small: LanceStore) -> None:
    worker = worker_of(small, idle_seconds=0.2)
    small.memories.dialogues.append(ANA, said("I live in Lisbon"))  # said long ago
    worker.wake()
    wait_for(lambda: facts(small) == ["The user lives in Lisbon."])
    worker.stop()


def test_stopping_drains_and_a_stopped_worker_stays_so(small: LanceStore) -> None:
    worker = worker_of(small, idle_seconds=1e9)
    small.memories.dialogues.append(ANA, said("I live in Lisbon"))
    worker.wake()
    assert worker.drain() == 0
    worker.stop()
    assert facts(small) == ["The user lives in Lisbon."]
    small.memories.dialogues.append(ANA, said("I live in Porto", at=1))
    worker.wake()
    worker.stop(drain=False)
    assert len(waiting_sessions(small.database)) == 1


def test_one_threads_failure_keeps_no_other_waiting(small: LanceStore) -> None:
    def script(batch: ExtractionBatch) -> Extraction:
        if batch.rounds[0].owner_id == "ana":
            raise ZeroDivisionError
        return lives_in(batch)

    worker = worker_of(small, script)
    small.memories.dialogues.append(ANA, said("I live in Lisbon"))
    small.memories.dialogues.append(Scope("bob"), said("I live in Porto", owner="bob"))
    assert worker.drain(everything=True) == 1
    assert facts(small, Scope("bob")) == ["The user lives in Porto."]
    assert [waiting.owner_id for waiting in waiting_sessions(small.database)] == ["ana"]


def test_a_drain_that_takes_too_long_leaves_the_rest(small: LanceStore) -> None:
    worker = worker_of(small, drain_seconds=-1.0)
    small.memories.dialogues.append(ANA, said("I live in Lisbon"))
    worker.stop()
    assert facts(small) == []


def test_a_closed_store_is_no_disaster(small: LanceStore) -> None:
    worker = worker_of(small)
    small.close()
    worker.stop()


def test_what_waits_at_the_exit_of_the_process_is_extracted(tmp_path: Path) -> None:
    script = f"""
        from memory_middleware import LanceStore
        from tests.remember.support import ANA, said
        from tests.remember.test_worker import worker_of
        store = LanceStore.open({str(tmp_path)!r}, embedding=None)
        store.memories.dialogues.append(ANA, said("I live in Lisbon"))
        worker = worker_of(store, idle_seconds=1e9)
        worker.wake()
    """
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}  # noqa: TID251
    subprocess.run([sys.executable, "-c", textwrap.dedent(script)], check=True, cwd=ROOT, env=environment)
    with LanceStore.open(tmp_path, embedding=None) as store:
        assert facts(store) == ["The user lives in Lisbon."]
