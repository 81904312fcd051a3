"""Validation errors of pydantic, told as ``path: message`` in the words of this library."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails, PydanticCustomError

__all__ = ["Problem", "did_you_mean", "join_path", "list_problems", "problem_at"]

Loc = tuple[str | int, ...]


class Problem(NamedTuple):
    """One thing that is wrong, and where."""

    path: str
    message: str


def join_path(base: str, loc: Iterable[str | int]) -> str:
    """Extend a path: names join with dots, positions with brackets."""
    path = base
    for step in loc:
        if isinstance(step, int):
            path += f"[{step}]"
        else:
            path += f".{step}" if path else step
    return path


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """Suggest the nearest known word, or list what is known when none is near."""
    names = [str(name) for name in known]
    near = difflib.get_close_matches(word, names, n=1, cutoff=0.6)
    if near:
        return f"did you mean {near[0]!r}?"
    return f"known: {', '.join(names)}" if names else "none is known here"


def list_problems(
    error: ValidationError,
    model: type[BaseModel],
    path: str = "",
    data: object = None,
    place: Callable[[Loc], Loc] = lambda loc: loc,
) -> list[Problem]:
    """Tell every problem of a validation error, in the order the fields are declared.

    Args:
        error: What pydantic raised.
        model: The model that was validated, to suggest names for unknown keys.
        path: Where the model stands in a larger document.
        data: The raw input.
        place: Tells where the user wrote what was validated at some place.
    """
    return [_tell(detail, model, path, data, place) for detail in error.errors(include_url=False)]


def problem_at(loc: Iterable[str | int], message: str, place: Iterable[str | int] = ()) -> PydanticCustomError:
    """Build an error for a whole-model validator that names the part at fault.

    Args:
        loc: The part, relative to the model.
        message: What is wrong with it.
        place: Another part whose path ends the message.
    """
    return PydanticCustomError(
        "problem_at", "{message}", {"loc": tuple(loc), "message": message, "place": tuple(place)}
    )


def _tell(
    detail: ErrorDetails, model: type[BaseModel], path: str, data: object, place: Callable[[Loc], Loc]
) -> Problem:
    loc = _without_branches(detail["loc"], data)
    if detail["type"] == "problem_at":
        context = detail["ctx"]
        ending = join_path(path, place((*loc, *context["place"]))) if context["place"] else ""
        return Problem(join_path(path, place((*loc, *context["loc"]))), context["message"] + ending)
    return Problem(join_path(path, place(loc)), _message(detail, model, loc, data))


def _message(detail: ErrorDetails, model: type[BaseModel], loc: Loc, data: object) -> str:
    if detail["type"] == "extra_forbidden":
        known = _known_keys(model, loc[:-1], data)
        return f"unknown key {str(loc[-1])!r}; {did_you_mean(str(loc[-1]), known)}"
    if detail["type"] == "missing":
        return f"expected {_expected_kind(model, loc, data)}"
    teller = _TELLERS.get(detail["type"])
    return teller(_field_name(loc), detail) if teller else _default(detail)


def _without_branches(loc: Loc, data: object) -> Loc:
    """Leave out the branches of unions that pydantic names, such as ``list[str]``; keys of the input stay."""
    kept: list[str | int] = []
    for step in loc:
        branch = isinstance(step, str) and ("[" in step or step.startswith("function-"))
        if branch and not (isinstance(data, Mapping) and step in data):
            continue
        kept.append(step)
        data = _inside(data, step)
    return tuple(kept)


def _field_name(loc: Loc) -> str:
    return next((step for step in reversed(loc) if isinstance(step, str)), "value")


def _model_at(model: type[BaseModel], loc: Loc, data: object) -> type[BaseModel] | None:
    found: type[BaseModel] | None = model
    for step in loc:
        if isinstance(step, str) and found is not None:
            found = _child(found, step, data)
        data = _inside(data, step)
    return found


def _child(model: type[BaseModel], name: str, data: object) -> type[BaseModel] | None:
    chosen: type[BaseModel] | None = None
    if choose := getattr(model, "child_class", None):
        chosen = choose(name, data)
    return chosen or _first_model(_annotation(model, name)) or (model if name not in model.model_fields else None)


def _inside(data: object, step: str | int) -> object:
    if isinstance(step, int) and isinstance(data, Mapping):
        return data  # one entry was given where a list may stand
    try:
        return data[step]  # type: ignore[index]  # raw input of any shape
    except (LookupError, TypeError):
        return None


def _known_keys(model: type[BaseModel], loc: Loc, data: object) -> list[str]:
    found = _model_at(model, loc, data)
    return [spec.alias or name for name, spec in found.model_fields.items()] if found else []


def _expected_kind(model: type[BaseModel], loc: Loc, data: object) -> str:
    home = _model_at(model, loc[:-1], data)
    annotation = _annotation(home, str(loc[-1])) if home else None
    if annotation is str:
        return "string"
    return "mapping" if annotation is dict or _first_model(annotation) else "a value"


def _annotation(model: type[BaseModel], name: str) -> Any:
    return next((spec.annotation for key, spec in model.model_fields.items() if name in (key, spec.alias)), None)


def _first_model(annotation: Any) -> type[BaseModel] | None:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return annotation
    arguments = getattr(annotation, "__args__", ())
    return next((found for part in arguments if (found := _first_model(part)) is not None), None)


def _default(detail: ErrorDetails) -> str:
    message = detail["msg"]
    if detail["type"] == "value_error":
        return message.removeprefix("Value error, ")
    return f"{message[:1].lower()}{message[1:]}, not {detail['input']!r}"


def _expected(what: str) -> Callable[[str, ErrorDetails], str]:
    return lambda _name, _detail: f"expected {what}"


def _must(rule: str) -> Callable[[str, ErrorDetails], str]:
    return lambda name, _detail: f"{name} must {rule}"


def _bound(word: str, key: str) -> Callable[[str, ErrorDetails], str]:
    def tell(name: str, detail: ErrorDetails) -> str:
        context: Mapping[str, Any] = detail.get("ctx", {})
        return f"{name} must be {word} {context[key]}, not {detail['input']!r}"

    return tell


_TELLERS: dict[str, Callable[[str, ErrorDetails], str]] = {
    "string_type": _expected("string"),
    "dict_type": _expected("mapping"),
    "model_type": _expected("mapping"),
    "model_attributes_type": _expected("mapping"),
    "bool_type": _must("be boolean"),
    "float_type": _must("be numeric"),
    "int_type": _must("be an integer"),
    "list_type": _expected("list"),
    "tuple_type": _expected("list"),
    "too_short": _must("contain at least one entry"),
    "greater_than": _bound("greater than", "gt"),
    "greater_than_equal": _bound("at least", "ge"),
    "less_than": _bound("less than", "lt"),
    "less_than_equal": _bound("at most", "le"),
}
