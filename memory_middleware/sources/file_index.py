"""The index of a file source: which files it holds, and their pieces."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from memory_middleware.errors import SchemaError
from memory_middleware.schemas.items import MemoryItem
from memory_middleware.sources.text_pieces import cut_pieces, file_hash

__all__ = ["FileIndex", "cut_file"]

_NEEDED = {"file_path", "file_hash", "file_size", "total_chunks"}


@dataclass
class FileIndex:
    """Pieces of files with their vectors.

    Attributes:
        config: What the pieces depend on; an index made with other settings is of no use.
        contents: The pieces, file by file.
    """

    config: dict[str, Any]
    contents: list[MemoryItem] = field(default_factory=list)

    def to_dict(self) -> dict[str, Any]:
        """Write as plain JSON data."""
        return {
            "file_metadata": self.file_metadata,
            "contents": [item.to_dict() for item in self.contents],
            "config": self.config,
        }

    @classmethod
    def from_dict(cls, data: Any) -> FileIndex:
        """Read plain data.

        Raises:
            SchemaError: It is no index.
        """
        if not isinstance(data, dict) or not isinstance(data.get("contents"), list):
            raise SchemaError("an index of files must be an object with 'contents'")
        contents = [MemoryItem.from_dict(entry) for entry in data["contents"]]
        for item in contents:
            if not isinstance(item.metadata, dict) or not set(item.metadata) >= _NEEDED or not _has_vector(item):
                raise SchemaError(f"the piece {item.id!r} of an index needs its file and its vector")
        if len({len(item.embedding or ()) for item in contents}) > 1:
            raise SchemaError("the vectors of an index must have one length")
        return cls(dict(data.get("config") or {}), contents)

    @property
    def dims(self) -> int:
        """The length of the vectors; 0 if there are none."""
        return len(self.contents[0].embedding or ()) if self.contents else 0

    @property
    def file_metadata(self) -> dict[str, dict[str, Any]]:
        """Hash, size and number of pieces of every file."""
        return {
            item.metadata["file_path"]: {
                "hash": item.metadata["file_hash"],
                "size": item.metadata["file_size"],
                "chunks_count": item.metadata["total_chunks"],
            }
            for item in self.contents
        }

    def vectors(self) -> dict[tuple[str, str], list[float]]:
        """The vectors by id and text; the same piece in another file has the same one."""
        return {(item.id, item.content_summary): item.embedding for item in self.contents if item.embedding}

    def keep_times_of(self, items: Iterable[MemoryItem]) -> None:
        """Give pieces that were there before the time at which they came."""
        known = {(item.metadata["file_path"], item.id): item.timestamp for item in items}
        for item in self.contents:
            item.timestamp = known.get((item.metadata["file_path"], item.id), item.timestamp)


def cut_file(path: Path, encoding: str, size: int, overlap: int, now: float) -> list[MemoryItem]:
    """Cut a file into items without vectors; a file of blank space has none.

    Raises:
        OSError: The file cannot be read.
        ValueError: The file is not in this encoding.
        LookupError: There is no such encoding.
    """
    data = path.read_bytes()
    pieces = cut_pieces(data.decode(encoding).removeprefix("\ufeff"), size, overlap)
    digest = file_hash(data)
    return [
        MemoryItem(
            id=f"{digest}_{at}",
            content_summary=piece,
            metadata={
                "source_type": "file",
                "file_path": str(path),
                "file_name": path.name,
                "file_hash": digest,
                "file_size": len(data),
                "chunk_index": at,
                "total_chunks": len(pieces),
                "encoding": encoding,
            },
            timestamp=now,
        )
        for at, piece in enumerate(pieces)
    ]


def _has_vector(item: MemoryItem) -> bool:
    return isinstance(item.embedding, list) and set(map(type, item.embedding)) <= {int, float}
