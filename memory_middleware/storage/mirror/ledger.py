"""What changed in a working copy and must be told, with the rows as plain data."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any, NamedTuple

from memory_middleware.storage.database import Session, Statement
from memory_middleware.storage.mirror.database import MirrorDatabase
from memory_middleware.storage.mirror.foreign import Row
from memory_middleware.storage.mirror.luggage import Luggage
from memory_middleware.storage.mirror.tables import ITEM_COLUMNS, ITEMS, MIRRORED, schema

__all__ = ["Change", "Ledger"]

_PAGE = 2000

_LAST = Statement("SELECT seq FROM sqlite_sequence WHERE name = 'mirror_log'")
_ANY = Statement("SELECT 1 FROM mirror_log LIMIT 1")
_ITEM = Statement(f"SELECT {', '.join(ITEM_COLUMNS)}, vectors FROM store_items WHERE id = :id")
_PLACE = Statement("SELECT place FROM mirror_places WHERE name = :name AND owner = :owner AND key = :key")
_LAST_PLACE = Statement("SELECT coalesce(max(place), 0) FROM mirror_places WHERE name = :name AND owner = :owner")
_NEW_PLACE = Statement("INSERT INTO mirror_places (name, owner, key, place) VALUES (:name, :owner, :key, :place)")
_DROP_PLACE = Statement("DELETE FROM mirror_places WHERE name = :name AND owner = :owner AND key = :key")


class Change(NamedTuple):
    """A row that changed here: whose, which, and as it is now; none if it is gone."""

    owner: str
    row: Row
    value: dict[str, Any] | None


class Ledger:
    """Notes of a working copy.

    Args:
        database: The working copy.
        luggage: Packs the vectors of items.
    """

    def __init__(self, database: MirrorDatabase, luggage: Luggage) -> None:
        self._database = database
        self._luggage = luggage

    def set_up(self) -> None:
        """Make the tables and triggers of a new working copy."""
        with self._database.quietly() as session:
            for statement in schema():
                session.raw(statement)

    def last(self) -> int:
        """Give the number of the last change that was noted."""
        with self._database.reading() as session:
            found = session.one(_LAST)
        return int(found[0]) if found else 0

    def is_empty(self) -> bool:
        """Tell whether nothing waits to be told."""
        with self._database.reading() as session:
            return session.one(_ANY) is None

    def changes(self, owners: Collection[str] | None = None) -> tuple[int, list[Change]]:
        """Give the oldest changes that were not told yet, each row once, and the number of the last one.

        Args:
            owners: Only of these, by their digests.
        """
        statement = Statement(f"SELECT seq, owner, name, key FROM mirror_log{_of(owners)} ORDER BY seq LIMIT :limit")
        with self._database.quietly() as session:  # so that rows of one transaction are read together
            found = session.all(statement, limit=_PAGE)
            rows = dict.fromkeys((owner, (name, key)) for _, owner, name, key in found)
            return (int(found[-1][0]) if found else 0), [Change(*row, self._read(session, *row)) for row in rows]

    def settle(self, seq: int, owners: Collection[str] | None = None) -> None:
        """Drop the notes up to a number; they were told."""
        with self._database.quietly() as session:
            session.run(Statement(f"DELETE FROM mirror_log{_of(owners)} AND seq <= :seq"), seq=seq)

    def _read(self, session: Session, owner: str, row: Row) -> dict[str, Any] | None:
        """Read a row as it is now, or none."""
        name, key = row
        if name == ITEMS:
            found = session.one(_ITEM, id=key)
            told = zip(ITEM_COLUMNS, found[:-1], strict=True) if found else ()
            return {**dict(told), **self._luggage.packed(found[-1])} if found else None
        table = MIRRORED[name]
        found = session.one(table.select, owner=owner, **table.place(key))
        if found is None:
            session.run(_DROP_PLACE, name=name, owner=owner, key=key)
            return None
        value = dict(zip(table.columns, found, strict=True))
        return {**value, "place": _place(session, owner, row)} if table.ordered else value


def _of(owners: Collection[str] | None) -> str:
    if owners is None:
        return " WHERE true"
    listed = ", ".join(f"'{owner}'" for owner in owners)  # digests are hexadecimal, so they can stand in the text
    return f" WHERE owner IN ({listed})"


def _place(session: Session, owner: str, row: Row) -> int:
    """Give the place of a row among those of its owner, the same in every working copy; a new one comes last."""
    found = session.one(_PLACE, name=row[0], owner=owner, key=row[1])
    if found is None:
        found = (session.one(_LAST_PLACE, name=row[0], owner=owner)[0] + 1,)
        session.run(_NEW_PLACE, name=row[0], owner=owner, key=row[1], place=found[0])
    return int(found[0])
