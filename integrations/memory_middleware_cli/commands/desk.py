"""What every command works with: an open memory, whose it is, and where it prints."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, get_type_hints

import typer
from rich.console import Console

import memory_middleware
from memory_middleware import InvalidInputError, MemoryConfig, MemoryMiddlewareError, Scope
from memory_middleware_cli.commands.printing import error_console, print_json

if TYPE_CHECKING:  # a memory loads LangGraph and LanceDB, for which help and completion should not wait
    from memory_middleware import Memory

__all__ = ["Desk", "command", "config_of", "folder_of", "guarded", "is_there", "open_memory"]

_DEFAULT = "./memory"
_DATABASES = ("postgresql://", "postgres://", "postgresql+psycopg://", "sqlite://")
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
            with open_memory(path, config, makes=makes, works=works) as memory:
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
            line = " ".join(str(error).split())
            error_console().print(f"memory: {line}", style="red", markup=False, highlight=False, soft_wrap=True)
            raise typer.Exit(2 if isinstance(error, InvalidInputError) else 1) from error

    _copy(run, act)
    return run


@contextmanager
def open_memory(path: str | None, config: Path | None, *, makes: bool = False, works: bool = False) -> Iterator[Memory]:
    """Open the memory that the options name.

    Raises:
        InvalidInputError: There is none, and the command does not make one.
        StoreError: It cannot be opened.
    """
    rules = config_of(path, config)
    if not makes and not is_there(rules):
        place = str(folder_of(rules))
        raise InvalidInputError(f"there is no memory in {place!r}; give --path or --config, or `memory add` to it")
    if not works:  # a command that looks or changes by hand leaves what waits for the extractor alone
        rules = rules.model_copy(update={"extract": rules.extract.model_copy(update={"mode": "manual"})})
    with memory_middleware.Memory.open(rules) as memory:
        yield memory


def config_of(path: str | None, config: Path | None) -> MemoryConfig:
    """Read the configuration, with the place of ``--path`` in it.

    Raises:
        ConfigError: The file cannot be read, or something in it is wrong.
        InvalidInputError: The place is neither a folder nor a database.
    """
    rules = MemoryConfig.from_yaml(config) if config else MemoryConfig()
    if path is not None:
        there = "://" in path
        if there and not path.startswith(_DATABASES):
            raise InvalidInputError(f"--path is a folder, or a database URL such as postgresql://…, not {path!r}")
        place = {"sql_url": path, "path": _DEFAULT} if there else {"sql_url": None, "lance_uri": None, "path": path}
        rules = rules.model_copy(update={"storage": rules.storage.model_copy(update=place)})
    folder = folder_of(rules)
    if folder is not None and folder.exists() and not folder.is_dir():
        raise InvalidInputError(f"{str(folder)!r} is no folder; give --path the folder of a memory")
    return rules


def folder_of(config: MemoryConfig) -> Path | None:
    """Tell the folder of an embedded memory, or none if it is a server's."""
    return None if config.storage.sql_url else Path(config.storage.path).expanduser()


def is_there(config: MemoryConfig) -> bool:
    """Tell whether a memory has been made already; a server's counts as one."""
    folder = folder_of(config)
    return folder is None or (folder / "memory.db").is_file()


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
