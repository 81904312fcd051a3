"""What was said, what was drawn from it, and which memories were used."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from enum import StrEnum
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field

from memory_middleware.schemas import times
from memory_middleware.schemas.ids import derive_id
from memory_middleware.schemas.profile_parts import Confidence, Moment
from memory_middleware.schemas.record import Content, RecordKind, Texts

__all__ = [
    "Dialogue",
    "ExtractionRun",
    "Fact",
    "RunState",
    "ShortTermItem",
    "ThreadSummary",
    "Turn",
    "UsageEntry",
]


class JournalPart(BaseModel):
    """Base of the journal's rows: frozen, plain, nothing unknown."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    def to_dict(self) -> dict[str, Any]:
        """Write as plain JSON data."""
        return self.model_dump(mode="json")


class Dialogue(JournalPart):
    """One round: what the owner asked, what the agent answered, and what tools told it meanwhile."""

    id: Content
    owner_id: Content
    session_id: Content
    user_query: str
    assistant_response: str
    tool_text: str = ""
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
        tool_text: str = "",
        turn: int | None = None,
        message_ids: tuple[str, ...] = (),
        created_at: datetime | None = None,
    ) -> Dialogue:
        """Make a round whose id follows from its messages, else from its turn and text, else from its time too.

        A thread that was shortened numbers its turns anew, so messages with ids name the round without it.
        """
        moment = created_at or times.utc_now()
        identity = cls.id_of_messages(owner_id, session_id, message_ids)
        if not message_ids:
            when = "" if turn is not None else times.to_utc_iso(moment)
            identity = derive_id("dlg", owner_id, session_id, turn, "text", user_query, assistant_response, when)
        return cls(
            id=identity,
            owner_id=owner_id,
            session_id=session_id,
            user_query=user_query,
            assistant_response=assistant_response,
            tool_text=tool_text,
            turn=turn,
            message_ids=message_ids,
            created_at=moment,
        )

    @staticmethod
    def id_of_messages(owner_id: str, session_id: str, message_ids: Sequence[str]) -> str:
        """Give the id of the round in which the user said these messages."""
        return derive_id("dlg", owner_id, session_id, "messages", *message_ids)


class Fact(JournalPart):
    """Something an extractor drew from dialogue.

    ``subject`` and ``attribute`` are its address: at one address one value holds at a time. Values that can hold
    beside each other have attributes of their own, such as ``speaks:french``, or none. ``replace`` names the old
    fact it supersedes, ``valid_to`` when a passing state ends.
    """

    content: Content
    type: RecordKind = RecordKind.FACT
    tags: Texts = ()
    confidence: Confidence = 1.0
    replace: str | None = None
    subject: str | None = None
    attribute: str | None = None
    event_time: Moment | None = None
    valid_to: Moment | None = None
    evidence: Texts = ()


class UsageEntry(JournalPart):
    """One injected memory in one turn, and whether the answer used it.

    An entry with a ``delta`` is no use, but a change of the weight by hand.
    """

    memory_id: Content
    session_id: Content
    query: str
    was_referenced: bool = False
    used_at: Moment = Field(default_factory=times.utc_now)
    delta: float = Field(0.0, allow_inf_nan=False)


class Turn(JournalPart):
    """One agent's turn: what was injected, what the answer referenced, and which round it was."""

    id: Content
    owner_id: Content
    session_id: Content
    agent: str | None = None
    query: str = ""
    round_id: str | None = None
    injected: tuple[str, ...] = ()
    referenced: tuple[str, ...] = ()
    tokens: Annotated[int, Field(ge=0)] = 0
    happened_at: Moment = Field(default_factory=times.utc_now)


class ShortTermItem(JournalPart):
    """A compact trace of one round in one thread; ``compressed`` once its text was shortened."""

    id: Content
    content: Content
    turn: Annotated[int, Field(ge=0)] | None = None
    compressed: bool = False
    created_at: Moment = Field(default_factory=times.utc_now)


class ThreadSummary(JournalPart):
    """What was said in a thread before its newest rounds; ``rounds`` counts those folded in."""

    content: Content
    rounds: Annotated[int, Field(ge=0)] = 0
    updated_at: Moment = Field(default_factory=times.utc_now)


class RunState(StrEnum):
    """How a run of the extractor stands; a parked one waits for somebody to look at it.

    A run is ``written`` between its facts being kept and its rounds being settled.
    """

    RUNNING = "running"
    WRITTEN = "written"
    DONE = "done"
    FAILED = "failed"
    PARKED = "parked"


class ExtractionRun(JournalPart):
    """One batch of rounds on its way through the extractor.

    While it runs, ``holder`` has it until ``held_until``; after that somebody else may try.
    """

    id: Content
    owner_id: Content
    session_id: Content
    round_ids: tuple[str, ...]
    state: RunState = RunState.RUNNING
    failures: Annotated[int, Field(ge=0)] = 0
    facts: Annotated[int, Field(ge=0)] = 0
    error: str | None = None
    holder: str | None = None
    held_until: Moment | None = None
    started_at: Moment = Field(default_factory=times.utc_now)
    ended_at: Moment | None = None
