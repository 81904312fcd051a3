"""Records and short-term items as sections of a block."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from memory_middleware.recall.labels import joined, words
from memory_middleware.recall.profile_block import UNCERTAIN_BELOW
from memory_middleware.recall.sections import Line, MemoryClass, Section
from memory_middleware.schemas.dialogue import ShortTermItem, ThreadSummary
from memory_middleware.schemas.neutral import neutralise
from memory_middleware.schemas.record import MemoryRecord, RecordKind

__all__ = ["RECORD_SECTIONS", "record_sections", "short_term_section", "summary_section"]

_CLASSES = {
    RecordKind.FEEDBACK: MemoryClass.CORRECTIONS,
    RecordKind.DIALOGUE: MemoryClass.DIALOGUE,
    RecordKind.REFERENCE: MemoryClass.DOCUMENTS,
}
_TITLES = {
    MemoryClass.CORRECTIONS: "corrections",
    MemoryClass.FACTS: "facts",
    MemoryClass.DOCUMENTS: "references",
    MemoryClass.DIALOGUE: "dialogue",
}
RECORD_SECTIONS = tuple(_TITLES.values())
"""The names of the sections that tell records, and nothing else."""


def record_sections(
    records: Sequence[MemoryRecord], language: str = "en", sources: Mapping[str, str] | None = None
) -> list[Section]:
    """Tell records in sections by their class, in the order given; stable classes stand before dialogue.

    Args:
        records: The best first.
        language: Of the titles.
        sources: The attachments they came by, by their ids.
    """
    came_by = sources or {}
    found: dict[MemoryClass, list[Line]] = {}
    for record in records:
        kind = _CLASSES.get(record.kind, MemoryClass.FACTS)
        found.setdefault(kind, []).append(Line(_told(record, language), record.id, came_by.get(record.id), True))
    return [
        Section(title, words(title, language), tuple(found[kind]), kind)
        for kind, title in _TITLES.items()
        if kind in found
    ]


def short_term_section(items: Sequence[ShortTermItem], language: str = "en") -> list[Section]:
    """Tell the last rounds, the newest first."""
    lines = tuple(Line(neutralise(item.content), item.id, is_neutral=True) for item in reversed(items))
    return [Section("recent", words("recent", language), lines, MemoryClass.SHORT_TERM)] if lines else []


def summary_section(summary: ThreadSummary, language: str = "en") -> list[Section]:
    """Tell what was said in the thread before its newest rounds."""
    lines = tuple(Line(neutralise(line), is_neutral=True) for line in summary.content.splitlines() if line.strip())
    return [Section("summary", words("summary", language), lines, MemoryClass.SHORT_TERM)]


def _told(record: MemoryRecord, language: str) -> str:
    text = neutralise(record.content)
    if record.kind is RecordKind.DIALOGUE:
        day = f"{record.valid_from or record.created_at:%Y-%m-%d}"
        said = joined(neutralise(record.subject), text, language) if record.subject else text
        return f"[{day}] {said}"
    if record.confidence < UNCERTAIN_BELOW:
        return f"{text} ({words('uncertain', language)})"
    return text
