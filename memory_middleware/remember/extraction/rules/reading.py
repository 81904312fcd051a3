"""One clause while rules read it: about whom, how sure, and when it was said."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from memory_middleware.remember.extraction.rules.calendar_days import Moments, When
from memory_middleware.remember.extraction.rules.dates_en import find_day_en
from memory_middleware.remember.extraction.rules.dates_zh import find_day_zh
from memory_middleware.remember.extraction.rules.findings import HEDGED, IMPLIED, ORDERED, PLAIN, USER, Finding, Who
from memory_middleware.remember.extraction.rules.people import People
from memory_middleware.remember.extraction.rules.sentences import Clause

__all__ = ["Reader", "Reading", "Rule", "apply_rules"]


@dataclass(slots=True)
class Reading:
    """What is known of a clause before its predicate is read.

    Attributes:
        clause: The clause.
        moments: The calendar of its round.
        people: Who was named so far.
        who: Whom the predicate is about.
        negated: The predicate is denied.
        ended: It held once and does not any more.
        hedged: The author is not sure.
        ordered: The author asks to remember it.
        correction: It takes the place of something said wrongly.
        implied: Its subject is not said in this clause.
        blank: It leads in and says nothing.
        asked: It ends with a question mark.
        aside: It names something that may be whose relatives the next clause is about.
    """

    clause: Clause
    moments: Moments
    people: People
    language: str = "en"
    who: Who = USER
    negated: bool = False
    ended: bool = False
    hedged: bool = False
    ordered: bool = False
    correction: bool = False
    implied: bool = False
    blank: bool = False
    asked: bool = False
    aside: bool = False

    @property
    def confidence(self) -> float:
        """How sure the author is."""
        if self.hedged:
            return HEDGED
        return ORDERED if self.ordered else IMPLIED if self.implied else PLAIN

    def find(self, attribute: str, value: str, **fields: Any) -> Finding:
        """Make a finding about the subject of the clause."""
        fields.setdefault("who", self.who)
        return Finding(
            attribute,
            value,
            language=self.language,
            confidence=self.confidence,
            correction=self.correction,
            **fields,
        )

    def day(self, text: str | None = None) -> When | None:
        """Find a day in the clause, or in a part of it."""
        read = find_day_zh if self.language == "zh" else find_day_en
        try:
            return read(self.clause.text if text is None else text, self.moments.today)
        except (OverflowError, ValueError):
            return None

    def when(self, day: When) -> datetime | None:
        """Give the moment of a day."""
        return self.moments.at(day)

    def about(self, who: Who) -> Reading:
        """Read the same clause about somebody else."""
        return replace(self, who=who)


Reader = Callable[[re.Match[str], Reading], Iterable[Finding]]
Rule = tuple[re.Pattern[str], Reader]


def apply_rules(rules: Iterable[Rule], reading: Reading, at: int) -> list[Finding]:
    """Give what the first rule finds that matches at a place and finds anything."""
    for pattern, reader in rules:
        if found := pattern.match(reading.clause.text, at):
            findings = list(reader(found, reading))
            if findings:
                return findings
    return []
