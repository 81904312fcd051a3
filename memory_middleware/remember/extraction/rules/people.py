"""The people, animals and projects that a batch speaks about, so that pronouns and bare names find their subject."""

from __future__ import annotations

import re
from collections.abc import Iterable

from memory_middleware.remember.extraction.rules.findings import Finding, Who
from memory_middleware.remember.extraction.rules.relations import ANIMALS, chinese_word, is_single, relation_named
from memory_middleware.remember.extraction.rules.script import HAN
from memory_middleware.remember.extraction.rules.vocabulary import normalise
from memory_middleware.schemas.record import MemoryRecord

__all__ = ["People", "lost_findings", "parted_findings", "relation_finding", "relation_word"]

_SUBJECT = re.compile(r"(.{1,60}) \(([a-z-]{2,20})\)")
_NAMED = re.compile(
    r"(?:The user's (?P<relation>[\w-]+) is (?P<name>.+)\.|用户的(?P<word>.{1,6})是(?P<name_zh>.+)。"
    r"|The user has a (?P<animal>[\w -]+) named (?P<pet>.+)\.|用户养了一只(?P<animal_zh>.{1,6})，叫(?P<pet_zh>.+)。)"
)
_PROJECT = re.compile(r"The user works on the project (?P<name>.+)\.|用户在做(?P<name_zh>.+)项目。")
_GIVEN = re.compile(f"[{HAN}]{{2}}")
_FEMALE = frozenset(["mother", "wife", "girlfriend", "sister", "daughter", "grandmother", "aunt", "niece"])
_PARTNERS = frozenset(["wife", "husband", "girlfriend", "boyfriend", "partner", "fiance"])
_MALE = frozenset(["father", "husband", "boyfriend", "brother", "son", "grandfather", "uncle", "nephew"])


class People:
    """Who was named so far, and of whom was spoken last.

    Attributes:
        project: The project that was spoken of last in this round.
        fresh: Whose name the clause before told; an age that follows is theirs.
    """

    def __init__(self, known: Iterable[MemoryRecord] = ()) -> None:
        self._by_name: dict[str, list[Who]] = {}
        self._by_relation: dict[str, Who] = {}
        self._last: Who | None = None
        self.project: Who | None = None
        self.fresh: Who | None = None
        for record in known:
            self._learn(record)
        self.new_round()

    def _learn(self, record: MemoryRecord) -> None:
        if found := _SUBJECT.fullmatch(record.subject or ""):
            said = re.match(rf"用户的(.{{1,6}}?){re.escape(found[1])}", record.content)
            self.meet(Who(found[1], found[2], said[1] if said else ""))
        elif record.subject == "user" and (named := _NAMED.fullmatch(record.content)):
            self._learn_relation(record.attribute or "", named)
        elif record.subject == "user" and (works := _PROJECT.fullmatch(record.content)):
            self._learn_project(record.attribute or "", works["name"] or works["name_zh"])

    def _learn_project(self, attribute: str, name: str) -> None:
        """Learn of a project from the sentence that says who works on it, if it stands at the address of that."""
        if attribute == f"project:{normalise(name)}":
            self.meet(Who(name, "project"))

    def _learn_relation(self, attribute: str, said: re.Match[str]) -> None:
        """Learn who somebody is from the sentence that says it, if it stands at the address of that relation."""
        word = next(said[group] for group in ("relation", "word", "animal", "animal_zh") if said[group])
        name = next(said[group] for group in ("name", "name_zh", "pet", "pet_zh") if said[group])
        relation = relation_named(word)
        who = Who(name, relation, "" if said["relation"] or said["animal"] else word)
        if attribute == _address(who):
            self.meet(who)

    def new_round(self) -> None:
        """Forget of whom, and of which project, was spoken last."""
        self._last = self.project = self.fresh = None

    def meet(self, who: Who) -> None:
        """Take note of somebody; they are whom a pronoun means next."""
        if who.relation == "project":
            self.project = who
        else:
            self._last = who
        if who.name:
            same = self._by_name.setdefault(normalise(who.name), [])
            if who not in same:
                same.append(who)
            elif who.word:
                same[same.index(who)] = who
        if who.name and is_single(who.relation):
            self._by_relation[who.relation] = who

    def named(self, name: str) -> Who | None:
        """Give the one person of this name; none if there is none or more than one."""
        found = self._by_name.get(normalise(name), [])
        return found[0] if len(found) == 1 else None

    def knows(self, who: Who) -> bool:
        """Tell whether somebody of this name and relation was named."""
        return who in self._by_name.get(normalise(who.name), [])

    def animals(self, relation: str) -> list[Who]:
        """Give the animals of a kind that have a name."""
        return [who for same in self._by_name.values() for who in same if who.relation == relation]

    def partner(self, name: str = "") -> Who | None:
        """Give the one person somebody lives or goes out with, of a name if one is told; none if that is not clear."""
        found = [who for relation, who in self._by_relation.items() if relation in _PARTNERS]
        found = [who for who in found if not name or normalise(who.name) == normalise(name)]
        return found[0] if len(found) == 1 else None

    @property
    def last(self) -> Who | None:
        """Of whom was spoken last in this round."""
        return self._last

    def nameless(self) -> Who | None:
        """Give of whom was spoken last, if their name was not said yet."""
        return self._last if self._last and not self._last.name else None

    def opening(self, text: str, at: int) -> tuple[Who, int] | None:
        """Give the one person whose name stands at a place of a text, and where it ends; 小禾 may be 周小禾."""
        for length in range(6, 1, -1):
            if someone := self.named(text[at : at + length]) if len(text) >= at + length else None:
                return someone, at + length
        given = text[at : at + 2]
        if not _GIVEN.fullmatch(given):
            return None
        found = [who for same in self._by_name.values() for who in same if len(who.name) == 3 and who.name[1:] == given]
        return (found[0], at + 2) if len(found) == 1 else None

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
    word = relation_word(who, language)
    return Finding(
        "relation",
        who.name,
        key=word,
        variant="pet" if who.relation in ANIMALS else "",
        language=language,
        confidence=confidence,
        extra={"address": _address(who), "relation": who.relation, "word": word},
    )


def relation_word(who: Who, language: str) -> str:
    """Give the word for what somebody is to the owner, in the language of a sentence."""
    if language == "zh":
        return who.word or chinese_word(who.relation)
    return who.relation.upper() if who.relation in ("ceo", "cto") else who.relation


def _address(who: Who) -> str:
    base = "pet" if who.relation in ANIMALS else who.relation
    return base if is_single(who.relation) else f"{base}:{normalise(who.name)}"


def parted_findings(people: People, name: str, language: str) -> list[Finding]:
    """Say that somebody and the partner who is known went apart; nothing if none is known."""
    if not (who := people.partner(name)):
        return []
    extra = {"address": _address(who), "relation": who.relation, "word": relation_word(who, language)}
    return [Finding("relation", who.name, ended=True, language=language, extra=extra)]


def lost_findings(people: People, who: Who, language: str) -> list[Finding]:
    """Say that an animal is no more: the one of a name, or all of a kind, or the one whose name was never said."""
    gone = [who] if who.name else people.animals(who.relation)
    extra = {"relation": who.relation, "word": relation_word(who, language)}
    if not gone:
        address = {"address": f"pet:{who.relation}"}
        return [Finding("children", extra["word"], ended=True, language=language, extra={**extra, **address})]
    return [
        Finding("relation", one.name, ended=True, language=language, extra={**extra, "address": _address(one)})
        for one in gone
    ]
