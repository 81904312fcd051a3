"""Vectors of texts: remembered, read from disk, or made by the embedder, in batches and with patience."""

from __future__ import annotations

import asyncio
import logging
import math
import struct
import time
from collections import OrderedDict
from collections.abc import Generator, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from langchain_core.embeddings import Embeddings

from memory_middleware.embedding import embedder_name, is_named, pause_before_retry
from memory_middleware.errors import EmbeddingError, StoreError
from memory_middleware.storage.fork_lock import ForkLock
from memory_middleware.storage.vector_cache import VectorCache

__all__ = ["EmbeddingStats", "Vector", "Vectors"]

_log = logging.getLogger(__name__)

Vector = npt.NDArray[np.float32]
Made = Sequence[Sequence[float]]
# Texts to embed, or seconds to wait.
Step = list[str] | float

_ATTEMPTS = 4
_SLOW_SECONDS = 0.002


class EmbeddingStats(NamedTuple):
    """Where vectors came from.

    Attributes:
        remembered: From the memory of this process.
        from_disk: From the store.
        embedded: Made by the embedder.
    """

    remembered: int
    from_disk: int
    embedded: int

    @property
    def hit_rate(self) -> float:
        """The part of all vectors that the embedder did not have to make."""
        total = sum(self)
        return (self.remembered + self.from_disk) / total if total else 0.0


