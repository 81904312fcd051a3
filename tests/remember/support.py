"""Rounds, facts and extractors for the tests of the write path."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

from memory_middleware import Dialogue, Fact, Scope
from memory_middleware.errors import ExtractionError
from memory_middleware.remember.extraction.base import Extraction, ExtractionBatch

ANA = Scope("ana", "t1", "worker")
BOB = Scope("bob", "t1", "worker")
NOON = datetime(2026, 5, 1, 12, tzinfo=UTC)


def said(text: str, answer: str = "I see.", *, at: int = 0, tool_text: str = "", owner: str = "ana") -> Dialogue:
    """A round, so many minutes after noon."""
    return Dialogue.create(
        owner, "t1", text, answer, tool_text=tool_text, turn=at, created_at=NOON + timedelta(minutes=at)
    )


def fact(content: str, *rounds: Dialogue, attribute: str | None = None, subject: str = "user", **more: Any) -> Fact:
    """A fact with its evidence."""
    return Fact(content=content, subject=subject, attribute=attribute, evidence=tuple(one.id for one in rounds), **more)


class ScriptedExtractor:
    """Gives what a function makes of a batch; what it raises is raised."""

    uses_known = True

    def __init__(self, script: Callable[[ExtractionBatch], Extraction]) -> None:
        self._script = script
        self.batches: list[ExtractionBatch] = []

    def extract(self, batch: ExtractionBatch) -> Extraction:
        self.batches.append(batch)
        return self._script(batch)

    async def aextract(self, batch: ExtractionBatch) -> Extraction:
        return self.extract(batch)


def lives_in(batch: ExtractionBatch) -> Extraction:
    """Find where the user lives: the last word of every round that says so."""
    found = [
        Fact(
            content=f"The user lives in {one.user_query.split()[-1].strip('.')}.",
            subject="user",
            attribute="city",
            evidence=(one.id,),
        )
        for one in batch.rounds
        if "live" in one.user_query
    ]
    return Extraction(tuple(found))


def failing(batch: ExtractionBatch) -> Extraction:
    """Fail as a provider does on a bad day."""
    raise ExtractionError(f"no answer for {len(batch.rounds)} rounds")
