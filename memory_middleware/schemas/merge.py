"""Partial updates: objects merge, lists are replaced whole, null returns a field to its default."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar, overload

from pydantic import BaseModel, ValidationError

from memory_middleware.errors import SchemaError
from memory_middleware.schemas.problems import list_problems

__all__ = ["merge_patch", "validate_content"]

Model = TypeVar("Model", bound=BaseModel)


@overload
def merge_patch(original: Model, patch: Mapping[str, Any]) -> Model: ...


@overload
def merge_patch(original: Any, patch: Any) -> Any: ...


def merge_patch(original: Any, patch: Any) -> Any:
    """Apply a JSON merge patch (RFC 7396) to plain data or to a model; neither input changes.

    On plain data an explicit null removes the key. A model has no absent fields, so there the
    field returns to its default.

    Raises:
        SchemaError: The result does not fit the model; the message names the field.
    """
    if not isinstance(original, BaseModel):
        return _merge(original, patch, closed=False)
    if not isinstance(patch, Mapping):
        raise SchemaError(f"a patch must be an object with the fields to change, not {patch!r}")
    return validate_content(type(original), _merge(original.model_dump(mode="json"), patch, closed=True))


def validate_content(model: type[Model], data: object) -> Model:
    """Read plain data into a model.

    Raises:
        SchemaError: The data does not fit; the message reads ``path: message``, one line each.
    """
    try:
        return model.model_validate(data)
    except ValidationError as error:
        lines = [f"{path}: {message}" if path else message for path, message in list_problems(error, model, data=data)]
        raise SchemaError("\n".join(lines)) from error


def _merge(original: Any, patch: Any, *, closed: bool) -> Any:
    """Merge plain data; ``closed`` keeps a null for an unknown key, so that the model refuses it."""
    if not isinstance(patch, Mapping):
        return patch
    merged = dict(original) if isinstance(original, Mapping) else {}
    for key, value in patch.items():
        if value is not None:
            merged[key] = _merge(merged.get(key), value, closed=closed)
        elif key in merged or not closed:
            merged.pop(key, None)
        else:
            merged[key] = None
    return merged
