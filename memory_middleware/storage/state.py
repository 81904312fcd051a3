"""Small facts about the store itself, kept in its database."""

from __future__ import annotations

import json
import os
import socket
import uuid
from typing import Any, NamedTuple

from memory_middleware.errors import StoreError
from memory_middleware.storage.database import Session, Statement
from memory_middleware.storage.indexing import Indexing

__all__ = [
    "IndexState",
    "check_embedder",
    "drop_lease",
    "forget_index",
    "get_meta",
    "index_state",
    "is_dead",
    "new_holder",
    "set_index_state",
    "set_meta",
    "stamp_embedder",
    "store_id",
    "take_lease",
]

_GET = Statement("SELECT value FROM store_meta WHERE name = :name")
_SET = Statement(
    "INSERT INTO store_meta (name, value) VALUES (:name, :value)"
    " ON CONFLICT (name) DO UPDATE SET value = excluded.value"
)
_UNSET = Statement("DELETE FROM store_meta WHERE name = :name")


class IndexState(NamedTuple):
    """How far an index has followed the change log.

    Attributes:
        seq: The number of the last change it took.
        generation: How often it was rebuilt; every time in a new table.
    """

    seq: int = 0
    generation: int = 0


def get_meta(session: Session, name: str) -> Any:
    """Read a fact, or none."""
    row = session.one(_GET, name=name)
    return json.loads(row[0]) if row else None


def set_meta(session: Session, name: str, value: Any) -> None:
    """Write a fact."""
    session.run(_SET, name=name, value=json.dumps(value))


def index_state(session: Session, index: str) -> IndexState:
    """Read the state of an index; one that was never written has followed nothing."""
    found = get_meta(session, f"index:{index}")
    return IndexState(*found) if found else IndexState()


def set_index_state(session: Session, index: str, state: IndexState) -> None:
    """Write the state of an index."""
    set_meta(session, f"index:{index}", state)


def forget_index(session: Session, index: str) -> None:
    """Forget an index that is not there any more, and who wrote it."""
    for name in (f"index:{index}", f"lease:{index}"):
        session.run(_UNSET, name=name)


def take_lease(session: Session, name: str, holder: str, now: int, seconds: float) -> bool:
    """Take or renew a lease inside a transaction; tell whether it is the holder's now.

    The caller has made sure that nobody else looks at the lease at the same time.
    """
    found = get_meta(session, f"lease:{name}")
    if found and found[0] != holder and found[1] > now and not is_dead(found[0]):
        return False
    set_meta(session, f"lease:{name}", [holder, now + int(seconds * 1_000_000)])
    return True


def new_holder() -> str:
    """Name a holder of leases so that others on this machine can tell whether its process lives."""
    return f"{socket.gethostname()}/{os.getpid()}/{uuid.uuid4().hex}"


def is_dead(holder: str) -> bool:
    """Tell whether the process of a holder has surely ended; of another machine nobody knows."""
    host, pid, _ = holder.split("/")
    if host != socket.gethostname():
        return False
    try:
        os.kill(int(pid), 0)
    except ProcessLookupError:
        return True
    except OSError:
        return False
    return False


def drop_lease(session: Session, name: str, holder: str) -> None:
    """Give a lease back, if it is the holder's."""
    found = get_meta(session, f"lease:{name}")
    if found and found[0] == holder:
        set_meta(session, f"lease:{name}", [holder, 0])


def store_id(session: Session) -> str:
    """Give the name of this store, made when it is first asked for inside a transaction."""
    found = get_meta(session, "store")
    if found is None:
        found = uuid.uuid4().hex[:12]
        set_meta(session, "store", found)
    return str(found)


def check_embedder(session: Session, indexing: Indexing) -> None:
    """Compare the embedder with the one that made the vectors of a store, and learn their length.

    Raises:
        StoreError: It is another one, whose vectors cannot be compared.
    """
    if indexing.embeddings is not None:
        _check(get_meta(session, "embedder"), indexing)


def stamp_embedder(session: Session, indexing: Indexing) -> None:
    """Note which embedder makes the vectors of a store, once it is known; inside every write.

    Raises:
        StoreError: The vectors of the store are another embedder's by now.
    """
    if indexing.embeddings is None or indexing.dims is None:
        return
    known = get_meta(session, "embedder")
    if known is None:
        set_meta(session, "embedder", [indexing.name, indexing.dims])
    else:
        _check(known, indexing)


def _check(known: Any, indexing: Indexing) -> None:
    if known is None:
        return
    name, dims = known
    if name != indexing.name or indexing.dims not in (None, dims):
        found = f"{indexing.name} with {indexing.dims} dimensions"
        raise StoreError(
            f"the vectors of this store were made by {name} with {dims} dimensions, not by {found}; "
            "open it with that embedder, or give it new vectors with reindex"
        )
    indexing.learn_dims(dims)
