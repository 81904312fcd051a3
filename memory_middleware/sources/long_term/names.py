"""Which of the people in a dialogue a query names."""

from __future__ import annotations

import re
from collections.abc import Sequence

__all__ = ["named_speakers", "without_names"]


def named_speakers(query: str, speakers: Sequence[str]) -> list[int]:
    """List the places of the speakers that a query names."""
    lowered = query.casefold()
    return [at for at, speaker in enumerate(speakers) if speaker and _pattern(speaker).search(lowered)]


def without_names(query: str, speakers: Sequence[str]) -> str:
    """Take the names of speakers out of a query.

    Half of all turns are by a speaker, so a name pulls the vector of a query towards every one of them.
    A query that is nothing but names stays as it is.
    """
    found = query
    for speaker in speakers:
        if speaker:
            found = re.sub(_pattern(speaker).pattern, " ", found, flags=re.IGNORECASE)
    found = " ".join(found.split())
    return found if any(char.isalnum() for char in found) else query


def _pattern(speaker: str) -> re.Pattern[str]:
    name = re.escape(speaker.casefold())
    # A Chinese name stands among other characters without a blank.
    bounded = rf"\b{name}(?:['’]s)?\b" if speaker.isascii() else name
    return re.compile(bounded, re.IGNORECASE)
