"""Typed memory among the items: what stands under ``memories`` and ``experience``.

A record is an item under ``("memories", owner, kind)``, an episode, pattern or skill one under
``("experience", owner, kind)``, so any LangGraph tool can read them. Their typed columns are kept beside
the item in the same transaction, whichever way it was written. Other values may stand there too; they
are plain items.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from langgraph.store.base import PutOp

from memory_middleware.errors import InvalidInputError
from memory_middleware.schemas.episode import EpisodeTrace
from memory_middleware.schemas.pattern import SemanticPattern
from memory_middleware.schemas.record import MemoryRecord, RecordKind
from memory_middleware.schemas.skill import ProceduralSkill
from memory_middleware.storage.namespaces import Namespace, decode_label, encode_label

__all__ = [
    "EXPERIENCE_KINDS",
    "Document",
    "Experience",
    "Searched",
    "document_of",
    "experience_namespace",
    "is_typed",
    "record_namespace",
    "searched_parts",
]

Experience = EpisodeTrace | SemanticPattern | ProceduralSkill

EXPERIENCE_KINDS: dict[str, type[Experience]] = {
    "episode": EpisodeTrace,
    "pattern": SemanticPattern,
    "skill": ProceduralSkill,
}
_RECORD_KINDS = frozenset(kind.value for kind in RecordKind)
_RECORDS = "memories"
_EXPERIENCE = "experience"
_USAGE = ("weight", "access_count", "last_accessed")


class Searched(NamedTuple):
    """What of a value is searched: texts that get a vector each, and texts whose words count."""

    meaning: list[str]
    words: list[str]


class Document(NamedTuple):
    """A typed memory to be written.

    Attributes:
        kind: ``record``, ``episode``, ``pattern`` or ``skill``; kept with the item, so that it can be indexed anew.
        owner_id: Whose it is.
        memory: The memory itself.
        value: What the item says. How often a record was used stands elsewhere, since it changes with every turn.
    """

    kind: str
    owner_id: str
    memory: MemoryRecord | Experience
    value: dict[str, Any]


def record_namespace(owner_id: str, kind: str | None = None) -> Namespace:
    """Give the namespace of an owner's records, of one kind or all."""
    below = (kind,) if kind else ()
    return (_RECORDS, encode_label(owner_id), *below)


def experience_namespace(owner_id: str, kind: str | None = None) -> Namespace:
    """Give the namespace of an owner's experience, of one kind or all."""
    below = (kind,) if kind else ()
    return (_EXPERIENCE, encode_label(owner_id), *below)


def is_typed(namespace: Sequence[str]) -> bool:
    """Tell whether typed memory may stand in a namespace."""
    if len(namespace) != 3:
        return False
    root, label, kind = namespace
    if encode_label(decode_label(label)) != label:
        return False  # no owner has such a label
    return (root == _RECORDS and kind in _RECORD_KINDS) or (root == _EXPERIENCE and kind in EXPERIENCE_KINDS)


def document_of(op: PutOp) -> Document | None:
    """Read the memory that a put writes, or none if it writes a plain item or deletes one."""
    if op.value is None or not is_typed(op.namespace) or op.value.get("id") != op.key:
        return None
    root, label, kind = op.namespace
    owner = decode_label(label)
    if root == _RECORDS:
        return _record(op.value, owner, kind)
    return _experience(op.value, owner, kind)


def searched_parts(kind: str, value: Mapping[str, Any]) -> Searched:
    """Tell what of a typed memory is searched."""
    if kind == "record":
        if value["kind"] == RecordKind.DIALOGUE and value.get("subject"):
            said = f"{value['subject']}: {value['content']}"  # who said it is half of what was said
            return Searched([said], _texts([said, *value.get("tags", ())]))
        words = [value["content"], *value.get("tags", ()), value.get("subject"), value.get("attribute")]
        return Searched([value["content"]], _texts(words))
    if kind == "episode":
        context = value["context"]
        errors = [error.get("message") for error in value["errors_encountered"]]
        return Searched(_texts([context["goal"]]), _texts([context["goal"], value["agent"], *errors]))
    if kind == "pattern":
        main = _texts([value["pattern"], *value["conditions"]])
        words = [value["category"], value["correct_approach"], value["incorrect_approach"]]
        return Searched([". ".join(main)], _texts([*main, *words]))
    main = _texts([value["name"], value["description"]])
    return Searched([". ".join(main)], _texts([*main, *value["prerequisites"], *value["steps"]]))


def _texts(parts: Sequence[Any]) -> list[str]:
    return [part for part in parts if isinstance(part, str) and part.strip()]


def _record(value: Mapping[str, Any], owner: str, kind: str) -> Document | None:
    try:
        record = MemoryRecord.from_dict(dict(value))
    except InvalidInputError:
        return None
    if record.owner_id != owner or record.kind.value != kind:
        return None
    kept = {name: part for name, part in record.to_dict().items() if name not in _USAGE}
    return Document("record", owner, record, kept)


def _experience(value: Mapping[str, Any], owner: str, kind: str) -> Document | None:
    try:
        made = EXPERIENCE_KINDS[kind].from_dict(value)
    except (ValueError, TypeError, AttributeError):
        return None
    return None if made.validate() else Document(kind, owner, made, made.to_dict())
