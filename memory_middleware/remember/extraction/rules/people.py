"""The people, animals and projects that a batch speaks about, so that pronouns and bare names find their subject."""

from __future__ import annotations

import re
from collections.abc import Iterable

from memory_middleware.remember.extraction.rules.findings import Finding, Who
from memory_middleware.remember.extraction.rules.relations import ANIMALS, is_single
from memory_middleware.remember.extraction.rules.vocabulary import normalise
from memory_middleware.schemas.record import MemoryRecord

__all__ = ["People", "relation_finding"]

_SUBJECT = re.compile(r"(.{1,60}) \(([a-z-]{2,20})\)")
_NAMED = re.compile(r"(?:The user's ([\w-]+) is (.+)\.|用户的(.{1,6})是(.+)。)")
_FEMALE = frozenset(["mother", "wife", "girlfriend", "sister", "daughter", "grandmother", "aunt", "niece"])
_MALE = frozenset(["father", "husband", "boyfriend", "brother", "son", "grandfather", "uncle", "nephew"])


class People:
    """Who was named so far, and of whom was spoken last."""

    def __init__(self, known: Iterable[MemoryRecord] = ()) -> None:
        self._by_name: dict[str, list[Who]] = {}
        self._by_relation: dict[str, Who] = {}
        self._last: Who | None = None
        self.project: Who | None = None
        for record in known:
            self._learn(record)
        self.new_round()

    def _learn(self, record: MemoryRecord) -> None:
        if found := _SUBJECT.fullmatch(record.subject or ""):
            self.meet(Who(found[1], found[2]))
        elif record.attribute and is_single(record.attribute) and (said := _NAMED.fullmatch(record.content)):
            self.meet(Who(said[2] or said[4], record.attribute, said[3] or ""))

    def new_round(self) -> None:
        """Forget of whom, and of which project, was spoken last."""
        self._last = self.project = None

    def meet(self, who: Who) -> None:
        """Take note of somebody; they are whom a pronoun means next."""
        if who.relation == "project":
            self.project = who
        else:
            self._last = who
        if who.name and who not in (same := self._by_name.setdefault(normalise(who.name), [])):
            same.append(who)
        if who.name and is_single(who.relation):
            self._by_relation[who.relation] = who

    def named(self, name: str) -> Who | None:
        """Give the one person of this name; none if there is none or more than one."""
        found = self._by_name.get(normalise(name), [])
        return found[0] if len(found) == 1 else None

    def knows(self, who: Who) -> bool:
        """Tell whether somebody of this name and relation was named."""
        return who in self._by_name.get(normalise(who.name), [])

    def nameless(self) -> Who | None:
        """Give of whom was spoken last, if their name was not said yet."""
        return self._last if self._last and not self._last.name else None

    def opening(self, text: str, at: int) -> Who | None:
        """Give the one person whose name stands at a place of a text."""
        for length in range(6, 1, -1):
            if someone := self.named(text[at : at + length]) if len(text) >= at + length else None:
                return someone
        return None

    def related(self, who: Who) -> Who:
        """Give the name of somebody of whom there is one, if it is known."""
        if who.name:
            return who
        if who.relation in self._by_relation:
            return self._by_relation[who.relation]
        last = self._last
        return last if last and last.relation == who.relation else who

    def meant(self, pronoun: str) -> Who | None:
        """Give whom a pronoun means, if somebody was spoken of."""
        last, word = self._last, pronoun.casefold()
        if last is None:
            return None
        if word in ("she", "her", "她"):
            return None if last.relation in _MALE or last.relation in ANIMALS - {"dog", "cat"} else last
        if word in ("he", "his", "him", "他"):
            return None if last.relation in _FEMALE else last
        return last if last.relation in ANIMALS else None


def relation_finding(who: Who, language: str, confidence: float) -> Finding:
    """Say who somebody is to the owner."""
    animal = who.relation in ANIMALS
    base = "pet" if animal else who.relation
    address = base if is_single(who.relation) else f"{base}:{normalise(who.name)}"
    plain = who.relation.upper() if who.relation in ("ceo", "cto") else who.relation
    word = who.word if language == "zh" and who.word else plain
    return Finding(
        "relation",
        who.name,
        key=word,
        variant="pet" if animal else "",
        language=language,
        confidence=confidence,
        extra={"address": address, "relation": who.relation, "word": word},
    )
