"""A read-only index of documents on disk."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from threading import Lock
from typing import Any

import numpy as np
from langchain_core.embeddings import Embeddings

from memory_middleware.config import FileMemoryConfig, FileSourceConfig
from memory_middleware.errors import ConfigError
from memory_middleware.schemas.items import MemoryContentSnapshot, MemoryItem
from memory_middleware.schemas.scope import Scope
from memory_middleware.sources.base import Source
from memory_middleware.sources.file_index import FileIndex, cut_file
from memory_middleware.sources.file_scan import scan_files
from memory_middleware.sources.json_file import JsonFile
from memory_middleware.sources.paths import source_path
from memory_middleware.sources.registry import SourceContext
from memory_middleware.sources.unit_rows import unit_rows
from memory_middleware.storage.vectors import Vectors

__all__ = ["FileMemory", "build"]

_log = logging.getLogger(__name__)
_BATCH = 256


class FileMemory(Source):
    """Pieces of files, searched by meaning; all owners see them.

    The files are read by ``load``, or at the first ``retrieve``; only pieces that are new are embedded.

    Args:
        name: What attachments call it.
        files: The files and folders.
        embeddings: Embeds pieces and queries.
        index_path: A JSON file that keeps the index; without one it is made anew in every process.
        chunk_size: Characters of a piece.
        chunk_overlap: Characters two pieces share.
        clock: Tells the time in seconds.

    Attributes:
        problems: Files that the last ``load`` could not take, each with the reason.
    """

    def __init__(
        self,
        name: str,
        files: Sequence[FileSourceConfig],
        embeddings: Embeddings,
        *,
        index_path: Path | None = None,
        chunk_size: int = 500,
        chunk_overlap: int = 50,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self.name = name
        self.problems: dict[str, str] = {}
        self._files = tuple(files)
        self._vectors = Vectors(embeddings)
        self._file = JsonFile(index_path) if index_path else None
        self._config: dict[str, Any] = {
            "chunk_size": chunk_size,
            "chunk_overlap": chunk_overlap,
            "embedder": self._vectors.name,
        }
        self._clock = clock
        self._lock = Lock()
        self._index: FileIndex | None = None
        self._matrix = unit_rows([], 0)

    @property
    def set_aside(self) -> tuple[Path, ...]:
        """Where index files that could not be read were moved."""
        return tuple(self._file.set_aside) if self._file else ()

    @property
    def file_metadata(self) -> dict[str, dict[str, Any]]:
        """Hash, size and number of pieces of every indexed file."""
        return self._index.file_metadata if self._index else {}

    def retrieve(
        self, query: MemoryContentSnapshot, scope: Scope, *, top_k: int, threshold: float = -1.0
    ) -> list[MemoryItem]:
        """Give the pieces most like the query, the best first; a query without text finds nothing.

        Raises:
            EmbeddingError: The query, or the files at the first call, cannot be embedded.
            StoreError: The index cannot be read or written.
        """
        if not query.text.strip():
            return []
        vector = self._vectors.of(query.text)
        with self._lock:
            index = self._index
            if index is None or index.dims not in (0, len(vector)):
                index = self._load()
            matrix = self._matrix
        if not index.contents:
            return []
        cosines = matrix @ vector
        best = np.argsort(-cosines, kind="stable")[:top_k]
        return [index.contents[at] for at in best if threshold <= -1 or cosines[at] >= threshold]

    def load(self) -> None:
        """Bring the index up to date: new and changed files are embedded, removed ones dropped.

        If the embedder fails, what it has done so far is kept, and the rest is tried at the next call.

        Raises:
            EmbeddingError: The embedder failed.
            StoreError: The index cannot be read or written.
        """
        with self._lock:
            self._load()

    def _load(self) -> FileIndex:
        before = self._kept()
        wanted = self._wanted()
        known = before.vectors()
        for item in wanted:
            item.embedding = known.get((item.id, item.content_summary))
        bare = [item for item in wanted if item.embedding is None]
        try:
            for at in range(0, len(bare), _BATCH):
                batch = bare[at : at + _BATCH]
                self._vectors.ready([item.content_summary for item in batch])
                for item in batch:
                    vector = self._vectors.of(item.content_summary).tolist()
                    item.embedding = [float(f"{part:.8g}") for part in vector]
        finally:
            index = self._keep(before, wanted)
        self._index = index
        self._matrix = unit_rows([item.embedding for item in index.contents], index.dims)
        return index

    def _kept(self) -> FileIndex:
        found = self._index or (self._file.read(FileIndex.from_dict) if self._file else None)
        if found is None or any(found.config.get(key) != value for key, value in self._config.items()):
            return FileIndex(self._config)
        # A provider may change the length of its vectors under the same name.
        return found if self._vectors.dims in (None, found.dims) else FileIndex(self._config)

    def _wanted(self) -> list[MemoryItem]:
        self.problems = {}
        ours = (self._file.path, *self._file.companions, *self._file.set_aside) if self._file else ()
        now = self._clock()
        items: list[MemoryItem] = []
        size, overlap = self._config["chunk_size"], self._config["chunk_overlap"]
        for path, encoding in scan_files(self._files, ours).items():
            try:
                items += cut_file(path, encoding, size, overlap, now)
            except (OSError, ValueError, LookupError) as error:
                self.problems[str(path)] = str(error)
                _log.warning("%s is left out of the index %r: %s", path, self.name, error)
        return items

    def _keep(self, before: FileIndex, wanted: Sequence[MemoryItem]) -> FileIndex:
        index = FileIndex(self._config, [item for item in wanted if item.embedding is not None])
        index.keep_times_of(before.contents)
        if self._file is not None and index != before:
            with self._file.locked():
                self._file.write_locked(index.to_dict())
        return index


def build(config: FileMemoryConfig, context: SourceContext) -> FileMemory:
    """Build the source that a configuration declares.

    Raises:
        ConfigError: There is no embedder.
        EmbeddingError: The embedder cannot be built.
    """
    if config.embedding is None:
        message = "a file store needs an embedding, such as {provider: local, model: wordllama}"
        raise ConfigError(message, f"memory.{context.name}.config.embedding")
    return FileMemory(
        context.name,
        config.file_sources,
        context.embed(config.embedding),
        index_path=source_path(config.index_path, context),
        chunk_size=config.chunk_size,
        chunk_overlap=config.chunk_overlap,
        clock=context.seconds,
    )
