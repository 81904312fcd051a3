"""Taking rows over from the other store into a working copy."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from langgraph.store.base import PutOp

from memory_middleware.errors import StoreError
from memory_middleware.storage import memory_tables
from memory_middleware.storage.database import Session, Statement
from memory_middleware.storage.dump import profile_id
from memory_middleware.storage.executor import Executor
from memory_middleware.storage.mirror.database import MirrorDatabase
from memory_middleware.storage.mirror.foreign import Row
from memory_middleware.storage.mirror.luggage import Luggage
from memory_middleware.storage.mirror.tables import ITEMS, MIRRORED, MirroredTable
from memory_middleware.storage.namespaces import load_key, load_namespace
from memory_middleware.storage.owners import digest

__all__ = ["Taker", "Value"]

Value = Mapping[str, Any] | None
"""The columns of a row; none if it is gone."""

_AT_ONCE = 1000

_WAITING = Statement("SELECT DISTINCT name, key FROM mirror_log WHERE owner = :owner")
_TAKING = Statement("INSERT INTO mirror_taking (is_on) VALUES (1)")
_TAKEN = Statement("DELETE FROM mirror_taking")
_ITEM = Statement("SELECT ns, key FROM store_items WHERE id = :id")
_TIMES = ("created_at", "updated_at", "expires_at")
_ITEM_TIMES = Statement(f"UPDATE store_items SET {', '.join(f'{name} = :{name}' for name in _TIMES)} WHERE id = :id")
_ITEM_KEYS = Statement(
    "SELECT id FROM memory_records WHERE owner = :owner UNION ALL SELECT id FROM memory_experience WHERE owner = :owner"
)
_RECORD = Statement("SELECT 1 FROM memory_records WHERE id = :id")
_SET_PLACE = Statement(
    "INSERT INTO mirror_places (name, owner, key, place) VALUES (:name, :owner, :key, :place)"
    " ON CONFLICT (name, owner, key) DO UPDATE SET place = excluded.place"
)
_WEIGHTS = str(memory_tables.weights.name)
_NOTE = Statement("INSERT INTO mirror_log (name, owner, key) VALUES (:name, :owner, :key)")
_DROP_PLACE = Statement("DELETE FROM mirror_places WHERE name = :name AND owner = :owner AND key = :key")


class Taker:
    """Writes rows as they are in the other store, without noting that as a change.

    Args:
        database: The working copy.
        executor: Writes its items.
        luggage: Unpacks the vectors of items.
    """

    def __init__(self, database: MirrorDatabase, executor: Executor, luggage: Luggage) -> None:
        self._database = database
        self._executor = executor
        self._luggage = luggage

    def take(self, owner: str, rows: Mapping[Row, Value], *, instead: bool = False) -> None:
        """Take rows of an owner over; what waits to be told stays as it is, since it is newer.

        Args:
            owner: Whose.
            rows: The rows; one without a value is gone.
            instead: Whether all others of the owner are gone too.
        """
        with self._taking() as session:
            waiting = _waiting(session, owner)
            gone = self._keys(session, owner) - set(rows) if instead else set()
        chosen: dict[str, dict[str, Value]] = defaultdict(dict)
        for (name, key), value in rows.items():
            if (name, key) not in waiting:
                chosen[name][key] = value
        try:
            self._take_items(owner, chosen[ITEMS])
            for table in MIRRORED.values():
                self._take_rows(owner, table, chosen[table.name])
        except (KeyError, TypeError, ValueError, OverflowError) as error:
            raise StoreError(
                f"something in the store that keeps this memory is not as it was written: {error!r}"
            ) from error
        self._drop(owner, gone - waiting)

    def _take_items(self, owner: str, items: Mapping[str, Value]) -> None:
        there = [(item, value) for item, value in items.items() if value is not None]
        for at in range(0, len(there), _AT_ONCE):
            part = there[at : at + _AT_ONCE]
            plan = self._executor.plan([_put(value) for _, value in part])
            for item, value in part:
                write = plan.writes[item]
                if write.document is None or digest(write.document.owner_id) != owner:
                    raise ValueError(f"{write.op.key!r} in {write.op.namespace!r} is no memory of this owner")
                self._luggage.unpack(write.searched.meaning, value)
            self._luggage.ready(plan.texts)
            with self._taking() as session:
                waiting = _waiting(session, owner)
                kept = [(item, value) for item, value in part if (ITEMS, item) not in waiting]
                self._executor.execute(
                    plan if len(kept) == len(part) else self._executor.plan([_put(value) for _, value in kept])
                )
                times = [{"id": item, **{name: value[name] for name in _TIMES}} for item, value in kept]
                session.many(_ITEM_TIMES, times)
        self._drop(owner, {(ITEMS, item) for item, value in items.items() if value is None})

    def _take_rows(self, owner: str, table: MirroredTable, rows: Mapping[str, Value]) -> None:
        listed = (
            sorted(rows.items(), key=lambda row: (row[1] or {}).get("place", 0)) if table.ordered else [*rows.items()]
        )
        for at in range(0, len(listed), _AT_ONCE):
            with self._taking() as session:
                waiting = _waiting(session, owner)
                for key, value in listed[at : at + _AT_ONCE]:
                    if (table.name, key) not in waiting:
                        _take_row(session, owner, table, key, value, waiting)

    def _drop(self, owner: str, rows: set[Row]) -> None:
        with self._taking() as session:
            waiting = _waiting(session, owner)
            left = rows - waiting
            for name, key in left:
                if name != ITEMS:
                    _take_row(session, owner, MIRRORED[name], key, None, waiting)
            self._drop_items(session, [key for name, key in left if name == ITEMS])

    def _drop_items(self, session: Session, items: Sequence[str]) -> None:
        found = [session.one(_ITEM, id=item) for item in items]
        self._executor.run([PutOp(load_namespace(row[0]), load_key(row[1]), None) for row in found if row])

    @staticmethod
    def _keys(session: Session, owner: str) -> set[Row]:
        found = {(ITEMS, item) for (item,) in session.all(_ITEM_KEYS, owner=owner)}
        for table in MIRRORED.values():
            found |= {(table.name, key) for (key,) in session.all(table.keys, owner=owner)}
        return found

    @contextmanager
    def _taking(self) -> Iterator[Session]:
        """Write without noting it."""
        with self._database.quietly() as session:
            session.run(_TAKING)
            yield session
            session.run(_TAKEN)


def _waiting(session: Session, owner: str) -> set[Row]:
    """Tell what was written here and waits to be told; asked anew in every transaction, as others write between."""
    return {(name, key) for name, key in session.all(_WAITING, owner=owner)}


def _take_row(
    session: Session, owner: str, table: MirroredTable, key: str, value: Value, waiting: Collection[Row]
) -> None:
    """Write a row as it is in the other store; in its order it stays where it was, or comes last."""
    place = table.place(key)
    if value is None and table.name == _WEIGHTS and (ITEMS, key) in waiting and session.one(_RECORD, id=key):
        session.run(_NOTE, name=table.name, owner=owner, key=key)  # a record that stays is nothing without its weight
        return
    number = session.one(table.number, owner=owner, **place) if table.ordered else None
    session.run(table.delete, owner=owner, **place)
    if table.ordered:
        noted = {"name": table.name, "owner": owner, "key": key}
        session.run(_DROP_PLACE, **noted) if value is None else session.run(_SET_PLACE, place=value["place"], **noted)
    if value is None or (table.hangs_on and session.one(_RECORD, id=value[table.hangs_on]) is None):
        return
    made: tuple[Any, ...] = (number[0] if number else None,) if table.ordered else ()
    if table.numbered:
        made = (profile_id(owner, key),)
    session.insert(table.insert, [(*made, owner, *(value[column] for column in table.columns))])


def _put(value: Mapping[str, Any]) -> PutOp:
    hidden, told = value["fields"] == "false", json.loads(value["value"])
    namespace, key = load_namespace(value["ns"]), load_key(value["key"])
    return PutOp(namespace, key, told, index=False if hidden else None, ttl=value["ttl"])
