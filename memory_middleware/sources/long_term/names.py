"""Which of the people in a dialogue a query names."""

from __future__ import annotations

import functools
import re
from collections.abc import Sequence

from memory_middleware.storage.terms import has_cjk, is_common

__all__ = ["named_speakers", "without_names"]

_MOST_SPEAKERS = 1000


def named_speakers(query: str, speakers: Sequence[str]) -> list[int]:
    """List the places of the speakers that a query names; of names within names the longest counts.

    Args:
        query: What is asked.
        speakers: Names in lower case.
    """
    pattern = _pattern(tuple(speakers))
    if pattern is None:
        return []
    places = {speaker: at for at, speaker in enumerate(speakers)}
    return list(dict.fromkeys(places[found[1]] for found in pattern.finditer(query.casefold())))


def without_names(query: str, speakers: Sequence[str]) -> str:
    """Take the names of speakers out of a query.

    Half of all turns are by a speaker, so a name pulls the vector of a query towards every one of them.
    A query that is nothing but names stays as it is.
    """
    pattern = _pattern(tuple(speakers))
    if pattern is None:
        return query
    found = " ".join(pattern.sub(" ", query).split())
    return found if any(char.isalnum() for char in found) else query


@functools.lru_cache(64)
def _pattern(speakers: tuple[str, ...]) -> re.Pattern[str] | None:
    """Find any of the names; one that is also a common word, or a single character, names nobody."""
    names = [name for name in speakers if len(name) > 1 and not is_common(name)]
    if not names or len(names) > _MOST_SPEAKERS:
        return None
    listed = "|".join(re.escape(name) for name in sorted(names, key=len, reverse=True) if not has_cjk(name))
    chinese = "|".join(re.escape(name) for name in sorted(names, key=len, reverse=True) if has_cjk(name))
    # A Chinese name stands among other characters without a blank.
    parts = [part for part in (rf"(?<!\w)(?:{listed})(?!\w)" if listed else "", chinese) if part]
    return re.compile(rf"({'|'.join(parts)})(?:['’]s(?!\w))?", re.IGNORECASE)
