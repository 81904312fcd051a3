"""Putting what was learned into a profile: entries are found again by who they are, and the owner's hand wins."""

from __future__ import annotations

import copy
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from memory_middleware.remember.extraction.rules.relations import is_single, relation_named
from memory_middleware.schemas.profile_places import entry_name, entry_places, places_of, restore_place
from memory_middleware.schemas.times import parse_utc, to_utc_iso
from memory_middleware.storage.repositories.profile_fields import BY_HAND, FieldSource

__all__ = ["ProfileChange", "excludes", "merge_learned"]

_LEARNED = "extracted"
_TELLS_APART = ("relationship", "category")
# People move on from one of these to another.
_PARTNERS = frozenset(
    ("boyfriend", "girlfriend", "fiance", "fiancee", "fiancé", "fiancée", "partner", "spouse", "husband", "wife", "ex")
    + ("男朋友", "女朋友", "男友", "女友", "未婚夫", "未婚妻", "伴侣", "对象", "爱人", "丈夫", "老公", "妻子", "老婆")
)
# Of these places there is one at a time.
_ONE_PLACE = frozenset({"home", "hometown", "work"})
# A value that was learned is replaced by one at least as sure, or sure enough.
_SURE = 0.8


@dataclass(slots=True)
class ProfileChange:
    """A profile with what was learned in it.

    Attributes:
        content: The profile as plain data.
        refused: Places whose value the owner set by hand, and what was learned instead.
        displaced: What new entries of which there is one at a time took the place of, by the place of the new one.
        is_changed: Whether anything is different.
    """

    content: dict[str, Any]
    refused: dict[str, Any] = field(default_factory=dict)
    displaced: dict[str, Any] = field(default_factory=dict)
    is_changed: bool = False


def merge_learned(
    content: Mapping[str, Any],
    patch: Mapping[str, Any] | None,
    removals: Mapping[str, Any] | None,
    sources: Mapping[str, FieldSource],
    *,
    confidence: float,
    now: datetime,
    is_over: Callable[[str, Any], bool] | None = None,
) -> ProfileChange:
    """Merge what was learned into a profile.

    Args:
        content: The profile as plain data; it stays as it is.
        patch: What to set. Lists hold entries to add or to change; what is not named stays.
        removals: What to take out: a list names entries, if need be with their relation; null clears a value.
        sources: Where the parts of the profile come from.
        confidence: How sure the patch is.
        now: When it was said; what was said since stays.
        is_over: Tells of a place and what stands there whether the fact behind it has ended.
    """
    merging = _Merging(sources, confidence, now)
    merged = merging.apply(dict(content), patch or {}, "")
    merged = merging.remove(merged, removals or {}, "")
    if is_over is not None:
        merged = merging.clear(content, merged, is_over)
    return ProfileChange(merged, merging.refused, merging.displaced, merged != dict(content))


def excludes(old: Mapping[str, Any], entry: Any) -> bool:
    """Tell whether two entries cannot stand side by side: a new home takes the place of the old one, a new boss too."""
    if not isinstance(entry, Mapping):
        return False
    home = old.get("category") in _ONE_PLACE and old.get("category") == entry.get("category")
    relation = relation_named(entry.get("relationship") or "")
    return home or (is_single(relation) and relation_named(old.get("relationship") or "") == relation)


