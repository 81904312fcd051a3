"""Vectors on disk, so that no text is sent to a slow embedder twice, whichever process asks."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt

from memory_middleware.storage import clock
from memory_middleware.storage.database import Database, Insert, Statement

__all__ = ["VectorCache"]

Vector = npt.NDArray[np.float32]

_KEEP = Insert("embedding_cache", ("embedder", "text", "vector", "made_at"), "ON CONFLICT (embedder, text) DO NOTHING")
_ANY = Statement("SELECT 1 FROM embedding_cache WHERE embedder = :embedder LIMIT 1")
_TRIM = Statement(
    "DELETE FROM embedding_cache WHERE made_at < (SELECT min(made_at) FROM"
    " (SELECT made_at FROM embedding_cache ORDER BY made_at DESC LIMIT :keep) AS newest)"
)
_FORGET = Statement("DELETE FROM embedding_cache WHERE text = :text")
_TRIM_EVERY = 1000


class VectorCache:
    """Keeps the vectors of texts by embedder, the newest ones.

    Args:
        database: Where they are kept.
        most: How many, of all embedders together.
    """

    def __init__(self, database: Database, *, most: int = 200_000) -> None:
        self._database = database
        self._most = most
        self._written = 0

    def has_any(self, embedder: str) -> bool:
        """Tell whether there are vectors of an embedder."""
        with self._database.reading() as session:
            return session.one(_ANY, embedder=_digest(embedder)) is not None

    def read(self, embedder: str, texts: Sequence[str]) -> dict[str, Vector]:
        """Give the vectors that are known."""
        names = {_digest(text): text for text in texts}
        found: dict[str, Vector] = {}
        listed = list(names)
        for at in range(0, len(listed), 200):
            # Digests are hexadecimal, so they can stand in the text.
            wanted = ", ".join(f"'{name}'" for name in listed[at : at + 200])
            query = f"SELECT text, vector FROM embedding_cache WHERE embedder = :embedder AND text IN ({wanted})"
            with self._database.reading() as session:
                rows = session.all(Statement(query), embedder=_digest(embedder))
            found |= {names[name]: np.frombuffer(vector, dtype=np.float32) for name, vector in rows}
        return found

    def forget(self, texts: Sequence[str]) -> int:
        """Drop the vectors of texts, whichever embedder made them, and tell how many."""
        with self._database.writing() as session:
            return sum(session.run(_FORGET, text=_digest(text)) for text in texts)

    def write(self, embedder: str, vectors: Mapping[str, Vector]) -> None:
        """Keep vectors; the oldest ones go when there are too many."""
        if not self._database.is_idle:
            return  # remembering is worth no waiting
        name, now = _digest(embedder), clock.now()
        rows = [(name, _digest(text), vector.astype(np.float32).tobytes(), now) for text, vector in vectors.items()]
        with self._database.writing() as session:
            session.insert(_KEEP, rows)
            self._written += len(rows)
            if self._written >= _TRIM_EVERY:
                self._written = 0
                session.run(_TRIM, keep=self._most)


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
