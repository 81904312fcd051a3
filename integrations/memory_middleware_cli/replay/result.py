"""What a replay found, as values: turn by turn, and in all."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property

from memory_middleware import MemoryRecord

__all__ = ["Injection", "Known", "Learned", "Replay", "Told", "Totals", "TurnResult"]


@dataclass(frozen=True, slots=True)
class Told:
    """A record, as it is told in a timeline."""

    id: str
    kind: str
    content: str

    @classmethod
    def of(cls, record: MemoryRecord) -> Told:
        """Tell a record."""
        return cls(record.id, record.kind.value, record.content)


@dataclass(frozen=True, slots=True)
class Injection:
    """What one agent was told in a turn.

    Attributes:
        agent: Who.
        tokens: What it cost.
        budget: What it may cost.
        records: The records in it.
        lines: How many other lines it has: of the profile, of the last rounds, of sources.
        dropped: How many lines found no room.
        silence: Why nothing was told.
        text: The block.
    """

    agent: str
    tokens: int
    budget: int
    records: tuple[Told, ...] = ()
    lines: int = 0
    dropped: int = 0
    silence: str = ""
    text: str = ""


@dataclass(frozen=True, slots=True)
class Learned:
    """What was made of what had been said up to a turn.

    Attributes:
        added: New records that hold.
        superseded: Records that do not hold any more.
        confirmed: Records that were said again.
        quarantined: New records that wait for somebody to look at them.
        refused: What was found and not taken, and why.
        profiles: The profiles that changed.
        archived: Records that weighed too little.
        ended: Records whose time was over.
        errors: Why batches failed.
    """

    added: tuple[Told, ...] = ()
    superseded: tuple[Told, ...] = ()
    confirmed: tuple[Told, ...] = ()
    quarantined: tuple[Told, ...] = ()
    refused: tuple[tuple[str, str], ...] = ()
    profiles: tuple[str, ...] = ()
    archived: tuple[Told, ...] = ()
    ended: tuple[Told, ...] = ()
    errors: tuple[str, ...] = ()

    def __add__(self, other: Learned) -> Learned:
        return Learned(*(getattr(self, name) + getattr(other, name) for name in self.__slots__))

    def __bool__(self) -> bool:
        return any(getattr(self, name) for name in self.__slots__)


@dataclass(slots=True)
class TurnResult:
    """One turn, replayed.

    Attributes:
        number: Counted from 1.
        thread: In which thread.
        time: When the user spoke.
        agent: Who answered.
        said: What the user said.
        answer: What was answered.
        injections: What the agents were told, in the order they ran.
        referenced: The records that the answer used.
        learned: What was made of it, and of what waited before.
        weights: What each record weighs after it, by id.
    """

    number: int
    thread: str
    time: datetime
    agent: str
    said: str
    answer: str = ""
    injections: tuple[Injection, ...] = ()
    referenced: tuple[Told, ...] = ()
    learned: Learned = field(default_factory=Learned)
    weights: dict[str, float] = field(default_factory=dict)

    @property
    def injected(self) -> tuple[Told, ...]:
        """The records that any agent was told, each once."""
        return tuple({told.id: told for injection in self.injections for told in injection.records}.values())

    @property
    def tokens(self) -> int:
        """What memory cost in this turn."""
        return sum(injection.tokens for injection in self.injections)


@dataclass(frozen=True, slots=True)
class Known:
    """Something that is known at the end, and why.

    Attributes:
        record: The record.
        said: The sentence it came from.
        time: When that was said.
        thread: In which thread.
        weight: What it weighs.
    """

    record: Told
    said: str
    time: datetime
    thread: str
    weight: float


@dataclass(frozen=True, slots=True)
class Totals:
    """The whole replay in numbers."""

    turns: int
    threads: int
    days: int
    tokens: int
    most_tokens: int
    budget: int
    injected: int
    referenced: int
    added: int
    superseded: int
    confirmed: int
    quarantined: int
    refused: int
    archived: int
    ended: int
    known: int
    failures: int

    @property
    def referenced_share(self) -> float:
        """The part of what was injected that answers used."""
        return self.referenced / self.injected if self.injected else 0.0

    @property
    def tokens_a_turn(self) -> float:
        """What memory cost in a turn."""
        return self.tokens / self.turns if self.turns else 0.0


@dataclass(frozen=True)
class Replay:
    """A trace, replayed with a configuration.

    Attributes:
        name: Of the trace.
        about: One line about the trace.
        config: The name of the configuration.
        owner: Whose memory it was.
        language: Of the prompts, and of the views.
        turns: What happened.
        known: What is known at the end, the newest last.
        profiles: The profiles at the end, as plain data without what is empty.
        contents: What each record says, by id.
        failures: How often memory failed.
    """

    name: str
    about: str
    config: str
    owner: str
    language: str
    turns: tuple[TurnResult, ...]
    known: tuple[Known, ...]
    profiles: dict[str, object]
    contents: dict[str, str]
    failures: int = 0

    @cached_property
    def totals(self) -> Totals:
        """Count it all."""
        turns = self.turns
        injections = [one for turn in turns for one in turn.injections]
        learned = sum((turn.learned for turn in turns), Learned())
        return Totals(
            turns=len(turns),
            threads=len({turn.thread for turn in turns}),
            days=(turns[-1].time.date() - turns[0].time.date()).days + 1 if turns else 0,
            tokens=sum(one.tokens for one in injections),
            most_tokens=max((one.tokens for one in injections), default=0),
            budget=max((one.budget for one in injections), default=0),
            injected=sum(len(turn.injected) for turn in turns),
            referenced=sum(len(turn.referenced) for turn in turns),
            added=len(learned.added),
            superseded=len(learned.superseded),
            confirmed=len(learned.confirmed),
            quarantined=len(learned.quarantined),
            refused=len(learned.refused),
            archived=len(learned.archived),
            ended=len(learned.ended),
            known=len(self.known),
            failures=self.failures,
        )
