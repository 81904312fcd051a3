"""One JSON file that threads and processes share: locked, replaced whole, never silently lost."""

from __future__ import annotations

import contextlib
import json
import logging
import os
import sys
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, TypeVar

from memory_middleware.errors import StoreError

__all__ = ["JsonFile", "Signature"]

Read = TypeVar("Read")
# Time of change, size and inode.
Signature = tuple[int, int, int]

_log = logging.getLogger(__name__)
_PAUSE = 0.005
_STEP = 2000

if sys.platform == "win32":  # pragma: no cover - the other half runs on the other systems
    import msvcrt

    def _take(descriptor: int) -> bool:
        try:
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True
else:
    import fcntl

    def _take(descriptor: int) -> bool:
        # flock belongs to the open file, so it keeps threads apart as well as processes.
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True


class JsonFile:
    """A JSON file and its lock file beside it.

    Attributes:
        path: The file.
        set_aside: Where files that could not be read were moved, oldest first.
    """

    def __init__(self, path: Path, *, patience: float = 60.0) -> None:
        self.path = path.expanduser().resolve()
        self.set_aside: list[Path] = []
        self._patience = patience

    @property
    def companions(self) -> tuple[Path, ...]:
        """The files that belong to this one, whether they are there or not."""
        return (self._beside("lock"), self._beside("tmp"))

    @contextlib.contextmanager
    def locked(self) -> Iterator[None]:
        """Keep all others from writing.

        Raises:
            StoreError: The lock cannot be had, or the file cannot be read or written.
        """
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            descriptor = os.open(self._beside("lock"), os.O_RDWR | os.O_CREAT, 0o666)
            try:
                self._wait_for(descriptor)
                yield
            finally:
                os.close(descriptor)
        except OSError as error:
            raise StoreError(f"cannot use {str(self.path)!r}: {error}; check its folder and its rights") from error

    def read(self, parse: Callable[[Any], Read]) -> Read | None:
        """Read the file without a lock; one that cannot be parsed is moved aside.

        Args:
            parse: Makes a value of the JSON data; raises a ``ValueError`` if it cannot.

        Returns:
            The value, or none if there is no file or it was moved aside.

        Raises:
            StoreError: The file cannot be read or moved.
        """
        with contextlib.suppress(ValueError, RecursionError):
            return self._parsed(parse)
        with self.locked():
            return self.read_locked(parse)

    def read_locked(self, parse: Callable[[Any], Read]) -> Read | None:
        """Read the file as ``read`` does, with the lock in hand."""
        try:
            return self._parsed(parse)
        except (ValueError, RecursionError) as error:
            self.move_aside(str(error))
            return None

    def write_locked(self, data: Any) -> Signature | None:
        """Replace the file, with the lock in hand; it is on disk when this returns.

        Returns:
            The signature of this state, which no later one has; none where the file system's times are
            too coarse for that.
        """
        temporary = self._beside("tmp")
        with temporary.open("wb") as file:
            file.write(_encode(data))
            file.flush()
            os.fsync(file.fileno())
        before = self.path.stat() if self.path.exists() else None
        if before:
            temporary.chmod(before.st_mode & 0o777)
        # Two writes may fall into one tick of the clock, so each says its own time: later than the last,
        # and never a full second, which a coarse file system would keep as well.
        moment = max(time.time_ns(), before.st_mtime_ns + _STEP if before else 0) // _STEP * _STEP + _STEP // 2
        os.utime(temporary, ns=(moment, moment))
        os.replace(temporary, self.path)
        _sync_folder(self.path.parent)
        state = self.signature()
        return state if state and state[0] == moment else None

    def move_aside(self, reason: str) -> None:
        """Rename the file, with the lock in hand, so that nothing in it is lost."""
        moment = datetime.now(UTC).strftime("%Y%m%dT%H%M%S%fZ")
        aside = self._beside(f"corrupt-{moment}")
        os.replace(self.path, aside)
        self.set_aside.append(aside)
        _log.warning("%s cannot be read (%s); it was moved to %s", self.path, reason, aside)

    def signature(self) -> Signature | None:
        """Tell one state of the file from another; none if there is no file."""
        try:
            found = self.path.stat()
        except FileNotFoundError:
            return None
        except OSError as error:
            raise StoreError(f"cannot look at {str(self.path)!r}: {error}; check its rights") from error
        return found.st_mtime_ns, found.st_size, found.st_ino

    def _parsed(self, parse: Callable[[Any], Read]) -> Read | None:
        try:
            data = self.path.read_bytes()
        except FileNotFoundError:
            return None
        except OSError as error:
            raise StoreError(f"cannot read {str(self.path)!r}: {error}; check its rights") from error
        return parse(json.loads(data.decode("utf-8-sig")))

    def _wait_for(self, descriptor: int) -> None:
        until = time.monotonic() + self._patience
        while not _take(descriptor):
            if time.monotonic() > until:
                raise StoreError(
                    f"{str(self.path)!r} was locked for {self._patience:g} s; end the process that holds it"
                )
            time.sleep(_PAUSE)

    def _beside(self, ending: str) -> Path:
        return self.path.with_name(f"{self.path.name}.{ending}")


def _encode(data: Any) -> bytes:
    try:
        return json.dumps(data, ensure_ascii=False).encode("utf-8")
    except UnicodeEncodeError:  # half a surrogate pair has no UTF-8, but an escape
        return json.dumps(data).encode("ascii")


def _sync_folder(folder: Path) -> None:
    if sys.platform == "win32":  # pragma: no cover - folders cannot be opened there
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