class _Merging:
    def __init__(self, sources: Mapping[str, FieldSource], confidence: float, now: datetime) -> None:
        self._sources = sources
        self._confidence = confidence
        self._now = now
        self.refused: dict[str, Any] = {}
        self.displaced: dict[str, Any] = {}

    def apply(self, known: dict[str, Any], patch: Mapping[str, Any], before: str) -> dict[str, Any]:
        merged = dict(known)
        for key, value in patch.items():
            place, old = f"{before}{key}", known.get(key)
            if isinstance(value, Mapping):
                merged[key] = self.apply(dict(old or {}), value, f"{place}.")
            elif isinstance(value, list) and _has_names(value):
                merged[key] = self._entries(list(old or []), value, place)
            elif isinstance(value, list):
                merged[key] = self._united(list(old or []), value)
            elif value is not None and value != old and self._allowed(place, old, value):
                merged[key] = value
        return merged

    def remove(self, known: dict[str, Any], removals: Mapping[str, Any], before: str) -> dict[str, Any]:
        merged = dict(known)
        for key, value in removals.items():
            place, old = f"{before}{key}", known.get(key)
            if isinstance(value, Mapping) and isinstance(old, dict):
                merged[key] = self.remove(old, value, f"{place}.")
            elif isinstance(value, list) and isinstance(old, list):
                merged[key] = self._without(old, value, place)
            elif value is None and old is not None and not isinstance(old, list | dict) and self._is_free(place):
                merged[key] = None
        return merged

    def clear(
        self, content: Mapping[str, Any], merged: dict[str, Any], is_over: Callable[[str, Any], bool]
    ) -> dict[str, Any]:
        """Take out what stands as it stood before, and has ended."""
        cleared, after = copy.deepcopy(merged), places_of(merged)
        for place, value in places_of(content).items():
            if after.get(place) == value and self._is_free(place) and is_over(place, value):
                restore_place(cleared, place)
        return cleared

    def _without(self, known: list[Any], gone: list[Any], place: str) -> list[Any]:
        """Take entries out of a list; of namesakes only the one who is meant, and none if that is not told."""
        doomed: set[int] = set()
        for entry in gone:
            meant = _matching(known, entry)
            if len(meant) > 1:
                self.refused[f"{place}:{entry_name(entry)}"] = None
            else:
                doomed.update(meant)
        places = entry_places(place, known)
        return [entry for at, entry in enumerate(known) if at not in doomed or not self._is_free(places[at])]

    def _is_free(self, place: str) -> bool:
        found = self._sources.get(place)
        return found is not None and found.source != BY_HAND and found.updated_at <= self._now

    def _allowed(self, place: str, old: Any, value: Any) -> bool:
        """Tell whether a value may take the place of another: never of one set by hand."""
        if old in (None, "", [], {}):
            return True
        found = self._sources.get(place)
        if found is None or found.source == BY_HAND:
            self.refused[place] = value
            return False
        return found.updated_at <= self._now and self._confidence >= min(found.confidence, _SURE)

    def _entries(self, known: list[Any], learned: list[Any], place: str) -> list[Any]:
        merged = list(known)
        for entry in learned:
            found = _matching(merged, entry)
            if not found:
                merged = self._with_new(merged, entry, place)
            elif len(found) > 1:
                self.refused[f"{place}:{entry_name(entry)}"] = entry
            elif isinstance(entry, Mapping):
                at = found[0]
                merged[at] = self._joined(dict(merged[at]), entry, entry_places(place, merged)[at])
        return merged

    def _with_new(self, known: list[Any], entry: Any, place: str) -> list[Any]:
        """Add an entry; what was learned before and can be there once only goes, unless it was said since."""
        rivals = [old for old in known if _is_learned(old) and excludes(old, entry)]
        if any(_last_said(old) > self._now for old in rivals):
            return known
        kept = [old for old in known if old not in rivals] + [self._new(entry)]
        if rivals:
            self.displaced[entry_places(place, kept)[-1]] = rivals[-1]
        return kept

    def _new(self, entry: Any) -> Any:
        return {**entry, "meta": self._meta()} if isinstance(entry, Mapping) else entry

    def _joined(self, old: dict[str, Any], entry: Mapping[str, Any], place: str) -> dict[str, Any]:
        learned = _is_learned(old)
        joined = dict(old)
        for key, value in entry.items():
            known = old.get(key)
            if key in ("name", "meta") or value in (None, [], {}) or value == known:
                continue
            if isinstance(value, list) and isinstance(known, list):
                joined[key] = self._united(known, value)
            elif known in (None, "", [], {}) or (learned and self._is_surer(old)):
                joined[key] = value
            else:
                self.refused[f"{place}.{key}"] = value
        if joined != old and learned:
            joined["meta"] = self._meta()
        return joined

    def _is_surer(self, old: Mapping[str, Any]) -> bool:
        if _last_said(old) > self._now:
            return False
        return self._confidence >= min(float((old.get("meta") or {}).get("confidence", 1.0)), _SURE)

    @staticmethod
    def _united(known: list[Any], learned: list[Any]) -> list[Any]:
        return known + [part for at, part in enumerate(learned) if part not in known and part not in learned[:at]]

    def _meta(self) -> dict[str, Any]:
        return {"source": _LEARNED, "confidence": self._confidence, "last_updated_at": to_utc_iso(self._now)}


def _has_names(value: list[Any]) -> bool:
    return all(isinstance(part, str) or (isinstance(part, Mapping) and "name" in part) for part in value)


def _is_learned(entry: Any) -> bool:
    return isinstance(entry, Mapping) and (entry.get("meta") or {}).get("source") == _LEARNED


def _last_said(entry: Mapping[str, Any]) -> datetime:
    told = (entry.get("meta") or {}).get("last_updated_at")
    return parse_utc(told) if told else datetime.min.replace(tzinfo=UTC)


def _is_same_entry(old: Any, entry: Any) -> bool:
    """Two entries are the same by their name, unless something tells them apart, such as sister and colleague."""
    if entry_name(old) != entry_name(entry):
        return False
    if not isinstance(old, Mapping) or not isinstance(entry, Mapping):
        return True
    return all(_agree(old.get(key), entry.get(key)) for key in _TELLS_APART)


def _matching(entries: list[Any], entry: Any) -> list[int]:
    """List the entries that are the same as one; who is told apart from a namesake is one alone."""
    found = [at for at, old in enumerate(entries) if _is_same_entry(old, entry)]
    told = [at for at in found if _is_told_apart(entry) and _is_told_apart(entries[at])]
    return told or found


def _is_told_apart(entry: Any) -> bool:
    return isinstance(entry, Mapping) and any(entry.get(key) for key in _TELLS_APART)


def _agree(one: str | None, other: str | None) -> bool:
    if not one or not other:
        return True
    return relation_named(one) == relation_named(other) or {entry_name(one), entry_name(other)} <= _PARTNERS
