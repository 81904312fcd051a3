"""A process that ends: what waits is extracted without new threads, and what cannot be is still there afterwards."""

from __future__ import annotations

import os
import subprocess
import sys
import textwrap
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Event
from typing import Any

import pytest
from langchain_core.callbacks import CallbackManagerForLLMRun
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, BaseMessage
from langchain_core.outputs import ChatGeneration, ChatResult

from memory_middleware import LanceStore, Memory, MemoryConfig, Scope
from memory_middleware.remember.extraction.base import Extraction, ExtractionBatch
from memory_middleware.remember.failures import FailureKind, kind_of
from memory_middleware.storage.pending import waiting_sessions
from tests.graph.conftest import MANUAL
from tests.graph.support import facts, rounds
from tests.remember.support import ANA, said
from tests.remember.test_worker import worker_of
from tests.support import ROOT

FARO = '{"facts": [{"content": "The user lives in Faro.", "kind": "fact", "confidence": 0.9}]}'


class PoolModel(BaseChatModel):
    """Answers from a pool of threads, as some clients of providers do."""

    @property
    def _llm_type(self) -> str:
        return "pool"

    def _generate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: CallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> ChatResult:
        with ThreadPoolExecutor(1) as pool:
            text = pool.submit(lambda: FARO).result()
        return ChatResult(generations=[ChatGeneration(message=AIMessage(text))])


def end_a_process(folder: Path, model: str) -> str:
    """Let a process observe a turn and end, and tell what it logged."""
    script = f"""
        import atexit, threading
        from langchain_core.messages import AIMessage, HumanMessage
        from memory_middleware import Memory, MemoryConfig, Scope
        from memory_middleware.testing import ScriptedChatModel
        from tests.remember.test_leaving import FARO, PoolModel

        def refuse(thread):
            raise RuntimeError("can't create new thread at interpreter shutdown")

        rules = MemoryConfig.from_dict({{"extract": {{"mode": "background"}}}})
        memory = Memory.open({str(folder)!r}, config=rules, model={model})
        asked = HumanMessage("I live in Faro, by the sea.", id="h")
        memory.observe(Scope("ana", "t1", "worker"), [asked, AIMessage("ok", id="a")])
        # Pythons from 3.12 on do this by themselves; what is registered last is called first.
        atexit.register(lambda: setattr(threading.Thread, "start", refuse))
    """
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}  # noqa: TID251
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(script)], cwd=ROOT, env=environment, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    return done.stderr


def test_a_model_extracts_what_waits_when_a_process_ends_though_no_thread_can_be_started(tmp_path: Path) -> None:
    told = end_a_process(tmp_path, "ScriptedChatModel(answers=[FARO])")
    with Memory.open(tmp_path, config=MemoryConfig.from_dict(MANUAL)) as memory:
        assert rounds(memory) == [], told
        assert facts(memory) == ["The user lives in Faro."]


def test_what_a_model_cannot_extract_at_the_end_is_extracted_after_the_next_start(tmp_path: Path) -> None:
    assert "was not extracted" in end_a_process(tmp_path, "PoolModel()")
    with Memory.open(tmp_path, config=MemoryConfig.from_dict(MANUAL), model=PoolModel()) as memory:
        assert rounds(memory) == [("I live in Faro, by the sea.", "ok")]
        [run] = memory.runs("ana")
        assert (run.failures, run.state.value) == (0, "failed")
        memory.flush("ana")
        assert facts(memory) == ["The user lives in Faro."]


@pytest.mark.parametrize(
    "words",
    [
        "can't start new thread at interpreter shutdown",
        "can't create new thread at interpreter shutdown",
        "cannot schedule new futures after shutdown",
        "cannot schedule new futures after interpreter shutdown",
    ],
)
def test_a_process_on_its_way_out_is_not_the_models_fault(words: str) -> None:
    assert kind_of(RuntimeError(words)) is FailureKind.ENDING
    assert kind_of(ValueError(words)) is FailureKind.UNKNOWN


def test_whatever_the_end_of_the_process_stops_is_not_counted(small: LanceStore) -> None:
    def script(batch: ExtractionBatch) -> Extraction:
        raise RuntimeError("cannot schedule new futures after shutdown")

    worker = worker_of(small, script, idle_seconds=1e9)
    small.memories.dialogues.append(ANA, said("I live in Lisbon"))
    worker.wake()
    worker.leave()
    [run] = small.memories.runs.newest(ANA)
    assert run.failures == 0
    assert len(waiting_sessions(small.database)) == 1


def test_an_extractor_that_takes_too_long_is_left_alone(small: LanceStore, caplog: pytest.LogCaptureFixture) -> None:
    begun, free = Event(), Event()

    def script(batch: ExtractionBatch) -> Extraction:
        begun.set()
        free.wait(20)
        return Extraction()

    worker = worker_of(small, script, drain_seconds=0.01)
    for at in range(2):
        small.memories.dialogues.append(ANA, said("I live in Lisbon", at=at))
    worker.wake()
    assert begun.wait(20)
    thread = worker._thread
    assert thread is not None
    worker.leave()
    assert "still at work" in caplog.text
    free.set()
    thread.join()


def test_a_worker_that_never_worked_leaves_quietly(small: LanceStore) -> None:
    small.memories.dialogues.append(ANA, said("I live in Lisbon"))
    worker_of(small).leave()
    assert [waiting.owner_id for waiting in waiting_sessions(small.database)] == [Scope("ana").owner_id]
