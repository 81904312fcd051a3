"""Memory by owner: small methods over the tables, each of them taking a ``Scope``."""

from __future__ import annotations

from memory_middleware.schemas.scope import Scope
from memory_middleware.storage.cursors import Cursors
from memory_middleware.storage.database import Database, Statement
from memory_middleware.storage.executor import Executor
from memory_middleware.storage.owners import digest
from memory_middleware.storage.repositories.dialogues import DialogueRepository
from memory_middleware.storage.repositories.edits import EditRepository
from memory_middleware.storage.repositories.experience import ExperienceRepository
from memory_middleware.storage.repositories.journal_pages import JournalPages
from memory_middleware.storage.repositories.profiles import ProfileRepository
from memory_middleware.storage.repositories.record_pages import RecordPages
from memory_middleware.storage.repositories.records import RecordRepository
from memory_middleware.storage.repositories.runs import RunRepository
from memory_middleware.storage.repositories.short_term import ShortTermRepository
from memory_middleware.storage.repositories.summaries import SummaryRepository
from memory_middleware.storage.repositories.tombstones import TombstoneRepository
from memory_middleware.storage.repositories.turns import TurnRepository
from memory_middleware.storage.repositories.usage import UsageRepository
from memory_middleware.storage.repositories.weights import WeightRepository

__all__ = ["Repositories"]

_JOURNAL = {
    name: (
        Statement(f"SELECT count(*) FROM {table} WHERE owner = :owner"),
        Statement(f"DELETE FROM {table} WHERE owner = :owner"),
    )
    for name, table in (
        ("rounds", "dialogue_buffer"),
        ("short_term", "short_term_items"),
        ("summaries", "thread_summaries"),
        ("turns", "memory_turns"),
        ("runs", "extraction_runs"),
    )
}


class Repositories:
    """All repositories of one store.

    Attributes:
        database: Inside its ``writing()`` the writes of all repositories are one transaction.
    """

    def __init__(self, database: Database, executor: Executor) -> None:
        self.database = database
        self.profiles = ProfileRepository(database)
        self.records = RecordRepository(database, executor)
        self.edits = EditRepository(database)
        self.experience = ExperienceRepository(database, executor)
        self.short_term = ShortTermRepository(database)
        self.summaries = SummaryRepository(database)
        self.dialogues = DialogueRepository(database)
        self.turns = TurnRepository(database)
        self.usage = UsageRepository(database)
        self.weights = WeightRepository(database)
        self.runs = RunRepository(database)
        self.tombstones = TombstoneRepository(database)
        cursors = Cursors(database)
        self.record_pages = RecordPages(database, self.records, cursors)
        self.journal_pages = JournalPages(database, cursors)

    def journal_counts(self, scope: Scope) -> dict[str, int]:
        """Count what the journal holds of an owner."""
        with self.database.reading() as session:
            return {
                name: int(session.one(count, owner=digest(scope.owner_id))[0]) for name, (count, _) in _JOURNAL.items()
            }

    def clear_journal(self, scope: Scope) -> None:
        """Drop all that the journal holds of an owner; what hangs on records goes with them."""
        with self.database.writing() as session:
            for _, clear in _JOURNAL.values():
                session.run(clear, owner=digest(scope.owner_id))
