"""How the weight of a record changes: use raises it, idle injection lowers it a little, time lets it fade.

A weight stays between 0 and ``ceiling``. The gain shrinks as the weight nears the ceiling and the loss is a part of
the weight, so for every rate of use there is one weight at which both are equal; nothing runs away. Fading is
exponential, so it makes no difference when it is reckoned.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from memory_middleware.config import WeightConfig
from memory_middleware.storage.repositories.usage import UsageEvent
from memory_middleware.storage.repositories.weights import WeightState

__all__ = ["based_on", "faded", "raised_by_hand", "replayed", "used"]

_DAY = 86_400.0


def faded(state: WeightState, moment: datetime, rules: WeightConfig) -> WeightState:
    """Let a weight fade until a moment; a moment before its last change alters nothing."""
    days = (moment - state.changed_at).total_seconds() / _DAY
    if days <= 0:
        return state
    return state._replace(weight=state.weight * 0.5 ** (days / rules.half_life_days), changed_at=moment)


def used(state: WeightState, moment: datetime, referenced: bool, rules: WeightConfig) -> WeightState:
    """Note that a record was injected at a moment, and whether the answer used it."""
    now = faded(state, moment, rules)
    room = max(0.0, 1.0 - now.weight / rules.ceiling)
    weight = now.weight + rules.gain * room if referenced else now.weight * (1.0 - rules.loss)
    last = max(moment, state.last_accessed) if state.last_accessed else moment
    return now._replace(weight=_bounded(weight, rules), access_count=state.access_count + 1, last_accessed=last)


def raised_by_hand(state: WeightState, moment: datetime, delta: float, rules: WeightConfig) -> WeightState:
    """Change a weight by an amount that somebody asked for."""
    now = faded(state, moment, rules)
    return now._replace(weight=_bounded(now.weight + delta, rules))


def replayed(state: WeightState, events: Iterable[UsageEvent], rules: WeightConfig) -> WeightState:
    """Derive a weight anew from its base and the events after it, in their order."""
    now = state._replace(
        weight=_bounded(state.base, rules), changed_at=state.based_at, access_count=0, last_accessed=None
    )
    for event in events:
        if event.delta:
            now = raised_by_hand(now, event.moment, event.delta, rules)
        else:
            now = used(now, event.moment, event.referenced, rules)
    # Uses that the log has forgotten still count.
    last = max(filter(None, (now.last_accessed, state.last_accessed)), default=None)
    return now._replace(access_count=max(now.access_count, state.access_count), last_accessed=last)


def based_on(state: WeightState, events: Iterable[UsageEvent], rules: WeightConfig) -> WeightState:
    """Take events into the base of a weight, so that the log may forget them; the weight stays as it is."""
    told = list(events)
    if not told:
        return state
    base = replayed(state, told, rules)
    return state._replace(base=base.weight, based_at=base.changed_at)


def _bounded(weight: float, rules: WeightConfig) -> float:
    return min(max(weight, 0.0), rules.ceiling)
