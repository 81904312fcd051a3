"""Profiles as sections of a block: the fields in their order, empty ones left out."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime

from pydantic import BaseModel

from memory_middleware.recall.labels import label, words
from memory_middleware.recall.sections import Line, MemoryClass, Section
from memory_middleware.recall.staleness import Staleness
from memory_middleware.schemas import times
from memory_middleware.schemas.neutral import neutralise
from memory_middleware.schemas.profile import UserMemoryContent, WorkProfileContent
from memory_middleware.schemas.profile_parts import EntryMeta, ProfilePart, TimeWindow

__all__ = ["UNCERTAIN_BELOW", "profile_sections"]

UNCERTAIN_BELOW = 0.5
"""Entries less sure than this are marked."""

_ABOUT = ("occupation", "timezone", "primary_language", "expertise", "preferred_tools")
_MINUTES = {"commute_minutes", "preferred_meeting_duration_minutes", "meeting_buffer_minutes"}
# Rules the owner set find room before anything else.
_FIRST = ("custom_rules", "work_rules", "avoid_topics")
_CHOICES = {"preference": ("like", "neutral", "avoid"), "status": ("planned", "active", "paused", "completed")}
_ONE_LINE = ("interests", "avoid_topics")
_DAYS = ("deadline", "due_date")


def profile_sections(
    content: UserMemoryContent | WorkProfileContent,
    language: str = "en",
    *,
    now: datetime | None = None,
    source: str | None = None,
) -> list[Section]:
    """Tell a profile in sections; one with nothing in it is left out.

    Args:
        content: The profile.
        language: Of the words around values.
        now: The present moment, by which entries are out of date; none means this one.
        source: The attachment it came by, if that has a share of its own.
    """
    teller = _Teller(language, Staleness(now or times.utc_now(), language))
    found: list[Section] = []
    about: list[str] = []
    for name in type(content).model_fields:
        value = getattr(content, name)
        if name in _ABOUT:
            about.extend(teller.field(name, value))
        else:
            kind = MemoryClass.CORRECTIONS if name in _FIRST else MemoryClass.PROFILE
            found.append(Section(name, words(name, language), _lines(teller.lines(name, value), source), kind))
    sections = [Section("about", words("about", language), _lines(about, source)), *found]
    return [section for section in sections if section.lines]


def _lines(texts: Iterable[str], source: str | None) -> tuple[Line, ...]:
    return tuple(Line(text, source=source, is_neutral=True) for text in texts)


class _Teller:
    """Turns profile values into lines of one language."""

    def __init__(self, language: str, staleness: Staleness) -> None:
        self._language = language
        self._staleness = staleness
        self._comma = "、" if language == "zh" else ", "
        self._semicolon = "；" if language == "zh" else "; "

    def lines(self, name: str, value: object) -> Iterable[str]:
        """Tell a section's value, one line a thing."""
        if isinstance(value, ProfilePart):
            for field in type(value).model_fields:
                yield from self.field(field, getattr(value, field))
        elif name in _ONE_LINE:
            yield from filter(None, (self._value(name, value),))
        elif isinstance(value, list):
            yield from (line for part in value if (line := self._entry(part, section=name)))
        elif value:
            yield neutralise(str(value))

    def field(self, name: str, value: object) -> Iterable[str]:
        """Tell a field with its label, or nothing when it is empty."""
        if told := self._value(name, value):
            yield label(name, told, self._language)

    def _entry(self, part: object, form: str = "{name} — {details}", section: str = "") -> str:
        if not isinstance(part, BaseModel):
            return neutralise(str(part))
        details = [
            label(field, told, self._language)
            for field in type(part).model_fields
            if field not in ("name", "meta") and (told := self._dated(part, field))
        ]
        meta, head = getattr(part, "meta", None), neutralise(str(getattr(part, "name", "")))
        marks = [words("uncertain", self._language)] if self._is_uncertain(meta) else []
        if stale := self._staleness.of_entry(section, meta, getattr(part, "status", None)):
            marks.append(stale)
        if marks:
            head += f" ({self._comma.join(marks)})"
        return form.format(name=head, details=self._semicolon.join(details)) if details else head

    def _dated(self, part: BaseModel, field: str) -> str:
        value = getattr(part, field)
        told = self._value(field, value)
        passed = self._staleness.of_day(value, getattr(part, "status", None)) if field in _DAYS else ""
        return f"{told} ({passed})" if passed else told

    def _value(self, name: str, value: object) -> str:
        if value is None or value == [] or value == "":
            return ""
        if isinstance(value, list):
            return self._comma.join(filter(None, (self._one(name, part) for part in value)))
        return self._one(name, value)

    def _one(self, name: str, value: object) -> str:
        if isinstance(value, TimeWindow):
            return f"{self._days(value.weekdays)} {value.start}–{value.end}"
        if isinstance(value, BaseModel):
            return self._entry(value, "{name} ({details})")
        if name in _CHOICES and str(value) in _CHOICES[name]:
            return words(str(value), self._language)
        text = neutralise(str(value))
        return f"{text} {words('minutes', self._language)}" if name in _MINUTES else text

    def _days(self, weekdays: Sequence[str]) -> str:
        if not weekdays:
            return words("every_day", self._language)
        return "/".join(words(day, self._language) for day in weekdays)

    @staticmethod
    def _is_uncertain(meta: object) -> bool:
        return isinstance(meta, EntryMeta) and meta.confidence < UNCERTAIN_BELOW
