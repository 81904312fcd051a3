"""What is known at the end, and the sentence that each of it came from."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from memory_middleware import Memory, MemoryRecord, MemoryType, RecordState
from memory_middleware_cli.replay.result import Known, Told
from memory_middleware_cli.replay.trace import Trace

__all__ = ["known_at_end", "profiles_at_end", "sentence_for"]

_SENTENCE = re.compile(r"[^.!?。！？；\n]+[.!?。！？；]*")
_WORD = re.compile(r"[a-z0-9]+|[\u3400-\u9fff]")
_UNTOLD = ("meta",)


def known_at_end(records: Iterable[MemoryRecord], trace: Trace) -> tuple[Known, ...]:
    """Tell what holds at the end, each with the words it came from."""
    said = {str(turn.asked.id): turn for turn in trace.turns}
    found: list[Known] = []
    for record in records:
        turns = [said[name] for name in record.provenance.message_ids if name in said]
        if record.state is RecordState.ACTIVE and turns:
            turn, sentence = max(
                ((turn, sentence_for(record.content, turn.said)) for turn in turns),
                key=lambda pair: _shared(record.content, pair[1]),
            )
            found.append(Known(Told.of(record), sentence, turn.time, turn.thread, round(record.weight, 4)))
    return tuple(found)


def profiles_at_end(memory: Memory, owner: str) -> dict[str, object]:
    """Give the profiles as plain data, without what is empty and without times of writing."""
    found = {kind.value: memory.profile(owner, kind) for kind in MemoryType}
    return {kind: _filled(content.model_dump(mode="json")) for kind, content in found.items() if content}


def sentence_for(content: str, said: str) -> str:
    """Find the sentence that shares most with a record; none means the first."""
    sentences: list[str] = [found.strip() for found in _SENTENCE.findall(said) if found.strip()] or [said.strip()]
    return max(sentences, key=lambda sentence: _shared(content, sentence))


def _shared(one: str, other: str) -> float:
    mine, theirs = (set(_WORD.findall(text.casefold())) for text in (one, other))
    return len(mine & theirs) / (len(theirs) + 4)


def _filled(value: Any) -> Any:
    if isinstance(value, dict):
        kept = {key: _filled(part) for key, part in value.items() if key not in _UNTOLD}
        return {key: part for key, part in kept.items() if part not in (None, "", [], {})}
    return [_filled(part) for part in value] if isinstance(value, list) else value
