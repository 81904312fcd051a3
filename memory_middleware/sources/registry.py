"""Kinds of sources: how configuration becomes a source, also of kinds that users add."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from langchain_core.embeddings import Embeddings

from memory_middleware.config import EmbeddingConfig
from memory_middleware.config.base import ConfigModel
from memory_middleware.config.field_specs import FieldSpec
from memory_middleware.config.store_kinds import register_store_kind, store_kinds
from memory_middleware.embedding import build_embeddings
from memory_middleware.errors import ConfigError
from memory_middleware.schemas import times
from memory_middleware.sources.base import Source

if TYPE_CHECKING:
    from memory_middleware.storage import LanceStore

__all__ = ["Factory", "RegisteredStore", "SourceContext", "build_source", "list_memory_stores", "register_memory_store"]


@dataclass(frozen=True, slots=True)
class SourceContext:
    """What a factory may use to build a source.

    Attributes:
        name: What the source is called.
        folder: Where sources keep files whose path is ``auto`` or relative.
        store: The memory's own storage, or none where there is none.
        embed: Builds an embedder from its configuration.
        language: The language of what a source says itself, ``en`` or ``zh``.
        clock: Tells the time.
    """

    name: str
    folder: Path
    store: LanceStore | None = None
    embed: Callable[[EmbeddingConfig], Embeddings] = field(default=build_embeddings)
    language: str = "en"
    clock: Callable[[], datetime] = times.utc_now

    def seconds(self) -> float:
        """Tell the time in seconds since 1970."""
        return self.clock().timestamp()


Factory = Callable[[Any, SourceContext], Source]


class RegisteredStore(NamedTuple):
    """A kind of source: its settings, what builds it, and what it is for."""

    name: str
    config_cls: type[ConfigModel]
    factory: Factory
    summary: str

    def field_specs(self) -> dict[str, FieldSpec]:
        """Describe its settings, for forms."""
        return self.config_cls.field_specs()


# The kinds of this package; each module has a ``build`` and is loaded when it is first needed.
_BUILT_IN = (
    "simple",
    "file",
    "blackboard",
    "notes",
    "profile",
    "long_term",
    "short_term",
    "experience",
    "mem0",
    "langgraph",
)
_FACTORIES: dict[str, Factory] = {}


def register_memory_store(name: str, config_cls: type[ConfigModel], factory: Factory, summary: str) -> None:
    """Make a kind of source known, so that configuration can declare it.

    Args:
        name: The ``type`` of a declared store.
        config_cls: Its settings.
        factory: Builds a source from settings and a context.
        summary: What it is for, in one line.

    Raises:
        InvalidInputError: The name is taken by other settings.
    """
    register_store_kind(name, config_cls, summary)
    _FACTORIES[name] = factory


def list_memory_stores() -> list[RegisteredStore]:
    """List the kinds that can be built."""
    known = store_kinds()
    names = dict.fromkeys((*_BUILT_IN, *_FACTORIES))
    return [
        RegisteredStore(name, known[name].config_cls, _FACTORIES.get(name, _built_in(name)), known[name].summary)
        for name in names
    ]


def build_source(kind: str, config: ConfigModel | None, context: SourceContext) -> Source:
    """Build a source.

    Raises:
        ConfigError: Nothing builds this kind.
    """
    if kind in _FACTORIES:
        made = _FACTORIES[kind](config, context)
        if not isinstance(made, Source):
            raise ConfigError(f"the factory of type {kind!r} gave {made!r}, not a Source", f"memory.{context.name}")
        return made
    if kind in _BUILT_IN:
        return _built_in(kind)(config, context)
    known = ", ".join(sorted({*_BUILT_IN, *_FACTORIES}))
    raise ConfigError(f"nothing builds sources of type {kind!r}; known: {known}", f"memory.{context.name}")


def _built_in(kind: str) -> Factory:
    def build(config: Any, context: SourceContext) -> Source:
        module = importlib.import_module(f"memory_middleware.sources.{kind}")
        made: Source = module.build(config, context)
        return made

    return build
