"""What a batch takes back or ends of itself, before it reaches the profiles."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any, NamedTuple

from memory_middleware.remember.extraction.base import Extraction, Retraction
from memory_middleware.remember.profile_addresses import is_about, value_like
from memory_middleware.schemas.dialogue import Dialogue, Fact
from memory_middleware.schemas.profile_places import entry_name

__all__ = ["Unsaid", "rounds_saying", "sifted", "without_unsaid"]

_NAMED = ("user.people", "user.places", "work.team_members", "work.current_projects", "user.recurring_routines")


class Unsaid(NamedTuple):
    """A change of a profile that a batch says and unsays.

    Attributes:
        place: Where, as ``user.occupation``.
        value: What would stand there; none if it would have been taken out.
        evidence: The ids of the rounds that unsay it; if those are not meant, it stands.
    """

    place: str
    value: Any
    evidence: tuple[str, ...]


def without_unsaid(extraction: Extraction, rounds: Sequence[Dialogue]) -> tuple[Extraction, tuple[Unsaid, ...]]:
    """Give an extraction without the changes of profiles that the same batch takes back or ends, and those apart.

    Args:
        extraction: What was found; its retractions tell their rounds and moments.
        rounds: The rounds of the batch.
    """
    if not extraction.retractions:
        return extraction, ()
    batch = _Batch(rounds, extraction)
    patch = sifted(extraction.profile_patch, batch.is_set)
    removals = sifted(extraction.profile_removals, batch.is_gone)
    return replace(extraction, profile_patch=patch, profile_removals=removals), tuple(batch.unsaid)


def rounds_saying(value: Any, rounds: Sequence[Dialogue]) -> list[Dialogue]:
    """Give the rounds in which a value, or the name of an entry, was said; all if it was said in other words."""
    name = entry_name(value)
    return [one for one in rounds if name in entry_name(one.user_query)] or list(rounds)


def _meant(retractions: Sequence[Retraction]) -> list[Retraction]:
    """Leave out retractions that a later one takes back in its turn: "just kidding", "no, I really did"."""
    standing: list[Retraction] = []
    for retraction in sorted(retractions, key=_moment, reverse=True):
        undone = {name for later in standing for name in later.rounds if _moment(later) > _moment(retraction)}
        if not retraction.evidence or not undone.issuperset(retraction.evidence):
            standing.append(retraction)
    return standing


def _moment(retraction: Retraction) -> datetime:
    return retraction.said_at or datetime.min.replace(tzinfo=UTC)


class _Batch:
    """What becomes of each change, with what is unsaid put down on the way."""

    def __init__(self, rounds: Sequence[Dialogue], extraction: Extraction) -> None:
        standing = _meant(extraction.retractions)
        self.unsaid: list[Unsaid] = []
        self._rounds = rounds
        self._facts = extraction.facts
        self._jokes = {name: one.evidence for one in standing for name in one.rounds}
        self._ends = [one for one in standing if one.attribute]
        self._unmeant = [one for one in extraction.retractions if one.attribute and one not in self._ends]
        takers = {name for one in extraction.retractions for name in one.evidence}
        self._others = [one for one in rounds if one.id in self._jokes or one.id not in takers] or list(rounds)

    def is_set(self, place: str, value: Any) -> Any:
        """Give what a patch may set at a place: the value, what it took the place of if it was no truth, or none."""
        said = rounds_saying(value, self._rounds)
        meant = [one for one in said if one.id not in self._jokes]
        if not meant:
            self._put_down(place, value, self._jokes[said[-1].id])
            return self._former(place, value)
        last = max(one.created_at for one in meant)
        over = next((one for one in self._ends if last < _moment(one) and is_about(place, value, one)), None)
        if over is None:
            return value
        self._put_down(place, value, over.evidence)
        return None

    def is_gone(self, place: str, value: Any) -> Any:
        """Give what may be taken out of a place: what is named, unless that was not meant."""
        unmeant = [one for one in self._unmeant if _is_named(place, value, one)]
        if unmeant:
            evidence = self._jokes.get(unmeant[-1].evidence[-1], ())
            gone = any(_is_named(place, value, one) for one in self._ends)
        else:
            said = self._others if value is None else rounds_saying(value, self._others)
            evidence = self._jokes.get(said[-1].id, ())
            gone = not all(one.id in self._jokes for one in said)
        if not gone:
            self._put_down(place, None, evidence)
        return _CLEARED if gone and value is None else value if gone else None

    def _former(self, place: str, value: Any) -> Any:
        """Find what a fact of the batch says at the address of a joke, in the words of the joke's own fact."""
        at = [fact for fact in self._facts if is_about(place, value, fact)]
        jokes = [fact for fact in at if fact.evidence and all(name in self._jokes for name in fact.evidence)]
        truths = [fact for fact in at if fact not in jokes]
        return value_like(value, jokes[-1].content, truths[-1].content) if jokes and truths else None

    def _put_down(self, place: str, value: Any, evidence: tuple[str, ...]) -> None:
        self.unsaid.append(Unsaid(place, value, evidence))


class _Cleared:
    """Stands for a null that clears a value."""


_CLEARED = _Cleared()


def _is_named(place: str, value: Any, one: Retraction | Fact) -> bool:
    named = {"name": value} if place.startswith(_NAMED) and not isinstance(value, Mapping) else value
    return is_about(place, named, one)


def sifted(tree: Mapping[str, Any], keep: Callable[[str, Any], Any], before: str = "") -> dict[str, Any]:
    """Leave in a tree of changes what is kept, looking at each value and each entry of a list."""
    kept: dict[str, Any] = {}
    for key, value in tree.items():
        place = f"{before}{key}"
        if isinstance(value, Mapping):
            kept[key] = sifted(value, keep, f"{place}.")
        elif isinstance(value, list):
            found = (keep(f"{place}:{entry_name(entry)}", entry) for entry in value)
            kept[key] = [entry for entry in found if entry is not None]
        else:
            kept[key] = keep(place, value)
    return {
        key: None if value is _CLEARED else value
        for key, value in kept.items()
        if value is not None and value not in ([], {})
    }
