"""Where a store is: from what a user writes to a database URL and the place of the index."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from memory_middleware.errors import StoreError

__all__ = ["Location", "locate"]

_POSTGRES = ("postgresql://", "postgres://")


class Location(NamedTuple):
    """The database of a store, and its index."""

    sql_url: str
    lance_uri: str


def locate(uri: str | Path, lance_uri: str | None = None) -> Location:
    """Find a store; a folder is made if it is not there.

    Raises:
        StoreError: The folder cannot be made.
    """
    text = str(uri)
    if text.startswith(_POSTGRES):
        return Location(f"postgresql+psycopg://{text.partition('://')[2]}", lance_uri or "./memory/index")
    if "://" in text:
        return Location(text, lance_uri or "./memory/index")
    folder = Path(text).expanduser().resolve()
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise StoreError(f"cannot make the folder of the store {text!r}: {error}") from error
    return Location(f"sqlite:///{folder / 'memory.db'}", lance_uri or str(folder / "index"))
