"""What every command works with: an open memory, whose it is, and where it prints."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, get_type_hints

import typer
from rich.console import Console

from memory_middleware import InvalidInputError, MemoryMiddlewareError, Scope
from memory_middleware_cli.commands.opening import config_of, is_there, opened
from memory_middleware_cli.commands.printing import print_error, print_json

if TYPE_CHECKING:  # a memory loads LangGraph and LanceDB, for which help and completion should not wait
    from memory_middleware import Memory

__all__ = ["Desk", "command", "guarded"]

_SHOWN_OWNERS = 5
_NO_OWNER = "there is no owner yet; name one with --owner"
_COMMON = {
    "path": Annotated[str | None, typer.Option(help="Folder or database URL of the memory, ./memory by default.")],
    "config": Annotated[Path | None, typer.Option(help="YAML file that describes the memory.")],
    "owner": Annotated[str | None, typer.Option(help="Whose memory; needed where there are several owners.")],
    "as_json": Annotated[bool, typer.Option("--json", help="Print JSON.")],
}


@dataclass(frozen=True)
class Desk:
    """What a command works with.

    Attributes:
        memory: The memory, open.
        given: The owner that was named, if any.
        as_json: Whether to print JSON.
        makes: Whether the command may be the first to name an owner.
    """

    memory: Memory
    given: str | None = None
    as_json: bool = False
    makes: bool = False

    @cached_property
    def owner(self) -> str:
        """Whose memory: who was named, else the only one there is.

        Raises:
            InvalidInputError: There are several, or none.
        """
        if self.given is not None:
            return self.given
        found = list(islice(self.memory.owners(), 2))
        if not found:
            raise InvalidInputError(_NO_OWNER)
        if len(found) > 1:
            raise InvalidInputError(f"there are several owners; name one with --owner: {self._known()}")
        return found[0]

    def check_owner(self) -> None:
        """Refuse an owner who was named and is not there, also where a command is about everybody's memory.

        Raises:
            InvalidInputError: There is no such owner.
        """
        if self.given is not None and not self.makes and not self._is_known(self.given):
            raise InvalidInputError(f"there is no owner {self.given!r} here; known: {self._known()}")

    @property
    def scope(self) -> Scope:
        """The scope of the owner."""
        return Scope(self.owner)

    @property
    def console(self) -> Console:
        """Where tables go."""
        return Console(highlight=False)

    def tell(self, data: Any, show: Callable[[Console], object]) -> None:
        """Print data as JSON, or show it to people."""
        if self.as_json:
            print_json(data)
        else:
            show(self.console)

    def _is_known(self, owner: str) -> bool:
        return any(self.memory.store.memories.records.count(Scope(owner)).values()) or owner in self.memory.owners()

    def _known(self) -> str:
        found = sorted(islice(self.memory.owners(), _SHOWN_OWNERS + 1))
        more = ", …" if len(found) > _SHOWN_OWNERS else ""
        return (", ".join(map(repr, found[:_SHOWN_OWNERS])) or "none") + more


def command(
    app: typer.Typer, name: str, *, makes: bool = False, named: bool = False, works: bool = False
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Register a command that takes a desk, and add the options that all commands share.

    Args:
        app: Where to.
        name: What it is called.
        makes: Whether it may make a memory or an owner that is not there yet.
        named: Whether it makes no memory unless an owner is named.
        works: Whether the extractor runs in the background meanwhile, as configured.
    """

    def registered(act: Callable[..., None]) -> Callable[..., None]:
        def run(*, path: str | None, config: Path | None, owner: str | None, as_json: bool, **more: Any) -> None:
            whose = owner if owner is None else Scope(owner).owner_id
            if named and whose is None and not is_there(config_of(path, config)):
                raise InvalidInputError(_NO_OWNER)
            with opened(path, config, makes=makes, works=works) as memory:
                desk = Desk(memory, whose, as_json, makes)
                desk.check_owner()
                act(desk, **more)

        _describe(run, act)
        app.command(name)(guarded(run))
        return act

    return registered


def guarded(act: Callable[..., None]) -> Callable[..., None]:
    """Let errors of ours end in one line: 2 if what was given is wrong, 1 if something failed."""

    def run(**given: Any) -> None:
        try:
            act(**given)
        except MemoryMiddlewareError as error:
            print_error(str(error))
            raise typer.Exit(2 if isinstance(error, InvalidInputError) else 1) from error

    _copy(run, act)
    return run


def _describe(run: Callable[..., None], act: Callable[..., None]) -> None:
    """Give a wrapper the options of what it wraps but for the desk, and those that all commands share."""
    hints = get_type_hints(act, include_extras=True)
    own = [
        parameter.replace(annotation=hints[name], kind=inspect.Parameter.KEYWORD_ONLY)
        for name, parameter in list(inspect.signature(act).parameters.items())[1:]
    ]
    shared = [
        inspect.Parameter(
            name, inspect.Parameter.KEYWORD_ONLY, default=False if name == "as_json" else None, annotation=hint
        )
        for name, hint in _COMMON.items()
    ]
    run.__signature__ = inspect.Signature([*own, *shared])  # type: ignore[attr-defined]
    run.__annotations__ = {one.name: one.annotation for one in (*own, *shared)}
    run.__doc__, run.__name__ = act.__doc__, act.__name__


def _copy(run: Callable[..., None], act: Callable[..., None]) -> None:
    run.__signature__ = inspect.signature(act, eval_str=True)  # type: ignore[attr-defined]
    run.__annotations__ = get_type_hints(act, include_extras=True)
    run.__doc__, run.__name__ = act.__doc__, act.__name__
