"""A model's answer, read as candidates for facts, retractions and a profile patch."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from langchain_core.messages import AIMessage

from memory_middleware.errors import ExtractionError
from memory_middleware.remember.extraction.loose_json import Found, find_json

__all__ = ["Reading", "named", "read_answer", "read_message"]

_NAMES = {
    "facts": ("facts", "memories", "事实"),
    "retractions": ("retractions", "retracted", "撤回"),
    "profile_patch": ("profile_patch", "profile", "profile_updates", "档案"),
    "content": ("content", "fact", "text", "statement", "memory", "内容", "事实"),
}
_WRAPPED = 2
_SHORT_PROSE = 300
_NOTHING = re.compile(
    r"""\b(?:no|any|zero|without)\s+(?:[a-z-]+\s+){0,4}(?:facts?|memor(?:y|ies)|information)\b
    |\bnothing\s+(?:[a-z-]+\s+){0,4}(?:remember|extract|store|record|note|save|memori[sz]e|write)\b
    |\A\W*(?:none|nothing|n/a|null|empty|无|没有|空)\W*\Z
    |(?:没有|无|未|暂无|不存在)[^。！？\n]{0,12}(?:事实|信息|内容|记忆|可记|记住|记录|提取|保存)
    |(?:无需|不需要|不必)[^。！？\n]{0,6}(?:记|提取|保存)""",
    re.IGNORECASE | re.VERBOSE,
)


@dataclass(frozen=True, slots=True)
class Reading:
    """What an answer holds, as the model wrote it.

    Attributes:
        facts: One mapping for each fact.
        retractions: One mapping for each retraction.
        profile_patch: The patch.
        dropped: How many entries were nothing of the kind.
        complete: Whether nothing was cut off.
    """

    facts: tuple[Mapping[str, Any], ...] = ()
    retractions: tuple[Mapping[str, Any], ...] = ()
    profile_patch: Mapping[str, Any] = field(default_factory=dict)
    dropped: int = 0
    complete: bool = True


def read_message(message: AIMessage) -> Reading:
    """Read the answer out of a message: the arguments of a tool call if there is one, else the text.

    Raises:
        ExtractionError: There is no answer to be read.
    """
    if message.tool_calls:
        return _read(Found(tuple(call["args"] for call in message.tool_calls), "", True))
    broken = [call["args"] for call in message.invalid_tool_calls if call["args"]]
    if refusal := message.additional_kwargs.get("refusal"):
        raise ExtractionError(f"the model refused to answer: {str(refusal)[:200]!r}")
    return read_answer(broken[0] if broken else str(message.text))


def read_answer(text: str) -> Reading:
    """Read an answer in JSON, however damaged, or one that says in words that there are no facts.

    Raises:
        ExtractionError: It is neither.
    """
    return _read(find_json(text))


def named(raw: Mapping[str, Any], name: str, others: Sequence[str] = ()) -> Any:
    """Give the value that a model wrote under a name, or under another word for it."""
    words = _NAMES.get(name, (name, *others))
    return next((value for key, value in raw.items() if _word(key) in words and value is not None), None)


def _word(key: str) -> str:
    return key.strip().lower().replace(" ", "_").replace("-", "_")


def _read(found: Found) -> Reading:
    gathered = _Gathered()
    gathered.look(found.values)
    if not gathered.answered and not _says_nothing(found):
        shown = " ".join(found.prose[:500].split())[:120] or f"{len(found.values)} values of JSON"
        raise ExtractionError(f"the model answered neither facts nor that there are none: {shown!r}")
    return Reading(tuple(gathered.facts), tuple(gathered.retractions), gathered.patch, gathered.dropped, found.complete)


def _says_nothing(found: Found) -> bool:
    """Tell an empty answer, which the prose around it must not hide, from one that is unreadable."""
    if len(found.prose) > _SHORT_PROSE or not found.complete:
        return False
    empty = bool(found.values) and all(value in ([], {}, None, [None]) for value in found.values)
    return empty or _NOTHING.search(found.prose) is not None


class _Gathered:
    """Walks through the values of an answer and takes what belongs to it."""

    def __init__(self) -> None:
        self.facts: list[Mapping[str, Any]] = []
        self.retractions: list[Mapping[str, Any]] = []
        self.patch: dict[str, Any] = {}
        self.dropped = 0
        self.answered = False

    def look(self, values: Iterable[Any], wrapped: int = 0) -> None:
        """Find answers and single facts at any depth, in their order."""
        waiting = list(reversed(list(values)))
        while waiting:
            value = waiting.pop()
            if isinstance(value, str) and not _is_text(value) and wrapped < _WRAPPED:
                self.look(find_json(value).values, wrapped + 1)
            elif isinstance(value, Mapping) and not self._take(value, wrapped):
                waiting.extend(reversed(list(value.values())))
            elif isinstance(value, list):
                waiting.extend(reversed(value))

    def _take(self, value: Mapping[str, Any], wrapped: int) -> bool:
        if _is_text(named(value, "content")) and not isinstance(named(value, "facts"), list):
            self.facts.append(value)
            self.answered = True
            return True
        parts = {part: named(value, part) for part in ("facts", "retractions", "profile_patch")}
        told = any(_word(key) in _NAMES["facts"] for key in value)
        if not told and not any(isinstance(part, list | Mapping) for part in parts.values()):
            return False
        self.answered = True
        self._take_facts(_opened(parts["facts"], wrapped))
        self.retractions += [entry for entry in _entries(parts["retractions"]) if isinstance(entry, Mapping)]
        patch = _opened(parts["profile_patch"], wrapped)
        self.patch |= patch if isinstance(patch, Mapping) else {}
        return True

    def _take_facts(self, facts: Any) -> None:
        for entry in _entries(facts):
            if isinstance(entry, str):
                entry = {"content": entry}
            if isinstance(entry, Mapping):
                self.facts.append(entry)
            else:
                self.dropped += 1


def _opened(value: Any, wrapped: int) -> Any:
    """Read a part that the model wrote as JSON inside a text."""
    if not isinstance(value, str) or wrapped >= _WRAPPED:
        return value
    found = find_json(value)
    if found.values:
        return found.values[0]
    return None if not value.strip() or _NOTHING.search(value) else value


def _is_text(value: Any) -> bool:
    return isinstance(value, str) and value.lstrip()[:1] not in ("{", "[")


def _entries(value: Any) -> list[Any]:
    entries = value if isinstance(value, list) else [value]
    return [entry for entry in entries if entry is not None and entry != {}]
