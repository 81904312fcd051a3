"""Where the next page of a list begins, as a text that only this store can have written."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import secrets
from collections.abc import Sequence

from memory_middleware.errors import InvalidInputError
from memory_middleware.schemas.scope import Scope
from memory_middleware.storage.database import Database
from memory_middleware.storage.owners import digest
from memory_middleware.storage.state import get_meta, set_meta

__all__ = ["Cursors", "Place"]

Place = Sequence[int | float | str]
"""The last row of a page, told by the columns that order the list."""

_KEY = "cursor_key"
_SIGNED = 16


class Cursors:
    """Writes and reads cursors.

    Each is signed with a key of the store for one owner and one list, so that what somebody made up, changed, or took
    from elsewhere is refused. All processes on one database share the key.
    """

    def __init__(self, database: Database) -> None:
        self._database = database
        self._kept: bytes | None = None

    def write(self, scope: Scope, listing: str, place: Place) -> str:
        """Tell where the page after a row begins.

        Args:
            scope: Whose list.
            listing: Which list, in which order.
            place: The row.
        """
        told = json.dumps(list(place), separators=(",", ":")).encode()
        return _encoded(self._signature(scope, listing, told) + told)

    def read(self, scope: Scope, listing: str, cursor: str) -> list[int | float | str]:
        """Give the row that a cursor names.

        Raises:
            InvalidInputError: It was not written here for this list of this owner.
        """
        data = _decoded(cursor)
        signature, told = data[:_SIGNED], data[_SIGNED:]
        if not told or not hmac.compare_digest(signature, self._signature(scope, listing, told)):
            raise InvalidInputError(f"the cursor {cursor[:80]!r} is not of a page in this order; begin without one")
        place: list[int | float | str] = json.loads(told)
        return place

    def _signature(self, scope: Scope, listing: str, told: bytes) -> bytes:
        message = f"{digest(scope.owner_id)}|{listing}|".encode() + told
        return hmac.new(self._key(), message, hashlib.sha256).digest()[:_SIGNED]

    def _key(self) -> bytes:
        if self._kept is None:
            with self._database.writing() as session:
                found = get_meta(session, _KEY)
                if found is None:
                    found = secrets.token_hex(32)
                    set_meta(session, _KEY, found)
            self._kept = bytes.fromhex(found)
        return self._kept


def _encoded(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


def _decoded(cursor: str) -> bytes:
    """Give the bytes of a cursor; none if it is not spelt exactly as they are written."""
    try:
        data = base64.b64decode(cursor.encode("ascii") + b"=" * (-len(cursor) % 4), altchars=b"-_", validate=True)
    except ValueError:
        return b""
    return data if _encoded(data) == cursor else b""
