"""Asking a chat model politely: patient, within a time, unseen by the user's stream, failing in our own words."""

from __future__ import annotations

import asyncio
import math
import sys
import time
from collections.abc import Generator, Sequence
from concurrent.futures import Future
from contextvars import copy_context
from dataclasses import dataclass, field
from threading import Thread
from typing import Any

from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, BaseMessage
from langchain_core.runnables import Runnable, RunnableConfig
from langgraph.constants import TAG_NOSTREAM
from langgraph.errors import GraphBubbleUp

from memory_middleware.config import ModelConfig
from memory_middleware.embedding import pause_before_retry, status_of
from memory_middleware.remember.chat_models import build_chat_model, model_name
from memory_middleware.remember.driving import Step, adrive, drive
from memory_middleware.remember.failures import CallError, FailureKind, kind_of, tell

__all__ = ["Effort", "PoliteModel"]

_FIRST_PAUSE = 0.5
_MARKER = "langchain.agents.middleware.internal_call_transformer"


@dataclass(slots=True)
class Effort:
    """What may still be spent on one question, through all ways of asking it.

    Attributes:
        attempts: How many failures end it.
        timeout: Its seconds in all, waiting included; infinite if there is no end.
        failures: How many there were.
    """

    attempts: int
    timeout: float
    failures: int = 0
    _started: float = field(default_factory=time.monotonic)

    @property
    def left(self) -> float:
        """The seconds that are left."""
        return max(0.0, self.timeout - (time.monotonic() - self._started))

    @property
    def spent(self) -> bool:
        """Whether there is nothing left to try with."""
        return self.failures >= self.attempts or self.left <= 0


class PoliteModel:
    """A chat model for the library's own questions.

    Failures that pass are waited for, as long as the provider asks. Calls are marked as internal, so that their tokens
    do not appear in the stream of the graph around them.

    Args:
        model: A chat model, its configuration, or a name such as ``openai:gpt-4o-mini``.
        timeout: Seconds for one question with all its attempts; none waits as long as the model does.
        max_attempts: How often a question is put before its failure is told.
        run_name: How the calls are called in traces.
    """

    def __init__(
        self,
        model: BaseChatModel | str | ModelConfig,
        *,
        timeout: float | None = 120.0,
        max_attempts: int = 3,
        run_name: str = "memory.ask",
    ) -> None:
        self.model = build_chat_model(model)
        self.name = model_name(self.model)
        self._timeout = math.inf if timeout is None else timeout
        self._max_attempts = max_attempts
        self._run_name = run_name

    def ask(self, messages: Sequence[BaseMessage]) -> AIMessage:
        """Put a question.

        Raises:
            ExtractionError: There was no answer; ``permanent`` tells whether trying again later can help.
        """
        return drive(self.flow(messages, self.effort()))

    async def aask(self, messages: Sequence[BaseMessage]) -> AIMessage:
        """Put a question; the async twin.

        Raises:
            ExtractionError: As for ``ask``.
        """
        return await adrive(self.flow(messages, self.effort()))

    def effort(self) -> Effort:
        """Give what may be spent on a new question."""
        return Effort(self._max_attempts, self._timeout)

    def flow(
        self,
        messages: Sequence[BaseMessage],
        effort: Effort,
        *,
        through: Runnable[Any, Any] | None = None,
        tentative: bool = False,
    ) -> Generator[Step, Any, AIMessage]:
        """Put a question, in steps for a driver.

        Args:
            messages: The question.
            effort: What may be spent; failures are counted in it.
            through: The model with something bound to it.
            tentative: Whether the model may be unable to answer this way. Some servers then say that they are broken.

        Raises:
            CallError: There was no answer; it is also an ExtractionError.
        """
        while True:
            try:
                answer = yield _Call(through or self.model, list(messages), self._config(), effort.left)
            except GraphBubbleUp:
                raise
            except Exception as error:  # noqa: BLE001  # told as a CallError unless it passes
                yield _Pause(self._pause(error, effort, tentative=tentative))
                continue
            if not isinstance(answer, AIMessage):
                raise CallError(f"the model {self.name!r} answered {type(answer).__name__}", FailureKind.UNKNOWN)
            return answer

    def _pause(self, error: Exception, effort: Effort, *, tentative: bool) -> float:
        """Tell how long to wait before the next attempt, or tell the failure."""
        kind = kind_of(error)
        told = f"the model {self.name!r} failed: {tell(error)}"
        if kind is not FailureKind.PASSING:
            effort.failures += kind is FailureKind.CUT
            raise CallError(told, kind) from error
        pause = pause_before_retry(error, effort.failures, first=_FIRST_PAUSE, longest=math.inf) or 0.0
        effort.failures += 1
        if effort.spent:
            raise CallError(f"{told} (failure {effort.failures} of {effort.attempts})", kind) from error
        if tentative and status_of(error) == 500 and effort.failures > 1:
            raise CallError(told, FailureKind.REFUSED) from error
        if pause >= effort.left:
            raise CallError(f"{told}; it asks for {pause:.0f} s, and {effort.left:.0f} s are left", kind) from error
        return pause

    def _config(self) -> RunnableConfig:
        # Who filters by LangChain's mark has loaded it; nobody else needs it.
        marker = getattr(sys.modules.get(_MARKER), "internal_call_metadata", dict)
        return {
            "run_name": self._run_name,
            "tags": [TAG_NOSTREAM],
            "metadata": {"memory_internal": True, **marker()},
        }


@dataclass(frozen=True, slots=True)
class _Pause:
    seconds: float

    def run(self) -> None:
        time.sleep(self.seconds)

    async def arun(self) -> None:
        await asyncio.sleep(self.seconds)


@dataclass(frozen=True, slots=True)
class _Call:
    runnable: Runnable[Any, Any]
    messages: list[BaseMessage]
    config: RunnableConfig
    left: float

    @property
    def _seconds(self) -> float | None:
        return None if math.isinf(self.left) else self.left

    def run(self) -> Any:
        """Ask in a thread that can be left alone when the time is over, as a model may have no timeout of its own."""
        answer: Future[Any] = Future()
        asking = Thread(target=copy_context().run, args=(self._ask, answer), name="memory-model-call", daemon=True)
        try:
            asking.start()
        except RuntimeError:  # a process on its way out starts no threads, and waits for nobody for long
            self._ask(answer)
        try:
            return answer.result(self._seconds)
        except TimeoutError:
            if answer.done():
                raise
            raise TimeoutError(f"no answer within {self.left:.1f} s") from None

    def _ask(self, answer: Future[Any]) -> None:
        try:
            answer.set_result(self.runnable.invoke(self.messages, self.config))
        except BaseException as error:  # noqa: BLE001  # whoever waits for the answer raises it
            answer.set_exception(error)

    async def arun(self) -> Any:
        limit = asyncio.timeout(self._seconds)
        try:
            async with limit:
                return await self.runnable.ainvoke(self.messages, self.config)
        except TimeoutError:
            if not limit.expired():
                raise
            raise TimeoutError(f"no answer within {self.left:.1f} s") from None
