"""Notes as a source: found by the words of their title, description and body."""

from __future__ import annotations

import logging
import os
from pathlib import Path
from typing import Any

from memory_middleware.config.store_kinds import NotesMemoryConfig
from memory_middleware.schemas.items import MemoryContentSnapshot, MemoryItem
from memory_middleware.schemas.notes import MemoryEntry, NoteProblem, NoteType
from memory_middleware.schemas.scope import Scope
from memory_middleware.sources.base import Source
from memory_middleware.sources.notes_dir import MemoryDir
from memory_middleware.sources.registry import SourceContext
from memory_middleware.storage.postings import Scan
from memory_middleware.storage.terms import terms_of

__all__ = ["NotesSource", "build"]

_log = logging.getLogger(__name__)


class NotesSource(Source):
    """A folder of notes that agents recall from.

    Notes are written on purpose, by ``notes.save_memory`` or by hand, never from a conversation. They
    belong to the folder, so all owners see the same ones.

    Args:
        name: What attachments call it.
        notes: The folder.
    """

    def __init__(self, name: str, notes: MemoryDir) -> None:
        self.name = name
        self.notes = notes
        self._terms: dict[str, str] = {}
        self._told: list[NoteProblem] = []

    def retrieve(
        self, query: MemoryContentSnapshot, scope: Scope, *, top_k: int, threshold: float = -1.0
    ) -> list[MemoryItem]:
        """Give the notes that share words with a query, the best first; of equal ones feedback, then the newest.

        Args:
            query: What is asked; its text counts.
            scope: Not looked at, since notes belong to their folder.
            top_k: Most items.
            threshold: Least share of the query's words, from 0 to 1, that a note holds; -1 means any.
        """
        words = terms_of(query.text)
        if not words or top_k <= 0:
            return []
        manifest = self.notes.scan()
        entries = manifest.entries
        for problem in manifest.problems:
            if problem not in self._told:
                _log.warning("%s is not recalled: %s", problem.filename, problem.message)
        self._told = list(manifest.problems)
        documents = self._documents(entries)
        index = Scan()
        index.add(documents)
        ranked = [
            (-round(float(score), 5), entry.mem_type != NoteType.FEEDBACK, at)
            for at, (entry, score) in enumerate(zip(entries, index.score(words), strict=True))
            if score > 0
        ]
        found = [(entries[at], _share(words, documents[at])) for *_, at in sorted(ranked)]
        return [self._item(entry, share) for entry, share in found if share >= threshold][:top_k]

    def load(self) -> None:
        """Mend the index, where the folder can be written to."""
        if os.access(self.notes.path, os.W_OK):
            self.notes.repair()

    def _documents(self, entries: list[MemoryEntry]) -> list[str]:
        """Give the terms of each note; those of a text that was seen last time are kept."""
        known = self._terms
        texts = [f"{entry.name or ''}\n{entry.description}\n{entry.content}" for entry in entries]
        terms = {text: known[text] if text in known else " ".join(terms_of(text)) for text in texts}
        self._terms = terms
        return [terms[text] for text in texts]

    def _item(self, entry: MemoryEntry, share: float) -> MemoryItem:
        heading = " — ".join(filter(None, (entry.name, " ".join(entry.description.splitlines()))))
        metadata: dict[str, Any] = {
            "filename": entry.filename,
            "type": entry.mem_type.value,
            "name": entry.name,
            "description": entry.description,
            "age": entry.age_text,
            "stale_note": entry.staleness_note,
            "similarity": share,
        }
        if entry.mem_type is NoteType.FEEDBACK:
            metadata["tells"] = "corrections"
        return MemoryItem(
            id=f"{self.name}:{entry.filename}",
            content_summary="\n".join(filter(None, (heading, entry.content.strip()))),
            metadata=metadata,
            timestamp=entry.mtime,
        )


def build(config: NotesMemoryConfig, context: SourceContext) -> Source:
    """Build the source; a relative path begins at the folder of the context."""
    path = Path(config.path).expanduser()
    return NotesSource(context.name, MemoryDir(context.folder / path, context.language))


def _share(words: list[str], document: str) -> float:
    asked = set(words)
    return len(asked & set(document.split(" "))) / len(asked)
