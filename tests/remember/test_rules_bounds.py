"""What reading costs: no pattern that can blow up, and a number of steps that grows with the text and then stops."""

from __future__ import annotations

import importlib
import pkgutil
import re
import sys
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memory_middleware.remember.extraction import rules
from tests.remember.rules_support import read

PARSER = importlib.import_module("re._parser")
UNITS = [
    *("i ", "im ", "u ", "I love pizza and ", "my name is ", "my cats, a and b, ", "mon ", "not ", "call me a "),
    *("in new york ", "Ab, ", "aaaa ", "a@", "a.b.", "12,", "'", '"', "(", "`", "\U0001f644", "the report is due "),
    *("我", "我在北京 ", "，", "项目", "不是", "也不吃", "一只叫", "哈", "呢", "周一", "了", "我每周", "截止周五"),
]


def _patterns(value: object) -> Iterator[re.Pattern[str]]:
    if isinstance(value, re.Pattern):
        yield value
    elif isinstance(value, dict):
        yield from (found for one in value.values() for found in _patterns(one))
    elif isinstance(value, (tuple, list)):
        yield from (found for one in value for found in _patterns(one))


def every_pattern() -> dict[str, re.Pattern[str]]:
    modules = [
        importlib.import_module(found.name) for found in pkgutil.walk_packages(rules.__path__, f"{rules.__name__}.")
    ]
    values = [value for module in modules for value in vars(module).values()]
    return {pattern.pattern: pattern for value in values for pattern in _patterns(value)}


def _inner(op: str, value: Any) -> list[Any]:
    if op in ("MAX_REPEAT", "MIN_REPEAT", "SUBPATTERN"):
        return [value[-1]]
    if op == "BRANCH":
        return list(value[1])
    return [value[1]] if op in ("ASSERT", "ASSERT_NOT") else []


def endless_depth(parsed: Any) -> int:
    """How many repeats without a bound stand inside each other."""
    deepest = 0
    for op, value in parsed:
        here = int(str(op) in ("MAX_REPEAT", "MIN_REPEAT") and value[1] is PARSER.MAXREPEAT)
        deepest = max([deepest, here, *(here + endless_depth(part) for part in _inner(str(op), value))])
    return deepest


def test_no_pattern_repeats_without_bound_inside_such_a_repeat() -> None:
    found = every_pattern()
    assert len(found) > 400
    assert endless_depth(PARSER.parse("(?:a+|b)*")) == 2
    assert [name for name, pattern in found.items() if endless_depth(PARSER.parse(name, pattern.flags)) > 1] == []


def steps(text: str) -> int:
    """How many calls it takes to read a text."""
    count = 0

    def counted(frame: object, event: str, arg: object) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    before = sys.getprofile()
    sys.setprofile(counted)
    try:
        read(text)
    finally:
        sys.setprofile(before)
    return count


@pytest.mark.parametrize("unit", UNITS)
def test_four_times_the_text_takes_about_four_times_the_steps(unit: str) -> None:
    base = steps("hello")
    short, long = (steps(unit * (size // len(unit))) - base for size in (1000, 4000))
    assert long <= 5 * max(short, 100)


@pytest.mark.parametrize("unit", ["x", "word ", "我", "i love my cat "])
def test_a_message_without_end_costs_no_more_than_the_longest_that_is_read(unit: str) -> None:
    longest = steps(unit * (20_000 // len(unit)))
    assert steps(unit * (1_000_000 // len(unit))) <= 3 * longest + 1000


@settings(max_examples=60, deadline=None)
@given(st.lists(st.sampled_from(UNITS), min_size=1, max_size=4), st.integers(1, 60), st.text(max_size=5))
def test_repeated_pieces_never_raise_and_stay_cheap(units: list[str], times: int, end: str) -> None:
    text = "".join(units) * times + end
    assert steps(text) <= 3000 + 200 * len(text)
