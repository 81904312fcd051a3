"""The rows of an export as this library writes them, each bound to its owner.

Rows of the journal are copied as they are. A file may be made up: rows of another owner, uses of another's records,
documents that nobody could read back. So each is checked before any of it is written.
"""

from __future__ import annotations

from typing import Annotated, Any, Self

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    Json,
    StringConstraints,
    ValidationError,
    ValidationInfo,
    model_validator,
)

from memory_middleware.errors import InvalidInputError
from memory_middleware.memory.editing import EDITABLE
from memory_middleware.schemas.dialogue import (
    Dialogue,
    ExtractionRun,
    RunState,
    ShortTermItem,
    ThreadSummary,
    Turn,
    UsageEntry,
)
from memory_middleware.schemas.ids import derive_id
from memory_middleware.schemas.merge import validate_content
from memory_middleware.schemas.profile import MemoryStatus, MemoryType, content_class
from memory_middleware.schemas.record import RecordKind
from memory_middleware.schemas.times import parse_utc
from memory_middleware.storage.documents import record_namespace
from memory_middleware.storage.namespaces import item_id, path_of
from memory_middleware.storage.owners import digest

__all__ = ["LAST_MOMENT", "check_row"]

Digest = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{64}$", strict=True)]
LAST_MOMENT = 253_402_214_400_000_000
"""The last day of the year 9999 in microseconds; there are no dates after it."""

Moment = Annotated[int, Field(ge=0, lt=LAST_MOMENT, strict=True)]
Version = Annotated[int, Field(ge=1, lt=2**30, strict=True)]  # an integer column holds that, and versions to come


class _Row(BaseModel):
    model_config = ConfigDict(extra="forbid")

    @model_validator(mode="after")
    def fits(self, info: ValidationInfo) -> Self:
        owner = str(info.context)
        document = getattr(self, "document", None)
        if getattr(document, "owner_id", owner) != owner:
            raise ValueError("the document is another owner's")
        if not self.agrees(owner):
            raise ValueError("the columns do not tell what the document tells")
        return self

    def agrees(self, owner: str) -> bool:
        """Tell whether the columns follow from the document; a row that only holds it always agrees."""
        return True


class _UsageRow(_Row):
    memory: str
    turn: Digest
    document: Json[UsageEntry]
    was_referenced: Annotated[int, Field(ge=0, le=1, strict=True)]
    used_at: Moment

    def agrees(self, owner: str) -> bool:
        places = (path_of(record_namespace(owner, kind.value)) for kind in RecordKind)
        items = {item_id(place, self.document.memory_id) for place in places}
        return self.memory in items and self.was_referenced == int(self.document.was_referenced)


class _EditDocument(BaseModel):
    model_config = ConfigDict(extra="forbid")

    before: dict[str, Any]
    after: dict[str, Any]


class _EditRow(_Row):
    memory: Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{40}$", strict=True)]
    version: Version
    document: Json[_EditDocument]
    changed_at: Moment

    def agrees(self, owner: str) -> bool:
        # That the record is the owner's is seen when the row is written, since only the record knows its id.
        return self.document.before.keys() == self.document.after.keys() <= EDITABLE


class _ShortTermRow(_Row):
    thread: Digest
    entry: Digest
    document: Json[ShortTermItem]

    def agrees(self, owner: str) -> bool:
        return self.entry == digest(self.document.id)


class _DialogueRow(_Row):
    entry: Digest
    session: Digest
    document: Json[Dialogue]
    parked: Annotated[str, StringConstraints(max_length=40, strict=True)] | None

    def agrees(self, owner: str) -> bool:
        return (self.entry, self.session) == (digest(self.document.id), digest(self.document.session_id))


class _TurnRow(_Row):
    entry: Digest
    thread: Digest
    document: Json[Turn]
    happened_at: Moment

    def agrees(self, owner: str) -> bool:
        return (self.entry, self.thread) == (digest(self.document.id), digest(self.document.session_id))


class _SummaryRow(_Row):
    thread: Digest
    document: Json[ThreadSummary]


class _RunRow(_Row):
    id: str
    session: Digest
    state: RunState
    document: Json[ExtractionRun]
    started_at: Moment

    def agrees(self, owner: str) -> bool:
        told = self.document
        # Runs of all owners share one column of ids, so that of a stranger must be the one that follows.
        derived = derive_id("run", owner, told.session_id, *told.round_ids)
        return (self.id, self.id, self.session, self.state) == (derived, told.id, digest(told.session_id), told.state)


class _TombstoneRow(_Row):
    mark: Digest
    made_at: Moment


class _FieldDocument(BaseModel):
    model_config = ConfigDict(extra="forbid")

    place: str
    source: str
    confidence: Annotated[float, Field(ge=0, le=1)]
    rounds: list[str]
    updated_at: str
    before: Any


class _FieldRow(_Row):
    memory_type: MemoryType
    place: Digest
    document: Json[_FieldDocument]

    def agrees(self, owner: str) -> bool:
        parse_utc(self.document.updated_at)
        return self.place == digest(self.document.place)


class _VersionDocument(BaseModel):
    model_config = ConfigDict(extra="forbid")

    content: dict[str, Any]
    source: str


class _VersionRow(_Row):
    memory_type: MemoryType
    version: Version
    document: Json[_VersionDocument]
    changed_at: Moment

    def agrees(self, owner: str) -> bool:
        validate_content(content_class(self.memory_type), self.document.content)
        return True


class _ProfileRow(_Row):
    id: Annotated[str, StringConstraints(min_length=1, max_length=36, strict=True)]
    memory_type: MemoryType
    content: dict[str, Any]
    status: MemoryStatus
    version: Version
    created_at: Moment
    updated_at: Moment

    def agrees(self, owner: str) -> bool:
        validate_content(content_class(self.memory_type), self.content)
        return True


_ROWS: dict[str, type[_Row]] = {
    "profile": _ProfileRow,
    "usage": _UsageRow,
    "edit": _EditRow,
    "short_term": _ShortTermRow,
    "dialogue": _DialogueRow,
    "turn": _TurnRow,
    "summary": _SummaryRow,
    "run": _RunRow,
    "tombstone": _TombstoneRow,
    "profile_field": _FieldRow,
    "profile_version": _VersionRow,
}


def check_row(kind: str, data: Any, owner: str) -> None:
    """Refuse a row that this library would not have written for an owner.

    Raises:
        InvalidInputError: Something in it does not fit, or belongs to somebody else.
    """
    try:
        _ROWS[kind].model_validate(data, context=owner)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        place = ".".join(map(str, first["loc"]))
        raise InvalidInputError(f"{place or kind}: {first['msg'][:200]}") from error
