"""Which tables are mirrored, and the triggers that note what changes in them.

Every table with an owner is mirrored, but for those that follow from the items: typed columns and links. A row is named
by what makes it unique for its owner, since numbers that a database gives out mean nothing elsewhere.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from sqlalchemy import Table, UniqueConstraint

from memory_middleware.errors import StoreError
from memory_middleware.storage import memory_tables
from memory_middleware.storage.database import Insert, Statement
from memory_middleware.storage.tables import metadata

__all__ = ["ITEMS", "ITEM_COLUMNS", "MIRRORED", "MirroredTable", "schema"]

ITEMS = "store_items"
"""The table of the items; those that are records or experience are mirrored."""

ITEM_COLUMNS = ("ns", "key", "value", "fields", "created_at", "updated_at", "expires_at", "ttl")
"""What of an item is copied; what is only for search is made anew."""

_DERIVED = (memory_tables.records, memory_tables.experience, memory_tables.links)
_SEQ = "seq"
_ID = "id"
_BETWEEN = ":"


class MirroredTable(NamedTuple):
    """A mirrored table.

    Attributes:
        name: Its name.
        columns: What of a row is copied.
        named_by: The columns that make up the name of a row.
        by_owner: Whether these are unique for an owner only, not for all.
        ordered: Whether its rows have an order, kept by a number.
        hangs_on: The column that names the record it hangs on, if any.
        numbered: Whether a row has an id beside its name, which every database gives it anew.
    """

    name: str
    columns: tuple[str, ...]
    named_by: tuple[str, ...]
    by_owner: bool
    ordered: bool
    hangs_on: str | None
    numbered: bool

    def name_in(self, row: str) -> str:
        """Give the SQL that makes the name of a row."""
        return f" || '{_BETWEEN}' || ".join(f"{row}.{column}" for column in self.named_by)

    def place(self, key: str) -> dict[str, str]:
        """Read the name of a row.

        Raises:
            StoreError: It is none of this table.
        """
        parts = key.split(_BETWEEN, maxsplit=len(self.named_by) - 1)
        if len(parts) != len(self.named_by):
            raise StoreError(f"{key!r} is no name of a row of {self.name!r}; delete that item from the store")
        return dict(zip(self.named_by, parts, strict=True))

    @property
    def _where(self) -> str:
        # With the plus SQLite looks for the row, not through all rows of the owner.
        owner = "owner" if self.by_owner else "+owner"
        return " AND ".join((f"{owner} = :owner", *(f"{column} = :{column}" for column in self.named_by)))

    @property
    def select(self) -> Statement:
        """Reads a row."""
        return Statement(f"SELECT {', '.join(self.columns)} FROM {self.name} WHERE {self._where}")

    @property
    def number(self) -> Statement:
        """Reads the number of a row."""
        return Statement(f"SELECT {_SEQ} FROM {self.name} WHERE {self._where}")

    @property
    def delete(self) -> Statement:
        """Deletes a row."""
        return Statement(f"DELETE FROM {self.name} WHERE {self._where}")

    @property
    def insert(self) -> Insert:
        """Inserts a row."""
        made = (_SEQ,) if self.ordered else (_ID,) if self.numbered else ()
        return Insert(self.name, (*made, "owner", *self.columns))

    @property
    def keys(self) -> Statement:
        """Lists the names of an owner's rows."""
        return Statement(f"SELECT {self.name_in('t')} FROM {self.name} t WHERE owner = :owner")


def _mirrored(table: Table) -> MirroredTable:
    unique = next((one for one in table.constraints if isinstance(one, UniqueConstraint)), table.primary_key)
    numbered = _ID in table.primary_key.columns and unique is not table.primary_key
    left_out = ("owner", _SEQ, _ID) if numbered else ("owner", _SEQ)
    # SQLAlchemy's names are a kind of text that not every JSON writer takes.
    names = tuple(str(column.name) for column in table.columns if column.name not in left_out)
    records = memory_tables.records
    return MirroredTable(
        str(table.name),
        names,
        tuple(str(column.name) for column in unique.columns if column.name != "owner"),
        "owner" in unique.columns,
        _SEQ in table.columns,
        next((str(one.parent.name) for one in table.foreign_keys if one.column.table is records), None),
        numbered,
    )


MIRRORED = {
    str(table.name): _mirrored(table)
    for table in metadata.sorted_tables
    if "owner" in table.columns and table not in _DERIVED
}
"""The mirrored tables beside the items, by name; what hangs on others comes after them."""

_TABLES = (
    "CREATE TABLE mirror_log (seq INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT, owner TEXT, key TEXT)",
    "CREATE TABLE mirror_places (name TEXT, owner TEXT, key TEXT, place INTEGER, PRIMARY KEY (name, owner, key))"
    " WITHOUT ROWID",
    # Holds a row while rows are taken over from the other store, which need not be told of them.
    "CREATE TABLE mirror_taking (is_on INTEGER)",
)
_UNLESS_TAKING = "WHEN NOT EXISTS (SELECT 1 FROM mirror_taking)"
_ROWS = {"INSERT": "NEW", "UPDATE": "NEW", "DELETE": "OLD"}


def schema() -> Iterator[str]:
    """Give the statements that make the tables and triggers of a working copy."""
    yield from _TABLES
    for table in MIRRORED.values():
        yield from _triggers(table.name, table.name, {row: table.name_in(row) for row in ("NEW", "OLD")})
    for typed in (memory_tables.records, memory_tables.experience):
        yield from _triggers(typed.name, ITEMS, {"NEW": "NEW.id", "OLD": "OLD.id"})
    # An item changes without its typed columns when a link goes or its life is lengthened.
    of_typed = " UNION ALL ".join(
        f"SELECT '{ITEMS}', owner, id FROM {typed.name} WHERE id = NEW.id"
        for typed in (memory_tables.records, memory_tables.experience)
    )
    yield (
        f"CREATE TRIGGER mirror_items AFTER UPDATE ON {ITEMS} {_UNLESS_TAKING}"
        f" BEGIN INSERT INTO mirror_log (name, owner, key) {of_typed}; END"
    )


def _triggers(table: str, noted_as: str, key: dict[str, str]) -> Iterator[str]:
    for event, row in _ROWS.items():
        yield (
            f"CREATE TRIGGER mirror_{table}_{event.lower()} AFTER {event} ON {table} {_UNLESS_TAKING} BEGIN"
            f" INSERT INTO mirror_log (name, owner, key) VALUES ('{noted_as}', {row}.owner, {key[row]}); END"
        )
