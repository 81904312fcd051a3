"""Ranked lists of searches in the index, grown as pages are asked for: no page repeats or skips an item."""

from __future__ import annotations

import math
from collections import OrderedDict
from collections.abc import Hashable, Iterable

from memory_middleware.storage.database import Session
from memory_middleware.storage.fork_lock import ForkLock
from memory_middleware.storage.namespaces import path_range
from memory_middleware.storage.rows import EMBEDDER_CHANGED, ItemRows
from memory_middleware.storage.view import Hit

__all__ = ["Ranking", "Rankings"]

_MOST_CHANGES = 2000


class Ranking:
    """What a search has found so far, in its order. What follows is appended and never outranks what stands.

    Attributes:
        prefix: Where it searched.
        tier: How often it has asked the index, every time for more.
        is_whole: Whether there is no more to find.
        is_stale: Whether something changed while it was growing, so that it serves one page only.
        lock: Held by whoever reads or grows it.
    """

    def __init__(self, prefix: str, seq: int) -> None:
        self.prefix = prefix
        self.tier = 0
        self.is_whole = False
        self.is_stale = False
        self.lock = ForkLock()
        self._seq = seq
        self._ids: list[str] = []
        self._scores: list[float] = []
        self._updated: dict[str, int] = {}
        self._until: float = math.inf

    def __len__(self) -> int:
        return len(self._ids)

    def add(self, hits: Iterable[Hit]) -> None:
        """Append the hits that are not there yet; a score never rises along the list."""
        least = self._scores[-1] if self._scores else math.inf
        for row, score in hits:
            if row.id in self._updated:
                continue
            least = min(least, score)
            self._ids.append(row.id)
            self._scores.append(least)
            self._updated[row.id] = row.updated_at
            if row.expires_at is not None:
                self._until = min(self._until, row.expires_at)

    def page(self, offset: int, limit: int) -> dict[str, float]:
        """Give the ids of a page with their scores, in order."""
        part = slice(offset, offset + limit)
        return dict(zip(self._ids[part], self._scores[part], strict=True))

    def stands(self, session: Session, now: int) -> bool:
        """Tell whether a search begun now would find the same: nothing it saw has changed or gone, nothing came."""
        if self.is_stale or now >= self._until:
            return False
        changes = ItemRows.since(session, self._seq, _MOST_CHANGES)
        if len(changes) >= _MOST_CHANGES or ItemRows.has_gap(session, self._seq):
            return False
        low, high = path_range(self.prefix)
        touched = {item for _, item, path in changes if low <= path < high or item == EMBEDDER_CHANGED}
        if touched:
            # An item that was merely read, and lives longer for it, is as it was.
            there = {row.id: row.updated_at for row in ItemRows.by_id(session, list(touched), now)}
            if EMBEDDER_CHANGED in touched or any(self._updated.get(item) != there.get(item) for item in touched):
                return False
        self._seq = int(changes[-1][0]) if changes else self._seq
        return True


class Rankings:
    """The rankings used last, by what was asked.

    Args:
        most: How many are remembered.
        most_items: How many items they may name in all.
    """

    def __init__(self, *, most: int = 64, most_items: int = 400_000) -> None:
        self._most = most
        self._most_items = most_items
        self._lock = ForkLock()
        self._kept: OrderedDict[Hashable, Ranking] = OrderedDict()

    def find(self, asked: Hashable) -> Ranking | None:
        """Give a ranking that was kept, or none."""
        with self._lock:
            found = self._kept.get(asked)
            if found is not None:
                self._kept.move_to_end(asked)
            return found

    def keep(self, asked: Hashable, ranking: Ranking) -> None:
        """Remember a ranking; those used longest ago make room."""
        with self._lock:
            self._kept[asked] = ranking
            self._kept.move_to_end(asked)
            total = sum(len(kept) for kept in self._kept.values())
            while len(self._kept) > 1 and (len(self._kept) > self._most or total > self._most_items):
                total -= len(self._kept.popitem(last=False)[1])
