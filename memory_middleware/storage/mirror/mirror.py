"""Keeping a working copy and another store in step: read before serving, written before acknowledging."""

from __future__ import annotations

import os
import threading
import uuid
from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress

from langgraph.store.base import Op

from memory_middleware.errors import StoreError
from memory_middleware.storage.mirror.foreign import Foreign, Head, Row
from memory_middleware.storage.mirror.ledger import Change, Ledger
from memory_middleware.storage.mirror.taking import Taker
from memory_middleware.storage.owners import digest

__all__ = ["Mirror"]

_ATTEMPTS = 5
_MOST_NEWS = 256


class Mirror:
    """Reads an owner's rows when it is first met, those that others changed later, and writes what changed here.

    Whoever writes a row last wins; a ``BaseStore`` has no compare-and-swap.

    Args:
        foreign: The other store.
        ledger: What changed in the working copy.
        taker: Writes to the working copy.
    """

    def __init__(self, foreign: Foreign, ledger: Ledger, taker: Taker) -> None:
        self._foreign = foreign
        self._ledger = ledger
        self._taker = taker
        self._begin()

    def knows(self, owner_id: str) -> bool:
        """Tell whether an owner was met before."""
        return digest(owner_id) in self._known

    def refresh(self, owner_id: str) -> None:
        """Have the rows of an owner as they are in the other store now.

        Raises:
            StoreError: It cannot be read.
        """
        if self._pid != os.getpid():
            self._begin()  # a forked child is another writer, and trusts no locks of its parent
        owner = digest(owner_id)
        self._names[owner] = owner_id
        if self._is_current(owner, self._foreign.heads(owner)):
            return
        with self._locks.setdefault(owner, threading.Lock()):
            heads = self._foreign.heads(owner)
            if not self._is_current(owner, heads):
                self._follow(owner, heads)

    def refresh_all(self) -> list[str]:
        """Have the rows of all owners, and list their ids."""
        found = list(self._foreign.owners())
        for owner_id in found:
            self.refresh(owner_id)
        return found

    def noted(self) -> int:
        """Give the number of the last change that was noted here."""
        return self._ledger.last()

    def tell(self, owners: Collection[str] | None = None) -> None:
        """Write to the other store what changed here and was not written yet.

        Args:
            owners: Those whose changes must not wait; what is refused of somebody else does not hold them up. None
                means all.

        Raises:
            StoreError: It cannot be written; the changes are kept for the next time.
        """
        if self._ledger.is_empty():
            return
        with self._telling:  # one after the other, so that a row is never overwritten by what it was before
            try:
                self._tell(None)
            except StoreError:
                if owners is None:
                    raise
                self._tell({digest(owner_id) for owner_id in owners})

    def _begin(self) -> None:
        self._pid = os.getpid()
        self._writer = uuid.uuid4().hex
        self._names: dict[str, str] = {}
        self._known: dict[str, Mapping[str, int]] = {}
        self._mine: dict[str, Head] = {}
        self._listed: set[str] = set()
        self._locks: dict[str, threading.Lock] = {}
        self._telling = threading.RLock()

    def _is_current(self, owner: str, heads: Sequence[Head]) -> bool:
        return self._known.get(owner) == self._others(heads) and self._is_heard(owner, heads)

    def _is_heard(self, owner: str, heads: Sequence[Head]) -> bool:
        """Tell whether the head of this process is where others look for it."""
        return owner not in self._listed or any(head.writer == self._writer for head in heads)

    def _follow(self, owner: str, heads: Sequence[Head]) -> None:
        if owner not in self._known:
            self._read_all(owner, heads)
            return
        with self._telling:  # what is read now must not be older than what this process writes meanwhile
            if not self._catch_up(owner, heads):
                self._read_all(owner, heads)
            if not self._is_heard(owner, heads):
                with suppress(StoreError):  # whoever only reads need not suffer for it; the next one tries again
                    self._move(owner)

    def _tell(self, owners: Collection[str] | None) -> None:
        while True:
            seq, changes = self._ledger.changes(owners)
            if not changes:
                return
            self._write(changes)
            self._ledger.settle(seq, owners)

    def _write(self, changes: Sequence[Change]) -> None:
        ops: list[Op] = [self._foreign.put(*change) for change in changes]
        heads: dict[str, Head] = {}
        for owner in dict.fromkeys(change.owner for change in changes):
            if owner in self._names and owner not in self._listed:
                ops.append(self._foreign.put_owner(self._names[owner]))
            rows = [change.row for change in changes if change.owner == owner]
            heads[owner] = _moved(self._mine.get(owner) or self._new_head(owner), rows)
            ops += self._foreign.put_head(owner, heads[owner])
        self._mine.update(heads)  # a number is used once, for a write that failed may have happened all the same
        self._foreign.write(ops)
        self._listed.update(heads)

    def _new_head(self, owner: str) -> Head:
        return Head(self._writer, self._foreign.slot_for(self._foreign.heads(owner)))

    def _move(self, owner: str) -> None:
        """Take another slot, as somebody else has ours; those who missed something by that read all once more."""
        heads = self._foreign.heads(owner)
        if not self._is_heard(owner, heads):
            writes = self._mine[owner].writes + 1
            self._mine[owner] = Head(self._writer, self._foreign.slot_for(heads), writes, since=writes)
            self._foreign.write(self._foreign.put_head(owner, self._mine[owner]))

    def _others(self, heads: Sequence[Head]) -> dict[str, int]:
        """Tell how often the other writers wrote."""
        return {head.writer: head.writes for head in heads if head.writer != self._writer}

    def _catch_up(self, owner: str, heads: Sequence[Head]) -> bool:
        """Take over what others changed since the last look, and tell whether their news go back so far."""
        known, others = self._known[owner], self._others(heads)
        if known.keys() - others.keys():
            return False  # whoever lost the slot may have written before
        behind = [head for head in heads if others.get(head.writer, 0) > known.get(head.writer, 0)]
        rows: list[Row] = []
        for head in self._foreign.news(owner, behind):
            if head.since > known.get(head.writer, 0):
                return False
            rows += [row for number, row in head.news if number > known.get(head.writer, 0)]
        self._taker.take(owner, self._foreign.rows(owner, list(dict.fromkeys(rows))))
        self._known[owner] = others
        return True

    def _read_all(self, owner: str, heads: Sequence[Head]) -> None:
        """Read all rows of an owner; again if somebody wrote meanwhile, since pages of a list may shift then."""
        before = self._others(heads)
        for _ in range(_ATTEMPTS):
            rows = self._foreign.everything(owner) if heads else {}
            heads = self._foreign.heads(owner) if heads else heads
            if before == (before := self._others(heads)):
                self._taker.take(owner, rows, instead=True)
                self._known[owner] = before
                return
        raise StoreError("others write to this owner's memory all the time, so it could not be read; try again")


def _moved(head: Head, rows: Sequence[Row]) -> Head:
    """Give the head after one more write; the oldest news are let go, those of one write together."""
    number = head.writes + 1
    news = (*head.news, *((number, row) for row in rows))
    since = news[-_MOST_NEWS - 1][0] if len(news) > _MOST_NEWS else head.since
    return head._replace(writes=number, since=since, news=tuple(one for one in news if one[0] > since))
