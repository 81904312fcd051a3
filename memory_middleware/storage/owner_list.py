"""Who has memory here: for upkeep, which goes from owner to owner."""

from __future__ import annotations

import json
from collections.abc import Iterator

from memory_middleware.storage.database import Database, Statement

__all__ = ["owners"]

_NEXT = Statement(
    "SELECT owner, owner_id FROM memories WHERE memory_type = 'user' AND owner > :after ORDER BY owner LIMIT 500"
)


def owners(database: Database) -> Iterator[str]:
    """Go through the ids of all owners, in an order of the database's own."""
    after = ""
    while True:
        with database.reading() as session:
            rows = session.all(_NEXT, after=after)
        if not rows:
            return
        yield from (json.loads(row[1]) for row in rows)
        after = rows[-1][0]
