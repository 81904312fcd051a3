"""What is asked of the records: a text, and which of them may answer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from memory_middleware.errors import InvalidInputError
from memory_middleware.schemas.record import RecordKind, RecordState
from memory_middleware.storage import clock
from memory_middleware.storage.record_pool import RecordPool
from memory_middleware.storage.typed_rows import microseconds

__all__ = ["Wanted"]

Flags = npt.NDArray[np.bool_]
Ints = npt.NDArray[np.int64]
Member = TypeVar("Member", bound=StrEnum)

_KINDS = tuple(RecordKind)
_STATES = tuple(RecordState)
_LONGEST = 4000


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is asked for, checked."""

    text: str
    kinds: tuple[RecordKind, ...] | None
    states: tuple[RecordState, ...]
    as_of: datetime | None
    now: datetime

    @classmethod
    def of(
        cls,
        query: str,
        limit: int,
        kinds: Sequence[RecordKind] | None,
        include: Sequence[RecordState],
        as_of: datetime | None,
        now: datetime | None,
    ) -> Wanted | None:
        """Check what is asked for; none if that can be nothing.

        Raises:
            InvalidInputError: Something is of the wrong kind.
        """
        if not isinstance(query, str):
            raise InvalidInputError(f"a query is a text, not {query!r}")
        if isinstance(limit, bool) or not isinstance(limit, int):
            raise InvalidInputError(f"limit must be a whole number, not {limit!r}")
        for moment in (as_of, now):
            if moment is not None and not isinstance(moment, datetime):
                raise InvalidInputError(f"a moment must be a datetime, not {moment!r}")
        states = _members(RecordState, include, "include")
        if as_of is not None:
            states = (*states, RecordState.SUPERSEDED)
        text = query[:_LONGEST].encode("utf-8", "replace").decode("utf-8")
        if not text.strip() or limit <= 0:
            return None
        sorts = None if kinds is None else _members(RecordKind, kinds, "kinds")
        present = now or datetime.now(UTC)
        return cls(text, sorts, states, as_of, present if present.tzinfo else present.replace(tzinfo=UTC))

    @property
    def only_kind(self) -> RecordKind | None:
        """The kind, if only one is asked for."""
        return self.kinds[0] if self.kinds is not None and len(self.kinds) == 1 else None

    def allowed(self, pool: RecordPool) -> Flags:
        """Tell which records may be recalled: in the right state, of the right kind, and true at the moment."""
        place = ("allowed", self.states, self.kinds)
        fitting: Flags | None = pool.made.get(place)
        if fitting is None:
            fitting = pool.made[place] = self._fitting(pool)
        moment, present = microseconds(self.as_of or self.now), clock.now()
        first_end, last_start, first_stop = _bounds(pool)
        if last_start <= moment < first_stop and present < first_end:
            return fitting  # nothing has an end or a beginning that could matter
        lasting = (pool.valid_from <= moment) & (moment < pool.valid_to)
        return fitting & lasting & (pool.expires_at > present)

    def _fitting(self, pool: RecordPool) -> Flags:
        fitting = pool.alive & _any(pool.state, [_STATES.index(state) for state in self.states])
        if self.kinds is not None:
            fitting &= _any(pool.kind, [_KINDS.index(kind) for kind in self.kinds])
        return fitting


def _any(column: Ints, values: Sequence[int]) -> Flags:
    """Tell where a column holds one of a few values."""
    found = np.zeros(len(column), dtype=np.bool_)
    for value in values:
        found |= column == value
    return found


def _bounds(pool: RecordPool) -> tuple[int, int, int]:
    """Tell when the first record expires, the last begins to be true, and the first ceases to be."""
    found: tuple[int, int, int] | None = pool.made.get("bounds")
    if found is None:
        ends = (pool.expires_at.min(), pool.valid_from.max(), pool.valid_to.min()) if len(pool.rows) else (0, 0, 0)
        found = pool.made["bounds"] = (int(ends[0]), int(ends[1]), int(ends[2]))
    return found


def _members(kind: type[Member], values: Sequence[Member], name: str) -> tuple[Member, ...]:
    try:
        return tuple(kind(value) for value in values)
    except ValueError as error:
        known = ", ".join(member.value for member in kind)
        raise InvalidInputError(f"{name} takes {known}; not {values!r}") from error
