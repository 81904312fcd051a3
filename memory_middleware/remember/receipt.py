"""The receipt of a forgetting: what went, what stayed, and where else it was cut out."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime

from memory_middleware.schemas import times

__all__ = ["Receipt"]


@dataclass(frozen=True, slots=True)
class Receipt:
    """What was forgotten, by ids and places; the contents are gone.

    Attributes:
        id: Of the receipt.
        owner_id: Whose memory.
        asked: What was asked for.
        is_done: Whether it was done; a dry run only tells.
        records: The ids of the records.
        derived: Those of them that were derived from others.
        experience: The ids of episodes, patterns and skills.
        profile: Places of the profiles that were cleared.
        rounds: How many rounds that waited for the extractor were dropped.
        short_term: How many short-term items were dropped.
        turns: How many turns of the journal were dropped.
        said_in: The ids of dialogue records that still tell it; they are forgotten too if asked ``with_sources``.
        kept: Places of the profiles that tell it but were set by hand; they go too if asked ``with_profile``.
        cut: Out of how many other texts it was cut: ``turns`` and ``usage`` of other records, ``short_term`` items,
            ``summaries``, ``waiting`` rounds, errors of ``runs``, and each kind of experience.
        at: When.
    """

    id: str
    owner_id: str
    asked: str
    is_done: bool
    records: tuple[str, ...] = ()
    derived: tuple[str, ...] = ()
    experience: tuple[str, ...] = ()
    profile: tuple[str, ...] = ()
    rounds: int = 0
    short_term: int = 0
    turns: int = 0
    said_in: tuple[str, ...] = ()
    kept: tuple[str, ...] = ()
    cut: dict[str, int] = field(default_factory=dict)
    at: datetime = field(default_factory=times.utc_now)
