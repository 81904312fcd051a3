"""When two memories say the same: by address, by text, by nearly the same text."""

from __future__ import annotations

import functools
import re
import unicodedata
from typing import Protocol

from memory_middleware.schemas.record import MemoryRecord
from memory_middleware.storage.owners import address_digest
from memory_middleware.storage.terms import terms_of

__all__ = ["Addressed", "is_near", "is_same", "normalised", "same_address"]

_NUMBER = re.compile(r"\d+")
_NOT = re.compile(
    r"\b(?:not|no|never|none|nobody|without|cannot|isn|aren|wasn|doesn|don|didn|won|can|hate|dislike|avoid|stopped)\b(?:['’]t)?"
    r"|不|没|無|无|别|勿|讨厌|戒",
    re.IGNORECASE,
)
_CAN = re.compile(r"\bcan\b(?!['’]t|not)", re.IGNORECASE)
_NEAR = 0.9


class Addressed(Protocol):
    """Anything with an address."""

    @property
    def subject(self) -> str | None:
        """Whom or what it is about."""
        ...

    @property
    def attribute(self) -> str | None:
        """Which property it states."""
        ...


def normalised(text: str) -> str:
    """Fold what does not matter: case, width, blanks, and punctuation at the end."""
    folded = " ".join(unicodedata.normalize("NFKC", text).casefold().split())
    return folded.rstrip(" .!?;,。！？；，")


def same_address(one: Addressed, other: Addressed) -> bool:
    """Tell whether both are about one property of one subject; without an address they are not."""
    address = address_digest(one.subject, one.attribute)
    return address is not None and address == address_digest(other.subject, other.attribute)


def is_same(one: MemoryRecord, other: MemoryRecord) -> bool:
    """Tell whether two records say the same of the same, in the same or nearly the same words."""
    if one.kind is not other.kind:
        return normalised(one.content) == normalised(other.content) and _subject(one) == _subject(other)
    if _has_address(one) and _has_address(other) and not same_address(one, other):
        return False
    return is_near(one.content, other.content) and (_subject(one) == _subject(other) or not _subject(one))


def is_near(one: str, other: str) -> bool:
    """Tell whether two texts have nearly the same words, the same numbers, and agree in what they deny."""
    if normalised(one) == normalised(other):
        return True
    first, second = _words(one), _words(other)
    if not first or not second or _sense(one) != _sense(other):
        return False
    # A word in the place of another may be the whole difference; a word more or less is not.
    return (first <= second or second <= first) and len(first & second) / len(first | second) >= _NEAR


@functools.lru_cache(4096)
def _words(text: str) -> frozenset[str]:
    return frozenset(terms_of(text))


@functools.lru_cache(4096)
def _sense(text: str) -> tuple[tuple[str, ...], int]:
    denied = len(_NOT.findall(_CAN.sub(" ", text)))
    return tuple(sorted(_NUMBER.findall(text))), denied % 2


def _subject(record: MemoryRecord) -> str:
    return normalised(record.subject or "")


def _has_address(record: MemoryRecord) -> bool:
    return bool(record.subject and record.attribute)
