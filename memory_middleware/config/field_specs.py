"""Field descriptions drawn from the configuration classes themselves."""

from __future__ import annotations

import types
import typing
from dataclasses import dataclass, field
from enum import Enum
from typing import Any, Literal

from annotated_types import MinLen
from pydantic import BaseModel
from pydantic.config import JsonDict
from pydantic.fields import FieldInfo
from pydantic_core import PydanticUndefined

__all__ = ["ADVANCED", "EnumOption", "FieldSpec", "describe_fields"]

ModelClass = type[BaseModel]
ADVANCED: JsonDict = {"advanced": True}
"""Marks a field that a form may hide at first."""


@dataclass(frozen=True)
class EnumOption:
    """One allowed value, with words for a person."""

    value: str
    label: str
    description: str = ""

    def to_dict(self) -> dict[str, Any]:
        """Write as plain data for a user interface."""
        data = {"value": self.value, "label": self.label}
        return data | {"description": self.description} if self.description else data


@dataclass(frozen=True)
class FieldSpec:
    """One configuration field as a form would show it."""

    name: str
    display_name: str
    type: str
    required: bool
    advanced: bool = False
    default: Any = None
    description: str = ""
    enum: tuple[str, ...] = ()
    enum_options: tuple[EnumOption, ...] = ()
    child: ModelClass | None = field(default=None, compare=False)

    def to_dict(self) -> dict[str, Any]:
        """Write as plain data for a user interface; what is not set is left out."""
        optional = {
            "default": self.default,
            "enum": list(self.enum) or None,
            "enumOptions": [option.to_dict() for option in self.enum_options] or None,
            "description": self.description or None,
            "childNode": self.child.__name__ if self.child else None,
        }
        return {
            "name": self.name,
            "displayName": self.display_name,
            "type": self.type,
            "required": self.required,
            "advance": self.advanced,
            **{key: value for key, value in optional.items() if value is not None},
        }


def describe_fields(model: type[BaseModel]) -> dict[str, FieldSpec]:
    """Describe the fields of a model under the names a user writes."""
    specs = [_describe(info.alias or name, info) for name, info in model.model_fields.items()]
    return {spec.name: spec for spec in specs}


def _describe(name: str, info: FieldInfo) -> FieldSpec:
    extra = info.json_schema_extra if isinstance(info.json_schema_extra, dict) else {}
    child = _find_class(info.annotation, BaseModel)
    needs_entry = any(isinstance(rule, MinLen) and rule.min_length > 0 for rule in info.metadata)
    required = info.is_required() or needs_entry
    return FieldSpec(
        name=name,
        display_name=info.title or name.replace("_", " ").title(),
        type=_type_words(info.annotation),
        required=required,
        advanced=bool(extra.get("advanced", False)),
        default=None if required or child else _plain_default(info),
        description=info.description or "",
        enum=_allowed(info.annotation),
        enum_options=_options(info.annotation),
        child=child,
    )


def _plain_default(info: FieldInfo) -> Any:
    default = info.get_default(call_default_factory=True, validated_data={})
    if default is PydanticUndefined or default is None or default == ():
        return None
    if isinstance(default, Enum):
        return default.value
    return list(default) if isinstance(default, tuple) else default


def _type_words(annotation: Any) -> str:
    origin, arguments = typing.get_origin(annotation), typing.get_args(annotation)
    if origin is typing.Annotated:
        return _type_words(arguments[0])
    if origin in (typing.Union, types.UnionType):
        return " | ".join(_type_words(part) for part in arguments if part is not type(None))
    if origin is tuple:
        return f"list[{_type_words(arguments[0])}]"
    if origin is Literal:
        return "str"
    if origin is not None:
        return f"{origin.__name__}[{', '.join(map(_type_words, arguments))}]"
    return "Any" if annotation is Any else str(annotation.__name__)


def _allowed(annotation: Any) -> tuple[str, ...]:
    if typing.get_origin(annotation) is Literal:
        return tuple(str(value) for value in typing.get_args(annotation))
    if isinstance(annotation, type) and issubclass(annotation, Enum):
        return tuple(str(member.value) for member in annotation)
    return next((found for part in typing.get_args(annotation) if (found := _allowed(part))), ())


def _options(annotation: Any) -> tuple[EnumOption, ...]:
    kind = _find_class(annotation, Enum)
    if kind is None:
        return ()
    told: dict[Any, str] = getattr(kind, "descriptions", dict)()
    return tuple(
        EnumOption(member.value, str(member.value).replace("_", " ").title(), told.get(member, "")) for member in kind
    )


def _find_class(annotation: Any, base: type) -> Any:
    if isinstance(annotation, type) and issubclass(annotation, base):
        return annotation
    return next((found for part in typing.get_args(annotation) if (found := _find_class(part, base))), None)
