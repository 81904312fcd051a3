"""Forgetting: exactly what was asked for, with all that hangs on it, and a receipt."""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import replace
from functools import partial
from typing import Any, NamedTuple

from memory_middleware.errors import EmbeddingError, InvalidInputError
from memory_middleware.remember.cutting import Cutter
from memory_middleware.remember.experience.lessons_of import embedded_texts, with_lessons
from memory_middleware.remember.forgotten_profile import ProfileTraces, clear_traces, find_traces
from memory_middleware.remember.forgotten_sayings import sayings_telling
from memory_middleware.remember.forgotten_words import cut_experience, cut_words
from memory_middleware.remember.receipt import Receipt
from memory_middleware.remember.said import sayings_of
from memory_middleware.remember.tombs import mark_of, marks_of, profile_mark, said_mark
from memory_middleware.schemas import times
from memory_middleware.schemas.dialogue import Dialogue, Turn
from memory_middleware.schemas.ids import derive_id
from memory_middleware.schemas.profile import MemoryType, content_class
from memory_middleware.schemas.profile_places import places_of
from memory_middleware.schemas.record import MemoryRecord, RecordKind, RecordState
from memory_middleware.schemas.scope import Scope
from memory_middleware.sources.long_term.records import recall_records
from memory_middleware.storage.documents import EXPERIENCE_KINDS, Experience, searched_parts
from memory_middleware.storage.repositories import Repositories

__all__ = ["Receipt", "forget"]

_log = logging.getLogger(__name__)

_DERIVED = "derived_from"
_STATES = tuple(RecordState)
_NEAREST = 20
# A query means a record that holds most of its words, or that is very near in meaning.
_COVERED = 0.6
_MEANT = 0.62
_PAGE = 500
_ALL = 1_000_000_000


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
    with_profile: bool = False,
    dry_run: bool = False,
) -> Receipt:
    """Forget, by exactly one of the ways; another owner's memory is out of reach.

    Links, use, weights, derived records, what a record has set in the profiles, its vectors and its place in the
    index go along, and the sentences that tell it are cut out of the journal, of summaries and of experience. The
    same words of the same rounds do not bring it back; if the owner says it again, it is new.

    Args:
        memories: Where memory is kept.
        scope: Whose.
        ids: Records, episodes, patterns or skills by their ids.
        query: The records that a query means.
        source: The records that came from a source.
        thread: All that came from the thread that the scope names, and its rounds.
        everything: All of the owner's memory, profiles and journal included.
        with_sources: Also the dialogue records of the rounds in which it was said, all words of these rounds, and
            dialogue records of other rounds that tell all of it.
        with_profile: Also what the owner has set in the profiles by hand, if it tells the same.
        dry_run: Tell what would be forgotten, and forget nothing.

    Raises:
        InvalidInputError: Not exactly one way was chosen, or an id is nobody's.
    """
    ways = {"ids": ids, "query": query, "source": source, "thread": thread, "everything": everything}
    chosen = [name for name, value in ways.items() if value not in (None, False)]
    if len(chosen) != 1:
        raise InvalidInputError(f"forget by exactly one of {', '.join(ways)}, not by {', '.join(chosen) or 'none'}")
    forgetting = _Forgetting(memories, scope, with_sources, with_profile)
    asked = chosen[0] if chosen[0] in ("thread", "everything") else f"{chosen[0]}: {ways[chosen[0]]!r}"
    if everything:
        return forgetting.everything(asked, dry_run)
    if thread:
        return forgetting.thread(asked, dry_run)
    named = [ids] if isinstance(ids, str) else ids
    if named is not None:
        return forgetting.named(list(named), asked, dry_run)
    found = forgetting.meant(query) if query is not None else memories.records.from_source(scope, str(source))
    return forgetting.records(found, asked, dry_run, query=query)


class _Thread(NamedTuple):
    """What came from a thread; what other threads said too is apart."""

    rounds: list[Dialogue]
    turns: list[Turn]
    names: set[str]
    doomed: list[MemoryRecord]
    elsewhere: list[MemoryRecord]
    runs: list[Experience]


