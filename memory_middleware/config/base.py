"""What every configuration class can do: be built strictly, say what is wrong, describe its fields."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn, Self

from pydantic import BaseModel, ConfigDict, ValidationError

from memory_middleware.config.field_specs import FieldSpec, describe_fields
from memory_middleware.config.files import read_yaml
from memory_middleware.errors import ConfigError
from memory_middleware.schemas.problems import Problem, list_problems

__all__ = ["ConfigModel", "raise_problems"]


if TYPE_CHECKING:
    from pydantic._internal._model_construction import ModelMetaclass
else:
    ModelMetaclass = type(BaseModel)


class _ConfigMeta(ModelMetaclass):
    """Translates errors of direct construction; nested models are built inside pydantic."""

    def __call__(cls, **fields: Any) -> Any:
        try:
            return super().__call__(**fields)
        except ValidationError as error:
            raise_problems(list_problems(error, cls, data=fields), error)  # type: ignore[arg-type]  # cls is a model


class ConfigModel(BaseModel, metaclass=_ConfigMeta):
    """Base of the frozen configuration tree; unknown keys are errors."""

    model_config = ConfigDict(
        extra="forbid",
        frozen=True,
        populate_by_name=True,
        hide_input_in_errors=True,  # keys of providers must not show in tracebacks
    )

    @classmethod
    def from_dict(cls, data: Mapping[str, Any], *, path: str = "") -> Self:
        """Read plain data.

        Args:
            data: The settings.
            path: Where they stand in a larger document, for error messages.

        Raises:
            ConfigError: Something is wrong; the text reads ``path: message``.
        """
        try:
            return cls.model_validate(data)
        except ValidationError as error:
            raise_problems(list_problems(error, cls, path, data), error)

    @classmethod
    def from_yaml(cls, source: str | Path) -> Self:
        """Read a YAML file, or YAML text if the string holds a line break.

        Raises:
            ConfigError: The file cannot be read, or something in it is wrong.
        """
        return cls.from_dict(read_yaml(source))

    def to_dict(self) -> dict[str, Any]:
        """Write as plain JSON data that ``from_dict`` reads back; secrets are included."""
        return self.model_dump(mode="json", by_alias=True)

    @classmethod
    def field_specs(cls) -> dict[str, FieldSpec]:
        """Describe the fields, in order, so that a user interface can render a form."""
        return describe_fields(cls)


def raise_problems(problems: list[Problem], cause: Exception | None = None) -> NoReturn:
    """Raise the first problem as a ConfigError; the others become its notes.

    Raises:
        ConfigError: Always.
    """
    first, *others = problems
    raise ConfigError(first.message, first.path, others=others) from cause
