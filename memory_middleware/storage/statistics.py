"""How much memory there is: counts by kind and state, weights, growth, and room on disk."""

from __future__ import annotations

from datetime import UTC, date, datetime
from pathlib import Path
from typing import NamedTuple

from memory_middleware.schemas.scope import Scope
from memory_middleware.storage.database import Database, Statement
from memory_middleware.storage.owners import digest

__all__ = ["MemoryCounts", "count_memory", "disk_use"]

_DAY = 86_400_000_000
_BY_KIND = Statement(
    "SELECT kind, state, count(*) FROM memory_records WHERE owner = :owner GROUP BY kind, state ORDER BY kind, state"
)
_BINS = 10
# Databases round in different ways, so that steps are counted instead.
_BIN = " + ".join(f"CASE WHEN weight >= {step / 2} THEN 1 ELSE 0 END" for step in range(1, _BINS))
_WEIGHTS = Statement(f"SELECT {_BIN}, count(*) FROM memory_weights WHERE owner = :owner GROUP BY 1")
_GROWTH = Statement(
    f"SELECT i.created_at / {_DAY}, count(*) FROM memory_records r JOIN store_items i ON i.id = r.id"
    f" WHERE r.owner = :owner GROUP BY i.created_at / {_DAY} ORDER BY 1"
)
_USE = Statement("SELECT count(*), coalesce(sum(was_referenced), 0) FROM memory_usage_log WHERE owner = :owner")


class MemoryCounts(NamedTuple):
    """What an owner's memory holds.

    Attributes:
        records: How many, by kind and then by state.
        weights: How many records have a weight from 0 to 0.5, from 0.5 to 1, and so on; the last takes all above.
        growth: How many records were made on each day.
        injected: How often records were injected.
        referenced: How often answers used them.
    """

    records: dict[str, dict[str, int]]
    weights: list[int]
    growth: dict[date, int]
    injected: int
    referenced: int


def count_memory(database: Database, scope: Scope) -> MemoryCounts:
    """Count an owner's memory."""
    owner = digest(scope.owner_id)
    records: dict[str, dict[str, int]] = {}
    with database.reading() as session:
        for kind, state, count in session.all(_BY_KIND, owner=owner):
            records.setdefault(kind, {})[state] = int(count)
        bins = {int(step): int(count) for step, count in session.all(_WEIGHTS, owner=owner)}
        growth = {_day(int(day)): int(count) for day, count in session.all(_GROWTH, owner=owner)}
        injected, referenced = session.one(_USE, owner=owner)
    return MemoryCounts(records, [bins.get(at, 0) for at in range(_BINS)], growth, int(injected), int(referenced))


def disk_use(database: Database) -> int | None:
    """Tell how many bytes an embedded store takes, or none if it is a server's."""
    if not database.is_sqlite or not database.url.database:
        return None
    folder = Path(database.url.database).parent
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


def _day(number: int) -> date:
    return datetime.fromtimestamp(number * 86_400, UTC).date()
