"""Turns, uses and runs page by page, the newest first; what comes meanwhile moves no page."""

from __future__ import annotations

import functools
import json
from typing import Any, Generic, NamedTuple, TypeVar

from memory_middleware.errors import InvalidInputError
from memory_middleware.schemas.dialogue import ExtractionRun, JournalPart, Turn, UsageEntry
from memory_middleware.schemas.scope import Scope
from memory_middleware.storage.cursors import Cursors
from memory_middleware.storage.database import Database, Statement
from memory_middleware.storage.owners import digest

__all__ = ["JournalPage", "JournalPages"]

Part = TypeVar("Part", bound=JournalPart)

_MOST = 1000


class JournalPage(NamedTuple, Generic[Part]):
    """Some rows of the journal, and where the next page begins; none after the last."""

    rows: list[Part]
    cursor: str | None


class _List(NamedTuple):
    """A table, the columns that order it, and what else a row must fit."""

    name: str
    table: str
    order: tuple[str, ...]
    wanted: str = ""


_TURNS = _List("turns", "memory_turns", ("happened_at", "seq"))
_TURNS_OF_THREAD = _List("turns of a thread", "memory_turns", ("seq",), " AND thread = :thread")
_USES = _List("uses", "memory_usage_log", ("used_at", "seq"))
_USES_OF_RECORD = _List(
    "uses of a record",
    "memory_usage_log",
    ("used_at", "seq"),
    " AND memory = (SELECT id FROM memory_records WHERE owner = :owner AND record = :record)",
)
_RUNS = _List("runs", "extraction_runs", ("started_at", "id"))


@functools.lru_cache(16)
def _listing(listed: _List, following: bool) -> Statement:
    order = ", ".join(listed.order)
    places = ", ".join(f":at_{name}" for name in listed.order)
    after = f" AND ({order}) < ({places})" if following else ""
    newest = ", ".join(f"{name} DESC" for name in listed.order)
    return Statement(
        f"SELECT {order}, document FROM {listed.table} WHERE owner = :owner{listed.wanted}{after}"
        f" ORDER BY {newest} LIMIT :limit"
    )


class JournalPages:
    """Lists what happened."""

    def __init__(self, database: Database, cursors: Cursors) -> None:
        self._database = database
        self._cursors = cursors

    def turns(self, scope: Scope, *, limit: int = 20, cursor: str | None = None) -> JournalPage[Turn]:
        """List turns; those of the scope's thread if it names one.

        Raises:
            InvalidInputError: The limit or the cursor is none.
        """
        if scope.thread_id:
            return self._page(_TURNS_OF_THREAD, Turn, scope, limit, cursor, thread=digest(scope.thread_id))
        return self._page(_TURNS, Turn, scope, limit, cursor)

    def uses(
        self, scope: Scope, *, record_id: str | None = None, limit: int = 50, cursor: str | None = None
    ) -> JournalPage[UsageEntry]:
        """List uses of all records, or of one.

        Raises:
            InvalidInputError: The limit or the cursor is none.
        """
        if record_id is not None:
            return self._page(_USES_OF_RECORD, UsageEntry, scope, limit, cursor, record=digest(record_id))
        return self._page(_USES, UsageEntry, scope, limit, cursor)

    def runs(self, scope: Scope, *, limit: int = 20, cursor: str | None = None) -> JournalPage[ExtractionRun]:
        """List runs of the extractor.

        Raises:
            InvalidInputError: The limit or the cursor is none.
        """
        return self._page(_RUNS, ExtractionRun, scope, limit, cursor)

    def _page(
        self, listed: _List, part: type[Part], scope: Scope, limit: int, cursor: str | None, **named: Any
    ) -> JournalPage[Part]:
        if isinstance(limit, bool) or not 1 <= limit <= _MOST:
            raise InvalidInputError(f"limit must be from 1 to {_MOST}, not {limit!r}")
        listing = "|".join((listed.name, *named.values()))
        read = self._cursors.read(scope, listing, cursor) if cursor else []
        place = {f"at_{name}": value for name, value in zip(listed.order, read, strict=False)}
        with self._database.reading() as session:
            rows = session.all(
                _listing(listed, bool(place)), owner=digest(scope.owner_id), limit=limit + 1, **named, **place
            )
        found = [part.model_validate(json.loads(row[-1])) for row in rows[:limit]]
        more = self._cursors.write(scope, listing, rows[limit - 1][:-1]) if len(rows) > limit else None
        return JournalPage(found, more)
