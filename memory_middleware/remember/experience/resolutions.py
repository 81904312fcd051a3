"""How the errors of a run were overcome: what the worker did until the same call went well."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence

from memory_middleware.remember.experience.brief import brief
from memory_middleware.remember.experience.calls import Call
from memory_middleware.remember.experience.failures import Failure
from memory_middleware.remember.experience.steps import subject_of
from memory_middleware.remember.experience.touched import reads_only, target_of

__all__ = ["resolutions"]

_LONGEST = 240
_MOST_STEPS = 4


def resolutions(calls: Sequence[tuple[Call, Failure | None]]) -> dict[int, str]:
    """Say for each failed call, by its place, what overcame it; empty if nothing did.

    A call is overcome when its tool later does the same and goes well. What is said are the calls in between that
    changed something, and that last one: tools and targets that the worker chose, not what tools told.
    """
    targets = [target_of(call) for call, _failure in calls]
    well = [at for at, (call, failure) in enumerate(calls) if failure is None and call.answer is not None]
    changing = [at for at in well if not reads_only(calls[at][0])]
    later: dict[tuple[str, str], list[int]] = {}
    for at in well:
        later.setdefault(_place(calls[at][0], targets[at]), []).append(at)
    found: dict[int, str] = {}
    for at, (call, failure) in enumerate(calls):
        if failure is not None:
            same = later.get(_place(call, targets[at]), [])
            end = next(iter(same[bisect_right(same, at) :]), None)
            steps = [] if end is None else [*_between(changing, at, end), end]
            found[at] = _told([f"{calls[one][0].name} {targets[one]}".strip() for one in steps])
    return found


def _place(call: Call, target: str) -> tuple[str, str]:
    return call.name, subject_of(call.name, target)


def _between(places: Sequence[int], start: int, end: int) -> Sequence[int]:
    return places[bisect_right(places, start) : bisect_left(places, end)][-_MOST_STEPS:]


def _told(steps: Sequence[str]) -> str:
    return brief(" → ".join(["retry", *steps] if len(steps) == 1 else steps), _LONGEST)
