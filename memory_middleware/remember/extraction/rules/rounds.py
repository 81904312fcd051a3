"""Reading rounds one after the other, with what earlier ones said in mind."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from memory_middleware.remember.extraction.rules import chinese, english, guards
from memory_middleware.remember.extraction.rules.answers import answered
from memory_middleware.remember.extraction.rules.calendar_days import Moments
from memory_middleware.remember.extraction.rules.corrections import Swap, bare_value, corrected, swap_of, without_old
from memory_middleware.remember.extraction.rules.findings import Finding, Who
from memory_middleware.remember.extraction.rules.known import Known, restated
from memory_middleware.remember.extraction.rules.people import People
from memory_middleware.remember.extraction.rules.reading import Reading
from memory_middleware.remember.extraction.rules.sentences import (
    Clause,
    Sentence,
    read_message,
    split_clauses,
    spoken_end_cut,
    who_cut,
)
from memory_middleware.remember.extraction.rules.takebacks import forgets, takes_back
from memory_middleware.remember.extraction.rules.vocabulary import ATTRIBUTES

__all__ = ["RoundReader", "Said"]

_LONGEST_CLAUSE = 500
_READERS = {"en": english, "zh": chinese}


@dataclass(slots=True)
class Said:
    """A finding, the round it came from, and the words that said it."""

    finding: Finding
    round_id: str
    words: Clause


@dataclass(slots=True)
class RoundReader:
    """Reads rounds, the oldest first.

    Attributes:
        people: Who was named so far.
        known: What is remembered already.
        said: All that was found and not taken back.
        taken_back: The ids of rounds whose facts were never meant, each with that of the round that says so.
    """

    people: People
    known: Known
    said: list[Said] = field(default_factory=list)
    taken_back: dict[str, str] = field(default_factory=dict)
    _correcting: bool = False
    _inherited: Who | None = None
    _weak: bool = False
    _ordered: bool = False
    _previous: str = ""

    def read(self, round_id: str, text: str, moments: Moments, asked: str = "", asked_id: str = "") -> None:
        """Read what the owner said in a round; ``asked`` is what the assistant said before."""
        self.people.new_round()
        self._correcting = self._ordered = False
        if found := answered(text, asked, moments, self.people):
            evidence = (asked_id, round_id) if asked_id else (round_id,)
            self._keep([replace(finding, evidence=evidence) for finding in found], round_id, Clause(text, text))
            return
        for sentence in read_message(text):
            if found_back := takes_back(sentence.text):
                self._take_back(sentence, found_back.start(), round_id, moments)
                sentence = _after(sentence, found_back.end())
            self._read_sentence(sentence, round_id, moments)

    def _take_back(self, sentence: Sentence, at: int, round_id: str, moments: Moments) -> None:
        """Take back what this round said so far, or else the round before."""
        self._read_sentence(Sentence(sentence.text[:at], sentence.raw[:at], sentence.asked), round_id, moments)
        mine = [said for said in self.said if said.round_id == round_id]
        if mine:
            self.said = [said for said in self.said if said.round_id != round_id]
            self.taken_back[round_id] = round_id
        elif self._previous:
            self.said = [said for said in self.said if said.round_id != self._previous]
            self.taken_back[self._previous] = round_id
        self._inherited = None

    def close(self, round_id: str) -> None:
        """Take note that a round was read."""
        self._previous = round_id

    def _read_sentence(self, sentence: Sentence, round_id: str, moments: Moments) -> None:
        self._inherited = None
        if not sentence.text.strip() or guards.is_sarcastic(sentence.text):
            return
        whole = Clause(sentence.text[:_LONGEST_CLAUSE], sentence.raw[:_LONGEST_CLAUSE])
        reading = Reading(whole, moments, self.people, sentence.language)
        reading.asked = sentence.asked
        secret = guards.holds_secret(whole.text)
        if not secret and (found := _READERS[sentence.language].read_orders(reading)):
            self._keep(found, round_id, whole)
            return
        if guards.supposes_whole(sentence.text):
            return
        if found := self._corrected(swap_of(whole, sentence.language), moments, sentence.language):
            self._keep(found, round_id, whole)
            return
        sentence, swapped = without_old(sentence)
        self._correcting = self._correcting or swapped
        self._read_clauses(split_clauses(sentence), round_id, moments, sentence.language)

    def _read_clauses(self, clauses: list[Clause], round_id: str, moments: Moments, language: str) -> None:
        if clauses and clauses[-1].asked and guards.is_tag(clauses[-1].text):
            return
        for at, clause in enumerate(clauses):
            if guards.supposes(clause.text):
                return
            following = clauses[at + 1].text if at + 1 < len(clauses) else ""
            if guards.is_tag(following) and guards.asks(following, language):
                return
            self._read_one(clause, round_id, moments, language)
            if guards.reports(clause.text):
                return

    def _read_one(self, clause: Clause, round_id: str, moments: Moments, language: str) -> None:
        clause = Clause(
            clause.text[:_LONGEST_CLAUSE], clause.raw[:_LONGEST_CLAUSE], clause.position, clause.first, clause.asked
        )
        if guards.holds_secret(clause.text):
            self._inherited = None
            return
        if language == "en" and self._inherited and not self._inherited.is_user:
            clause = who_cut(clause)
        if clause.asked or guards.asks(clause.text, language):
            self._inherited = None
            asked = Reading(clause, moments, self.people, language)
            self._keep(_READERS[language].read_mentions(asked), round_id, clause)
            return
        meant = Reading(clause, moments, self.people, language)
        if not clause.first and (found := _READERS[language].read_consequence(meant)):
            self._keep(found, round_id, clause)
            return
        clause = spoken_end_cut(clause) if language == "zh" else clause
        at = forgets(clause.text)
        if at is not None:
            clause = Clause(clause.text[at:], clause.raw[at:], clause.position, clause.first)
        reading = Reading(clause, moments, self.people, language, correction=self._correcting, ordered=self._ordered)
        found, who = _READERS[language].read_clause(reading, self._inherited, self._weak)
        self._weak = self._weak if reading.blank else not found or reading.aside
        self._correcting, self._ordered = reading.correction and reading.blank, reading.ordered and reading.blank
        if not found and reading.correction:
            found = self._corrected(bare_value(clause, language), moments, language)
        if at is not None:
            found = [replace(finding, ended=True) for finding in found]
        self._inherited = who if reading.blank or guards.carries_on(clause.text) else None
        self._keep(found, round_id, clause)

    def _corrected(self, swap: Swap | None, moments: Moments, language: str) -> list[Finding]:
        """Read a correction that names values only, by saying the old words with the new value."""
        if swap is None:
            return []
        for said in reversed(self.said[-6:]):
            if not swap.old and _holds_beside(said.finding):
                continue
            words = corrected(swap, said.words, said.finding, moments)
            if words is None:
                continue
            reading = Reading(words, moments, self.people, language, correction=True)
            found, _ = _READERS[language].read_clause(reading, said.finding.who)
            if found := [one for one in found if one.attribute == said.finding.attribute]:
                return found
        record = self.known.saying(swap.old) if swap.old else None
        return [replace(restated(record, swap.old, swap.new), language=language)] if record else []

    def _keep(self, found: list[Finding], round_id: str, words: Clause) -> None:
        for finding in found:
            evidence = finding.evidence or (round_id,)
            self.said.append(Said(replace(finding, evidence=evidence), round_id, words))


def _holds_beside(finding: Finding) -> bool:
    """Tell whether a finding is one of several that hold beside each other; a bare value then corrects none of them."""
    return ATTRIBUTES[finding.attribute].keyed and finding.attribute != "event"


def _after(sentence: Sentence, at: int) -> Sentence:
    return Sentence(sentence.text[at:], sentence.raw[at:], sentence.asked)
