"""What answers hold, beyond the schemas of the library."""

from __future__ import annotations

from datetime import date, datetime
from typing import Any

from pydantic import BaseModel, Field

from memory_middleware import (
    Dialogue,
    ExtractionRun,
    MemoryRecord,
    MemoryStatus,
    NoteType,
    Turn,
    UsageEntry,
    UserMemoryContent,
    WorkProfileContent,
)

__all__ = [
    "AllMemories",
    "Buffer",
    "Edit",
    "Edits",
    "FoundRecord",
    "FoundRecords",
    "Health",
    "HistoryOfProfile",
    "LinkedRecord",
    "NoteFile",
    "Notes",
    "OwnerStats",
    "ProfileState",
    "ProfileVersionRow",
    "RecordDetail",
    "RecordList",
    "Review",
    "ReviewEntry",
    "Rounds",
    "Runs",
    "StoreStats",
    "Timeline",
    "TimelineTurn",
    "UnreadableNote",
    "Usage",
]


class AllMemories(BaseModel):
    """Both profiles; null while one is disabled."""

    user_memory: UserMemoryContent | None
    work_memory: WorkProfileContent | None


class ProfileState(BaseModel):
    """Whether a profile is in use, and its version."""

    status: MemoryStatus
    version: int


class ProfileVersionRow(BaseModel):
    """A profile as it was, and who made it so: ``user`` by hand, else an extractor."""

    version: int
    source: str
    changed_at: datetime
    content: UserMemoryContent | WorkProfileContent


class HistoryOfProfile(BaseModel):
    """The last versions of a profile, the newest first."""

    versions: list[ProfileVersionRow]


class RecordList(BaseModel):
    """A page of records; ``next`` is the cursor of the page after it."""

    records: list[MemoryRecord]
    next: str | None = None


class LinkedRecord(BaseModel):
    """A record that another links to."""

    relation: str
    record: MemoryRecord


class Edit(BaseModel):
    """What somebody changed in a record by hand: the fields as they were before, and after."""

    version: int
    before: dict[str, Any]
    after: dict[str, Any]
    changed_at: datetime


class Edits(BaseModel):
    """The last edits of a record, the newest first."""

    edits: list[Edit]


class RecordDetail(BaseModel):
    """A record with all around it."""

    record: MemoryRecord
    links: list[LinkedRecord]
    linked_from: list[MemoryRecord]
    history: list[MemoryRecord] = Field(description="What held at its address, the newest first")
    usage: list[UsageEntry] = Field(description="Its last uses, the newest first")
    said_in: list[MemoryRecord] = Field(description="What was said in the rounds it came from")
    edits: list[Edit] = Field(description="Its last edits by hand, the newest first")


class FoundRecord(BaseModel):
    """A record that was found; with ``explain`` also what speaks for it."""

    record: MemoryRecord
    score: float
    signals: dict[str, float] | None = None
    cosine: float | None = None
    coverage: float | None = None


class FoundRecords(BaseModel):
    """Records that fit a query, the best first."""

    found: list[FoundRecord]


class ReviewEntry(BaseModel):
    """A record that waits for the owner's word, why, and what it contradicts."""

    record: MemoryRecord
    reason: str | None
    contradicts: list[MemoryRecord]


class Review(BaseModel):
    """Records that wait for the owner's word."""

    entries: list[ReviewEntry]
    next: str | None = None


class Usage(BaseModel):
    """Uses of records, the newest first."""

    usage: list[UsageEntry]
    next: str | None = None


class TimelineTurn(Turn):
    """A turn, the budget of its agent's memory, and the records that were drawn from its round or ended by them."""

    budget: int = Field(description="The tokens that memory might take, of which the turn used `tokens`")
    extracted: list[str]
    superseded: list[str]


class Timeline(BaseModel):
    """Turns of agents, the newest first."""

    turns: list[TimelineTurn]
    next: str | None = None


class Buffer(BaseModel):
    """How many rounds wait for the extractor in each thread."""

    threads: dict[str, int]


class Rounds(BaseModel):
    """Rounds that wait, the oldest first."""

    rounds: list[Dialogue]


class Runs(BaseModel):
    """Runs of the extractor, the newest first."""

    runs: list[ExtractionRun]
    next: str | None = None


class StoreStats(BaseModel):
    """The whole store, which all owners share."""

    cache_hit_rate: float
    disk_bytes: int | None
    failures: dict[str, int]


class OwnerStats(BaseModel):
    """How much an owner's memory holds, and how it is used."""

    owner_id: str
    records: dict[str, dict[str, int]] = Field(description="By kind and then by state")
    weights: list[int] = Field(description="Records by weight, in steps of 0.5")
    growth: dict[date, int] = Field(description="New records by day")
    injected: int
    referenced: int
    experience: dict[str, int]
    rounds: int = Field(description="Rounds that wait for the extractor")
    parked: int = Field(description="Batches that failed too often")
    turns: int
    store: StoreStats | None = None


class NoteFile(BaseModel):
    """A note."""

    filename: str
    type: NoteType
    name: str | None
    description: str
    changed_at: datetime
    is_stale: bool
    age: str
    content: str
    version: str = Field(description="Names the bytes of its file; its `ETag` without the quotes")


class UnreadableNote(BaseModel):
    """A file that is no note, and why."""

    filename: str
    message: str


class Notes(BaseModel):
    """The notes, the newest first, and the files that could not be read as notes."""

    notes: list[NoteFile]
    problems: list[UnreadableNote]


class Health(BaseModel):
    """Whether the server lives, or is ready."""

    status: str
