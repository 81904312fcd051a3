"""How much each record weighs, and how often it was used."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, NamedTuple

from memory_middleware.errors import InvalidInputError
from memory_middleware.schemas.scope import Scope
from memory_middleware.storage import clock
from memory_middleware.storage.database import Database, Statement
from memory_middleware.storage.in_list import InList
from memory_middleware.storage.namespaces import load_key
from memory_middleware.storage.owners import digest
from memory_middleware.storage.typed_rows import microseconds

__all__ = ["WeightRepository", "WeightState"]

_STATE = "w.id, w.weight, w.changed_at, w.access_count, w.last_accessed, w.base, w.based_at"
_ALL = Statement(f"SELECT {_STATE} FROM memory_weights w WHERE w.owner = :owner")
_STATES = InList(
    f"SELECT r.record, {_STATE} FROM memory_records r JOIN memory_weights w ON w.id = r.id"
    " WHERE r.owner = :owner AND r.record IN (:listed)"
)
_SAVE = Statement(
    "UPDATE memory_weights SET weight = :weight, changed_at = :changed_at, access_count = :access_count,"
    " last_accessed = :last_accessed, base = :base, based_at = :based_at WHERE id = :id AND owner = :owner"
)
_GET = Statement(
    "SELECT weight FROM memory_weights"
    " WHERE id = (SELECT id FROM memory_records WHERE owner = :owner AND record = :record)"
)
_SELECT = (
    "SELECT i.key FROM memory_weights w JOIN memory_records r ON r.id = w.id JOIN store_items i ON i.id = w.id"
    " WHERE w.owner = :owner AND r.state = 'active' AND (i.expires_at IS NULL OR i.expires_at > :now)"
)
_CORE = Statement(f"{_SELECT} AND w.weight >= :weight ORDER BY w.weight DESC, w.id LIMIT :limit")
_FAINT = Statement(
    f"{_SELECT} AND w.weight < :weight AND w.access_count >= :uses AND r.pinned = 0"
    " ORDER BY w.weight, w.id LIMIT :limit"
)


class WeightState(NamedTuple):
    """The weight of a record, and what it was made of.

    Attributes:
        weight: The weight.
        changed_at: When it was changed last.
        access_count: How often the record was injected.
        last_accessed: When that was last.
        base: The weight before the uses that are still in the log.
        based_at: Uses before this moment are in the base.
    """

    weight: float
    changed_at: datetime
    access_count: int
    last_accessed: datetime | None
    base: float
    based_at: datetime


class WeightRepository:
    """Reads and writes weights; how they change is decided elsewhere."""

    def __init__(self, database: Database) -> None:
        self._database = database

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

    def states(self, scope: Scope, record_ids: Iterable[str]) -> dict[str, tuple[str, WeightState]]:
        """Give the item and the weight of records by their ids; those that are not there are left out."""
        names = {digest(record_id): record_id for record_id in record_ids}
        with self._database.reading() as session:
            rows = _STATES.rows(session, list(names), owner=digest(scope.owner_id))
            return {names[name]: (row[0], _state(row)) for name, *row in rows}

    def all_states(self, scope: Scope) -> dict[str, WeightState]:
        """Give the weights of all records of an owner by the ids of their items."""
        with self._database.reading() as session:
            return {row[0]: _state(row) for row in session.all(_ALL, owner=digest(scope.owner_id))}

    def save(self, scope: Scope, states: Mapping[str, WeightState]) -> None:
        """Write weights by the ids of their items, in one transaction.

        Raises:
            InvalidInputError: A weight is no finite number from 0 on.
        """
        for item, state in states.items():
            if not 0.0 <= state.weight < 1e9 or not 0.0 <= state.base < 1e9:
                raise InvalidInputError(f"the weight of {item!r} cannot be {state!r}")
        owner = digest(scope.owner_id)
        with self._database.writing() as session:
            session.many(_SAVE, [{"id": item, "owner": owner, **_row(state)} for item, state in states.items()])

    def core(self, scope: Scope, min_weight: float, *, limit: int = 100) -> list[str]:
        """List the ids of active records of at least a weight, the heaviest first."""
        return self._ids(_CORE, scope, min_weight, limit)

    def faint(self, scope: Scope, below: float, *, uses: int = 0, limit: int = 1000) -> list[str]:
        """List the ids of active records below a weight, the lightest first; pinned ones are never among them.

        Args:
            scope: Whose.
            below: The weight.
            uses: Only those that were injected so often at least.
            limit: At most so many.
        """
        return self._ids(_FAINT, scope, below, limit, uses=uses)

    def _ids(self, statement: Statement, scope: Scope, weight: float, limit: int, **more: int) -> list[str]:
        with self._database.reading() as session:
            rows: Iterable[Any] = session.all(
                statement, owner=digest(scope.owner_id), now=clock.now(), weight=weight, limit=limit, **more
            )
        return [load_key(row[0]) for row in rows]


def _state(row: Sequence[Any]) -> WeightState:
    _, weight, changed_at, access_count, accessed, base, based_at = row
    return WeightState(
        weight=float(weight),
        changed_at=_moment(changed_at or 0),
        access_count=int(access_count),
        last_accessed=None if accessed is None else _moment(accessed),
        base=float(weight if base is None else base),
        based_at=_moment(based_at or 0),
    )


def _row(state: WeightState) -> dict[str, Any]:
    return {
        "weight": float(state.weight),
        "changed_at": microseconds(state.changed_at),
        "access_count": state.access_count,
        "last_accessed": microseconds(state.last_accessed) if state.last_accessed else None,
        "base": float(state.base),
        "based_at": microseconds(state.based_at),
    }


def _moment(at: int) -> datetime:
    return datetime.fromtimestamp(at / 1e6, UTC)
