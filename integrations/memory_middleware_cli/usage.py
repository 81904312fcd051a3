"""Wrong use of the command, such as an option that is none, told in one line like every other error."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, cast

import typer
from typer.core import TyperGroup

from memory_middleware_cli.commands.printing import print_error

__all__ = ["OneLineGroup"]

# Typer brought its own copy of Click at some point; this is the error of whichever it uses.
_WrongUse = cast("type[Exception]", typer.BadParameter.__mro__[1])
_HELP = "NoArgsIsHelpError"  # no error, but the help of a group that was given no command


class OneLineGroup(TyperGroup):
    """A group of commands that tells wrong use in one line, and ends with 2."""

    def make_context(self, *given: Any, **more: Any) -> Any:
        """Read the options of the group itself."""
        with _one_line():
            return super().make_context(*given, **more)

    def invoke(self, ctx: Any) -> Any:
        """Find the command, read its options and run it."""
        with _one_line():
            return super().invoke(ctx)


@contextmanager
def _one_line() -> Iterator[None]:
    try:
        yield
    except _WrongUse as error:
        if type(error).__name__ == _HELP:
            raise
        print_error(_told(error))
        raise typer.Exit(2) from error


def _told(error: Any) -> str:
    message = error.format_message().replace("Value error, ", "").rstrip(".")
    more = f"; `{error.ctx.command_path} --help` tells more" if error.ctx is not None else ""
    return f"{message[:1].lower()}{message[1:]}{more}"
