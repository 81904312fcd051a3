"""Forgetting: exactly what was asked for, with all that hangs on it, and a receipt."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import partial
from typing import Any

from memory_middleware.errors import InvalidInputError
from memory_middleware.remember.likeness import normalised
from memory_middleware.remember.said import sayings_of
from memory_middleware.remember.tombs import mark_of, marks_of, said_mark
from memory_middleware.schemas import times
from memory_middleware.schemas.ids import derive_id
from memory_middleware.schemas.merge import validate_content
from memory_middleware.schemas.profile import MemoryType, content_class
from memory_middleware.schemas.profile_places import places_of, restore_place
from memory_middleware.schemas.record import MemoryRecord, RecordKind, RecordState
from memory_middleware.schemas.scope import Scope
from memory_middleware.sources.long_term.records import recall_records
from memory_middleware.storage.documents import EXPERIENCE_KINDS
from memory_middleware.storage.repositories import Repositories
from memory_middleware.storage.repositories.profile_fields import BY_HAND
from memory_middleware.storage.vector_cache import VectorCache

__all__ = ["Receipt", "forget"]

_DERIVED = "derived_from"
_STATES = tuple(RecordState)
_NEAREST = 20
# A query means a record that holds most of its words, or that is very near in meaning.
_COVERED = 0.6
_MEANT = 0.62
_PAGE = 500


@dataclass(frozen=True, slots=True)
class Receipt:
    """What was forgotten, by ids and places; the contents are gone.

    Attributes:
        id: Of the receipt.
        owner_id: Whose memory.
        asked: What was asked for.
        is_done: Whether it was done; a dry run only tells.
        records: The ids of the records.
        derived: Those of them that were derived from others.
        experience: The ids of episodes, patterns and skills.
        profile: Places of the profiles that were cleared.
        rounds: How many rounds that waited for the extractor were dropped.
        short_term: How many short-term items were dropped.
        turns: How many turns of the journal were dropped.
        said_in: The ids of dialogue records that still tell it; they are forgotten too if asked ``with_sources``.
        at: When.
    """

    id: str
    owner_id: str
    asked: str
    is_done: bool
    records: tuple[str, ...] = ()
    derived: tuple[str, ...] = ()
    experience: tuple[str, ...] = ()
    profile: tuple[str, ...] = ()
    rounds: int = 0
    short_term: int = 0
    turns: int = 0
    said_in: tuple[str, ...] = ()
    at: datetime = field(default_factory=times.utc_now)


def forget(
    memories: Repositories,
    scope: Scope,
    *,
    ids: Sequence[str] | str | None = None,
    query: str | None = None,
    source: str | None = None,
    thread: bool = False,
    everything: bool = False,
    with_sources: bool = False,
    dry_run: bool = False,
) -> Receipt:
    """Forget, by exactly one of the ways; another owner's memory is out of reach.

    Links, use, weights, derived records, what a record has set in the profiles, its vectors and its place in the
    index go along. The same words of the same rounds do not bring it back; if the owner says it again, it is new.

    Args:
        memories: Where memory is kept.
        scope: Whose.
        ids: Records, episodes, patterns or skills by their ids.
        query: The records that a query means.
        source: The records that came from a source.
        thread: All that came from the thread that the scope names, and its rounds.
        everything: All of the owner's memory, profiles and journal included.
        with_sources: Also the dialogue records of the rounds in which it was said.
        dry_run: Tell what would be forgotten, and forget nothing.

    Raises:
        InvalidInputError: Not exactly one way was chosen, or an id is nobody's.
    """
    ways = {"ids": ids, "query": query, "source": source, "thread": thread, "everything": everything}
    chosen = [name for name, value in ways.items() if value not in (None, False)]
    if len(chosen) != 1:
        raise InvalidInputError(f"forget by exactly one of {', '.join(ways)}, not by {', '.join(chosen) or 'none'}")
    forgetting = _Forgetting(memories, scope, with_sources)
    asked = chosen[0] if chosen[0] in ("thread", "everything") else f"{chosen[0]}: {ways[chosen[0]]!r}"
    if everything:
        return forgetting.everything(asked, dry_run)
    if thread:
        return forgetting.thread(asked, dry_run)
    named = [ids] if isinstance(ids, str) else ids
    if named is not None:
        return forgetting.named(list(named), asked, dry_run)
    found = forgetting.meant(query) if query is not None else memories.records.from_source(scope, str(source))
    return forgetting.records(found, asked, dry_run)


class _Forgetting:
    def __init__(self, memories: Repositories, scope: Scope, with_sources: bool) -> None:
        self._memories = memories
        self._scope = scope
        self._with_sources = with_sources

    def named(self, ids: list[str], asked: str, dry_run: bool) -> Receipt:
        records = self._memories.records.get_many(self._scope, ids)
        experience = self._memories.experience.get_many(self._scope, ids)
        known = {memory.id for memory in (*records, *experience)}
        if missing := [name for name in ids if name not in known]:
            raise InvalidInputError(f"there is no memory {missing[0]!r} of this owner; nothing was forgotten")
        return self.records(records, asked, dry_run, experience=[memory.id for memory in experience])

    def meant(self, query: str) -> list[MemoryRecord]:
        """Find the records that a query means."""
        hits = recall_records(self._memories, self._scope, query, limit=_NEAREST, include=_STATES)
        return [hit.record for hit in hits if hit.coverage >= _COVERED or (hit.cosine or 0.0) >= _MEANT]

    def records(
        self, found: Iterable[MemoryRecord], asked: str, dry_run: bool, *, experience: Sequence[str] = ()
    ) -> Receipt:
        chosen = {record.id: record for record in found}
        derived = self._derived(chosen)
        doomed = {**chosen, **derived}
        said = {record.id: record for record in self._said(doomed.values()) if record.id not in doomed}
        if self._with_sources:
            doomed |= said
        places = self._places(doomed.values())
        if not dry_run:
            with self._memories.database.writing():
                self._drop(doomed.values(), experience)
                self._clear(places)
                self._clear_past(doomed.values())
        return self._receipt(
            asked,
            dry_run,
            records=tuple(doomed),
            derived=tuple(derived),
            experience=tuple(experience),
            profile=tuple(f"{kind.value}.{place}" for kind, found in places.items() for place in found),
            said_in=() if self._with_sources else tuple(said),
        )

    def thread(self, asked: str, dry_run: bool) -> Receipt:
        memories, scope = self._memories, self._scope
        if not scope.thread_id:
            raise InvalidInputError("to forget a thread, give the scope a thread_id")
        rounds = memories.dialogues.all_of(scope, scope.thread_id)
        turns = memories.turns.newest(scope, limit=1_000_000)
        items = memories.short_term.count(scope)
        found = memories.records.in_thread(scope, scope.thread_id)
        names = {one.id for one in rounds} | {turn.round_id for turn in turns if turn.round_id}
        names |= {name for one in found if one.kind is RecordKind.DIALOGUE for name in one.provenance.round_ids}
        elsewhere = [one for one in found if names and set(one.provenance.round_ids) - names]
        doomed = [one for one in found if one not in elsewhere]
        with memories.database.writing():
            receipt = self.records(doomed, asked, dry_run)
            if not dry_run:
                for one in elsewhere:
                    memories.records.update(scope, one.id, partial(_without_rounds, names))
                memories.dialogues.drop(scope, scope.thread_id)
                memories.runs.forget_session(scope, scope.thread_id)
                memories.short_term.clear(scope)
                memories.summaries.clear(scope)
                memories.turns.forget_thread(scope)
                said = [said_mark(one.id) for one in rounds]
                memories.tombstones.add(scope, [*(turn.id for turn in turns), *said])
        return replace(receipt, rounds=len(rounds), short_term=items, turns=len(turns))

    def everything(self, asked: str, dry_run: bool) -> Receipt:
        memories, scope = self._memories, self._scope
        owner = Scope(scope.owner_id)
        with memories.database.writing():
            records = self._all_records()
            experience = [
                memory.id
                for kind in EXPERIENCE_KINDS
                for memory in memories.experience.newest(owner, kind, limit=10**9)
            ]
            turns = memories.turns.newest(owner, limit=10**9)
            places = {kind: sorted(places_of(self._content(kind))) for kind in MemoryType}
            counts = memories.journal_counts(owner)
            if not dry_run:
                self._drop(records, experience)
                memories.tombstones.add(scope, [turn.id for turn in turns])
                memories.clear_journal(owner)
                for kind in MemoryType:
                    memories.profiles.put(owner, kind, content_class(kind)())
                    memories.profiles.fields.drop(owner, kind, places[kind])
                    memories.profiles.history.clear(owner, kind)
        receipt = self._receipt(
            asked,
            dry_run,
            records=tuple(record.id for record in records),
            experience=tuple(experience),
            profile=tuple(f"{kind.value}.{place}" for kind, found in places.items() for place in found),
        )
        return replace(receipt, rounds=counts["rounds"], short_term=counts["short_term"], turns=len(turns))

    def _all_records(self) -> list[MemoryRecord]:
        found: list[MemoryRecord] = []
        while page := self._memories.records.newest(
            self._scope, states=_STATES, limit=_PAGE, after=found[-1] if found else None
        ):
            found += page
        return found

    def _derived(self, chosen: dict[str, MemoryRecord]) -> dict[str, MemoryRecord]:
        """Find what was derived from records, and from that, and so on."""
        derived: dict[str, MemoryRecord] = {}
        waiting = list(chosen)
        while waiting:
            target = waiting.pop()
            for record in self._memories.records.linking_to(self._scope, target):
                made_of = any(link.to_id == target and link.relation == _DERIVED for link in record.links)
                if made_of and record.id not in chosen and record.id not in derived:
                    derived[record.id] = record
                    waiting.append(record.id)
        return derived

    def _said(self, records: Iterable[MemoryRecord]) -> list[MemoryRecord]:
        """Find the dialogue records of the rounds that records came from."""
        facts = [record for record in records if record.kind is not RecordKind.DIALOGUE]
        return sayings_of(self._memories, self._scope, facts)

    def _places(self, records: Iterable[MemoryRecord]) -> dict[MemoryType, list[str]]:
        """Find what records have set in the profiles: learned from the same rounds, and told by the record."""
        told = [
            (set(record.provenance.round_ids), normalised(record.content))
            for record in records
            if record.provenance.round_ids and record.kind is not RecordKind.DIALOGUE
        ]
        found: dict[MemoryType, list[str]] = {}
        for kind in MemoryType if told else ():
            values = places_of(self._content(kind))
            for place, source in self._memories.profiles.fields.get(self._scope, kind).items():
                if source.source == BY_HAND or place not in values:
                    continue
                words = _words_of(values[place])
                if any(rounds.intersection(source.rounds) and words & _parts(said) == words for rounds, said in told):
                    found.setdefault(kind, []).append(place)
        return found

    def _content(self, kind: MemoryType) -> dict[str, object]:
        return self._memories.profiles.load(self._scope, kind).content.model_dump(mode="json")

    def _drop(self, records: Iterable[MemoryRecord], experience: Sequence[str]) -> None:
        memories, scope = self._memories, self._scope
        doomed = list(records)
        for record in doomed:
            if record.kind is RecordKind.DIALOGUE and record.provenance.thread_id:
                place = Scope(scope.owner_id, record.provenance.thread_id)
                memories.short_term.delete(place, record.provenance.round_ids)
        memories.tombstones.add(scope, {*marks_of(doomed), *map(mark_of, experience)})
        for at in range(0, len(doomed), _PAGE):
            memories.records.delete(scope, [record.id for record in doomed[at : at + _PAGE]])
        for kind in EXPERIENCE_KINDS:
            memories.experience.delete(scope, kind, experience)
        VectorCache(memories.database).forget([text for record in doomed for text in _embedded(record)])

    def _clear(self, places: dict[MemoryType, list[str]]) -> None:
        for kind, found in places.items():
            profile = self._memories.profiles.load(self._scope, kind)
            content = profile.content.model_dump(mode="json")
            for place in found:
                restore_place(content, place)
            made = validate_content(content_class(kind), content)
            self._memories.profiles.put(self._scope, kind, made, version=profile.version)
            self._memories.profiles.history.clear(self._scope, kind)

    def _clear_past(self, records: Iterable[MemoryRecord]) -> None:
        """Take what records told out of what the profiles said before."""
        told = [_parts(normalised(record.content)) for record in records if record.kind is not RecordKind.DIALOGUE]
        for kind in MemoryType if told else ():
            profiles = self._memories.profiles
            sources = profiles.fields.get(self._scope, kind)
            kept = {
                place: source._replace(before=None)
                for place, source in sources.items()
                if source.before is not None and _is_told(source.before, told)
            }
            profiles.fields.set(self._scope, kind, kept)
            versions = profiles.history.newest(self._scope, kind, limit=10_000)
            values = [
                value for version in versions for value in places_of(version.content.model_dump(mode="json")).values()
            ]
            if any(_is_told(value, told) for value in values):
                profiles.history.clear(self._scope, kind)

    def _receipt(self, asked: str, dry_run: bool, **told: Any) -> Receipt:
        moment = times.utc_now()
        name = derive_id("forgotten", self._scope.owner_id, asked, times.to_utc_iso(moment))
        return Receipt(name, self._scope.owner_id, asked, not dry_run, at=moment, **told)


def _without_rounds(names: set[str], record: MemoryRecord) -> MemoryRecord:
    """Leave a record to the rounds of other threads that said the same."""
    place = record.provenance
    kept = tuple(name for name in place.round_ids if name not in names)
    return record.changed(provenance=place.model_copy(update={"thread_id": None, "turn": None, "round_ids": kept}))


def _is_told(value: object, told: Sequence[set[str]]) -> bool:
    """Tell whether one of some texts, given as words, tells a value of a profile."""
    words = _words_of(value)
    return bool(words) and any(words <= parts for parts in told)


def _words_of(value: object) -> set[str]:
    """Give the words by which a value of a profile is told: of an entry its name."""
    told = value.get("name", "") if isinstance(value, dict) else value
    return _parts(normalised(str(told)))


def _parts(text: str) -> set[str]:
    return {part.strip(".,;:!?。，；：！？()（）\"'") for part in text.replace("/", " ").split()} - {""} | _characters(
        text
    )


def _characters(text: str) -> set[str]:
    return {char for char in text if "\u4e00" <= char <= "\u9fff"}


def _embedded(record: MemoryRecord) -> tuple[str, ...]:
    return (record.content, f"{record.subject}: {record.content}")
