"""What a model is asked to answer: a JSON schema, and the profile fields in words."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

from memory_middleware.schemas.profile import MemoryType, content_class
from memory_middleware.schemas.profile_parts import TimeWindow
from memory_middleware.schemas.record import RecordKind

__all__ = ["answer_schema", "profile_fields"]

_TEXT = {"type": "string"}
_HINTS = {"timezone": "IANA name", "start": "HH:MM", "end": "HH:MM", "deadline": "YYYY-MM-DD", "due_date": "YYYY-MM-DD"}
# Who said something and when is for the library to tell.
_OURS = ("meta",)


def answer_schema() -> dict[str, Any]:
    """Build the JSON schema of an answer.

    It keeps to what every provider takes: no references, no bounds, no null, no open objects. A profile patch would
    need three times the rest when spelt out, so it is asked for as a text that holds JSON.
    """
    fact = {
        "content": _TEXT,
        "type": {"type": "string", "enum": [kind.value for kind in RecordKind if kind is not RecordKind.DIALOGUE]},
        "tags": _many(_TEXT),
        "confidence": {"type": "number"},
        "replace": _TEXT,
        "subject": _TEXT,
        "attribute": _TEXT,
        "event_time": _TEXT,
        "valid_to": _TEXT,
        "evidence": _many(_TEXT),
    }
    gone = {"subject": _TEXT, "attribute": _TEXT, "content": _TEXT, "evidence": _many(_TEXT)}
    properties = {
        "facts": _many(_object(fact, ["content", "type", "confidence", "evidence"])),
        "retractions": _many(_object(gone, ["evidence"])),
        "profile_patch": {**_TEXT, "description": 'JSON: {"user": {…}, "work": {…}}'},
    }
    asked = _object(properties, ["facts"])
    return {"title": "remember", "description": "Write down what will still matter in a later conversation.", **asked}


@cache
def profile_fields() -> str:
    """Tell the fields of the profiles in words, one document a line."""
    documents = {document.value: content_class(document).model_json_schema() for document in MemoryType}
    lines = [f'- "{name}": {_in_words(schema, schema["$defs"])}' for name, schema in documents.items()]
    window = TimeWindow.model_json_schema()
    return "\n".join((*lines, f"- window: {_in_words(window, {})}"))


def _object(properties: Mapping[str, Any], required: list[str]) -> dict[str, Any]:
    return {"type": "object", "properties": dict(properties), "required": required, "additionalProperties": False}


def _many(items: Mapping[str, Any]) -> dict[str, Any]:
    return {"type": "array", "items": dict(items)}


def _in_words(schema: Mapping[str, Any], shared: Mapping[str, Any]) -> str:
    """Tell a schema of pydantic's in as few words as will do."""
    if "$ref" in schema:
        name = schema["$ref"].rsplit("/", 1)[-1]
        return "window" if name == TimeWindow.__name__ else _in_words(shared[name], shared)
    if "anyOf" in schema:
        return _in_words(schema["anyOf"][0], shared)
    if schema["type"] == "object":
        fields = ((key, part) for key, part in schema["properties"].items() if key not in _OURS)
        return "{" + ", ".join(_field(key, _in_words(part, shared)) for key, part in fields) + "}"
    if schema["type"] == "array":
        return f"[{_in_words(schema['items'], shared)}]"
    return "|".join(schema.get("enum", ())) or str(schema["type"])


def _field(key: str, words: str) -> str:
    words = _HINTS.get(key, words)
    return key if words == "string" else f"{key}: {words}"
