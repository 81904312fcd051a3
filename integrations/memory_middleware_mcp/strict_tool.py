"""A tool that refuses arguments it does not have, and tells the model in plain words what does not fit."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Self

from mcp.server.mcpserver.context import Context
from mcp.server.mcpserver.exceptions import ToolError
from mcp.server.mcpserver.tools import Tool
from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

__all__ = ["StrictTool"]

_LONGEST = 60
_BOUNDS = {"greater_than_equal": ("at least", "ge"), "less_than_equal": ("at most", "le")}


class StrictTool(Tool):
    """A tool whose arguments must fit; by itself the SDK passes over those it does not know."""

    @classmethod
    def of(cls, function: Callable[..., Any]) -> Self:
        """Make a tool of a function."""
        tool = cls.from_function(function)
        arguments = tool.fn_metadata.arg_model
        arguments.model_config["extra"] = "forbid"
        arguments.model_rebuild(force=True)
        tool.parameters = arguments.model_json_schema(by_alias=True)
        return tool  # type: ignore[return-value]  # the SDK makes one of this class

    async def run(self, arguments: dict[str, Any], context: Context[Any, Any], convert_result: bool = False) -> Any:
        """Run the tool.

        Raises:
            ToolError: An argument does not fit, which is told in a sentence, or the tool refused.
        """
        try:
            return await super().run(arguments, context, convert_result)
        except ToolError as error:
            wrong = error.__cause__
            if type(error) is not ToolError or not isinstance(wrong, ValidationError):
                raise
            told = [_told(detail, self.fn_metadata.arg_model) for detail in wrong.errors(include_url=False)]
            raise ToolError(f"{self.name}: {'; '.join(told)}") from wrong


def _told(detail: ErrorDetails, model: type[BaseModel]) -> str:
    name = str(detail["loc"][0])
    if detail["type"] == "extra_forbidden":
        return f"there is no argument {name!r}; known: {', '.join(model.model_fields)}"
    about = str(model.model_fields[name].description)
    return f"{name!r} {_wrong(detail)}; it is {about[:1].lower()}{about[1:]}"


def _wrong(detail: ErrorDetails) -> str:
    kind = detail["type"]
    if kind == "missing":
        return "is missing"
    if kind == "string_too_short":
        return "must not be empty"
    given = _given(detail["input"])
    if kind in _BOUNDS:
        word, bound = _BOUNDS[kind]
        return f"must be {word} {detail['ctx'][bound]}, not {given}"
    rule = detail["msg"].removeprefix("Input ")
    # choices stand in a list, while what follows a comma elsewhere is how the parser failed
    return f"{rule if kind == 'literal_error' else rule.partition(',')[0]}, not {given}"


def _given(value: object) -> str:
    told = ascii(value) if isinstance(value, str) and not value.isprintable() else repr(value)
    return told if len(told) <= _LONGEST else f"{told[:_LONGEST]}…"
