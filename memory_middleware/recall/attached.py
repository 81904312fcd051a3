"""What an agent's attachments recalled, as sections of its block."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from memory_middleware.recall.labels import joined, words
from memory_middleware.recall.record_lines import record_sections
from memory_middleware.recall.sections import Line, MemoryClass, Section
from memory_middleware.schemas.neutral import neutralise
from memory_middleware.sources.base import Source
from memory_middleware.sources.long_term import RecordItem
from memory_middleware.sources.long_term.records import RecalledRecord
from memory_middleware.sources.recalled import RecalledItem

__all__ = ["attached_sections", "in_order", "recalled_records"]

# What changes least stands first, so that providers can reuse the beginning of a prompt.
_ORDER = (
    MemoryClass.PROFILE,
    MemoryClass.CORRECTIONS,
    MemoryClass.FACTS,
    MemoryClass.DOCUMENTS,
    MemoryClass.EXPERIENCE,
    MemoryClass.DIALOGUE,
    MemoryClass.SHORT_TERM,
)
_TITLES = {
    MemoryClass.PROFILE: "about",
    MemoryClass.CORRECTIONS: "corrections",
    MemoryClass.FACTS: "facts",
    MemoryClass.DOCUMENTS: "documents",
    MemoryClass.EXPERIENCE: "experience",
    MemoryClass.DIALOGUE: "dialogue",
    MemoryClass.SHORT_TERM: "recent",
}
_KINDS = {"notes": "notes_source", "blackboard": "blackboard"}


def recalled_records(items: Iterable[RecalledItem]) -> list[tuple[str, RecalledRecord]]:
    """Give the records among items with the names of their sources, the best of each source first, each once."""
    found: dict[str, tuple[str, RecalledRecord]] = {}
    for recalled in sorted(items, key=lambda recalled: recalled.place):
        if isinstance(recalled.item, RecordItem) and recalled.item.hit is not None:
            found.setdefault(recalled.item.id, (recalled.source, recalled.item.hit))
    return list(found.values())


def attached_sections(
    items: Sequence[RecalledItem], sources: Mapping[str, Source], kinds: Mapping[str, str], language: str
) -> list[Section]:
    """Tell what attachments recalled, one section for each source and class of memory.

    Args:
        items: What they recalled, of all sources.
        sources: The sources by name; their order is that of the sections of a class.
        kinds: The kinds of the sources by name.
        language: Of the titles.
    """
    records = recalled_records(items)
    sections = record_sections(
        [hit.record for _, hit in records], language, {hit.record.id: source for source, hit in records}
    )
    for name, source in sources.items():
        mine = sorted((each for each in items if each.source == name), key=lambda each: each.place)
        groups: dict[MemoryClass, list[RecalledItem]] = {}
        for recalled in mine:
            if not isinstance(recalled.item, RecordItem):
                groups.setdefault(_class_of(recalled, source), []).append(recalled)
        for memory_class, group in groups.items():
            sections.append(_section(memory_class, group, name, kinds.get(name, name), language))
    return in_order(sections)


def in_order(sections: Iterable[Section]) -> list[Section]:
    """Put sections into the order in which they are told."""
    return sorted(sections, key=lambda section: _ORDER.index(section.memory_class))


def _class_of(recalled: RecalledItem, source: Source) -> MemoryClass:
    told = recalled.item.metadata.get("tells", source.tells)
    return MemoryClass(told) if told in tuple(MemoryClass) else MemoryClass.DOCUMENTS


def _section(memory_class: MemoryClass, group: Sequence[RecalledItem], name: str, kind: str, language: str) -> Section:
    if memory_class is MemoryClass.SHORT_TERM:
        group = sorted(group, key=lambda recalled: -(recalled.item.timestamp or 0.0))
    lines = tuple(Line(_told(recalled, kind, language), f"{name}:{recalled.item.id}", name, True) for recalled in group)
    if kind == "short_term":
        return Section("recent", words("recent", language), lines, memory_class)
    return Section(f"{memory_class}:{name}", _title(memory_class, name, kind, language), lines, memory_class)


def _title(memory_class: MemoryClass, name: str, kind: str, language: str) -> str:
    """Name the kind of a source, and the source itself if it has a name of its own."""
    own = None if memory_class is MemoryClass.CORRECTIONS else _KINDS.get(kind)
    title = words(own or _TITLES[memory_class], language)
    if name == kind:
        return title
    return f"{title}（{neutralise(name)}）" if language == "zh" else f"{title} ({neutralise(name)})"


def _told(recalled: RecalledItem, kind: str, language: str) -> str:
    summary = recalled.item.content_summary
    if kind == "notes":
        head, _, body = summary.partition("\n")
        summary = joined(head, body, language) if body else head
    text, stale = neutralise(summary), recalled.item.metadata.get("stale_note")
    return f"{text} ({neutralise(str(stale))})" if stale else text