class Vectors:
    """Turns texts into unit vectors.

    Args:
        embeddings: Makes them.
        dims: Their length; learnt from the first one if not given.
        remember: How many are remembered.
        batch_size: How many texts the embedder gets at once.
        disk: Where those of a slow embedder are kept.
    """

    def __init__(
        self,
        embeddings: Embeddings,
        *,
        dims: int | None = None,
        remember: int = 4096,
        batch_size: int = 256,
        disk: VectorCache | None = None,
    ) -> None:
        self.embeddings = embeddings
        self.name = embedder_name(embeddings)
        self.dims = dims
        # An embedder that does not say which model it is might be another one tomorrow.
        self.disk = disk if is_named(embeddings) else None
        self._on_disk: bool | None = None
        self._fastest = math.inf
        self._batch_size = batch_size
        self._known: OrderedDict[str, Vector] = OrderedDict()
        self._remember = remember
        self._room = remember
        self._lock = ForkLock()
        self._counts = [0, 0, 0]

    @property
    def stats(self) -> EmbeddingStats:
        """Where vectors came from so far."""
        return EmbeddingStats(*self._counts)

    def learn(self, vectors: Mapping[str, Vector]) -> None:
        """Remember vectors that were made elsewhere; those of another length cannot be this embedder's."""
        kept = {text: vector for text, vector in vectors.items() if self.dims in (None, len(vector))}
        if kept:
            self.dims = len(next(iter(kept.values())))
            self._keep(kept)

    def reserve(self, texts: int) -> None:
        """Remember this many more from now on, or so many less if negative."""
        with self._lock:
            self._remember += texts
            self._room = self._remember
            self._forget()

    def forget(self, texts: Sequence[str]) -> None:
        """Forget texts that were deleted, and their vectors."""
        with self._lock:
            for text in texts:
                self._known.pop(text, None)

    def ready(self, texts: Sequence[str]) -> None:
        """Have the vectors of some texts ready.

        Raises:
            EmbeddingError: The embedder failed, or gave what is no vector of the right length.
        """
        if not (new := self._missing(texts)):
            return
        work = self._make(new)
        step = next(work, None)
        while step is not None:
            made: Made | None = None
            try:
                if isinstance(step, float):
                    time.sleep(step)
                else:
                    made = self.embeddings.embed_documents(step)
            except Exception as error:  # noqa: BLE001 - the work decides which failures may pass
                step = _fail(work, error)
            else:
                step = _advance(work, made)

    async def aready(self, texts: Sequence[str]) -> None:
        """Have the vectors of some texts ready; the async twin of ``ready``."""
        if not (new := self._missing(texts)):
            return
        work = self._make(new)
        step = await asyncio.to_thread(next, work, None)
        while step is not None:
            made: Made | None = None
            try:
                if isinstance(step, float):
                    await asyncio.sleep(step)
                else:
                    made = await self.embeddings.aembed_documents(step)
            except Exception as error:  # noqa: BLE001 - the work decides which failures may pass
                step = await asyncio.to_thread(_fail, work, error)
            else:
                step = await asyncio.to_thread(_advance, work, made)

    def of(self, text: str) -> Vector:
        """Give the vector of a text."""
        with self._lock:
            found = self._known.get(text)
        if found is None:
            self.ready([text])
            with self._lock:
                found = self._known[text]
        return found

    def _missing(self, texts: Sequence[str]) -> list[str]:
        with self._lock:
            new = [text for text in dict.fromkeys(texts) if text not in self._known]
            self._counts[0] += len(texts) - len(new)
            self._room = max(self._remember, len(texts))
        return new

    def _make(self, texts: Sequence[str]) -> Generator[Step, Any, None]:
        """Do the work, but for embedding and waiting, which the caller does in its own colour."""
        new = self._read_disk(texts)
        for at in range(0, len(new), self._batch_size):
            batch = new[at : at + self._batch_size]
            started = time.monotonic()
            made = yield from self._patiently(batch)
            # The fastest call counts: others may have waited for busy threads of this process.
            self._fastest = min(self._fastest, (time.monotonic() - started) / len(batch))
            vectors = dict(zip(batch, self._checked(batch, made), strict=True))
            self._keep(vectors)
            self._counts[2] += len(batch)
            if self.disk is not None and self._fastest > _SLOW_SECONDS:
                try:
                    self.disk.write(self.name, vectors)
                    self._on_disk = True
                except StoreError as error:  # the vectors are there; only the next process has to make them again
                    _log.warning("vectors could not be kept on disk: %s", error)

    def _patiently(self, batch: list[str]) -> Generator[Step, Any, Made]:
        for attempt in range(_ATTEMPTS):
            try:
                made: Made = yield batch
            except Exception as error:
                pause = pause_before_retry(error, attempt) if attempt + 1 < _ATTEMPTS else None
                if pause is None:
                    raise EmbeddingError(f"the embedder {self.name!r} failed on {len(batch)} texts: {error}") from error
                yield float(pause)
            else:
                return made
        raise AssertionError

    def _read_disk(self, texts: Sequence[str]) -> list[str]:
        if self.disk is None:
            return list(texts)
        if self._on_disk is None:
            self._on_disk = self.disk.has_any(self.name)
        if not self._on_disk:
            return list(texts)
        found = {
            text: vector
            for text, vector in self.disk.read(self.name, texts).items()
            if self.dims in (None, len(vector))
        }
        if found:
            self.dims = len(next(iter(found.values())))
            self._keep(found)
            self._counts[1] += len(found)
        return [text for text in texts if text not in found]

    def _checked(self, texts: Sequence[str], made: Made) -> Iterator[Vector]:
        if len(made) != len(texts):
            raise EmbeddingError(f"the embedder {self.name!r} gave {len(made)} vectors for {len(texts)} texts")
        try:
            matrix = _matrix(made)
        except (TypeError, ValueError) as error:
            raise EmbeddingError(f"the embedder {self.name!r} gave what is no vector: {error}") from error
        if matrix.ndim != 2 or (self.dims is not None and matrix.shape[1] != self.dims):
            raise EmbeddingError(f"the embedder {self.name!r} gave vectors of {matrix.shape[1:]}, not ({self.dims},)")
        self.dims = int(matrix.shape[1])
        return map(self._scaled, matrix)

    def _scaled(self, vector: Vector) -> Vector:
        length = math.sqrt(vector.dot(vector))
        if not math.isfinite(length):
            raise EmbeddingError(f"the embedder {self.name!r} gave a vector that is not finite")
        if length:
            vector /= length
        return vector

    def _keep(self, vectors: dict[str, Vector]) -> None:
        with self._lock:
            self._known.update(vectors)
            self._forget()

    def _forget(self) -> None:
        while len(self._known) > self._room:
            self._known.popitem(last=False)


def _matrix(made: Made) -> npt.NDArray[np.float32]:
    """Take vectors over as one array of their own."""
    if len(made) and all(isinstance(vector, list) for vector in made):
        try:
            # Three times as fast as numpy, for plain numbers and rows of one length.
            pack = struct.Struct(f"{len(made[0])}f").pack
            packed = bytearray().join([pack(*vector) for vector in made])
            return np.frombuffer(packed, dtype=np.float32).reshape(len(made), -1)
        except (struct.error, TypeError, OverflowError):
            pass  # numpy tells better what is wrong
    return np.array(made, dtype=np.float32)


def _advance(work: Generator[Step, Any, None], value: Any) -> Step | None:
    try:
        return work.send(value)
    except StopIteration:
        return None


def _fail(work: Generator[Step, Any, None], error: Exception) -> Step | None:
    try:
        return work.throw(error)
    except StopIteration:
        return None
