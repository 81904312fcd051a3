"""One long-term memory, with its state, its address and where it came from."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from datetime import UTC, datetime
from enum import StrEnum
from typing import Annotated, Any

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, StringConstraints, model_validator

from memory_middleware.schemas import times
from memory_middleware.schemas.experience_parts import Link
from memory_middleware.schemas.ids import derive_id
from memory_middleware.schemas.merge import validate_content
from memory_middleware.schemas.profile_parts import Confidence, Moment, check_sound, no_bool

__all__ = ["Content", "MemoryRecord", "Provenance", "RecordKind", "RecordLink", "RecordState", "Texts", "TrustTier"]

_USE = {"weight", "access_count", "last_accessed"}


class RecordKind(StrEnum):
    """What a record is about."""

    FACT = "fact"
    PREFERENCE = "preference"
    PROJECT = "project"
    FEEDBACK = "feedback"
    REFERENCE = "reference"
    DIALOGUE = "dialogue"


class RecordState(StrEnum):
    """Where a record is in its life; only ``active`` ones are recalled unless asked."""

    ACTIVE = "active"
    SUPERSEDED = "superseded"
    ARCHIVED = "archived"
    QUARANTINED = "quarantined"


class TrustTier(StrEnum):
    """Who vouches for a record, from the most to the least trusted."""

    USER = "user"
    ASSISTANT = "assistant"
    TOOL = "tool"
    DOCUMENT = "document"


class RecordLink(BaseModel):
    """A link of a record, written as ``{"to": …, "relation": …, "strength": …}``."""

    model_config = ConfigDict(extra="forbid", frozen=True, populate_by_name=True, serialize_by_alias=True)

    to_id: str = Field(alias="to")
    relation: str
    strength: float = 1.0

    @model_validator(mode="before")
    @classmethod
    def _plain(cls, value: Any) -> Any:
        return value.to_dict() if isinstance(value, Link) else value

    @model_validator(mode="after")
    def _valid(self) -> RecordLink:
        if messages := Link(self.to_id, self.relation, self.strength).validate():
            raise ValueError("; ".join(messages))
        return self


def _sound(text: str) -> str:
    check_sound(text)
    return text


def _no_text(value: Any) -> Any:
    if isinstance(value, str):
        raise ValueError(f"expected a list of texts, not the text {value!r}")
    return value


Content = Annotated[str, StringConstraints(min_length=1, strict=True), AfterValidator(_sound)]
Texts = Annotated[tuple[str, ...], BeforeValidator(_no_text)]
Weight = Annotated[float, BeforeValidator(no_bool), Field(ge=0.0, allow_inf_nan=False)]


class Provenance(BaseModel):
    """The place in the dialogue that a record came from."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    thread_id: str | None = None
    turn: Annotated[int, Field(ge=0)] | None = None
    message_ids: Texts = ()
    round_ids: Texts = ()


class MemoryRecord(BaseModel):
    """One long-term memory. Frozen: a change is a new copy, made with ``changed``.

    ``subject`` and ``attribute`` are the record's address: a new value at the same address
    replaces the old one. A record is true from ``valid_from`` until before ``valid_to``; one about an event
    tells its ``event_time``. ``note`` says why a record is in its state, for those who review it.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    id: Content
    owner_id: Content
    kind: RecordKind
    content: Content
    tags: Texts = ()
    confidence: Confidence = 1.0
    weight: Weight = 1.0
    importance: Confidence = 0.5
    state: RecordState = RecordState.ACTIVE
    pinned: bool = False
    subject: str | None = None
    attribute: str | None = None
    links: tuple[RecordLink, ...] = ()
    source: str | None = None
    trust: TrustTier = TrustTier.USER
    provenance: Provenance = Field(default_factory=Provenance)
    valid_from: Moment | None = None
    valid_to: Moment | None = None
    event_time: Moment | None = None
    note: str | None = None
    created_at: Moment = Field(default_factory=times.utc_now)
    updated_at: Moment = Field(default_factory=times.utc_now)
    last_accessed: Moment | None = None
    access_count: Annotated[int, Field(ge=0)] = 0

    @model_validator(mode="after")
    def _in_order(self) -> MemoryRecord:
        if self.valid_from and self.valid_to and self.valid_to < self.valid_from:
            raise ValueError(f"valid_to {self.valid_to} lies before valid_from {self.valid_from}")
        return self

    @staticmethod
    def id_for(owner_id: str, kind: str, content: str, provenance: Provenance | None = None) -> str:
        """Derive the id of a record from its content and provenance."""
        place = provenance or Provenance()
        rounds = ("rounds", *place.round_ids) if place.round_ids else ()
        said = (place.thread_id, place.turn, *place.message_ids, *rounds)
        return derive_id("mem", owner_id, str(kind), content, *said)

    @classmethod
    def create(
        cls,
        owner_id: str,
        content: str,
        *,
        kind: RecordKind | str = RecordKind.FACT,
        provenance: Provenance | Mapping[str, Any] | None = None,
        now: datetime | None = None,
        **fields: Any,
    ) -> MemoryRecord:
        """Make a record whose id follows from its content and provenance.

        Raises:
            SchemaError: A field does not fit; it is also a ValueError.
        """
        moment = now or times.utc_now()
        place = validate_content(Provenance, provenance or {})
        data = {"owner_id": owner_id, "kind": kind, "content": content, "provenance": place, **fields}
        identity = cls.id_for(str(owner_id), str(kind), str(content), place)
        return validate_content(cls, {"id": identity, "created_at": moment, "updated_at": moment, **data})

    def changed(self, **fields: Any) -> MemoryRecord:
        """Copy the record with some fields changed, checked, and ``updated_at`` set to now.

        Raises:
            SchemaError: A field is unknown or does not fit; it is also a ValueError.
        """
        data = {name: getattr(self, name) for name in type(self).model_fields}
        return validate_content(MemoryRecord, {**data, "updated_at": times.utc_now(), **fields})

    @property
    def version(self) -> str:
        """Names what the record says by now; its weight and use, which change with every turn, do not count."""
        told = json.dumps(self.model_dump(mode="json", exclude=_USE), sort_keys=True)
        return hashlib.sha256(told.encode()).hexdigest()[:32]

    def valid_at(self, moment: datetime) -> bool:
        """Tell whether the record was true at a moment; one without an offset is taken as UTC."""
        moment = moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment
        after_start = self.valid_from is None or self.valid_from <= moment
        return after_start and (self.valid_to is None or moment < self.valid_to)

    def to_dict(self) -> dict[str, Any]:
        """Write as plain JSON data."""
        return self.model_dump(mode="json")

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> MemoryRecord:
        """Read plain JSON data.

        Raises:
            SchemaError: A field is unknown, missing or does not fit; it is also a ValueError.
        """
        return validate_content(cls, data)
