"""Memory by owner: small methods over the tables, each of them taking a ``Scope``."""

from __future__ import annotations

from memory_middleware.storage.database import Database
from memory_middleware.storage.executor import Executor
from memory_middleware.storage.repositories.dialogues import DialogueRepository
from memory_middleware.storage.repositories.experience import ExperienceRepository
from memory_middleware.storage.repositories.profiles import ProfileRepository
from memory_middleware.storage.repositories.records import RecordRepository
from memory_middleware.storage.repositories.runs import RunRepository
from memory_middleware.storage.repositories.short_term import ShortTermRepository
from memory_middleware.storage.repositories.usage import UsageRepository
from memory_middleware.storage.repositories.weights import WeightRepository

__all__ = ["Repositories"]


class Repositories:
    """All repositories of one store. Inside ``database.writing()`` their writes are one transaction."""

    def __init__(self, database: Database, executor: Executor) -> None:
        self.profiles = ProfileRepository(database)
        self.records = RecordRepository(database, executor)
        self.experience = ExperienceRepository(database, executor)
        self.short_term = ShortTermRepository(database)
        self.dialogues = DialogueRepository(database)
        self.usage = UsageRepository(database)
        self.weights = WeightRepository(database)
        self.runs = RunRepository(database)
