"""JSON schemas of partial updates: every field may be left out, and null clears it."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel

__all__ = ["partial_schema"]


def partial_schema(model: type[BaseModel]) -> dict[str, Any]:
    """Describe the patches of a model, with all definitions in place."""
    schema = model.model_json_schema()
    named = schema.pop("$defs", {})
    return _partial(_inlined(schema, named))


def _inlined(schema: Any, named: dict[str, Any]) -> Any:
    if isinstance(schema, list):
        return [_inlined(part, named) for part in schema]
    if not isinstance(schema, dict):
        return schema
    if "$ref" in schema:
        return _inlined(named[schema["$ref"].rpartition("/")[2]], named)
    return {key: _inlined(part, named) for key, part in schema.items() if key != "default"}


def _partial(schema: dict[str, Any]) -> dict[str, Any]:
    """Let the fields of an object be left out, and those of the objects inside; entries of lists stay whole."""
    fields = {
        name: {"anyOf": [_partial(field) if "properties" in field else field, {"type": "null"}]}
        for name, field in schema["properties"].items()
    }
    return {"type": "object", "additionalProperties": False, "properties": fields}