class _Forgetting:
    def __init__(self, memories: Repositories, scope: Scope, with_sources: bool, with_profile: bool) -> None:
        self._memories = memories
        self._scope = scope
        self._with_sources = with_sources
        self._with_profile = with_profile
        self._can_embed = True

    def named(self, ids: list[str], asked: str, dry_run: bool) -> Receipt:
        records = self._memories.records.get_many(self._scope, ids)
        experience = self._memories.experience.get_many(self._scope, ids)
        known = {memory.id for memory in (*records, *experience)}
        if missing := [name for name in ids if name not in known]:
            raise InvalidInputError(f"there is no memory {missing[0]!r} of this owner; nothing was forgotten")
        return self.records(records, asked, dry_run, experience=experience)

    def meant(self, query: str) -> list[MemoryRecord]:
        """Find the records that a query means."""
        hits = recall_records(self._memories, self._scope, query, limit=_NEAREST, include=_STATES)
        return [hit.record for hit in hits if hit.coverage >= _COVERED or (hit.cosine or 0.0) >= _MEANT]

    def records(
        self,
        found: Iterable[MemoryRecord],
        asked: str,
        dry_run: bool,
        *,
        experience: Sequence[Experience] = (),
        query: str | None = None,
        rounds: Collection[str] = (),
        thread: str | None = None,
    ) -> Receipt:
        """Forget records with all that hangs on them; of whole rounds or a thread, also what they alone said."""
        memories, scope = self._memories, self._scope
        chosen = {record.id: record for record in found}
        derived = self._derived(chosen)
        doomed = {**chosen, **derived}
        said = {record.id: record for record in self._said(doomed.values()) if record.id not in doomed}
        whole = set(rounds)
        if self._with_sources:
            doomed |= said
            whole |= {name for record in doomed.values() for name in record.provenance.round_ids}
        lessons = with_lessons(memories.experience, scope, experience)
        names = [memory.id for memory in lessons]
        cutter = Cutter(doomed.values(), self._beside(doomed), whole=whole, query=query)
        told = {one.id: one for one in sayings_telling(memories, scope, cutter) if one.id not in doomed}
        if self._with_sources:
            doomed |= told
        if not dry_run:
            self._warm_cuts(cutter, names)
        with nullcontext() if dry_run else memories.database.writing():
            traces = find_traces(memories, scope, list(doomed.values()), rounds=whole, by_hand=self._with_profile)
            waiting = [one for name in sorted(whole) if (one := memories.dialogues.get(scope, name))]
            if not dry_run:
                memories.dialogues.settle(scope, waiting)
            cut = cut_words(
                memories, scope, cutter, dry_run=dry_run, experience=names, thread=thread, searched=self._can_embed
            )
            if not dry_run:
                self._drop(doomed.values(), lessons, cut.texts)
                self._mark(whole, traces)
                clear_traces(memories, scope, traces)
        return self._receipt(
            asked,
            dry_run,
            records=tuple(doomed),
            derived=tuple(derived),
            experience=tuple(names),
            profile=traces.names,
            said_in=() if self._with_sources else tuple({**said, **told}),
            rounds=len(waiting),
            kept=tuple(traces.kept),
            cut=cut.counts,
        )

    def _warm_cuts(self, cutter: Cutter, but: Collection[str]) -> None:
        """Have what is cut embedded before the transaction."""
        memories, scope = self._memories, self._scope
        made = [new for _, _, new in cut_experience(memories, scope, cutter, but)]
        self._warm(partial(memories.experience.warm, scope, made))

    def _warm(self, warm: Callable[[], None]) -> None:
        """Have vectors made; nobody waits for an embedder with the lock in hand, and what must go does not need it."""
        try:
            if self._can_embed:
                warm()
        except EmbeddingError as error:
            self._can_embed = False
            _log.warning("the embedder failed; what is forgotten goes, and what was cut is not searched (%s)", error)

    def thread(self, asked: str, dry_run: bool) -> Receipt:
        memories, scope = self._memories, self._scope
        if not scope.thread_id:
            raise InvalidInputError("to forget a thread, give the scope a thread_id")
        if not dry_run:
            self._warm_thread(self._of_thread(scope.thread_id))
        with nullcontext() if dry_run else memories.database.writing():
            found = self._of_thread(scope.thread_id)
            items = memories.short_term.count(scope)
            receipt = self.records(
                found.doomed, asked, dry_run, experience=found.runs, rounds=found.names, thread=scope.thread_id
            )
            if not dry_run:
                # Without an embedder they cannot be written as they are; they lose nothing but a hint.
                for one in found.elsewhere if self._can_embed else ():
                    memories.records.update(scope, one.id, partial(_without_rounds, found.names))
                self._drop_thread(scope.thread_id)
                memories.tombstones.add(scope, [*(turn.id for turn in found.turns), *map(said_mark, found.names)])
        return replace(receipt, rounds=len(found.rounds), short_term=items, turns=len(found.turns))

    def _of_thread(self, thread_id: str) -> _Thread:
        memories, scope = self._memories, self._scope
        rounds = memories.dialogues.all_of(scope, thread_id)
        turns = memories.turns.newest(scope, limit=_ALL)
        found = memories.records.in_thread(scope, thread_id)
        names = {one.id for one in rounds} | {turn.round_id for turn in turns if turn.round_id}
        names |= {name for one in found if one.kind is RecordKind.DIALOGUE for name in one.provenance.round_ids}
        elsewhere = [one for one in found if names and set(one.provenance.round_ids) - names]
        doomed = [one for one in found if one not in elsewhere]
        return _Thread(rounds, turns, names, doomed, elsewhere, memories.experience.about(scope, "episode", thread_id))

    def _warm_thread(self, found: _Thread) -> None:
        self._warm(partial(self._memories.records.warm, self._scope, found.elsewhere))
        lessons = with_lessons(self._memories.experience, self._scope, found.runs)
        self._warm_cuts(Cutter(found.doomed, whole=found.names), [memory.id for memory in lessons])

    def everything(self, asked: str, dry_run: bool) -> Receipt:
        memories, scope = self._memories, self._scope
        owner = Scope(scope.owner_id)
        with nullcontext() if dry_run else memories.database.writing():
            records = self._all_records()
            experience = [
                memory for kind in EXPERIENCE_KINDS for memory in memories.experience.newest(owner, kind, limit=_ALL)
            ]
            turns = memories.turns.newest(owner, limit=_ALL)
            places = {kind: sorted(places_of(self._content(kind))) for kind in MemoryType}
            counts = memories.journal_counts(owner)
            if not dry_run:
                self._drop(records, experience, [turn.query for turn in turns])
                memories.tombstones.add(scope, [turn.id for turn in turns])
                memories.clear_journal(owner)
                for kind in MemoryType:
                    memories.profiles.put(owner, kind, content_class(kind)())
                    memories.profiles.fields.drop(owner, kind, memories.profiles.fields.get(owner, kind))
                    memories.profiles.history.clear(owner, kind)
        receipt = self._receipt(
            asked,
            dry_run,
            records=tuple(record.id for record in records),
            experience=tuple(memory.id for memory in experience),
            profile=tuple(f"{kind.value}.{place}" for kind, found in places.items() for place in found),
        )
        return replace(receipt, rounds=counts["rounds"], short_term=counts["short_term"], turns=len(turns))

    def _drop_thread(self, thread_id: str) -> None:
        memories, scope = self._memories, self._scope
        memories.dialogues.drop(scope, thread_id)
        memories.runs.forget_session(scope, thread_id)
        memories.short_term.clear(scope)
        memories.summaries.clear(scope)
        memories.turns.forget_thread(scope)

    def _beside(self, doomed: Mapping[str, MemoryRecord]) -> list[MemoryRecord]:
        """Find other facts from the rounds of records."""
        rounds = {name for record in doomed.values() for name in record.provenance.round_ids}
        threads = {record.provenance.thread_id for record in doomed.values()} - {None}
        found = [one for name in threads for one in self._memories.records.in_thread(self._scope, name or "")]
        facts = [one for one in found if one.kind is not RecordKind.DIALOGUE and one.id not in doomed]
        return [one for one in facts if rounds & set(one.provenance.round_ids)]

    def _mark(self, whole: Collection[str], traces: ProfileTraces) -> None:
        """Let neither the words of whole rounds nor what they set in the profiles come back."""
        marks = [said_mark(name) for name in whole] if self._with_sources else []
        for kind, places in traces.places.items():
            sources = self._memories.profiles.fields.get(self._scope, kind)
            marks += [
                profile_mark(name, f"{kind.value}.{place}")
                for place in places
                if place in sources
                for name in sources[place].rounds
            ]
        self._memories.tombstones.add(self._scope, marks)

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

    def _content(self, kind: MemoryType) -> dict[str, object]:
        return self._memories.profiles.load(self._scope, kind).content.model_dump(mode="json")

    def _drop(self, records: Iterable[MemoryRecord], experience: Sequence[Experience], texts: Sequence[str]) -> None:
        memories, scope = self._memories, self._scope
        doomed = list(records)
        for record in doomed:
            if record.kind is RecordKind.DIALOGUE and record.provenance.thread_id:
                place = Scope(scope.owner_id, record.provenance.thread_id)
                memories.short_term.delete(place, record.provenance.round_ids)
        memories.tombstones.add(scope, {*marks_of(doomed), *(mark_of(memory.id) for memory in experience)})
        for at in range(0, len(doomed), _PAGE):
            memories.records.delete(scope, [record.id for record in doomed[at : at + _PAGE]])
        for kind in EXPERIENCE_KINDS:
            memories.experience.delete(scope, kind, [memory.id for memory in experience])
        embedded = [text for record in doomed for text in searched_parts("record", record.to_dict()).meaning]
        embedded += [text for memory in experience for text in embedded_texts(memory)]
        memories.records.forget_texts([*embedded, *(record.content for record in doomed), *texts])

    def _receipt(self, asked: str, dry_run: bool, **told: Any) -> Receipt:
        moment = times.utc_now()
        name = derive_id("forgotten", self._scope.owner_id, asked, times.to_utc_iso(moment))
        return Receipt(name, self._scope.owner_id, asked, not dry_run, at=moment, **told)


def _without_rounds(names: set[str], record: MemoryRecord) -> MemoryRecord:
    """Leave a record to the rounds of other threads that said the same."""
    place = record.provenance
    kept = tuple(name for name in place.round_ids if name not in names)
    return record.changed(provenance=place.model_copy(update={"thread_id": None, "turn": None, "round_ids": kept}))
