"""Opening a memory for a command, so that one that fails leaves nothing behind in a new place."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import takewhile
from pathlib import Path
from typing import TYPE_CHECKING

import memory_middleware
from memory_middleware import InvalidInputError, MemoryConfig, MemoryMiddlewareError

if TYPE_CHECKING:  # a memory loads LangGraph and LanceDB, for which help and completion should not wait
    from memory_middleware import Memory

__all__ = ["config_of", "folder_of", "is_there", "open_memory", "opened"]

_DEFAULT = "./memory"
_DATABASES = ("postgresql://", "postgres://", "postgresql+psycopg://", "sqlite://")
_FILE = "memory.db"
_INDEX = "index"


@contextmanager
def opened(path: str | None, config: Path | None, *, makes: bool = False, works: bool = False) -> Iterator[Memory]:
    """Open the memory that the options name, and make none if what is done with it fails.

    Raises:
        InvalidInputError: There is none, and the command does not make one.
        StoreError: It cannot be opened.
    """
    rules = config_of(path, config)
    folder = None if is_there(rules) else folder_of(rules)
    before = _entries(folder)
    unused = False
    try:
        with open_memory(path, config, makes=makes, works=works) as memory:
            try:
                yield memory
            except MemoryMiddlewareError:
                unused = folder is not None and next(iter(memory.owners()), None) is None
                raise
    finally:
        if folder is not None and unused:
            _unmake(folder, before)


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
    return folder is None or (folder / _FILE).is_file()


def _entries(folder: Path | None) -> set[Path]:
    """List a folder and the folders above it that are there, and what it holds."""
    return set() if folder is None else {one for one in (*folder.glob("*"), folder, *folder.parents) if one.exists()}


def _unmake(folder: Path, before: set[Path]) -> None:
    """Remove the memory that was made since, and the folders that were made for it."""
    for made in [folder / _INDEX, *folder.glob(f"{_FILE}*")]:
        if made in before:
            continue
        if made.is_dir():
            shutil.rmtree(made)
        else:
            made.unlink(missing_ok=True)
    for place in takewhile(lambda one: one not in before and not any(one.iterdir()), (folder, *folder.parents)):
        place.rmdir()
