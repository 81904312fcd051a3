"""What is remembered already: which record a finding replaces, and the value that record held."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache

from memory_middleware.remember.extraction.rules.findings import Finding, Who
from memory_middleware.remember.extraction.rules.vocabulary import ATTRIBUTES
from memory_middleware.schemas.record import MemoryRecord

__all__ = ["Known", "restated"]

_SUBJECT = re.compile(r"(.{1,60}) \(([a-z-]{2,20})\)")
_MARK = "\x00"


class Known:
    """The records that lie near to what a batch says."""

    def __init__(self, records: Iterable[MemoryRecord]) -> None:
        self._records = tuple(records)
        self._at = {(record.subject or "", record.attribute or ""): record for record in self._records}

    def at(self, subject: str, attribute: str) -> MemoryRecord | None:
        """Give the record at an address."""
        return self._at.get((subject, attribute))

    def about(self, subject: str) -> list[MemoryRecord]:
        """Give the records of a subject."""
        return [record for record in self._records if record.subject == subject and record.attribute]

    def saying(self, words: str) -> MemoryRecord | None:
        """Give the one record with an address that holds some words; none if there is none or more than one."""
        folded = words.casefold()
        found = [record for record in self._records if record.attribute and folded in record.content.casefold()]
        return found[0] if len(found) == 1 else None

    def value_before(self, finding: Finding) -> str | None:
        """Give the value of the record that a finding replaces, if it has the form of a finding's sentence."""
        record = self.at(finding.subject, finding.address)
        found = (
            _read(record.content, finding.attribute, str(finding.extra.get("word", finding.key))) if record else None
        )
        return found[1] if found else None


def _read(content: str, attribute: str, kind: str) -> tuple[str, str] | None:
    """Give the variant and the value of a sentence about the owner, if it is one of an attribute's sentences."""
    for variant, pattern in _forms(attribute, kind):
        if found := pattern.fullmatch(content):
            return variant, found[1]
    return None


@cache
def _forms(attribute: str, kind: str) -> tuple[tuple[str, re.Pattern[str]], ...]:
    forms = []
    for variant, (english, chinese) in ATTRIBUTES[attribute].sentences.items():
        for text, who in ((english, "The user"), (chinese, "用户")):
            said = text.format(who=who, whose=f"{who}'s", v=_MARK, k=kind, d="")
            forms.append((variant, re.compile(re.escape(said).replace(re.escape(_MARK), "(.+)"))))
    return tuple(forms)


def restated(record: MemoryRecord, old: str, new: str, *, subject: str | None = None) -> Finding:
    """Say a record again with other words in it, at its own address or at that of another subject."""
    attribute, about = record.attribute or "", subject or record.subject or "user"
    single = about == "user" and attribute in ATTRIBUTES and not ATTRIBUTES[attribute].keyed
    if single and (said := _read(record.content, attribute, "")):
        variant, value = said
        fresh = _swapped(value, old, new)
        return Finding(
            attribute, fresh, variant=variant, replace=record.content, correction=True, extra={"before": value}
        )
    named = _SUBJECT.fullmatch(about)
    who = Who(named[1], named[2]) if named else Who() if about == "user" else Who(about)
    extra = {"address": attribute, "record_kind": record.kind}
    content = _swapped(record.content, old, new)
    return Finding("note", content, who=who, replace=record.content, correction=True, extra=extra)


def _swapped(text: str, old: str, new: str) -> str:
    return re.sub(re.escape(old), lambda _: new, text, flags=re.IGNORECASE)
