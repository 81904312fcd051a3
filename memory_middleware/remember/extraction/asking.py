"""The ways to ask a model for JSON, the strictest first, and which of them works for this model."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage
from langchain_core.runnables import Runnable, RunnableBinding, RunnableSequence

__all__ = ["Ladder", "Way", "was_cut"]

_REASONS = ("finish_reason", "stop_reason", "done_reason", "finishReason")
_CUT = frozenset({"length", "max_tokens", "max_output_tokens", "model_length", "token_limit", "incomplete"})


@dataclass(frozen=True, slots=True)
class Way:
    """One way to ask.

    Attributes:
        name: ``json_schema``, ``function_calling`` or ``plain``.
        runnable: The model, with what makes it answer this way.
    """

    name: str
    runnable: Runnable[Any, Any]


class Ladder:
    """Native schema, then a tool call, then plain words; what a model says it cannot do is left out from the start.

    Args:
        model: The model.
        schema: The JSON schema of an answer.
    """

    def __init__(self, model: BaseChatModel, schema: Mapping[str, Any]) -> None:
        self._ways = (*_structured(model, dict(schema)), Way("plain", model))
        self._proven: Way | None = None

    def ways(self) -> list[Way]:
        """List the ways to try, beginning with the one that worked before."""
        start = self._ways.index(self._proven) if self._proven else 0
        return list(self._ways[start:])

    def knows(self, way: Way) -> bool:
        """Tell whether a way has worked before."""
        return way is self._proven

    def proved(self, way: Way) -> None:
        """Remember that a way works; a better one that worked before stays."""
        self._proven = self._proven or way

    def refused(self, way: Way) -> None:
        """Remember that a way does not work any more."""
        if self.knows(way):
            self._proven = None


def was_cut(message: AIMessage) -> bool:
    """Tell whether an answer may have ended before it was finished.

    A provider that tells about its answer but not why it ended has been cut off in the middle of it.
    """
    told = message.response_metadata
    reason = next((told[key] for key in _REASONS if told.get(key)), None) or told.get("status")
    return str(reason).lower() in _CUT if reason else bool(told)


def _structured(model: BaseChatModel, schema: dict[str, Any]) -> Iterator[Way]:
    own = type(model).with_structured_output is not BaseChatModel.with_structured_output
    for method in ("json_schema", "function_calling") if own else ("function_calling",):
        bound = _bound(model, schema, method)
        if bound is not None:
            yield Way(method, bound)


def _bound(model: BaseChatModel, schema: dict[str, Any], method: str) -> Runnable[Any, Any] | None:
    """Bind the schema to the model, and leave out the parser, which hides the answer when it fails."""
    try:
        made = model.with_structured_output(schema, method=method)
    except Exception:  # noqa: BLE001  # each provider has a way of its own to say that it cannot
        return None
    first = made.first if isinstance(made, RunnableSequence) else None
    return first if isinstance(first, RunnableBinding) else None
