"""The command ``doctor``: what could be wrong, and what to do about it."""

from __future__ import annotations

import importlib.util
import platform
import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console
from rich.text import Text

from memory_middleware import MemoryConfig, MemoryMiddlewareError, RunState, Scope, TokenCounter
from memory_middleware_cli.commands.desk import guarded
from memory_middleware_cli.commands.opening import config_of, folder_of, open_memory
from memory_middleware_cli.commands.printing import print_json, table
from memory_middleware_cli.commands.statistics import size

if TYPE_CHECKING:
    from memory_middleware import Memory

__all__ = ["add_to"]

_PACKAGES = ("langgraph-memory-middleware", "langgraph", "langchain-core", "lancedb", "pydantic", "sqlalchemy")
_EXTRAS = {"rest": "fastapi", "mcp": "mcp", "models": "langchain", "postgres": "psycopg", "minilm": "onnxruntime"}
_LEAST_FREE = 500_000_000


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was looked at.

    Attributes:
        name: What.
        ok: Whether it is as it should be.
        told: What was found.
        remedy: What to do about it.
    """

    name: str
    ok: bool
    told: str
    remedy: str = ""


def doctor(
    path: Annotated[str | None, typer.Option(help="Folder or database URL of the memory, ./memory by default.")] = None,
    config: Annotated[Path | None, typer.Option(help="YAML file that describes the memory.")] = None,
    owner: Annotated[str | None, typer.Option(help="Look for parked batches of this owner only.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Look for what could be wrong, and tell what to do; ends with 1 if something is.

    For example: memory doctor --config memory.yaml
    """
    found = list(_examined(path, config, owner if owner is None else Scope(owner).owner_id))
    ok = all(one.ok for one in found)
    if as_json:
        print_json({"ok": ok, "findings": found})
    else:
        _show(found, Console(highlight=False))
    if not ok:
        raise typer.Exit(1)


def add_to(app: typer.Typer) -> None:
    """Register the command."""
    app.command("doctor")(guarded(doctor))


def _examined(path: str | None, config: Path | None, owner: str | None) -> Iterator[Finding]:
    yield Finding("versions", True, ", ".join((f"Python {platform.python_version()}", *map(_version, _PACKAGES))))
    yield Finding("extras", True, ", ".join(name for name, module in _EXTRAS.items() if _there(module)) or "none")
    yield _tokens()
    try:
        rules = config_of(path, config)
    except MemoryMiddlewareError as error:
        yield Finding("config", False, str(error), "mend the file; docs/configuration.md lists every setting")
        return
    yield Finding("config", True, f"read from {config.name}" if config else "the defaults")
    yield _disk(folder_of(rules))
    yield from _store(path, config, rules, owner)


def _store(path: str | None, config: Path | None, rules: MemoryConfig, owner: str | None) -> Iterator[Finding]:
    try:
        with open_memory(path, config) as memory:
            count = sum(1 for _ in memory.owners())
            yield Finding("memory", True, f"open, {count} owner{'' if count == 1 else 's'}")
            yield _model(rules)
            yield _embedder(memory)
            yield _checked("index", lambda: _index(memory), "run `memory fsck`, or `memory reindex`")
            yield _parked(memory, owner)
    except MemoryMiddlewareError as error:
        remedy = "check --path, --config, and that model and embedder are those the memory was made with"
        yield Finding("memory", False, str(error), remedy)


def _tokens() -> Finding:
    counter = TokenCounter()
    counter.count("memory 记忆")
    if counter.exact:
        return Finding("token ranks", True, f"{counter.encoding}, exact")
    return Finding(
        "token ranks", False, f"counting {counter.encoding} instead", "reinstall langgraph-memory-middleware"
    )


def _disk(folder: Path | None) -> Finding:
    if folder is None:
        return Finding("disk", True, "on a server")
    there = next(one for one in (folder.resolve(), *folder.resolve().parents) if one.exists())
    free = shutil.disk_usage(there).free
    used = sum(file.stat().st_size for file in folder.rglob("*") if file.is_file()) if folder.is_dir() else 0
    return Finding("disk", free >= _LEAST_FREE, f"{size(used)} used, {size(free)} free", "free some room on the disk")


def _model(rules: MemoryConfig) -> Finding:
    agent = rules.memory_agent
    named = f"{agent.provider}:{agent.model}" if agent.provider else str(agent.model)
    if agent.enabled or not agent.model:
        return Finding("model", True, f"{named}, not called" if agent.enabled else "none; rules extract")
    if "enabled" in agent.model_fields_set:
        return Finding("model", True, f"{named} is switched off; rules extract")
    remedy = "add `enabled: true` below memory_agent to use it, or `enabled: false` if that is meant"
    return Finding("model", False, f"{named} is named but not enabled; rules extract", remedy)


def _embedder(memory: Memory) -> Finding:
    embedder = memory.store.embeddings
    if embedder is None:
        return Finding("embedder", True, "none; records are found by their words")
    try:
        length = len(embedder.embed_query("memory"))
    except Exception as error:  # noqa: BLE001 - an embedder may be anybody's
        return Finding("embedder", False, str(error), "check the key, the address and the extra of the embedder")
    return Finding("embedder", True, f"{memory.store.embedder_name}, {length} dimensions")


def _checked(name: str, look: Callable[[], tuple[bool, str]], remedy: str) -> Finding:
    try:
        ok, told = look()
    except MemoryMiddlewareError as error:
        ok, told = False, str(error)
    return Finding(name, ok, told, remedy)


def _index(memory: Memory) -> tuple[bool, str]:
    report = memory.store.fsck(repair=False)
    return report.clean, f"{report.items} items, {report.missing} missing, {report.extra} extra"


def _parked(memory: Memory, owner: str | None) -> Finding:
    runs, parked = memory.store.memories.runs, RunState.PARKED
    names = [owner] if owner is not None else memory.owners()
    found = {name: count for name in names if (count := len(runs.in_state(Scope(name), parked, limit=1000)))}
    told = ", ".join(f"{count} of {name}" for name, count in found.items()) or "none"
    return Finding("parked batches", not found, told, "`memory buffer` tells why; `memory extract --retry` tries again")


def _version(name: str) -> str:
    try:
        return f"{name} {version(name)}"
    except PackageNotFoundError:
        return f"{name} from source"


def _there(module: str) -> bool:
    return importlib.util.find_spec(module) is not None


def _show(found: list[Finding], console: Console) -> None:
    made = table("", "", "", wide=None)
    made.columns[2].no_wrap = False
    for one in found:
        made.add_row(Text("ok" if one.ok else "wrong", style="green" if one.ok else "red"), one.name, Text(one.told))
        if not one.ok:
            made.add_row("", "", Text(f"→ {one.remedy}", style="yellow"))
    console.print(made)
