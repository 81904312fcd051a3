"""Visits: the time in which an owner is served from a working copy, read anew before and written back after."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from contextvars import ContextVar, Token
from types import TracebackType

from memory_middleware.errors import StoreError
from memory_middleware.storage.database import Database
from memory_middleware.storage.mirror.mirror import Mirror

__all__ = ["Visit"]

_log = logging.getLogger(__name__)
_current: ContextVar[Visit | None] = ContextVar("memory_visit", default=None)


class Visit:
    """A visit to owners, to be entered with ``with`` or ``async with``; a visit inside one of the same is part of it.

    Args:
        mirror: Keeps the two stores in step.
        database: The working copy.
        owners: The ids of the owners; none means everybody.
    """

    def __init__(self, mirror: Mirror, database: Database, owners: Sequence[str] | None) -> None:
        self._mirror = mirror
        self._database = database
        self._owners = owners
        self._met: set[str] = set()
        self._around: Visit | None = None
        self._token: Token[Visit | None] | None = None
        self._noted = 0
        self._is_open = False

    @staticmethod
    def is_open(mirror: Mirror) -> bool:
        """Tell whether this runs inside a visit, which will write everything back."""
        return _of(mirror) is not None

    def __enter__(self) -> None:
        self._open()
        try:
            self._arrive()
        except BaseException:
            self._close()
            raise

    def __exit__(self, _kind: object, error: BaseException | None, _trace: TracebackType | None) -> None:
        self._close()
        self._leave(error)

    async def __aenter__(self) -> None:
        self._open()
        try:
            await asyncio.to_thread(self._arrive)
        except BaseException:
            self._close()
            raise

    async def __aexit__(self, _kind: object, error: BaseException | None, _trace: TracebackType | None) -> None:
        self._close()
        await asyncio.to_thread(self._leave, error)

    def _open(self) -> None:
        self._around = _of(self._mirror)
        if self._around is None:
            self._is_open = True
            self._token = _current.set(self)

    def _close(self) -> None:
        self._is_open = False
        if self._token is not None:
            _current.reset(self._token)

    def _arrive(self) -> None:
        if self._database.in_transaction:
            self._refuse_strangers()
            return
        met = (self._around or self)._met
        if self._around is None:
            self._noted = self._mirror.noted()
        if self._owners is None:
            met.update(self._mirror.refresh_all())
            return
        for owner_id in self._owners:
            if owner_id not in met:
                self._mirror.refresh(owner_id)
                met.add(owner_id)

    def _refuse_strangers(self) -> None:
        """Nothing is read inside a transaction, whose lock others wait for."""
        for owner_id in self._owners or ():
            if not self._mirror.knows(owner_id):
                raise StoreError("this owner's memory was not read yet; read something of it before the transaction")

    def _leave(self, error: BaseException | None) -> None:
        """Write back; a failure is an error for those who wrote something."""
        if self._around is not None or self._database.in_transaction:
            return
        wrote = self._mirror.noted() > self._noted
        try:
            self._mirror.tell(self._met)
        except StoreError as failure:
            if wrote and error is None:
                raise
            _log.warning("changes wait for the store that keeps this memory: %s", failure)


def _of(mirror: Mirror) -> Visit | None:
    """Give the visit that goes on here; one that is over may still be seen by what was begun in it."""
    found = _current.get()
    return found if found is not None and found._is_open and found._mirror is mirror else None
