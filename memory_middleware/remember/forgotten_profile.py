"""What a forgotten fact has left in the profiles: now, before, and in their history."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from memory_middleware.remember.profile_addresses import field_about, is_about, is_of_owner, tells
from memory_middleware.remember.said import sayings_of
from memory_middleware.remember.sentences import sentences_of
from memory_middleware.schemas.merge import validate_content
from memory_middleware.schemas.profile import MemoryType, content_class
from memory_middleware.schemas.profile_places import entry_name, places_of, restore_place
from memory_middleware.schemas.record import MemoryRecord, RecordKind
from memory_middleware.schemas.scope import Scope
from memory_middleware.storage.repositories import Repositories
from memory_middleware.storage.repositories.profile_fields import BY_HAND, FieldSource

__all__ = ["ProfileTraces", "clear_traces", "find_traces"]

_MOST_VERSIONS = 1_000_000
_HOMES = ("city", "location")


@dataclass(slots=True)
class ProfileTraces:
    """What profiles tell of something forgotten.

    Attributes:
        places: Places to clear, by profile, each with the field of its entry that goes, or none for all of it.
        kept: Places that tell it, but were set by hand.
        told: The facts.
        seen: What stood at the places to clear, and whence it came.
    """

    places: dict[MemoryType, dict[str, str | None]] = field(default_factory=dict)
    kept: list[str] = field(default_factory=list)
    told: list[MemoryRecord] = field(default_factory=list)
    seen: dict[MemoryType, dict[str, tuple[Any, FieldSource | None]]] = field(default_factory=dict)

    @property
    def names(self) -> tuple[str, ...]:
        """The places that are cleared, for a receipt."""
        return tuple(
            f"{kind.value}.{place}{f'.{part}' if part else ''}"
            for kind, found in self.places.items()
            for place, part in found.items()
        )


def find_traces(
    memories: Repositories,
    scope: Scope,
    doomed: Sequence[MemoryRecord],
    *,
    rounds: Collection[str] = (),
    by_hand: bool = False,
) -> ProfileTraces:
    """Find what facts have left in the profiles.

    Args:
        memories: Where the profiles are.
        scope: Whose.
        doomed: The records that are forgotten.
        rounds: The ids of rounds of which all goes that was learned from them alone.
        by_hand: Whether what was set by hand goes too.
    """
    finder = _Finder(memories, scope, doomed, frozenset(rounds))
    traces = ProfileTraces(told=finder.told)
    for kind in MemoryType if finder.told or rounds else ():
        sources = memories.profiles.fields.get(scope, kind)
        for place, value in places_of(_content(memories, scope, kind)).items():
            source = sources.get(place)
            learned = source is not None and source.source != BY_HAND
            if source is not None and learned:
                found = finder.trace(f"{kind.value}.{place}", value, source)
            else:
                found = None if finder.is_told_by_hand(f"{kind.value}.{place}", value) else _NOT
            if found is _NOT:
                continue
            if learned or by_hand:
                traces.places.setdefault(kind, {})[place] = found if isinstance(found, str) else None
                traces.seen.setdefault(kind, {})[place] = (value, source)
            else:
                traces.kept.append(f"{kind.value}.{place}: set by hand")
    return traces


class _No:
    """Stands for nothing found, since none stands for a whole entry."""


_NOT = _No()


class _Finder:
    """Looks for facts behind what a profile says."""

    def __init__(
        self, memories: Repositories, scope: Scope, doomed: Sequence[MemoryRecord], rounds: frozenset[str]
    ) -> None:
        self._memories = memories
        self._scope = scope
        self._rounds = rounds
        self._doomed = {record.id for record in doomed}
        self.told = [record for record in doomed if record.kind is not RecordKind.DIALOGUE]

    def trace(self, place: str, value: Any, source: FieldSource) -> str | _No | None:
        """Give the field that goes, none if all of it goes, or that nothing does."""
        if source.rounds and self._rounds.issuperset(source.rounds):
            return None
        for record in self.told:
            shared = bool(set(source.rounds) & set(record.provenance.round_ids))
            part = field_about(place, value, record)
            if part and value.get(part) is not None and (shared or tells(record.content, value[part])):
                return part
            if self._is_told(place, value, record, shared) and not self._is_told_elsewhere(place, value, record):
                return None
        return _NOT

    def is_told_by_hand(self, place: str, value: Any) -> bool:
        """Tell whether a fact about the owner tells what stands at a place without having set it."""
        return any(
            tells(one.content, value) and (is_about(place, value, one) if one.attribute else is_of_owner(one))
            for one in self.told
        )

    def _is_told(self, place: str, value: Any, record: MemoryRecord, shared: bool) -> bool:
        if is_about(place, value, record) and (shared or tells(record.content, value)):
            return True
        if not shared or _is_of(value, record):
            return False
        zone = place == "user.timezone" and record.attribute in _HOMES
        return zone or tells(record.content, value) or self._is_all_that_was_said(record)

    def _is_told_elsewhere(self, place: str, value: Any, record: MemoryRecord) -> bool:
        """Tell whether another record that stays tells it at the same address."""
        others = self._memories.records.at_address(self._scope, record.subject or "", record.attribute or "")
        return any(
            one.id not in self._doomed and is_about(place, value, one) and tells(one.content, value) for one in others
        )

    def _is_all_that_was_said(self, record: MemoryRecord) -> bool:
        """Tell whether a fact without an address is all that its one sentence gave rise to."""
        if record.attribute:
            return False
        said = [one for one in sayings_of(self._memories, self._scope, [record]) if one.subject == "user"]
        if len(said) != 1 or len(sentences_of(said[0].content)) != 1:
            return False
        rounds = set(record.provenance.round_ids)
        beside = self._memories.records.in_thread(self._scope, record.provenance.thread_id or "")
        facts = [
            one for one in beside if one.kind is not RecordKind.DIALOGUE and rounds & set(one.provenance.round_ids)
        ]
        return all(one.id in self._doomed for one in facts)


def _is_of(value: Any, record: MemoryRecord) -> bool:
    """Tell whether a fact is about the one whom an entry names, rather than tells of the entry."""
    bare = (record.subject or "").partition(" (")[0]
    return isinstance(value, Mapping) and bool(bare) and entry_name(value) == entry_name(bare)


def clear_traces(memories: Repositories, scope: Scope, traces: ProfileTraces) -> None:
    """Clear what was found, unless it was changed since, and what the profiles said of it before."""
    for kind in MemoryType if traces.told or traces.places else ():
        seen = traces.seen.get(kind, {})
        _clear_places(memories, scope, kind, traces.places.get(kind, {}), seen)
        gone = {place: value for place, (value, _) in seen.items()}
        _clear_before(memories, scope, kind, traces.told, gone)
        _clear_history(memories, scope, kind, traces.told, gone)


def _clear_places(
    memories: Repositories,
    scope: Scope,
    kind: MemoryType,
    places: Mapping[str, str | None],
    seen: Mapping[str, tuple[Any, FieldSource | None]],
) -> None:
    """Clear places that still say what was seen there; what somebody has set since is theirs."""
    profile = memories.profiles.load(scope, kind)
    content = profile.content.model_dump(mode="json")
    standing, sources = places_of(content), memories.profiles.fields.get(scope, kind)
    found = {place: part for place, part in places.items() if (standing.get(place), sources.get(place)) == seen[place]}
    if not found:
        return
    for place, part in found.items():
        restore_place(content, place, {**standing[place], part: None} if part else None)
    made = validate_content(content_class(kind), content)
    memories.profiles.put(scope, kind, made, version=profile.version)
    kept = {place: sources[place] for place, part in found.items() if part and place in sources}
    memories.profiles.fields.set(scope, kind, kept)


def _clear_before(
    memories: Repositories, scope: Scope, kind: MemoryType, told: Sequence[MemoryRecord], gone: Mapping[str, Any]
) -> None:
    """Take it out of what parts of a profile said before, and of what was taken out of it."""
    sources = memories.profiles.fields.get(scope, kind)
    standing = places_of(_content(memories, scope, kind))
    stale = {
        place for place, one in sources.items() if one.before is not None and _is_past(place, one.before, told, gone)
    }
    memories.profiles.fields.set(
        scope, kind, {place: sources[place]._replace(before=None) for place in stale if place in standing}
    )
    memories.profiles.fields.drop(scope, kind, stale - standing.keys())


def _clear_history(
    memories: Repositories, scope: Scope, kind: MemoryType, told: Sequence[MemoryRecord], gone: Mapping[str, Any]
) -> None:
    """Take it out of the earlier versions of a profile; what else they say stays."""
    history, standing = memories.profiles.history, places_of(_content(memories, scope, kind))
    versions = history.newest(scope, kind, limit=_MOST_VERSIONS)
    cleaned = []
    for version in versions:
        content = version.content.model_dump(mode="json")
        for place, value in reversed(places_of(content).items()):
            if value != standing.get(place) and _is_past(place, value, told, gone):
                restore_place(content, place)
        cleaned.append(version._replace(content=validate_content(content_class(kind), content)))
    if cleaned != versions:
        history.clear(scope, kind)
        profile = memories.profiles.load(scope, kind)
        for version in cleaned:
            at = {"content": version.content, "version": version.version, "updated_at": version.changed_at}
            history.add(scope, profile.model_copy(update=at), version.source)


def _is_past(place: str, value: Any, told: Sequence[MemoryRecord], gone: Mapping[str, Any]) -> bool:
    return value == gone.get(place) or any(tells(record.content, value) for record in told)


def _content(memories: Repositories, scope: Scope, kind: MemoryType) -> dict[str, Any]:
    return memories.profiles.load(scope, kind).content.model_dump(mode="json")
