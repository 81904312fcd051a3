"""What a process remembers of its store, kept true by following the change log, whoever wrote it."""

from __future__ import annotations

import os
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Iterable
from typing import Any

from memory_middleware.storage.database import Database, Session
from memory_middleware.storage.namespaces import Namespace, path_range, prefixes_of
from memory_middleware.storage.rows import EMBEDDER_CHANGED, Change, ItemRow, ItemRows
from memory_middleware.storage.view import View

__all__ = ["Views"]

_CHANGES = 200
_FEW = 256
# What had too many items is searched in the index for so long, before they are counted again.
_LARGE_SECONDS = 2.0
_MOST_LARGE = 1000


class Views:
    """Views by prefix, and single items by id.

    Args:
        database: Holds the items and the change log.
        dims: Tells the length of vectors, or none while it is not known.
        view_rows: A prefix with more items is not held.
        total_rows: Beyond this many rows in all, the views loaded longest ago are dropped.
        clock: Tells the time in microseconds.
        check: Raises if the vectors in the database are another embedder's by now.
    """

    def __init__(
        self,
        database: Database,
        dims: Callable[[], int | None],
        check: Callable[[Session], None],
        *,
        view_rows: int,
        total_rows: int,
        clock: Callable[[], int],
    ) -> None:
        self._database = database
        self._dims = dims
        self._check = check
        self._view_rows = view_rows
        self._total_rows = total_rows
        self._clock = clock
        self._views: OrderedDict[str, View] = OrderedDict()
        self._held = 0
        self._large: dict[str, float] = {}
        self._items: dict[str, Any] = {}
        self._spaces: dict[str, Namespace] | None = None
        self._seen = -1
        self._taken = 0
        self._cleared = 0
        self._beat: bytes | None = None
        self._pid = os.getpid()
        self._lock = threading.RLock()
        self._loading = threading.RLock()
        self.hits = 0
        self.loads = 0

    def view(self, prefix: str) -> View | None:
        """Give the view of a prefix, current as of now, or none if it has too many items."""
        if self._database.in_transaction:
            # What this thread has not committed yet is nobody else's to see.
            return self._make(prefix)
        self._follow()
        view = self._views.get(prefix)
        if view is not None and view.dim == self._dims():
            self.hits += 1
            return view
        return self._load(prefix)

    def item(self, identity: str, path: str) -> Any:
        """Give the visible columns of an item, current as of now, or none; it may have expired."""
        if self._database.in_transaction:
            return self._read(identity)
        self._follow()
        found = self._items.get(identity)
        if found is not None:
            return found
        view = self._views.get(path)
        if view is not None:
            return view.item(identity)
        if self._seen < 0 or not self._holds_any():
            with self._lock:
                self._start()
        taken = self._taken
        found = self._read(identity)
        # Remembering is worth no waiting.
        if found is not None and self._lock.acquire(blocking=False):
            try:
                # What was taken over meanwhile may be newer than what was read.
                if taken == self._taken:
                    if len(self._items) >= self._total_rows:
                        self._items.clear()
                    self._items[identity] = found
            finally:
                self._lock.release()
        return found

    def _read(self, identity: str) -> Any:
        with self._database.reading() as session:
            return ItemRows.get(session, identity, self._clock())

    def namespaces(self) -> Iterable[Namespace]:
        """Give all namespaces that hold a live item, in order, current as of now."""
        if self._database.in_transaction:
            with self._database.reading() as session:
                return _sorted(ItemRows.namespaces(session, self._clock())).values()
        self._follow()
        known = self._spaces
        if known is not None:
            return known.values()
        with self._lock, self._database.reading() as session:
            self._start()
            found = _sorted(ItemRows.namespaces(session, self._clock()))
            # Items that expire leave their namespaces without a word.
            if not ItemRows.any_expire(session):
                self._spaces = found
        return found.values()

    def clear(self) -> None:
        """Forget everything."""
        with self._lock:
            self._views.clear()
            self._held = 0
            self._items.clear()
            self._spaces = None
            self._beat = None
            self._taken += 1
            self._cleared += 1

    def _holds_any(self) -> bool:
        return bool(self._views or self._items or self._spaces is not None)

    def _start(self) -> None:
        """Before the first thing is remembered, note where the log stands."""
        if not self._holds_any():
            with self._database.reading() as session:
                self._seen = ItemRows.last_change(session)
            self._taken += 1

    def _load(self, prefix: str) -> View | None:
        """Read a view, which others need not wait for, and add what was taken over meanwhile."""
        with self._lock:
            self._start()
            seen, cleared, beat = self._seen, self._cleared, self._beat
        # SQLite's driver gives up the interpreter lock at every row; several that read at once spend
        # their time fighting for it.
        with self._loading:
            found = self._views.get(prefix)
            if found is not None and found.dim == self._dims():
                return self.view(prefix)
            view = self._make(prefix)
        if view is None:
            return None
        with self._lock:
            if cleared != self._cleared or not self._add_missed(view, prefix, seen):
                return view  # current as of now, but nobody has followed the log for it
            self.loads += 1
            self._drop(prefix)
            self._views[prefix] = view
            self._held += view.size + 1
            if beat != self._beat:
                self._beat = None  # the view may be older than the last beat that was looked at
            self._bound()
        return view

    def _add_missed(self, view: View, prefix: str, seen: int) -> bool:
        """Apply the changes from where a view was begun to where the others are; tell whether that worked."""
        low, high = path_range(prefix)
        while seen < self._seen:
            with self._database.reading() as session:
                changes = ItemRows.changed(session, seen, self._clock(), _CHANGES)
            if not changes or changes[0].seq != seen + 1:
                return False
            rows = {change.id: change.row for change in changes if low <= change.path < high}
            view.apply(list(rows), [row for row in rows.values() if row is not None])
            seen = changes[-1].seq
        return True

    def _make(self, prefix: str) -> View | None:
        if time.monotonic() < self._large.get(prefix, 0.0):
            return None
        with self._database.reading() as session:
            self._check(session)
            now = self._clock()
            # Most namespaces are so small that counting them first would take longer than reading a few in vain.
            few = min(_FEW, self._view_rows)
            rows, vectors = ItemRows.below(session, prefix, now, few + 1)
            if len(rows) > few:
                if ItemRows.count(session, prefix, self._view_rows + 1) > self._view_rows:
                    self._note_large(prefix)
                    return None
                rows, vectors = ItemRows.below(session, prefix, now)
            return View(rows, self._dims(), vectors)

    def _note_large(self, prefix: str) -> None:
        if len(self._large) >= _MOST_LARGE:
            self._large = {}
        self._large[prefix] = time.monotonic() + _LARGE_SECONDS

    def _bound(self) -> None:
        while self._held > self._total_rows and len(self._views) > 1:
            self._drop(next(iter(self._views)))

    def _drop(self, prefix: str) -> None:
        dropped = self._views.pop(prefix, None)
        if dropped is not None:
            self._held -= dropped.size + 1

    def _follow(self) -> None:
        """Take over what changed since the last look. A row read twice is merely replaced by itself."""
        if self._pid != os.getpid():
            # A forked child cannot trust the locks of its parent, nor those of its views.
            self._pid = os.getpid()
            self._lock, self._loading = threading.RLock(), threading.RLock()
            self._views, self._items = OrderedDict(), {}
            self.clear()
        beat = self._database.pulse.beat()
        if beat is not None and beat == self._beat:
            return
        with self._lock:
            # Whoever held the lock may have looked already.
            beat = self._database.pulse.beat()
            if beat is not None and beat == self._beat:
                return
            if self._holds_any():
                self._catch_up()
            else:
                self._taken += 1  # an item that somebody is just reading may be older than this beat
            self._beat = beat

    def _catch_up(self) -> None:
        while True:
            with self._database.reading() as session:
                changes = ItemRows.changed(session, self._seen, self._clock(), _CHANGES)
                if not changes:
                    return
                if any(change.id == EMBEDDER_CHANGED for change in changes):
                    self._check(session)
            if changes[0].seq != self._seen + 1:
                # Older changes are gone from the log, or a transaction was rolled back: start anew.
                self.clear()
                return
            self._take_over(changes)
            self._seen = changes[-1].seq
            if len(changes) < _CHANGES:
                return

    def _take_over(self, changes: Iterable[Change]) -> None:
        self._taken += 1
        touched: dict[str, dict[str, ItemRow | None]] = {}
        for change in changes:
            self._items.pop(change.id, None)
            if self._spaces is not None and (change.row is None or _is_news(change, self._spaces)):
                self._spaces = None
            for prefix in prefixes_of(change.path):
                if prefix in self._views:
                    touched.setdefault(prefix, {})[change.id] = change.row
        for prefix, changed in touched.items():
            view = self._views[prefix]
            if len(changed) + view.size > 2 * self._view_rows:
                self._drop(prefix)
                continue
            before = view.size
            view.apply(list(changed), [row for row in changed.values() if row is not None])
            self._held += view.size - before


def _is_news(change: Change, spaces: dict[str, Namespace]) -> bool:
    """Tell whether a change may alter which namespaces there are."""
    return change.path not in spaces or (change.row is not None and change.row.expires_at is not None)


def _sorted(spaces: dict[str, Namespace]) -> dict[str, Namespace]:
    return dict(sorted(spaces.items(), key=lambda entry: entry[1]))
