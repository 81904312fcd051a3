"""Embedders from configuration."""

from __future__ import annotations

import importlib
from typing import Any

from langchain_core.embeddings import Embeddings

from memory_middleware.config import EmbeddingConfig
from memory_middleware.embedding.local import LocalEmbeddings
from memory_middleware.embedding.minilm import MiniLMEmbeddings
from memory_middleware.embedding.pieces import with_pieces
from memory_middleware.errors import EmbeddingError

__all__ = ["build_embeddings"]

_MINILM = ("minilm", "all-minilm-l6-v2")
_OURS = ("use_chunking", "chunk_strategy", "max_length", "batch_size")


def build_embeddings(config: EmbeddingConfig | str) -> Embeddings:
    """Build the embedder that a configuration names, or a text such as ``openai:text-embedding-3-small``.

    Raises:
        EmbeddingError: The provider or model is unknown, a package is missing, a key is empty, or a
            setting for long texts is wrong.
    """
    if isinstance(config, str):
        provider, _, model = config.partition(":")
        config = EmbeddingConfig(provider=provider, model=model or ("wordllama" if provider == "local" else ""))
    build = {"local": _local, "openai": _openai}.get(config.provider, _by_provider)
    return with_pieces(build(config), config.params)


def _local(config: EmbeddingConfig) -> Embeddings:
    if config.model == "wordllama":
        return LocalEmbeddings(int(config.params.get("dim", 256)))
    if config.model.lower().removeprefix("sentence-transformers/") in _MINILM:
        known = {key: config.params[key] for key in ("path", "max_tokens", "threads") if key in config.params}
        return MiniLMEmbeddings(**known)
    raise EmbeddingError(f"unknown local embedding model {config.model!r}; known: wordllama, all-MiniLM-L6-v2")


def _openai(config: EmbeddingConfig) -> Embeddings:
    module = _import("langchain_openai", "langchain-openai")
    if not config.api_key and not config.base_url:
        raise EmbeddingError("the openai embedder needs an api_key, or a base_url of a service that wants none")
    options = {key: value for key, value in config.params.items() if key not in _OURS}
    # Checking lengths would count tokens with a file that is downloaded without a timeout.
    options = {"check_embedding_ctx_length": False, **options}
    made: Embeddings = module.OpenAIEmbeddings(
        model=config.model, api_key=config.api_key or "none", base_url=config.base_url, **options
    )
    return made


def _by_provider(config: EmbeddingConfig) -> Embeddings:
    module = _import("langchain.embeddings", "langchain")
    options = {key: value for key, value in config.params.items() if key not in _OURS}
    named = {"api_key": config.api_key, "base_url": config.base_url}
    options |= {key: value for key, value in named.items() if value}
    try:
        made: Embeddings = module.init_embeddings(f"{config.provider}:{config.model}", **options)
    except (ValueError, ImportError) as error:
        raise EmbeddingError(f"cannot build the embedder {config.provider}:{config.model}: {error}") from error
    return made


def _import(module: str, package: str) -> Any:
    try:
        return importlib.import_module(module)
    except ImportError as error:
        raise EmbeddingError(f"this embedder needs the package {package!r}: pip install {package}") from error
