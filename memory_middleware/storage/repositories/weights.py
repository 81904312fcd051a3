"""How much each record weighs, and how often it was used."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple

from memory_middleware.errors import InvalidInputError
from memory_middleware.schemas.scope import Scope
from memory_middleware.storage import clock
from memory_middleware.storage.database import Database, Statement
from memory_middleware.storage.namespaces import load_key
from memory_middleware.storage.owners import digest
from memory_middleware.storage.typed_rows import microseconds

__all__ = ["WeightChange", "WeightRepository"]

_MINE = " WHERE id = (SELECT id FROM memory_records WHERE owner = :owner AND record = :record)"
_BOUNDED = "CASE WHEN {0} < :low THEN :low WHEN {0} > :high THEN :high ELSE {0} END"
_ADD = Statement(
    f"UPDATE memory_weights SET weight = {_BOUNDED.format('weight * :factor + :delta')},"
    f" access_count = access_count + :uses, last_accessed = coalesce(:moment, last_accessed){_MINE}"
)
_GET = Statement(f"SELECT weight FROM memory_weights{_MINE}")
_SELECT = (
    "SELECT i.key FROM memory_weights w JOIN memory_records r ON r.id = w.id JOIN store_items i ON i.id = w.id"
    " WHERE w.owner = :owner AND r.state = 'active' AND (i.expires_at IS NULL OR i.expires_at > :now)"
)
_CORE = Statement(f"{_SELECT} AND w.weight >= :weight ORDER BY w.weight DESC, w.id LIMIT :limit")
_FAINT = Statement(f"{_SELECT} AND w.weight < :weight AND r.pinned = 0 ORDER BY w.weight, w.id LIMIT :limit")


class WeightChange(NamedTuple):
    """How the weight of a record changes: first by a factor, then by an amount.

    Attributes:
        delta: Added.
        factor: Multiplied before.
        uses: How many uses are counted.
        used_at: When the last one was.
    """

    delta: float = 0.0
    factor: float = 1.0
    uses: int = 0
    used_at: datetime | None = None


class WeightRepository:
    """Changes and reads weights, always within bounds.

    Args:
        database: Holds them.
        low: No weight falls below.
        high: No weight rises above.
    """

    def __init__(self, database: Database, *, low: float = 0.0, high: float = 10.0) -> None:
        self._database = database
        self._low = low
        self._high = high

    def get(self, scope: Scope, record_id: str) -> float | None:
        """Give the weight of a record, or none if there is no such record."""
        with self._database.reading() as session:
            found = session.one(_GET, owner=digest(scope.owner_id), record=digest(record_id))
        return float(found[0]) if found else None

    def of_items(self, scope: Scope, items: Sequence[str]) -> dict[str, float]:
        """Give the weights of records by the ids of their items."""
        if not items:
            return {}
        # Ids of items are our own hexadecimal digests, so they can stand in the text.
        listed = ", ".join(f"'{item}'" for item in items)
        # The owner is compared here: SQLite would rather look through all of the owner's weights.
        statement = Statement(f"SELECT id, weight, owner FROM memory_weights WHERE id IN ({listed})")
        owner = digest(scope.owner_id)
        with self._database.reading() as session:
            return {item: float(weight) for item, weight, whose in session.all(statement) if whose == owner}

    def change(self, scope: Scope, changes: Mapping[str, WeightChange]) -> int:
        """Change the weights of records in one transaction, and tell how many of them there were.

        Raises:
            InvalidInputError: A change is no finite number.
        """
        for record_id, change in changes.items():
            if not all(abs(part) < 1e9 for part in (change.delta, change.factor)):
                raise InvalidInputError(f"the weight of {record_id!r} cannot change by {change!r}")
        with self._database.writing() as session:
            return sum(
                session.run(
                    _ADD,
                    owner=digest(scope.owner_id),
                    record=digest(record_id),
                    low=self._low,
                    high=self._high,
                    factor=float(change.factor),
                    delta=float(change.delta),
                    uses=change.uses,
                    moment=microseconds(change.used_at) if change.used_at else None,
                )
                for record_id, change in changes.items()
            )

    def set(self, scope: Scope, record_id: str, weight: float) -> bool:
        """Set the weight of a record, within bounds, and tell whether there is such a record."""
        return self.change(scope, {record_id: WeightChange(delta=weight, factor=0.0)}) == 1

    def core(self, scope: Scope, min_weight: float, *, limit: int = 100) -> list[str]:
        """List the ids of active records of at least a weight, the heaviest first."""
        return self._ids(_CORE, scope, min_weight, limit)

    def faint(self, scope: Scope, below: float, *, limit: int = 1000) -> list[str]:
        """List the ids of active records below a weight, the lightest first; pinned ones are never among them."""
        return self._ids(_FAINT, scope, below, limit)

    def _ids(self, statement: Statement, scope: Scope, weight: float, limit: int) -> list[str]:
        with self._database.reading() as session:
            rows: Iterable[Any] = session.all(
                statement, owner=digest(scope.owner_id), now=clock.now(), weight=weight, limit=limit
            )
        return [load_key(row[0]) for row in rows]
