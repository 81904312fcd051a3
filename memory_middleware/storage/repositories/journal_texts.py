"""The words of the owner that the journal holds in passing: queries, traces, summaries, rounds, errors."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from memory_middleware.schemas.scope import Scope
from memory_middleware.storage.database import Database, Statement
from memory_middleware.storage.owners import digest

__all__ = ["JournalText", "JournalTextRepository"]


class _Shelf(NamedTuple):
    table: str
    key: str
    beside: str
    fields: tuple[str, ...]


# Turns come first: the rows of their uses tell the turn only.
_SHELVES = {
    "turns": _Shelf("memory_turns", "seq", "entry", ("query",)),
    "usage": _Shelf("memory_usage_log", "seq", "turn", ("query",)),
    "short_term": _Shelf("short_term_items", "seq", "thread", ("content",)),
    "summaries": _Shelf("thread_summaries", "thread", "thread", ("content",)),
    "runs": _Shelf("extraction_runs", "id", "session", ("error",)),
    "waiting": _Shelf("dialogue_buffer", "seq", "session", ("user_query", "assistant_response", "tool_text")),
}
_READ = {
    name: Statement(f"SELECT {shelf.key}, {shelf.beside}, document FROM {shelf.table} WHERE owner = :owner")
    for name, shelf in _SHELVES.items()
}
_WRITE = {
    name: Statement(f"UPDATE {shelf.table} SET document = :document WHERE owner = :owner AND {shelf.key} = :key")
    for name, shelf in _SHELVES.items()
}


class JournalText(NamedTuple):
    """The words of one row of the journal.

    Attributes:
        shelf: ``turns``, ``usage``, ``short_term``, ``summaries``, ``runs`` or ``waiting``.
        key: Its row.
        beside: The digest of the turn or thread it belongs to.
        texts: What it says, by field.
        document: The whole row.
    """

    shelf: str
    key: Any
    beside: str
    texts: Mapping[str, str]
    document: Mapping[str, Any]


class JournalTextRepository:
    """Goes through these words and writes them anew."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def all_of(self, scope: Scope) -> Iterator[JournalText]:
        """Go through all words of an owner, those of turns first."""
        for name, statement in _READ.items():
            with self._database.reading() as session:
                rows = session.all(statement, owner=digest(scope.owner_id))
            for key, beside, document in rows:
                told = json.loads(document)
                texts = {field: told[field] for field in _SHELVES[name].fields if told.get(field)}
                if texts:
                    yield JournalText(name, key, beside, texts, told)

    def rewrite(self, scope: Scope, found: JournalText, texts: Mapping[str, str]) -> None:
        """Put other words in the place of those of a row."""
        told = json.dumps({**found.document, **texts})
        with self._database.writing() as session:
            session.run(_WRITE[found.shelf], owner=digest(scope.owner_id), key=found.key, document=told)
