"""Records that stand near others: the turns beside a turn, and what a record links to."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from memory_middleware.storage.database import Session, Statement
from memory_middleware.storage.owners import digest
from memory_middleware.storage.rows import ItemRow, ItemRows

__all__ = ["nearby_rows"]

_SIDE = (
    "SELECT id FROM memory_records WHERE owner = :owner AND thread = :thread AND kind = 'dialogue'"
    " AND turn {0} :turn ORDER BY turn {1} LIMIT 2"
)
_BEFORE = Statement(_SIDE.format("<", "DESC"))
_AFTER = Statement(_SIDE.format(">", "ASC"))


def nearby_rows(
    session: Session, owner_id: str, turns: Sequence[tuple[str, int]], record_ids: Sequence[str], now: int
) -> list[ItemRow]:
    """Give the items of the two dialogue records on either side of some turns, and of records by their ids.

    Args:
        session: Where the records are.
        owner_id: Whose.
        turns: Threads and the numbers of turns in them.
        record_ids: Other records.
        now: The time; what has expired is left out.
    """
    owner = digest(owner_id)
    found: dict[str, None] = {}
    for thread, turn in turns:
        place: dict[str, Any] = {"owner": owner, "thread": digest(thread), "turn": turn}
        for side in (_BEFORE, _AFTER):
            found.update(dict.fromkeys(row[0] for row in session.all(side, **place)))
    if record_ids:
        # Digests are hexadecimal, so they can stand in the text.
        listed = ", ".join(f"'{digest(record_id)}'" for record_id in record_ids)
        named = Statement(f"SELECT id FROM memory_records WHERE owner = :owner AND record IN ({listed})")
        found.update(dict.fromkeys(row[0] for row in session.all(named, owner=owner)))
    return ItemRows.by_id(session, list(found), now)
