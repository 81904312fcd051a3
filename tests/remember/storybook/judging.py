"""Judging what a memory made of a story: stale values, lost truths, unreachable history."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from memory_middleware import Memory, MemoryRecord, MemoryType, Scope
from memory_middleware.remember.extraction.base import Retraction
from memory_middleware.remember.likeness import same_address
from memory_middleware.schemas.profile_places import entry_name
from memory_middleware.schemas.record import RecordKind, RecordState
from tests.remember.storybook.book import Held, Story, View

__all__ = ["KINDS", "Verdict", "active_view", "judge", "standing_at"]

KINDS = tuple(kind for kind in RecordKind if kind is not RecordKind.DIALOGUE)
_MANY = 100


@dataclass(slots=True)
class Verdict:
    """What is wrong after a story.

    Attributes:
        stale: Values that do not hold and are current.
        lost: Truths that are not there.
        unreachable: Moments for which recall does not give what was true, or more than that.
        asked: How many moments of history were asked for.
    """

    stale: list[str] = field(default_factory=list)
    lost: list[str] = field(default_factory=list)
    unreachable: list[str] = field(default_factory=list)
    asked: int = 0

    @property
    def is_good(self) -> bool:
        """Whether nothing is wrong."""
        return not (self.stale or self.lost or self.unreachable)


def judge(memory: Memory, owner: str, story: Story) -> Verdict:
    """Look at the view, the profiles and the history of an owner to whom a story was told."""
    verdict = Verdict()
    _judge_view(memory, owner, story.view, verdict)
    _judge_profiles(memory, owner, story, verdict)
    _judge_history(memory, owner, story, verdict)
    for view in (story.view, *story.after):
        memory.maintain(owner, now=view.when)
        _judge_view(memory, owner, view, verdict)
    _judge_history(memory, owner, story, verdict)
    return verdict


def active_view(memory: Memory, owner: str, moment: datetime) -> list[MemoryRecord]:
    """List the records that are active and true at a moment."""
    found = memory.store.memories.records.newest(Scope(owner), states=[RecordState.ACTIVE], kinds=KINDS, limit=_MANY)
    return [record for record in found if record.valid_at(moment)]


def standing_at(records: Sequence[MemoryRecord], address: tuple[str, str]) -> list[str]:
    """List what records say at an address."""
    return [record.content for record in records if same_address(Retraction(*address), record)]


def _judge_view(memory: Memory, owner: str, view: View, verdict: Verdict) -> None:
    records = active_view(memory, owner, view.when)
    for address, value in view.current.items():
        found = standing_at(records, address)
        if not any(value in text for text in found):
            verdict.lost.append(f"{view.when:%Y-%m-%d} {address}: {value} is not among {found}")
        if any(value not in text for text in found) or len(found) > 1:
            verdict.stale.append(f"{view.when:%Y-%m-%d} {address}: not only {value}: {found}")
    texts = [record.content for record in records]
    verdict.lost += [f"{view.when:%Y-%m-%d} {part}" for part in view.current_texts if not _said(part, texts)]
    verdict.stale += [
        f"{view.when:%Y-%m-%d} {found}" for address in view.none for found in standing_at(records, address)
    ]
    profiles = {kind.value: _profile(memory, owner, kind).model_dump_json() for kind in MemoryType}
    verdict.stale += [
        f"{view.when:%Y-%m-%d} {part} stands in {found}"
        for part in view.not_current
        for found in (*_said(part, texts), *(kind for kind, text in profiles.items() if part in text))
    ]


def _said(part: str, texts: Sequence[str]) -> list[str]:
    return [text for text in texts if part in text]


def _judge_profiles(memory: Memory, owner: str, story: Story, verdict: Verdict) -> None:
    for path, wanted in story.profile.items():
        kind, *names = path.split(".")
        found: Any = _profile(memory, owner, MemoryType(kind)).model_dump(mode="json")
        for name in names:
            found = found[name]
        if isinstance(wanted, list):
            found, wanted = sorted(map(entry_name, found)), sorted(map(entry_name, wanted))
        if found != wanted:
            verdict.lost.append(f"{path}: {wanted} is {found}")


def _profile(memory: Memory, owner: str, kind: MemoryType) -> Any:
    return memory.profile(owner, kind)


def _judge_history(memory: Memory, owner: str, story: Story, verdict: Verdict) -> None:
    for held in story.history:
        verdict.asked += 1
        found = _recalled(memory, owner, held)
        right = not found if held.value is None else len(found) == 1 and held.value in found[0]
        if not right:
            verdict.unreachable.append(f"{held.when:%Y-%m-%d} {held.at}: {held.value} is {found}")


def _recalled(memory: Memory, owner: str, held: Held) -> list[str]:
    """Recall what stood at an address, at the moment and a breath later."""
    query = f"{held.value or ''} {' '.join(held.at)}"
    moments = (held.when, held.when + timedelta(seconds=1))
    hits = [
        hit.record for moment in moments for hit in memory.recall(owner, query, limit=_MANY, kinds=KINDS, as_of=moment)
    ]
    return list(dict.fromkeys(standing_at(hits, held.at)))
