"""Filters on item values: numbers as numbers, a missing field never an error.

A filter maps field names to wanted values or to operators. A name with dots is looked up whole
first, then as a path into nested objects.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from memory_middleware.errors import InvalidInputError

__all__ = ["Predicate", "compile_filter"]

Predicate = Callable[[Mapping[str, Any]], bool]
Test = Callable[[Any], bool]

_MISSING: Any = object()


def compile_filter(condition: Mapping[str, Any] | None) -> Predicate | None:
    """Turn a filter into a predicate on values; no filter gives none.

    Raises:
        InvalidInputError: An operator is unknown, or is given what it cannot use.
    """
    if not condition:
        return None
    parts = [_compile_entry(key, wanted) for key, wanted in condition.items()]
    return parts[0] if len(parts) == 1 else lambda value: all(part(value) for part in parts)


def _compile_entry(key: str, wanted: Any) -> Predicate:
    if key in ("$and", "$or"):
        if not isinstance(wanted, list | tuple) or not all(isinstance(part, Mapping) for part in wanted):
            raise InvalidInputError(f"{key} takes a list of filters, not {wanted!r}")
        parts = [compile_filter(part) or _always for part in wanted]
        combine = all if key == "$and" else any
        return lambda value: combine(part(value) for part in parts)
    if key == "$not":
        if not isinstance(wanted, Mapping):
            raise InvalidInputError(f"$not takes a filter, not {wanted!r}")
        inner = compile_filter(wanted) or _always
        return lambda value: not inner(value)
    if isinstance(key, str) and key.startswith("$"):
        raise InvalidInputError(f"unknown filter operator {key!r}; at this place: $and, $or, $not")
    test = _compile_test(wanted)
    return lambda value: test(_field(value, key))


def _always(_value: Mapping[str, Any]) -> bool:
    return True


def _field(value: Any, key: str) -> Any:
    if not isinstance(value, Mapping):
        return _MISSING
    if key in value:
        return value[key]
    head, dot, rest = key.partition(".") if isinstance(key, str) else (key, "", "")
    return _field(value[head], rest) if dot and head in value else _MISSING


def _compile_test(wanted: Any) -> Test:
    if not isinstance(wanted, Mapping):
        return lambda found: _equal(found, wanted)
    if not any(isinstance(key, str) and key.startswith("$") for key in wanted):
        return _compile_nested(wanted)
    tests = [_compile_operator(name, operand) for name, operand in wanted.items()]
    return lambda found: all(test(found) for test in tests)


def _compile_nested(wanted: Mapping[str, Any]) -> Test:
    """Every named part of a nested object must fit; other parts of it do not matter."""
    tests = {key: _compile_test(part) for key, part in wanted.items()}
    return lambda found: (
        isinstance(found, Mapping) and all(test(found.get(key, _MISSING)) for key, test in tests.items())
    )


def _compile_operator(name: str, operand: Any) -> Test:
    if name == "$not":
        inner = _compile_test(operand)
        return lambda found: not inner(found)
    if name in ("$in", "$nin") and not isinstance(operand, list | tuple | set | frozenset):
        raise InvalidInputError(f"{name} takes a list of values, not {operand!r}")
    make = _OPERATORS.get(name)
    if make is None:
        raise InvalidInputError(f"unknown filter operator {name!r}; known: {', '.join(_OPERATORS)}, $not, $and, $or")
    return make(operand)


def _equal(found: Any, wanted: Any) -> bool:
    if found is _MISSING:
        return wanted is None
    if isinstance(found, bool) is not isinstance(wanted, bool):
        return False
    if isinstance(found, list | tuple) and isinstance(wanted, list | tuple):
        return len(found) == len(wanted) and all(map(_equal, found, wanted))
    if isinstance(found, Mapping) and isinstance(wanted, Mapping):
        return found.keys() == wanted.keys() and all(_equal(found[key], wanted[key]) for key in found)
    return bool(found == wanted)


def _ordered(compare: Callable[[Any, Any], bool]) -> Callable[[Any], Test]:
    """Compare numbers with numbers and text with text; anything else does not match."""

    def make(operand: Any) -> Test:
        if isinstance(operand, str):
            return lambda found: isinstance(found, str) and compare(found, operand)
        if isinstance(operand, int | float) and not isinstance(operand, bool):
            return lambda found: (
                isinstance(found, int | float) and not isinstance(found, bool) and compare(found, operand)
            )
        return lambda _found: False

    return make


def _one_of(operand: Any) -> Test:
    choices = list(operand)
    return lambda found: any(_equal(found, choice) for choice in choices)


def _contains(operand: Any) -> Test:
    """A list holds the value, or all values of a list; text holds a part; an object has a key."""
    wanted = list(operand) if isinstance(operand, list | tuple | set | frozenset) else [operand]

    def holds(found: Any, part: Any) -> bool:
        if isinstance(found, list | tuple):
            return any(_equal(entry, part) for entry in found)
        return isinstance(found, str | Mapping) and isinstance(part, str) and part in found

    return lambda found: all(holds(found, part) for part in wanted)


_OPERATORS: dict[str, Callable[[Any], Test]] = {
    "$eq": lambda operand: lambda found: _equal(found, operand),
    "$ne": lambda operand: lambda found: not _equal(found, operand),
    "$gt": _ordered(lambda left, right: bool(left > right)),
    "$gte": _ordered(lambda left, right: bool(left >= right)),
    "$lt": _ordered(lambda left, right: bool(left < right)),
    "$lte": _ordered(lambda left, right: bool(left <= right)),
    "$in": _one_of,
    "$nin": lambda operand: _negate(_one_of(operand)),
    "$contains": _contains,
    "$exists": lambda operand: lambda found: (found is not _MISSING) is bool(operand),
}


def _negate(test: Test) -> Test:
    return lambda found: not test(found)
