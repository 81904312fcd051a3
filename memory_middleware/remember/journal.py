"""The journal by hand: usage, weights, the buffer and the archive, as the seed names them."""

from __future__ import annotations

import uuid
from collections import defaultdict
from datetime import datetime

from memory_middleware.config import MemoryConfig
from memory_middleware.errors import InvalidInputError
from memory_middleware.remember.turns import clean_text
from memory_middleware.remember.weighing import raised_by_hand, replayed, used
from memory_middleware.schemas import times
from memory_middleware.schemas.dialogue import Dialogue, UsageEntry
from memory_middleware.schemas.record import MemoryRecord, RecordState
from memory_middleware.schemas.scope import Scope
from memory_middleware.storage.repositories import Repositories
from memory_middleware.storage.repositories.usage import UsageEvent
from memory_middleware.storage.repositories.weights import WeightState

__all__ = ["MemoryJournal"]

_BY_HAND = "by hand"


class MemoryJournal:
    """Records use, changes weights, and keeps the archive.

    Args:
        memories: Where memory is kept.
        config: The rules.
    """

    def __init__(self, memories: Repositories, config: MemoryConfig | None = None) -> None:
        self._memories = memories
        self._config = config or MemoryConfig()

    def record_memory_usage(
        self, scope: Scope, memory_id: str, query: str, referenced: bool, *, now: datetime | None = None
    ) -> float:
        """Log that a record was injected, change its weight, and tell the new one.

        Raises:
            InvalidInputError: There is no such record.
        """
        moment = now or times.utc_now()
        entry = UsageEntry(
            memory_id=memory_id,
            session_id=scope.thread_id or _BY_HAND,
            query=query,
            was_referenced=referenced,
            used_at=moment,
        )
        with self._memories.database.writing():
            item, state = self._state(scope, memory_id)
            self._memories.usage.log(scope, uuid.uuid4().hex, [entry])
            changed = used(state, moment, referenced, self._config.long_term.weights)
            self._memories.weights.save(scope, {item: changed})
        return changed.weight

    def update_memory_weight(self, scope: Scope, memory_id: str, delta: float, *, now: datetime | None = None) -> float:
        """Change the weight of a record by an amount, within bounds, and tell the new one.

        Raises:
            InvalidInputError: There is no such record, or the amount is no number.
        """
        if not abs(delta) < 1e9:
            raise InvalidInputError(f"a weight cannot change by {delta!r}; give a number")
        moment = now or times.utc_now()
        entry = UsageEntry(memory_id=memory_id, session_id=_BY_HAND, query="", delta=delta, used_at=moment)
        with self._memories.database.writing():
            item, state = self._state(scope, memory_id)
            if delta:
                self._memories.usage.log(scope, uuid.uuid4().hex, [entry])
            changed = raised_by_hand(state, moment, delta, self._config.long_term.weights)
            self._memories.weights.save(scope, {item: changed})
        return changed.weight

    def rebuild_weights(self, scope: Scope) -> int:
        """Derive all weights anew from the usage log, and tell how many records there are."""
        events: dict[str, list[UsageEvent]] = defaultdict(list)
        rules = self._config.long_term.weights
        with self._memories.database.writing():
            for event in self._memories.usage.events(scope):
                events[event.item].append(event)
            states = self._memories.weights.all_states(scope)
            made = {item: replayed(state, events.get(item, ()), rules) for item, state in states.items()}
            self._memories.weights.save(scope, made)
        return len(made)

    def get_core_memories(self, scope: Scope, min_weight: float = 1.5, *, limit: int = 100) -> list[MemoryRecord]:
        """List active records of at least a weight, the heaviest first."""
        found = self._memories.weights.core(scope, min_weight, limit=limit)
        return self._memories.records.get_many(scope, found)

    def get_archived_memories(self, scope: Scope, *, limit: int = 100) -> list[MemoryRecord]:
        """List archived records, the last archived first."""
        return self._memories.records.newest(scope, states=(RecordState.ARCHIVED,), limit=limit)

    def archive_low_weight_memories(
        self, scope: Scope, threshold: float | None = None, *, after: int | None = None
    ) -> list[str]:
        """Archive active records below a weight, and list their ids; pinned ones are never archived.

        Args:
            scope: Whose.
            threshold: The weight; none takes the configured one.
            after: Only records that were injected so often at least; none takes the configured number. What nobody
                asked about has not shown that it is useless.
        """
        rules = self._config.long_term
        least = rules.archive_threshold if threshold is None else threshold
        uses = rules.archive_after if after is None else after
        archived: list[str] = []
        while True:
            waiting = self._memories.weights.faint(scope, least, uses=uses)
            self._memories.records.warm(scope, self._memories.records.get_many(scope, waiting))
            # Looked up again inside the transaction: somebody else may be archiving too.
            with self._memories.database.writing():
                found = self._memories.weights.faint(scope, least, uses=uses)
                for record_id in found:
                    self.archive(scope, record_id)
            archived += found
            if not found:
                break
        return archived

    def archive(self, scope: Scope, memory_id: str) -> MemoryRecord:
        """Archive a record, so that it is recalled no more unless asked for.

        Raises:
            InvalidInputError: There is no such record, or it is not active.
        """
        return self._memories.records.update(
            scope, memory_id, lambda record: _moved(record, RecordState.ACTIVE, RecordState.ARCHIVED)
        )

    def restore(self, scope: Scope, memory_id: str) -> MemoryRecord:
        """Make an archived or quarantined record active again, with the weight of a new one at least.

        Raises:
            InvalidInputError: There is no such record, or it is neither archived nor quarantined.
        """
        with self._memories.database.writing():
            item, state = self._state(scope, memory_id)
            if state.weight < 1.0:
                self.update_memory_weight(scope, memory_id, 1.0 - state.weight, now=state.changed_at)
            return self._memories.records.update(
                scope,
                memory_id,
                lambda record: _moved(
                    record,
                    RecordState.QUARANTINED if record.state is RecordState.QUARANTINED else RecordState.ARCHIVED,
                    RecordState.ACTIVE,
                ),
            )

    def pin(self, scope: Scope, memory_id: str, *, pinned: bool = True) -> MemoryRecord:
        """Pin a record, so that it is never archived by itself, or let it go again.

        Raises:
            InvalidInputError: There is no such record.
        """
        return self._memories.records.patch(scope, memory_id, pinned=pinned)

    def buffer_dialogue(self, scope: Scope, user_query: str, assistant_response: str) -> Dialogue:
        """Add a round to the buffer of the scope's thread.

        Raises:
            InvalidInputError: The scope names no thread.
        """
        said, answer = clean_text(user_query), clean_text(assistant_response)
        made = Dialogue.create(scope.owner_id, self._thread(scope), said, answer)
        self._memories.dialogues.append(scope, made)
        return made

    def get_buffered_dialogues(self, scope: Scope, limit: int | None = None) -> list[Dialogue]:
        """Give the oldest rounds that wait in the scope's thread; by default one batch."""
        most = self._config.extract.batch_size if limit is None else limit
        return self._memories.dialogues.batch(scope, self._thread(scope), most)

    def clear_buffer(self, scope: Scope, rounds: list[Dialogue]) -> int:
        """Settle exactly these rounds, and tell how many were still there; what came meanwhile stays."""
        return self._memories.dialogues.settle(scope, rounds)

    def should_extract(self, scope: Scope) -> bool:
        """Tell whether enough rounds wait in the scope's thread for a batch."""
        return self._memories.dialogues.count(scope, self._thread(scope)) >= self._config.extract.batch_size

    def _state(self, scope: Scope, memory_id: str) -> tuple[str, WeightState]:
        found = self._memories.weights.states(scope, [memory_id])
        if memory_id not in found:
            raise InvalidInputError(f"there is no record {memory_id!r} of this owner")
        return found[memory_id]

    @staticmethod
    def _thread(scope: Scope) -> str:
        if not scope.thread_id:
            raise InvalidInputError("the buffer belongs to a thread; give the scope a thread_id")
        return scope.thread_id


def _moved(record: MemoryRecord, from_state: RecordState, to_state: RecordState) -> MemoryRecord:
    if record.state is not from_state:
        raise InvalidInputError(f"the record {record.id!r} is {record.state.value}, not {from_state.value}")
    return record.changed(state=to_state, note=None)
