"""Batches for the rule extractor, and what it found, in short."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from typing import Any

from memory_middleware.remember.extraction.base import Extraction, ExtractionBatch
from memory_middleware.remember.extraction.rules import RuleExtractor
from memory_middleware.schemas.dialogue import Dialogue
from memory_middleware.schemas.record import MemoryRecord
from tests.support import ROOT

# A Wednesday.
NOW = datetime(2026, 3, 4, 10, tzinfo=UTC)


def batch(*texts: str | tuple[str, str], known: tuple[MemoryRecord, ...] = (), **more: Any) -> ExtractionBatch:
    """Rounds a minute apart; a pair is what the owner said and what the assistant answered."""
    turns = [text if isinstance(text, tuple) else (text, "I see.") for text in texts]
    rounds = tuple(
        Dialogue(
            id=f"r{at}",
            owner_id="ana",
            session_id="t1",
            user_query=said,
            assistant_response=answer,
            created_at=NOW + timedelta(minutes=at),
        )
        for at, (said, answer) in enumerate(turns)
    )
    return ExtractionBatch(rounds, known=known, **{"max_facts": 50, **more})


def read(*texts: str | tuple[str, str], known: tuple[MemoryRecord, ...] = (), **more: Any) -> Extraction:
    return RuleExtractor().extract(batch(*texts, known=known, **more))


def found(*texts: str | tuple[str, str], known: tuple[MemoryRecord, ...] = ()) -> dict[str, str]:
    """What is found, as ``subject/attribute`` to content; of one address the last."""
    return {f"{fact.subject}/{fact.attribute}": fact.content for fact in read(*texts, known=known).facts}


def ended(*texts: str | tuple[str, str], known: tuple[MemoryRecord, ...] = ()) -> set[str]:
    """What is retracted by its address."""
    return {f"{one.subject}/{one.attribute}" for one in read(*texts, known=known).retractions if not one.rounds}


def record(content: str, subject: str, attribute: str) -> MemoryRecord:
    return MemoryRecord.create("ana", content, subject=subject, attribute=attribute)


def labelled() -> list[dict[str, Any]]:
    """The labelled exchanges that rules were written with."""
    folder = ROOT / "benchmarks" / "data"
    sheets = [folder / name for name in ("extraction.jsonl", "extraction_loose_dev.jsonl")]
    lines = [line for sheet in sheets for line in sheet.read_text(encoding="utf-8").splitlines()]
    return [row for row in map(json.loads, lines) if not row["held_out"]]
