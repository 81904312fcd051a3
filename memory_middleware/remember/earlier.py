"""The round before a batch, which what is said next may answer or take back."""

from __future__ import annotations

from collections.abc import Sequence

from memory_middleware.remember.said import saying_id
from memory_middleware.remember.tombs import without_forgotten_rounds
from memory_middleware.schemas.dialogue import Dialogue, Turn
from memory_middleware.schemas.scope import Scope
from memory_middleware.storage.repositories import Repositories

__all__ = ["round_before"]

_LOOKED_AT = 50


def round_before(memories: Repositories, scope: Scope, rounds: Sequence[Dialogue]) -> Dialogue | None:
    """Give the round of the scope's thread that was read before others; none at the beginning, or if it was forgotten.

    It is told from the journal: its row in the buffer is gone.
    """
    if not rounds or not scope.thread_id:
        return None
    reading = {one.id for one in rounds}
    turns = memories.turns.newest(scope, limit=_LOOKED_AT + len(rounds))
    earlier = (turn for turn in turns if turn.happened_at <= rounds[0].created_at and turn.round_id not in reading)
    turn = next(earlier, None)
    if turn is None or turn.round_id is None:
        return None
    kept = without_forgotten_rounds(memories, scope, [_round(memories, scope, turn, turn.round_id)])
    return next(iter(kept), None)


def _round(memories: Repositories, scope: Scope, turn: Turn, round_id: str) -> Dialogue:
    answer = memories.records.get(scope, saying_id(round_id, "assistant"))
    return Dialogue(
        id=round_id,
        owner_id=turn.owner_id,
        session_id=turn.session_id,
        user_query=turn.query,
        assistant_response=answer.content if answer else "",
        created_at=turn.happened_at,
    )
