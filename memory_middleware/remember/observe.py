"""After a turn: what was said, what was used, and how weights change, written in one transaction."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from langchain_core.messages import BaseMessage

from memory_middleware.config import MemoryConfig
from memory_middleware.errors import InvalidInputError
from memory_middleware.remember.references import Injected, Rarity, Reference, ReferenceDetector
from memory_middleware.remember.short_term import keep_short, trace
from memory_middleware.remember.turns import TurnExchange, find_exchange
from memory_middleware.remember.weighing import used
from memory_middleware.schemas import times
from memory_middleware.schemas.dialogue import Dialogue, ShortTermItem, Turn, UsageEntry
from memory_middleware.schemas.ids import derive_id
from memory_middleware.schemas.record import MemoryRecord
from memory_middleware.schemas.scope import Scope
from memory_middleware.storage.repositories import Repositories

__all__ = ["Observed", "Observer"]


@dataclass(frozen=True, slots=True)
class Observed:
    """What came of observing a turn.

    Attributes:
        turn: The turn as it was noted; none if the messages hold none.
        is_new: Whether it was noted now; a turn that was known before changes nothing.
        references: What was found about each injected record.
        waiting: How many rounds of the thread wait for the extractor.
    """

    turn: Turn | None
    is_new: bool
    references: tuple[Reference, ...] = ()
    waiting: int = 0

    @property
    def referenced(self) -> tuple[str, ...]:
        """The ids of the records that the answer used."""
        return tuple(found.memory_id for found in self.references if found.referenced)


class _Seen(NamedTuple):
    """A turn before it is written."""

    exchange: TurnExchange
    turn: Turn
    round: Dialogue
    injected: tuple[Injected, ...]
    rarity: Rarity | None = None


class Observer:
    """Observes turns.

    Args:
        memories: Where the journal is.
        config: The rules.
        detector: Finds references; none finds them by words only.
    """

    def __init__(
        self, memories: Repositories, config: MemoryConfig | None = None, *, detector: ReferenceDetector | None = None
    ) -> None:
        self._memories = memories
        self._config = config or MemoryConfig()
        self._detector = detector or ReferenceDetector()

    def observe(
        self,
        scope: Scope,
        messages: Sequence[BaseMessage],
        injected: Sequence[MemoryRecord | str] = (),
        *,
        tokens: int = 0,
        now: datetime | None = None,
    ) -> Observed:
        """Write down the last turn of a conversation.

        Args:
            scope: Whose, in which thread, by which agent.
            messages: The conversation with its answer; messages before the last turn are not looked at.
            injected: The records that stood in the prompt, or their ids.
            tokens: What the injected block cost.
            now: When the turn happened.

        Raises:
            InvalidInputError: The scope names no thread, or something is no message.
        """
        seen = self._look(scope, messages, injected, tokens, now)
        if seen is None:
            return Observed(None, False)
        told = seen.exchange
        found = self._detector.detect(told.answer, seen.injected, query=told.user_text, rarity=seen.rarity)
        return self._write(scope, seen, found)

    async def aobserve(
        self,
        scope: Scope,
        messages: Sequence[BaseMessage],
        injected: Sequence[MemoryRecord | str] = (),
        *,
        tokens: int = 0,
        now: datetime | None = None,
    ) -> Observed:
        """Write down the last turn; the async twin of ``observe``."""
        seen = await asyncio.to_thread(self._look, scope, messages, injected, tokens, now)
        if seen is None:
            return Observed(None, False)
        told = seen.exchange
        found = await self._detector.adetect(told.answer, seen.injected, query=told.user_text, rarity=seen.rarity)
        return await asyncio.to_thread(self._write, scope, seen, found)

    def _look(
        self,
        scope: Scope,
        messages: Sequence[BaseMessage],
        injected: Sequence[MemoryRecord | str],
        tokens: int,
        now: datetime | None,
    ) -> _Seen | None:
        if not scope.thread_id:
            raise InvalidInputError("a turn belongs to a thread; give the scope a thread_id")
        exchange = find_exchange(messages)
        if exchange is None or not (exchange.user_text or exchange.answer):
            return None
        moment = now or times.utc_now()
        said = Dialogue.create(
            scope.owner_id,
            scope.thread_id,
            exchange.user_text,
            exchange.answer,
            tool_text=exchange.tool_text,
            turn=exchange.turn,
            message_ids=exchange.asked_ids,
            created_at=moment,
        )
        records = self._records(scope, injected)
        turn = Turn(
            id=derive_id("turn", said.id, scope.agent, exchange.user_text, exchange.answer),
            owner_id=scope.owner_id,
            session_id=scope.thread_id,
            agent=scope.agent,
            query=exchange.user_text,
            round_id=said.id,
            injected=tuple(record.id for record in records),
            tokens=tokens,
            happened_at=moment,
        )
        return _Seen(exchange, turn, said, tuple(map(Injected.of, records)), self._rarity(scope) if records else None)

    def _rarity(self, scope: Scope) -> Rarity | None:
        """Tell how rare words are among the owner's memories, where these are held in memory."""
        held = self._memories.records.held_terms(scope)
        return Rarity(held.total, held) if held is not None else None

    def _records(self, scope: Scope, injected: Sequence[MemoryRecord | str]) -> list[MemoryRecord]:
        given = [entry for entry in injected if isinstance(entry, MemoryRecord)]
        wanted = [entry for entry in injected if isinstance(entry, str)]
        found = self._memories.records.get_many(scope, wanted) if wanted else []
        return list({record.id: record for record in (*given, *found)}.values())

    def _write(self, scope: Scope, seen: _Seen, references: Sequence[Reference]) -> Observed:
        turn = seen.turn.model_copy(
            update={"referenced": tuple(found.memory_id for found in references if found.referenced)}
        )
        memories = self._memories
        memories.profiles.ensure(scope)  # an owner is known from the first contact on
        with memories.database.writing(undivided=True):
            is_new = not memories.tombstones.among(scope, [turn.id]) and memories.turns.add(scope, turn)
            if is_new:
                self._write_round(scope, seen)
                self._write_use(scope, turn, references)
            waiting = memories.dialogues.count(scope, turn.session_id)
        return Observed(turn, is_new, tuple(references), waiting)

    def _write_round(self, scope: Scope, seen: _Seen) -> None:
        memories = self._memories
        if not memories.dialogues.append(scope, seen.round) and (known := memories.dialogues.get(scope, seen.round.id)):
            # Another agent has answered the same words before, or the user has put them differently since.
            memories.dialogues.replace(scope, _joined(known, seen.round))
        told = trace(seen.exchange, self._config.language)
        item = ShortTermItem(id=seen.round.id, content=told, turn=seen.exchange.turn, created_at=seen.turn.happened_at)
        if not memories.short_term.append(scope, item):
            memories.short_term.replace(scope, [item])
        keep_short(memories, scope, self._config)

    def _write_use(self, scope: Scope, turn: Turn, references: Sequence[Reference]) -> None:
        entries = [
            UsageEntry(
                memory_id=found.memory_id,
                session_id=turn.session_id,
                query=turn.query,
                was_referenced=found.referenced,
                used_at=turn.happened_at,
            )
            for found in references
        ]
        if not entries:
            return
        self._memories.usage.log(scope, turn.id, entries)
        rules = self._config.long_term.weights
        states = self._memories.weights.states(scope, [entry.memory_id for entry in entries])
        changed = {
            item: used(state, entry.used_at, entry.was_referenced, rules)
            for entry in entries
            if entry.memory_id in states
            for item, state in (states[entry.memory_id],)
        }
        self._memories.weights.save(scope, changed)


def _joined(known: Dialogue, said: Dialogue) -> Dialogue:
    """Let a round tell what both agents answered; words that were edited take the place of what they were."""
    if known.user_query != said.user_query:
        return said
    answers = dict.fromkeys(filter(None, (known.assistant_response, said.assistant_response)))
    tools = dict.fromkeys(filter(None, (known.tool_text, said.tool_text)))
    return known.model_copy(update={"assistant_response": "\n".join(answers), "tool_text": "\n".join(tools)})
