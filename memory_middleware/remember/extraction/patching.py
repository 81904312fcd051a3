"""A model's profile patch, kept only as far as it fits the profiles."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pydantic import BaseModel, ValidationError

from memory_middleware.schemas.profile import MemoryType, content_class

__all__ = ["repair_patch"]

_EMPTY: tuple[Any, ...] = (None, "", [], {})


def repair_patch(raw: Mapping[str, Any]) -> dict[str, Any]:
    """Keep the fields and the list entries that fit, each judged by itself.

    Who said something and when is not for the model to tell, so ``meta`` goes.
    """
    kept = {str(document): _fitting(content_class(document), raw.get(document.value)) for document in MemoryType}
    return {document: patch for document, patch in kept.items() if patch}


def _fitting(model: type[BaseModel], raw: Any) -> dict[str, Any]:
    if not isinstance(raw, Mapping):
        return {}
    kept = {name: _value(model, name, _without_meta(raw.get(name))) for name in model.model_fields}
    return {name: value for name, value in kept.items() if value not in _EMPTY}


def _value(model: type[BaseModel], name: str, value: Any) -> Any:
    part = model.model_fields[name].annotation
    if isinstance(part, type) and issubclass(part, BaseModel):
        return _fitting(part, value)
    if isinstance(value, list):
        return [entry for entry in value if entry not in _EMPTY and _fits(model, name, [entry])]
    if value not in _EMPTY and _fits(model, name, [value]):
        return [value]  # one entry where a list may stand
    return value if value not in _EMPTY and _fits(model, name, value) else None


def _fits(model: type[BaseModel], name: str, value: Any) -> bool:
    try:
        model.__pydantic_validator__.validate_assignment(model.model_construct(), name, value)
    except ValidationError:
        return False
    return True


def _without_meta(value: Any) -> Any:
    if isinstance(value, Mapping):
        kept = {key: _without_meta(inner) for key, inner in value.items() if key != "meta"}
        return {key: inner for key, inner in kept.items() if inner is not None}
    return [_without_meta(entry) for entry in value] if isinstance(value, list) else value
