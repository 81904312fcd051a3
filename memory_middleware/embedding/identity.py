"""What an embedder is called, so that vectors of two embedders never mix."""

from __future__ import annotations

from langchain_core.embeddings import Embeddings

__all__ = ["embedder_name", "is_multilingual", "is_named"]

_NAMES = ("identity", "model", "model_name", "model_id", "deployment")


def embedder_name(embeddings: Embeddings) -> str:
    """Name an embedder by its class and model."""
    kind = type(embeddings).__name__
    found = _model(embeddings)
    function = getattr(embeddings, "func", None) or getattr(embeddings, "afunc", None)
    if not found and function is not None:
        found = f"{getattr(function, '__module__', '')}.{getattr(function, '__qualname__', '')}"
    return f"{kind}:{found}" if found else kind


def is_named(embeddings: Embeddings) -> bool:
    """Tell whether an embedder says which model it is."""
    return bool(_model(embeddings))


def _model(embeddings: Embeddings) -> str:
    return next((value for name in _NAMES if isinstance(value := getattr(embeddings, name, None), str) and value), "")


def is_multilingual(embeddings: Embeddings) -> bool:
    """Tell whether an embedder understands Chinese; one that does not say so is taken to."""
    return bool(getattr(embeddings, "multilingual", True))
