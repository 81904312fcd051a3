"""Weights: bounded, fading, and the same when they are derived anew."""

from __future__ import annotations

from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory_middleware.config import WeightConfig
from memory_middleware.remember.weighing import based_on, faded, raised_by_hand, replayed, used
from memory_middleware.storage.repositories.usage import UsageEvent
from memory_middleware.storage.repositories.weights import WeightState
from tests.remember.support import NOON

RULES = WeightConfig()
NEW = WeightState(1.0, NOON, 0, None, 1.0, NOON)

events = st.lists(
    st.builds(
        lambda days, referenced, delta: UsageEvent("item", NOON + timedelta(days=days), referenced, delta),
        st.floats(0, 1000),
        st.booleans(),
        st.sampled_from([0.0, 0.0, 0.0, 0.5, -3.0, 100.0]),
    ),
    max_size=30,
).map(lambda found: sorted(found, key=lambda event: event.moment))


def test_use_raises_and_idle_injection_lowers_a_little() -> None:
    after = used(NEW, NOON, True, RULES)
    assert after.weight == pytest.approx(1.16)
    assert (after.access_count, after.last_accessed) == (1, NOON)
    assert used(NEW, NOON, False, RULES).weight == pytest.approx(0.98)


def test_a_weight_fades_to_half_in_its_half_life() -> None:
    later = NOON + timedelta(days=RULES.half_life_days)
    assert faded(NEW, later, RULES).weight == pytest.approx(0.5)
    assert faded(NEW, NOON - timedelta(days=1), RULES) == NEW


def test_it_makes_no_difference_when_fading_is_reckoned() -> None:
    end = NOON + timedelta(days=90)
    steps = NEW
    for day in range(1, 91):
        steps = faded(steps, NOON + timedelta(days=day), RULES)
    assert steps.weight == pytest.approx(faded(NEW, end, RULES).weight)


@pytest.mark.parametrize(("rate", "low", "high"), [(0.0, 0.0, 0.05), (0.1, 0.5, 1.5), (0.5, 3.0, 3.6), (1.0, 4.9, 5.0)])
def test_every_rate_of_use_has_its_weight(rate: float, low: float, high: float) -> None:
    state = NEW
    for turn in range(2000):
        state = used(state, NOON, (turn * rate) % 1.0 + rate >= 1.0, RULES)
    assert low <= state.weight <= high


@given(events)
def test_weights_stay_within_bounds_and_are_the_same_when_derived_anew(told: list[UsageEvent]) -> None:
    state = NEW
    for event in told:
        if event.delta:
            state = raised_by_hand(state, event.moment, event.delta, RULES)
        else:
            state = used(state, event.moment, event.referenced, RULES)
        assert 0.0 <= state.weight <= RULES.ceiling
    again = replayed(state, told, RULES)
    assert again.weight == pytest.approx(state.weight)
    assert (again.access_count, again.last_accessed) == (state.access_count, state.last_accessed)


@given(events, st.integers(0, 30))
def test_what_the_log_forgets_is_in_the_base(told: list[UsageEvent], cut: int) -> None:
    state = replayed(NEW, told, RULES)
    based = based_on(state, told[:cut], RULES)
    assert based.weight == state.weight
    assert replayed(based, told[cut:], RULES).weight == pytest.approx(state.weight)
