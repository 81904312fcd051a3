"""The LanceDB table that searches: ids, paths, terms and vectors, written in batches.

No foreign text ever stands in a filter: ids and paths are our own hexadecimal digests.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Iterator, Sequence
from datetime import timedelta
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

import numpy as np
import numpy.typing as npt

from memory_middleware.errors import StoreError
from memory_middleware.storage.indexing import Indexing
from memory_middleware.storage.namespaces import path_range
from memory_middleware.storage.rows import ItemRow

if TYPE_CHECKING:
    from lancedb.table import Table

__all__ = ["IndexRow", "LanceIndex", "index_rows"]

_VECTOR_INDEX_FROM = 50_000
_IDS_AT_ONCE = 1000
# Rows that the indices do not cover yet are searched one by one; but covering them rewrites the table.
_LEAST_TAIL = 1000
_MOST_TAIL = 5000
_IDS_AT_ONCE = 10_000
# A search that began on an older version of the table is over by then, or reads the items.
_KEEP_VERSIONS = timedelta(minutes=1)
_CLOUD = ("api_key", "region", "host_override")


class IndexRow(NamedTuple):
    """One vector of an item; its terms go with the first."""

    id: str
    part: int
    path: str
    terms: str
    vector: npt.NDArray[np.float32] | None


class LanceIndex:
    """A table in a LanceDB database.

    Args:
        uri: A folder, ``s3://…`` or ``db://…``.
        indexing: Names the embedder, whose vectors have a table of their own.
        options: LanceDB's storage options; for ``db://`` also ``api_key``, ``region`` and ``host_override``.
        store: The name of the store, since several may share a place.
        generation: Which of its tables; each rebuild makes a new one.
    """

    # The process that loaded LanceDB, which a child forked from it must not use: it crashes there now and then.
    _home: ClassVar[int | None] = None

    def __init__(
        self,
        uri: str,
        indexing: Indexing,
        options: dict[str, str] | None = None,
        *,
        store: str = "",
        generation: int = 0,
    ) -> None:
        self.uri = uri
        self.store = store
        self._indexing = indexing
        self._options = options
        self._generation = generation
        self._table: Table | None = None
        self._handles: dict[tuple[str, int], LanceIndex] = {}

    @property
    def dims(self) -> int | None:
        """The length of vectors, or none for an index of terms only."""
        return self._indexing.dims

    @property
    def name(self) -> str:
        """The name of the index; each store and embedder has its own."""
        if not self.dims:
            return f"items_{self.store}"
        embedder = f"{self._indexing.name}/{self.dims}".encode()
        return f"items_{self.store}_{hashlib.sha256(embedder).hexdigest()[:16]}"

    def at(self, generation: int) -> LanceIndex:
        """Give a handle on the table of a generation; handles never turn to another table."""
        place = (self.name, generation)
        found = self._handles.get(place)
        if found is None:
            found = LanceIndex(self.uri, self._indexing, self._options, store=self.store, generation=generation)
            self._handles = {place: found}
        return found

    def _table_name(self) -> str:
        return f"{self.name}_{self._generation}"

    @property
    def is_usable(self) -> bool:
        """Whether LanceDB can be used in this process."""
        return LanceIndex._home in (None, os.getpid())

    def exists(self) -> bool:
        """Tell whether the table is there."""
        return self._guarded(self._open) is not None

    def count(self) -> int:
        """Count the rows."""
        table = self._guarded(self._open)
        return int(self._guarded(table.count_rows)) if table is not None else 0

    def replace(self, stale: Sequence[str], rows: Sequence[IndexRow]) -> None:
        """Remove all rows of some items, then add rows."""
        table = self._guarded(self._make)
        for at in range(0, len(stale), _IDS_AT_ONCE):
            listed = ", ".join(f"'{item}'" for item in stale[at : at + _IDS_AT_ONCE])
            self._guarded(partial(table.delete, f"id IN ({listed})"))
        if rows:
            self._guarded(lambda: table.add(self._arrow(rows)))

    def nearest(self, vector: npt.NDArray[np.float32], prefix: str, limit: int, *, exact: bool = False) -> list[str]:
        """Give the ids of the items whose vectors are nearest, best first; exact takes longer and misses none."""
        table = self._guarded(self._open)
        if table is None or not self.dims:
            return []

        def search() -> Any:
            found = table.search(vector, vector_column_name="vector").distance_type("cosine").nprobes(40)
            found = found.bypass_vector_index() if exact else found
            return self._below(found, prefix).select(["id", "_distance"]).limit(limit).to_arrow()

        return self._ids(search)

    def matching(self, terms: Sequence[str], prefix: str, limit: int) -> list[str]:
        """Give the ids of the items that match the terms best, best first."""
        table = self._guarded(self._open)
        if table is None or not terms:
            return []

        def search() -> Any:
            found = table.search(" ".join(terms), query_type="fts", fts_columns="terms")
            return self._below(found, prefix).select(["id", "_score"]).limit(limit).to_arrow()

        return self._ids(search)

    def ids(self) -> list[str]:
        """List the ids of all rows, one for each vector."""
        table = self._guarded(self._open)
        return self._ids(lambda: table.search().select(["id"]).to_arrow()) if table is not None else []

    def id_batches(self) -> Iterator[list[str]]:
        """Go through the ids of all rows, a batch at a time."""
        table = self._guarded(self._open)
        if table is None:
            return
        batches = iter(self._guarded(lambda: table.search().select(["id"]).to_batches(_IDS_AT_ONCE)))
        while (batch := self._guarded(lambda: next(batches, None))) is not None:
            yield batch["id"].to_pylist()

    def needs_upkeep(self) -> bool:
        """Tell whether so many rows have come since the last upkeep that it is worth rewriting the table."""
        table = self._guarded(self._open)
        if table is None:
            return False
        covered = self._guarded(lambda: table.index_stats("terms_idx"))
        if covered is None:
            return True
        return bool(covered.num_unindexed_rows >= min(max(covered.num_indexed_rows, _LEAST_TAIL), _MOST_TAIL))

    def maintain(self) -> None:
        """Compact, bring the indices up to date, and drop old versions."""
        table = self._guarded(self._open)
        if table is None:
            return
        if self.dims and table.count_rows() >= _VECTOR_INDEX_FROM and not self._has_index(table, "vector"):
            self._guarded(lambda: table.create_index("vector", config=_ivf()))
        self._guarded(lambda: table.optimize(cleanup_older_than=_KEEP_VERSIONS))

    def drop(self) -> None:
        """Delete the table, if it is there."""
        self._table = None
        self._guarded(lambda: self._connect().drop_table(self._table_name(), ignore_missing=True))

    def drop_others(self) -> list[str]:
        """Delete the tables of other embedders and generations of this store, and name the indices they were.

        An index of terms only stays, since it may serve whoever opens the store without an embedder.
        """
        dropped: list[str] = []
        if not self.dims:
            return dropped
        for table in self._guarded(lambda: _tables(self._connect())):
            name = table.rpartition("_")[0]
            if name.startswith(f"items_{self.store}_") and table != self._table_name():
                self._guarded(partial(self._connect().drop_table, table, ignore_missing=True))
                dropped.append(name)
        return [name for name in dict.fromkeys(dropped) if name != self.name]

    def _connect(self) -> Any:
        # Importing LanceDB takes seconds; a store that never outgrows its views does without it.
        import lancedb  # noqa: PLC0415

        LanceIndex._home = os.getpid()
        if self.uri.startswith("db://"):
            options = dict(self._options or {})
            named: dict[str, Any] = {name: options.pop(name) for name in _CLOUD if name in options}
            return lancedb.connect(self.uri, **named, storage_options=options or None)
        return lancedb.connect(self.uri, storage_options=self._options, read_consistency_interval=timedelta(seconds=0))

    def _open(self) -> Table | None:
        if self._table is None:
            connection = self._connect()
            try:
                self._table = connection.open_table(self._table_name())
            except (ValueError, FileNotFoundError, OSError) as error:
                if "not found" not in str(error).lower() and not isinstance(error, FileNotFoundError):
                    raise
        return self._table

    def _make(self) -> Table:
        from lancedb import index  # noqa: PLC0415 - heavy, see _connect

        table = self._open()
        if table is None:
            connection = self._connect()
            table = connection.create_table(self._table_name(), schema=self._schema(), exist_ok=True)
            whole_words = index.FTS(
                base_tokenizer="whitespace", stem=False, remove_stop_words=False, lower_case=False,
                ascii_folding=False, max_token_length=None,
            )  # fmt: skip
            table.create_index("terms", config=whole_words)
            table.create_index("path", config=index.BTree())
            table.create_index("id", config=index.BTree())
            self._table = table
        return table

    def _schema(self) -> Any:
        import pyarrow as pa  # noqa: PLC0415 - comes with LanceDB

        fields = [
            pa.field("id", pa.string(), nullable=False),
            pa.field("part", pa.int32(), nullable=False),
            pa.field("path", pa.string(), nullable=False),
            pa.field("terms", pa.string(), nullable=False),
        ]
        if self.dims:
            fields.append(pa.field("vector", pa.list_(pa.float32(), self.dims)))
        return pa.schema(fields)

    def _arrow(self, rows: Sequence[IndexRow]) -> Any:
        import pyarrow as pa  # noqa: PLC0415 - comes with LanceDB

        columns: dict[str, Any] = {
            "id": [row.id for row in rows],
            "part": [row.part for row in rows],
            "path": [row.path for row in rows],
            "terms": [row.terms for row in rows],
        }
        if self.dims:
            empty = np.zeros(self.dims, dtype=np.float32)
            matrix = np.stack([empty if row.vector is None else row.vector for row in rows])
            lacking = pa.array([row.vector is None for row in rows])
            columns["vector"] = pa.FixedSizeListArray.from_arrays(pa.array(matrix.ravel()), self.dims, mask=lacking)
        return pa.table(columns, schema=self._schema())

    @staticmethod
    def _below(search: Any, prefix: str) -> Any:
        if not prefix:
            return search
        low, high = path_range(prefix)
        return search.where(f"path >= '{low}' AND path < '{high}'", prefilter=True)

    @staticmethod
    def _has_index(table: Any, column: str) -> bool:
        return any(column in index.columns for index in table.list_indices())

    def _ids(self, search: Callable[[], Any]) -> list[str]:
        found: list[str] = self._guarded(search)["id"].to_pylist()
        return found

    def _guarded(self, work: Callable[[], Any]) -> Any:
        """Translate what LanceDB raises; it uses plain errors of many kinds."""
        if not self.is_usable:
            raise StoreError(
                "the index cannot be used in a process forked from one that has used it; start processes with "
                "'spawn' or 'forkserver', or fork before the store is opened"
            )
        try:
            return work()
        except (RuntimeError, ValueError, OSError, KeyError) as error:
            self._table = None
            raise StoreError(f"the index at {self.uri!r} failed: {error}") from error


def _tables(connection: Any) -> list[str]:
    found: list[str] = []
    page = connection.list_tables(limit=100)
    while True:
        found += page.tables
        if not page.page_token:
            return found
        page = connection.list_tables(page_token=page.page_token, limit=100)


def _ivf() -> Any:
    # A quarter of the size and as good: candidates are scored anew from the items.
    from lancedb.index import IvfSq  # noqa: PLC0415 - heavy, see _connect

    return IvfSq(distance_type="cosine")


def index_rows(rows: Sequence[ItemRow], dims: int | None) -> list[IndexRow]:
    """Tell items as rows of the index; one that is not searched has none."""
    made: list[IndexRow] = []
    for row in rows:
        if not dims or not row.vectors:
            if row.terms:
                made.append(IndexRow(row.id, 0, row.path, row.terms, None))
        else:
            matrix = np.frombuffer(row.vectors, dtype=np.float32).reshape(-1, dims)
            made.extend(
                IndexRow(row.id, part, row.path, row.terms or "" if part == 0 else "", vector)
                for part, vector in enumerate(matrix)
            )
    return made
