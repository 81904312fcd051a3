"""What was said, what was drawn from it, and which memories were used."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field

from memory_middleware.schemas import times
from memory_middleware.schemas.ids import derive_id
from memory_middleware.schemas.profile_parts import Confidence, Moment
from memory_middleware.schemas.record import Content, RecordKind, Texts

__all__ = ["Dialogue", "ExtractionRun", "Fact", "RunState", "ShortTermItem", "UsageEntry"]


class JournalPart(BaseModel):
    """Base of the journal's rows: frozen, plain, nothing unknown."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    def to_dict(self) -> dict[str, Any]:
        """Write as plain JSON data."""
        return self.model_dump(mode="json")


class Dialogue(JournalPart):
    """One round: what the owner asked and what the agent answered."""

    id: Content
    owner_id: Content
    session_id: Content
    user_query: str
    assistant_response: str
    turn: Annotated[int, Field(ge=0)] | None = None
    message_ids: tuple[str, ...] = ()
    created_at: Moment = Field(default_factory=times.utc_now)

    @classmethod
    def create(
        cls,
        owner_id: str,
        session_id: str,
        user_query: str,
        assistant_response: str,
        *,
        turn: int | None = None,
        message_ids: tuple[str, ...] = (),
        created_at: datetime | None = None,
    ) -> Dialogue:
        """Make a round whose id follows from its messages, else from its turn and text, else from its time too."""
        moment = created_at or times.utc_now()
        said: tuple[str | int, ...] = ("messages", *message_ids)
        if not message_ids:
            when = "" if turn is not None else times.to_utc_iso(moment)
            said = ("text", user_query, assistant_response, when)
        return cls(
            id=derive_id("dlg", owner_id, session_id, turn, *said),
            owner_id=owner_id,
            session_id=session_id,
            user_query=user_query,
            assistant_response=assistant_response,
            turn=turn,
            message_ids=message_ids,
            created_at=moment,
        )


class Fact(JournalPart):
    """Something an extractor drew from dialogue; ``replace`` names the old fact it supersedes."""

    content: Content
    type: RecordKind = RecordKind.FACT
    tags: Texts = ()
    confidence: Confidence = 1.0
    replace: str | None = None
    subject: str | None = None
    attribute: str | None = None
    event_time: Moment | None = None
    evidence: Texts = ()


class UsageEntry(JournalPart):
    """One injected memory in one turn, and whether the answer used it."""

    memory_id: Content
    session_id: Content
    query: str
    was_referenced: bool = False
    used_at: Moment = Field(default_factory=times.utc_now)


class ShortTermItem(JournalPart):
    """A compact trace of one round in one thread; ``compressed`` once its text was shortened."""

    id: Content
    content: Content
    turn: Annotated[int, Field(ge=0)] | None = None
    compressed: bool = False
    created_at: Moment = Field(default_factory=times.utc_now)


class RunState(StrEnum):
    """How a run of the extractor stands; a parked one waits for somebody to look at it."""

    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"
    PARKED = "parked"


class ExtractionRun(JournalPart):
    """One batch of rounds on its way through the extractor."""

    id: Content
    owner_id: Content
    session_id: Content
    round_ids: tuple[str, ...]
    state: RunState = RunState.RUNNING
    failures: Annotated[int, Field(ge=0)] = 0
    facts: Annotated[int, Field(ge=0)] = 0
    error: str | None = None
    started_at: Moment = Field(default_factory=times.utc_now)
    ended_at: Moment | None = None
