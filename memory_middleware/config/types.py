"""Field types of the configuration: strict, and able to read values that came from the environment.

A boolean is never an integer and text is never a number here, with one exception: a value that
was written as ``${NAME}`` arrives as text and is read as what its field wants.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from typing import Annotated, Any

from pydantic import BeforeValidator, Field, ValidationInfo

__all__ = [
    "Count",
    "Entries",
    "EntryText",
    "Factor",
    "Flag",
    "Fraction",
    "FromEnv",
    "Number",
    "OptionalText",
    "Params",
    "PositiveInt",
    "Seconds",
    "Text",
]


class FromEnv(str):
    """Text that replaced ``${NAME}``, so its type is still open."""

    __slots__ = ()


def _integer(value: Any) -> int | None:
    if isinstance(value, FromEnv) and re.fullmatch(r"[+-]?[0-9]+", value.strip()):
        return int(value)
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def _float(value: Any) -> float | None:
    if isinstance(value, FromEnv):
        try:
            value = float(value)
        except ValueError:
            return None
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    try:
        return float(value) if math.isfinite(value) else None
    except OverflowError:
        return None


def _at_least(low: int, words: str) -> Callable[[Any, ValidationInfo], int]:
    def check(value: Any, info: ValidationInfo) -> int:
        number = _integer(value)
        if number is None or number < low:
            raise ValueError(f"{info.field_name} must be a {words} integer")
        return number

    return check


def _number(value: Any, info: ValidationInfo) -> float:
    number = _float(value)
    if number is None:
        raise ValueError(f"{info.field_name} must be numeric")
    return number


def _flag(value: Any, info: ValidationInfo) -> bool:
    if isinstance(value, FromEnv):
        value = {"true": True, "1": True, "false": False, "0": False}.get(value.strip().lower(), value)
    if not isinstance(value, bool):
        raise ValueError(f"{info.field_name} must be boolean")
    return value


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise ValueError("expected string")
    if not value.strip():
        raise ValueError("expected non-empty string")
    return str(value)


def _optional_text(value: Any) -> str | None:
    if value is None or value == "":
        return None
    if not isinstance(value, str):
        raise ValueError("expected string")
    return str(value)


def _entry_text(value: Any, info: ValidationInfo) -> str:
    if not isinstance(value, str):
        raise ValueError(f"{info.field_name} entries must be strings")
    return str(value)


def _entries(value: Any) -> Any:
    if value is None:
        return ()
    return value if isinstance(value, list | tuple) else (value,)


def _params(value: Any) -> Any:
    return {} if value is None else _settled(value)


def _settled(value: Any) -> Any:
    """Read references inside free-form settings as the plain values they look like."""
    if isinstance(value, dict):
        return {str(key): _settled(part) for key, part in value.items()}
    if isinstance(value, list | tuple):
        return [_settled(part) for part in value]
    if not isinstance(value, FromEnv):
        return value
    word = value.strip().lower()
    if word in ("true", "false"):
        return word == "true"
    whole = _integer(value)
    number = whole if whole is not None else _float(value)
    return str(value) if number is None else number


_UNITS = {"ms": 0.001, "s": 1.0, "m": 60.0, "h": 3600.0}


def _seconds(value: Any, info: ValidationInfo) -> float:
    if isinstance(value, str) and (found := re.fullmatch(r"([0-9]+(?:\.[0-9]+)?)(ms|s|m|h)", value.strip())):
        value = float(found[1]) * _UNITS[found[2]]
    number = _float(value)
    if number is None or number <= 0:
        raise ValueError(f"{info.field_name} must be a positive number of seconds or text such as '30s'")
    return number


PositiveInt = Annotated[int, BeforeValidator(_at_least(1, "positive"))]
Count = Annotated[int, BeforeValidator(_at_least(0, "non-negative"))]
Number = Annotated[float, BeforeValidator(_number)]
Fraction = Annotated[float, BeforeValidator(_number), Field(ge=0.0, le=1.0)]
Factor = Annotated[float, BeforeValidator(_number), Field(gt=0.0)]
Seconds = Annotated[float, BeforeValidator(_seconds)]
Flag = Annotated[bool, BeforeValidator(_flag)]
Text = Annotated[str, BeforeValidator(_text)]
OptionalText = Annotated[str | None, BeforeValidator(_optional_text)]
EntryText = Annotated[str, BeforeValidator(_entry_text)]
Entries = BeforeValidator(_entries)
Params = Annotated[dict[str, Any], BeforeValidator(_params)]
