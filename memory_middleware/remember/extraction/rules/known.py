"""What is remembered already: which record a finding replaces, and the value that record held."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

from memory_middleware.remember.extraction.rules.findings import USER, Finding, Who
from memory_middleware.remember.extraction.rules.phrasing import in_chinese, in_english
from memory_middleware.remember.extraction.rules.script import has_han
from memory_middleware.remember.extraction.rules.vocabulary import ATTRIBUTES, STATUS_ZH, normalise
from memory_middleware.schemas.record import MemoryRecord

__all__ = ["Known", "restated", "under_new_name"]

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
        wanted = normalise(subject)
        return [record for record in self._records if normalise(record.subject or "") == wanted and record.attribute]

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


def _read(content: str, attribute: str, kind: str, who: Who = USER) -> tuple[str, str] | None:
    """Give the variant and the value of a sentence about somebody, if it is one of an attribute's sentences."""
    for variant, pattern in _forms(attribute, kind, who):
        if found := pattern.fullmatch(content):
            return variant, found[1]
    return None


@lru_cache(maxsize=256)
def _forms(attribute: str, kind: str, about: Who) -> tuple[tuple[str, re.Pattern[str]], ...]:
    forms = []
    for variant, (english, chinese) in ATTRIBUTES[attribute].sentences.items():
        for text, who in ((english, in_english(about)), (chinese, in_chinese(about))):
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


def under_new_name(record: MemoryRecord, old: str, new: str) -> Finding:
    """Say what is known of a project again under its new name."""
    attribute = record.attribute or ""
    said = _read(record.content, attribute, "", Who(old, "project")) if attribute in ("status", "deadline") else None
    if said is None:
        return restated(record, old, new, subject=f"{new} (project)")
    shown = {zh: plain for plain, zh in STATUS_ZH.items()}
    language = "zh" if has_han(record.content.replace(old, "")) else "en"
    return Finding(
        attribute,
        said[1],
        who=Who(new, "project"),
        plain=shown.get(said[1], said[1]),
        language=language,
        replace=record.content,
    )


def _swapped(text: str, old: str, new: str) -> str:
    return re.sub(re.escape(old), lambda _: new, text, flags=re.IGNORECASE)
