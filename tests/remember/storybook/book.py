"""Reading the stories: what was said when, which facts are in it, and what must hold in the end."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, date, datetime, time, timedelta
from pathlib import Path
from typing import Annotated, Any

import yaml
from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from memory_middleware.schemas.dialogue import Fact
from memory_middleware.schemas.record import RecordKind

__all__ = ["Address", "Held", "Moment", "Round", "Rules", "Story", "ToldFact", "load_stories"]

STORIES = Path(__file__).resolve().parent.parent / "stories"


def _moment(value: Any) -> Any:
    """A day means its noon; every moment is in UTC."""
    if isinstance(value, str):
        value = datetime.fromisoformat(value)
    if isinstance(value, datetime):
        return value.replace(tzinfo=UTC)
    return datetime.combine(value, time(12), UTC) if isinstance(value, date) else value


def _address(value: Any) -> Any:
    return tuple(value.split("/", 1)) if isinstance(value, str) else value


def _plain(value: Any) -> Any:
    """Write the days of a profile as text, as extractors do."""
    if isinstance(value, Mapping):
        return {key: _plain(part) for key, part in value.items()}
    if isinstance(value, list):
        return [_plain(part) for part in value]
    return value.isoformat() if isinstance(value, date) else value


Moment = Annotated[datetime, BeforeValidator(_moment)]
Address = Annotated[tuple[str, str], BeforeValidator(_address)]
Patch = Annotated[dict[str, Any], BeforeValidator(_plain)]


class Part(BaseModel):
    """Base of the parts of a story: unknown fields are refused."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class ToldFact(Part):
    """A fact as a perfect extractor would find it in a round."""

    say: str
    at: Address | None = None
    kind: RecordKind = RecordKind.FACT
    replace: str | None = None
    until: Moment | None = None

    def cited(self, round_id: str) -> Fact:
        """Give the fact with its evidence."""
        subject, attribute = self.at or (None, None)
        return Fact(
            content=self.say,
            type=self.kind,
            subject=subject,
            attribute=attribute,
            replace=self.replace,
            valid_to=self.until,
            evidence=(round_id,),
        )


class Round(Part):
    """One round, and what a perfect extractor finds in it."""

    when: Moment
    user: str
    assistant: str = ""
    tool: str = ""
    thread: str = "desk"
    facts: tuple[ToldFact, ...] = ()
    ends: tuple[Address, ...] = ()
    takes_back: tuple[int, ...] = ()
    profile: Patch = {}
    removes: Patch = {}


class Held(Part):
    """What stood at an address at a moment; none means nothing."""

    at: Address
    when: Moment
    value: str | None = Field(alias="is")


class View(Part):
    """What must be true of the active view at a moment.

    Attributes:
        when: The moment.
        current: A part of the one text that stands at each address.
        current_texts: Parts of texts that must be there, with or without an address.
        none: Addresses at which nothing stands.
        not_current: Texts that stand nowhere, neither in a record nor in a profile.
    """

    when: Moment
    current: dict[Address, str] = {}
    current_texts: tuple[str, ...] = ()
    none: tuple[Address, ...] = ()
    not_current: tuple[str, ...] = ()


class Rules(Part):
    """What is expected of an extractor by rules that does not understand a part of the story.

    Attributes:
        abstains: That it finds nothing there, and so leaves nothing wrong behind.
        misses: Which words it does not understand yet, although something stale stays behind.
        current: What it finds nevertheless.
        profile: What it puts into the profiles instead; none expects the same.
    """

    abstains: bool = False
    misses: str | None = None
    current: dict[Address, str] = {}
    profile: dict[str, Any] | None = None


class Story(Part):
    """A story.

    Attributes:
        by_hand: What the owner has set in the profiles before.
        until: When the view is looked at; a day after the last round unless told.
        after: Views at later moments, each after upkeep.
        history: What recall must give for earlier moments.
        profile: Values in the profiles by their path; a list names its entries.
        rules: What is expected of rules instead, if they cannot understand it.
    """

    id: str
    lang: str
    rounds: tuple[Round, ...]
    group: str
    by_hand: Patch = {}
    until: Moment | None = None
    current: dict[Address, str] = {}
    current_texts: tuple[str, ...] = ()
    none: tuple[Address, ...] = ()
    not_current: tuple[str, ...] = ()
    after: tuple[View, ...] = ()
    history: tuple[Held, ...] = ()
    profile: dict[str, Any] = {}
    rules: Rules | None = None

    @property
    def view(self) -> View:
        """What must be true in the end."""
        end = self.until or max(one.when for one in self.rounds) + timedelta(days=1)
        return View(
            when=end,
            current=self.current,
            current_texts=self.current_texts,
            none=self.none,
            not_current=self.not_current,
        )

    def for_rules(self) -> Story:
        """Give the story with what is expected of rules."""
        if self.rules is None or not self.rules.abstains:
            return self
        found = self.rules.current
        after = tuple(view.model_copy(update={"current": found}) for view in self.after)
        profile = self.profile if self.rules.profile is None else self.rules.profile
        told = {"current": found, "current_texts": (), "history": (), "after": after, "profile": profile}
        return self.model_copy(update=told)


def load_stories() -> list[Story]:
    """Read all stories; a story's group is the name of its file."""
    return [
        Story(group=path.stem, **told)
        for path in sorted(STORIES.glob("*.yaml"))
        for told in yaml.safe_load(path.read_text(encoding="utf-8"))
    ]
