"""What requests hold; unknown fields are refused."""

from __future__ import annotations

from typing import Annotated, Any, Literal, Self

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    StrictBool,
    StringConstraints,
    WithJsonSchema,
    model_validator,
)

from memory_middleware import MemoryStatus, NoteType, RecordKind, UserMemoryContent, WorkProfileContent
from memory_middleware_rest.fields import Term, Text, When
from memory_middleware_rest.partial import partial_schema

__all__ = [
    "ForgetRequest",
    "NewRecord",
    "NoteBody",
    "RecordChanges",
    "StatusChange",
    "UserMemoryPatch",
    "UserMemoryUpdate",
    "WorkMemoryPatch",
    "WorkMemoryUpdate",
]

Tags = Annotated[list[Term], Field(max_length=50)]
Line = Annotated[str, StringConstraints(max_length=500)]
Share = Annotated[float, Field(ge=0, le=1, strict=True)]
Ids = Annotated[list[Text], Field(min_length=1, max_length=1000)]
Body = Annotated[str, StringConstraints(max_length=500_000)]

_ABSENT: Any = None
_WAYS = ("ids", "query", "source", "thread_id", "everything")


def _told(example: dict[str, Any]) -> ConfigDict:
    return ConfigDict(extra="forbid", json_schema_extra={"examples": [example]})


class UserMemoryUpdate(BaseModel):
    """A whole user profile."""

    model_config = _told({"content": {"occupation": "designer", "timezone": "Europe/Lisbon"}})

    content: UserMemoryContent


class WorkMemoryUpdate(BaseModel):
    """A whole work profile."""

    model_config = _told({"content": {"occupation": "designer", "expertise": ["typography"]}})

    content: WorkProfileContent


class UserMemoryPatch(BaseModel):
    """Parts of a user profile: objects merge, lists are replaced, null clears."""

    model_config = _told({"content": {"timezone": "Asia/Shanghai", "occupation": None}})

    content: Annotated[dict[str, Any], WithJsonSchema(partial_schema(UserMemoryContent))]


class WorkMemoryPatch(BaseModel):
    """Parts of a work profile: objects merge, lists are replaced, null clears."""

    model_config = _told({"content": {"preferred_tools": ["Figma"]}})

    content: Annotated[dict[str, Any], WithJsonSchema(partial_schema(WorkProfileContent))]


class StatusChange(BaseModel):
    """Whether a profile is in use."""

    model_config = _told({"status": "disabled"})

    status: MemoryStatus


class NewRecord(BaseModel):
    """Something to remember, in one sentence that makes sense by itself."""

    model_config = _told({"content": "The owner is allergic to nuts", "kind": "fact", "tags": ["health"]})

    content: Text
    kind: RecordKind = RecordKind.FACT
    tags: Tags = []
    subject: Term | None = None
    attribute: Term | None = None
    replace: Text | None = Field(None, description="The text of a record that this one makes untrue")
    valid_to: When | None = None
    event_time: When | None = None
    pinned: StrictBool = False


class RecordChanges(BaseModel):
    """The fields of a record that change; those left out stay."""

    model_config = ConfigDict(
        extra="forbid",
        json_schema_extra={
            "examples": [{"content": "The owner is allergic to peanuts", "importance": 0.9}],
            "minProperties": 1,
        },
    )

    content: Text = _ABSENT
    tags: Tags = []
    confidence: Share = 1.0
    importance: Share = 0.5
    pinned: StrictBool = False
    subject: Term | None = None
    attribute: Term | None = None
    valid_from: When | None = None
    valid_to: When | None = None
    event_time: When | None = None
    note: Text | None = None

    @model_validator(mode="after")
    def _something(self) -> Self:
        if not self.model_fields_set:
            raise ValueError("name at least one field to change")
        return self

    def changes(self) -> dict[str, Any]:
        """Give the fields that were named."""
        return {name: getattr(self, name) for name in self.model_fields_set}


class ForgetRequest(BaseModel):
    """What to forget, by exactly one of the ways."""

    model_config = ConfigDict(
        extra="forbid",
        json_schema_extra={
            "examples": [{"query": "my old address", "dry_run": True}],
            "oneOf": [{"required": [way]} for way in _WAYS],
        },
    )

    ids: Ids = _ABSENT
    query: Text = Field(_ABSENT, description="The records that this means")
    source: Term = Field(_ABSENT, description="The records that came from this source")
    thread_id: Term = Field(_ABSENT, description="All that came from this thread, and its rounds")
    everything: Literal[True] = Field(_ABSENT, description="All of it: records, experience, profiles, journal")
    with_sources: StrictBool = Field(False, description="Also the dialogue records in which it was said")
    with_profile: StrictBool = Field(False, description="Also what was set in the profiles by hand and tells the same")
    dry_run: StrictBool = Field(False, description="Only tell what would be forgotten")

    @model_validator(mode="after")
    def _one_way(self) -> Self:
        if len(self.model_fields_set.intersection(_WAYS)) != 1:
            raise ValueError(f"forget by exactly one of {', '.join(_WAYS)}")
        return self


class NoteBody(BaseModel):
    """A note."""

    model_config = _told(
        {"type": "project", "name": "Launch", "description": "When and how we launch", "content": "On 1 May.\n"}
    )

    type: NoteType
    name: Line
    description: Line
    content: Body
