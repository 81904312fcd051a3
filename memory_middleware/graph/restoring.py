"""Taking the block out of whatever a function lets out: texts, messages, collections, whole states, errors."""

from __future__ import annotations

import copy
from collections import deque
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, fields, is_dataclass
from typing import Any

from langchain_core.messages import AIMessage, BaseMessage
from langgraph.types import Send

from memory_middleware.remember.turns import without_blocks

__all__ = ["Restoring", "changed"]

_START = "_MEMORY_START -->"
_END = "_MEMORY_END -->"
_DEEPEST = 64
_PLAIN = (int, float, complex, type, type(None))
_COLLECTIONS = (list, tuple, set, frozenset, deque)
# What a model says is its own; what a function writes around its prompt is not.
_OWN_WORDS = frozenset({"content", "tool_calls", "invalid_tool_calls", "tool_call_chunks"})
_HIDDEN_FIELDS = ("__pydantic_extra__", "__pydantic_private__")


@dataclass(slots=True)
class Restoring:
    """One walk through a result; whatever does not hold the block stays the very same object.

    Attributes:
        sent: The system message with the block, if one was put in.
        original: The message in whose place it stands; none if it is one of its own.
    """

    sent: BaseMessage | None = None
    original: BaseMessage | None = None
    _met: dict[int, tuple[Any, Any]] = field(default_factory=dict)

    def restored(self, value: Any, depth: int = _DEEPEST) -> Any:
        """Give a value without the block: the message that holds it goes, or is what it was; texts lose it."""
        if isinstance(value, str):
            return without_blocks(value) if _START in value else value
        if isinstance(value, bytes | bytearray):
            return _cleaned_bytes(value)
        if depth == 0 or isinstance(value, _PLAIN):
            return value
        if id(value) not in self._met:
            self._met[id(value)] = value, value  # what holds itself is met again inside
            self._met[id(value)] = value, self._apart(value, depth - 1)
        return self._met[id(value)][1]

    def _apart(self, value: Any, depth: int) -> Any:
        if isinstance(value, BaseMessage):
            return self._message(value, depth)
        if isinstance(value, Mapping):
            return self._mapping(value, depth)
        if isinstance(value, _COLLECTIONS):
            return self._collection(value, depth)
        if isinstance(value, BaseException):
            return self._error(value, depth)
        if isinstance(value, Send):
            return changed(value, arg=self.restored(value.arg, depth))
        if is_dataclass(value) or hasattr(value, "model_fields_set"):
            return self._object(value, depth)
        return value

    def _message(self, message: BaseMessage, depth: int) -> BaseMessage | None:
        if self._is_sent(message):
            return self.original
        own = _OWN_WORDS if isinstance(message, AIMessage) else frozenset[str]()
        return self._object(message, depth, leave=own)  # type: ignore[no-any-return]

    def _mapping(self, value: Mapping[Any, Any], depth: int) -> Mapping[Any, Any]:
        made = {self.restored(key, depth): self._part(part, depth) for key, part in value.items()}
        if len(made) == len(value) and all(key in made and made[key] is part for key, part in value.items()):
            return value
        if not isinstance(value, dict):
            return made
        same_kind = copy.copy(value)
        same_kind.clear()
        same_kind.update(made)
        return same_kind

    def _collection(self, value: Collection[Any], depth: int) -> Collection[Any]:
        if hasattr(value, "_make"):  # a pair with names stays one
            kept = [self.restored(part, depth) for part in value]
        else:
            whole = _without_split_blocks(value) if isinstance(value, list | tuple) else value
            kept = [self.restored(part, depth) for part in whole if not self._is_added(part)]
        if len(kept) == len(value) and all(new is old for new, old in zip(kept, value, strict=True)):
            return value
        if isinstance(value, deque):
            return deque(kept, value.maxlen)
        kind: Any = next(kind for kind in _COLLECTIONS if isinstance(value, kind))
        return getattr(value, "_make", kind)(kept)  # type: ignore[no-any-return]

    def _object(self, value: Any, depth: int, leave: frozenset[str] = frozenset()) -> Any:
        """Clean the fields of a dataclass or a pydantic model, with slots or without."""
        declared = [one.name for one in fields(value)] if is_dataclass(value) else []
        names = dict.fromkeys([*declared, *getattr(value, "__dict__", ()), *_HIDDEN_FIELDS])
        held = {name: getattr(value, name, None) for name in names if name not in leave}
        made = {name: self._part(part, depth) for name, part in held.items()}
        other = {name: part for name, part in made.items() if part is not held[name]}
        return changed(value, **other) if other else value

    def _error(self, error: BaseException, depth: int) -> BaseException:
        """Clean an error where it stands, since others may hold it already; its kind and its place stay."""
        error.args = self.restored(error.args, depth)
        for name, part in list(vars(error).items()):
            error.__dict__[name] = self.restored(part, depth)
        for other in (error.__cause__, error.__context__, *getattr(error, "exceptions", ())):
            self.restored(other, depth)
        return error

    def _part(self, part: Any, depth: int) -> Any:
        """Clean what stands alone under a name: a message that was put in leaves no messages."""
        return [] if self._is_added(part) else self.restored(part, depth)

    def _is_added(self, part: Any) -> bool:
        """Tell the message that was put in beside those that were there."""
        return self.original is None and self._is_sent(part)

    def _is_sent(self, part: Any) -> bool:
        if self.sent is None or not isinstance(part, BaseMessage):
            return False
        return part is self.sent or part == self.sent


def changed(thing: Any, **parts: Any) -> Any:
    """Give a copy of an object with other fields, frozen or not."""
    made = copy.copy(thing)
    for name, value in parts.items():
        object.__setattr__(made, name, value)
    return made


def _cleaned_bytes(value: bytes | bytearray) -> bytes | bytearray:
    if _START.encode() not in value:
        return value
    text = value.decode("utf-8", "surrogateescape")
    return type(value)(without_blocks(text).encode("utf-8", "surrogateescape"))


def _without_split_blocks(parts: Sequence[Any]) -> list[Any]:
    """Take out a block whose lines are texts of their own; one that never ends is cut where it begins."""
    kept: list[Any] = []
    begun: int | None = None
    for part in parts:
        text = part if isinstance(part, str) else ""
        if begun is not None and _END in text:
            del kept[begun:]
            part, begun = text.partition(_END)[2], None
        if begun is None and text.rfind(_START) > text.rfind(_END):
            begun = len(kept) + 1
        kept.append(part)
    return kept
