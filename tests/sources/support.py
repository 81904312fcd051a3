"""Parts that the tests of sources share."""

from __future__ import annotations

import multiprocessing
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from langchain_core.embeddings import Embeddings

from memory_middleware import MemoryContentSnapshot, Scope
from memory_middleware.config import FileSourceConfig
from memory_middleware.sources import Exchange, Source
from memory_middleware.sources.blackboard import BlackboardMemory
from memory_middleware.sources.file import FileMemory
from memory_middleware.sources.simple import SimpleMemory
from memory_middleware.testing import HashEmbeddings

ANN = Scope("ann")
BOB = Scope("bob")
NOW = 1767772800.0


def turn(asked: str, answered: str | None = None, role: str = "r") -> Exchange:
    """A turn as a graph gives it."""
    block = {"role": "user", "block": {"type": "text", "text": asked}}
    output = None if answered is None else MemoryContentSnapshot(answered)
    return Exchange(role, asked, MemoryContentSnapshot(f"(user) {asked}", [block]), output)


def summaries(source: Source, query: str = "", scope: Scope = ANN, top_k: int = 1000) -> list[str]:
    """What a source recalls, as summaries."""
    return [item.content_summary for item in source.retrieve(MemoryContentSnapshot(query), scope, top_k=top_k)]


class TableEmbeddings(Embeddings):
    """Recorded vectors; others are zero."""

    def __init__(self, table: Mapping[str, Sequence[float]], dims: int = 8) -> None:
        self.table = dict(table)
        self.dims = dims

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        return [self.embed_query(text) for text in texts]

    def embed_query(self, text: str) -> list[float]:
        return list(self.table.get(text, [0.0] * self.dims))


class CountingEmbeddings(HashEmbeddings):
    """Notes every text it embeds; fails on texts that hold ``BOOM`` while ``failing``."""

    def __init__(self, dim: int = 64) -> None:
        super().__init__(dim)
        self.seen: list[str] = []
        self.failing = True

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        if self.failing and any("BOOM" in text for text in texts):
            raise ValueError("no vector for BOOM")
        self.seen += texts
        return super().embed_documents(texts)


def open_source(kind: str, path: Path | None, **options: Any) -> Source:
    """Open a source that is kept in a file."""
    return (
        SimpleMemory(kind, path=path, **options) if kind == "simple" else BlackboardMemory(kind, path=path, **options)
    )


def append_turns(kind: str, path: str, name: str, count: int) -> None:
    """Append turns; the work of one process or thread."""
    source = open_source(kind, Path(path))
    for at in range(count):
        source.update(turn(f"{name} asks {at}", f"answer {at} to {name}"), ANN)


def load_index(docs: str, index: str) -> None:
    """Bring the index of a folder up to date; the work of one process."""
    files = [FileSourceConfig(source_path=docs)]
    FileMemory("docs", files, HashEmbeddings(), index_path=Path(index)).load()


def start_processes(work: Callable[..., None], *arguments: Sequence[Any]) -> list[Any]:
    """Start a process for each set of arguments."""
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["tests.sources.support"])
    started = [context.Process(target=work, args=each) for each in arguments]
    for process in started:
        process.start()
    return started
