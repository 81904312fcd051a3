"""A list of items, in memory or in one JSON file."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from threading import RLock
from typing import Any, NamedTuple

from memory_middleware.errors import SchemaError
from memory_middleware.schemas.items import MemoryItem
from memory_middleware.schemas.scope import Scope
from memory_middleware.sources.json_file import JsonFile, Signature

__all__ = ["ItemFile", "newest_of_each_owner", "owned_by"]

Edit = Callable[[list[MemoryItem]], list[MemoryItem]]

# A file that changed this recently may change again without a new time of change.
_TICK = 100_000_000


class ItemFile:
    """The items of a source, oldest first; what other processes add is seen at the next call.

    Args:
        path: The file; without one the items live as long as this object.
    """

    def __init__(self, path: Path | None) -> None:
        self._file = JsonFile(path) if path else None
        self._lock = RLock()
        self._items: list[MemoryItem] = []
        self._state: Signature | None = None
        self._settled = False
        self._ours = False

    @property
    def set_aside(self) -> tuple[Path, ...]:
        """Where files that could not be read were moved."""
        return tuple(self._file.set_aside) if self._file else ()

    def items(self) -> list[MemoryItem]:
        """List all items.

        Raises:
            StoreError: The file cannot be read.
        """
        with self._lock:
            if self._file is not None:
                self._refresh(self._file)
            return list(self._items)

    def change(self, edit: Edit) -> None:
        """Replace the items by what ``edit`` makes of them; no change of another writer is lost.

        Args:
            edit: Gets a list of its own; the items in it must be replaced, not changed.

        Raises:
            StoreError: The file cannot be read or written; then nothing has changed.
        """
        with self._lock:
            if self._file is None:
                self._items = edit(list(self._items))
                return
            with self._file.locked():
                last = self._ours and self._file.signature() == self._state
                before = self._items if last else _read_locked(self._file)
                after = edit(list(before))
                if after != before:
                    self._state = self._file.write_locked([item.to_dict() for item in after])
                    self._items = after
                    self._settled = self._ours = self._state is not None

    def _refresh(self, file: JsonFile) -> None:
        state = file.signature()
        if self._settled and state == self._state:
            return
        found = file.read(_parse)
        if found and found.broken:
            with file.locked():
                self._items = _read_locked(file)
        else:
            self._items = found.items if found else []
        self._state, self._ours = state, False
        self._settled = state is not None and time.time_ns() - state[0] > _TICK


def owned_by(items: Sequence[MemoryItem], scope: Scope) -> list[MemoryItem]:
    """Pick what an owner may see: their own items, and those of files that name no owner."""
    return [item for item in items if item.metadata.get("owner_id") in (None, scope.owner_id)]


def newest_of_each_owner(items: Sequence[MemoryItem], limit: int) -> list[MemoryItem]:
    """Drop the oldest items of every owner who has more than ``limit``."""
    counts: Counter[Any] = Counter()
    kept = []
    for item in reversed(items):
        owner = item.metadata.get("owner_id")
        counts[owner] += 1
        if counts[owner] <= limit:
            kept.append(item)
    return kept[::-1]


class _Found(NamedTuple):
    items: list[MemoryItem]
    broken: int


def _parse(data: Any) -> _Found:
    if not isinstance(data, list):
        raise SchemaError(f"a file of items must hold a list, not {type(data).__name__}")
    sound = [MemoryItem.from_dict(entry) for entry in data if _is_item(entry)]
    return _Found(sound, len(data) - len(sound))


def _is_item(entry: Any) -> bool:
    if not isinstance(entry, dict):
        return False
    wanted = {"id": str, "content_summary": str, "metadata": dict | None, "embedding": list | None}
    snapshots = (entry.get("input_snapshot"), entry.get("output_snapshot"))
    return (
        all(isinstance(entry.get(key), kind) for key, kind in wanted.items())
        and isinstance(entry.get("timestamp"), int | float | None)
        and set(map(type, entry.get("embedding") or ())) <= {int, float}
        and all(isinstance(snapshot, dict | None) for snapshot in snapshots)
    )


def _read_locked(file: JsonFile) -> list[MemoryItem]:
    found = file.read_locked(_parse)
    if found is None:
        return []
    if found.broken:
        file.move_aside(f"{found.broken} entries are no items; the others stay")
        file.write_locked([item.to_dict() for item in found.items])
    return found.items
