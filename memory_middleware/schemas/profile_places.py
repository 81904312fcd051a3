"""Places in a profile: names for its single values and for the entries of its lists."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping, Sequence
from typing import Any

__all__ = ["changed_places", "entry_name", "entry_places", "moved_places", "places_of", "restore_place"]

_TELLS_APART = ("relationship", "category")


def entry_name(entry: Any) -> str:
    """Name an entry of a list: its name if it has one, else its text; case, width and blanks do not matter."""
    told = entry.get("name", entry) if isinstance(entry, Mapping) else entry
    return " ".join(unicodedata.normalize("NFKC", str(told)).casefold().split())


def places_of(content: Mapping[str, Any], before: str = "") -> dict[str, Any]:
    """Give every value of a profile's plain data by its place; empty ones are left out.

    A single value stands at ``preferences.communication_style``, an entry of a list at ``people:marta``. Lists of
    windows and numbers have no names for their entries and stand at one place.
    """
    found: dict[str, Any] = {}
    for key, value in content.items():
        place = f"{before}{key}"
        if isinstance(value, Mapping):
            found |= places_of(value, f"{place}.")
        elif isinstance(value, list) and all(isinstance(part, str) or _is_named(part) for part in value):
            found |= dict(zip(entry_places(place, value), value, strict=True))
        elif value is not None and value != []:
            found[place] = value
    return found


def entry_places(place: str, entries: Sequence[Any]) -> list[str]:
    """Name the places of a list's entries; a namesake is told apart, as ``people:tom (neighbor)``."""
    names: list[str] = []
    for entry in entries:
        name = f"{place}:{entry_name(entry)}"
        told = (entry.get(key) for key in _TELLS_APART) if isinstance(entry, Mapping) else ()
        apart = next(filter(None, told), None)
        names.append(f"{name} ({entry_name(apart)})" if name in names and apart else name)
    return names


def changed_places(old: Mapping[str, Any], new: Mapping[str, Any]) -> tuple[set[str], set[str]]:
    """Tell at which places a profile says something new, and at which it says nothing any more."""
    before, after = places_of(old), places_of(new)
    return {place for place, value in after.items() if before.get(place) != value}, before.keys() - after.keys()


def moved_places(old: Mapping[str, Any], new: Mapping[str, Any]) -> dict[str, str]:
    """Tell which entries stand at another place only because a namesake came or went, and where they stood."""
    before, after = places_of(old), places_of(new)
    return {
        place: stood
        for place, value in after.items()
        if isinstance(value, Mapping) and before.get(place) != value
        for stood in before
        if stood.partition(":")[0] == place.partition(":")[0] and before[stood] == value
    }


def restore_place(content: dict[str, Any], place: str, value: Any = None) -> None:
    """Put a value back at a place of a profile's plain data; none takes out what is there."""
    path, _, name = place.partition(":")
    *parents, last = path.split(".")
    home = content
    for key in parents:
        home = home[key]
    if not name:
        empty: Any = [] if isinstance(home.get(last), list) else None
        home[last] = empty if value is None else value
        return
    entries = home[last]
    found = entry_places(path, entries)
    at = found.index(place) if place in found else len(entries)
    entries[at : at + 1] = [] if value is None else [value]


def _is_named(part: Any) -> bool:
    return isinstance(part, Mapping) and "name" in part
