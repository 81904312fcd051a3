"""One writer at a time in a folder, and files that are written whole or not at all."""

from __future__ import annotations

import os
import shutil
import sys
import time
import uuid
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from memory_middleware.errors import StoreError

__all__ = ["LOCK", "hold_lock", "is_leftover", "sync_folder", "write_whole"]

LOCK = ".memory.lock"

_POLL_SECONDS = 0.005

if sys.platform == "win32":  # pragma: no cover - the tests run elsewhere
    import msvcrt

    def _try_lock(handle: int) -> bool:
        try:
            msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True

    def _unlock(handle: int, _path: Path) -> None:
        os.lseek(handle, 0, os.SEEK_SET)
        msvcrt.locking(handle, msvcrt.LK_UNLCK, 1)
        os.close(handle)

else:
    import fcntl

    def _try_lock(handle: int) -> bool:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True

    def _unlock(handle: int, path: Path) -> None:
        # Removed while it is still held: who waits for it finds that it is gone and asks for a new one.
        with suppress(OSError):
            if os.path.samestat(os.fstat(handle), path.stat()):
                path.unlink()
        fcntl.flock(handle, fcntl.LOCK_UN)
        os.close(handle)


@contextmanager
def hold_lock(folder: Path, *, timeout: float = 30.0) -> Iterator[Path]:
    """Keep all other writers out of a folder, threads and processes alike.

    Args:
        folder: The folder.
        timeout: Most seconds to wait.

    Raises:
        StoreError: The folder cannot be written to, or another writer does not let go of it.
    """
    path = folder / LOCK
    deadline = time.monotonic() + timeout
    while (handle := _acquire(path)) is None:
        if time.monotonic() > deadline:
            raise StoreError(f"another process has held {str(path)!r} for {timeout:g} s; end it and try again")
        time.sleep(_POLL_SECONDS)
    try:
        yield path
    finally:
        _unlock(handle, path)


def write_whole(path: Path, data: bytes) -> None:
    """Write a file so that readers and a crash see the old content or the new one.

    Raises:
        StoreError: It cannot be written; the old content is as it was.
    """
    beside = path.with_name(f".memory-{uuid.uuid4().hex}.tmp")
    try:
        with beside.open("xb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        with suppress(FileNotFoundError):
            shutil.copymode(path, beside)
        os.replace(beside, path)
        sync_folder(path.parent)
    except OSError as error:
        with suppress(OSError):
            beside.unlink()
        raise StoreError(f"cannot write {str(path)!r}: {error}") from error


def sync_folder(folder: Path) -> None:
    """Make renames and removals in a folder survive a power failure, where the system can."""
    if sys.platform != "win32":  # pragma: no branch
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def is_leftover(name: str) -> bool:
    """Tell whether a file was left behind by a writer that was killed."""
    return name.startswith(".memory-") and name.endswith(".tmp")


def _acquire(path: Path) -> int | None:
    """Lock the file, unless somebody holds it or removed it meanwhile."""
    handle = None
    try:
        handle = os.open(path, os.O_RDWR | os.O_CREAT, 0o666)
        if _try_lock(handle) and os.path.samestat(os.fstat(handle), path.stat()):
            return handle
    except FileNotFoundError as error:
        if handle is None:
            raise StoreError(f"the folder {str(path.parent)!r} does not exist any more") from error
    except OSError as error:
        if handle is not None:
            os.close(handle)
        raise StoreError(f"cannot lock the folder {str(path.parent)!r}: {error}") from error
    os.close(handle)
    return None
