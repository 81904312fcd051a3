"""The settings of each kind of declared store, and the list of kinds."""

from __future__ import annotations

from typing import Annotated, Any, Literal, NamedTuple

from pydantic import Field, model_validator

from memory_middleware.config.base import ConfigModel
from memory_middleware.config.embedding import EmbeddingConfig
from memory_middleware.config.field_specs import ADVANCED
from memory_middleware.config.types import Count, Entries, EntryText, Flag, OptionalText, PositiveInt, Text
from memory_middleware.errors import InvalidInputError
from memory_middleware.schemas.problems import problem_at

__all__ = [
    "BlackboardMemoryConfig",
    "BuiltInMemoryConfig",
    "ExperienceMemoryConfig",
    "FileMemoryConfig",
    "FileSourceConfig",
    "Mem0MemoryConfig",
    "NotesMemoryConfig",
    "SimpleMemoryConfig",
    "StoreKind",
    "register_store_kind",
    "store_kinds",
]


class SimpleMemoryConfig(ConfigModel):
    """A small store in memory, perhaps kept in one JSON file."""

    memory_path: OptionalText = Field(
        None,
        title="Memory File Path",
        description="JSON file to keep the items in; 'auto' picks one; nothing keeps them in memory only",
        json_schema_extra=ADVANCED,
    )
    embedding: EmbeddingConfig | None = Field(
        None, title="Embedding Configuration", description="Without one, items are recalled by recency"
    )
    max_content_length: PositiveInt = Field(
        500, description="Characters of an item that are kept for search", json_schema_extra=ADVANCED
    )


class FileSourceConfig(ConfigModel):
    """A file or folder to index."""

    source_path: Text = Field(alias="path", title="File/Directory Path", description="File or folder to index")
    file_types: Annotated[tuple[EntryText, ...], Entries] | None = Field(
        None, title="File Type Filter", description="Suffixes to index, such as .md; nothing means all"
    )
    recursive: Flag = Field(
        True, title="Recursive Subdirectories", description="Go into subfolders", json_schema_extra=ADVANCED
    )
    encoding: Text = Field(
        "utf-8", title="File Encoding", description="How the files are encoded", json_schema_extra=ADVANCED
    )

    @model_validator(mode="before")
    @classmethod
    def _absent_values(cls, data: Any) -> Any:
        if isinstance(data, dict) and data.get("encoding", "x") in (None, ""):
            data = {key: value for key, value in data.items() if key != "encoding"}
        return data


class FileMemoryConfig(ConfigModel):
    """A read-only index of documents."""

    index_path: OptionalText = Field(
        None, title="Index Path", description="JSON file to keep the index in", json_schema_extra=ADVANCED
    )
    file_sources: Annotated[tuple[FileSourceConfig, ...], Entries] = Field(
        (), min_length=1, validate_default=True, title="File Source List", description="Files and folders to index"
    )
    embedding: EmbeddingConfig | None = Field(
        None, title="Embedding Configuration", description="Needed to build the index"
    )
    chunk_size: PositiveInt = Field(500, description="Characters of a piece", json_schema_extra=ADVANCED)
    chunk_overlap: Count = Field(50, description="Characters two pieces share", json_schema_extra=ADVANCED)

    @model_validator(mode="after")
    def _overlap_fits(self) -> FileMemoryConfig:
        if self.chunk_overlap >= self.chunk_size:
            message = f"chunk_overlap {self.chunk_overlap} must be smaller than chunk_size {self.chunk_size}"
            raise problem_at(("chunk_overlap",), message)
        return self

    @model_validator(mode="before")
    @classmethod
    def _older_name(cls, data: Any) -> Any:
        """``memory_path`` was the older name of ``index_path`` and yields to it."""
        if not isinstance(data, dict) or "memory_path" not in data:
            return data
        rest = {key: value for key, value in data.items() if key != "memory_path"}
        return rest if rest.get("index_path") else {**rest, "index_path": data["memory_path"]}


class BlackboardMemoryConfig(ConfigModel):
    """A shared list to which nodes append and from which they read the newest."""

    memory_path: OptionalText = Field(
        None,
        title="Blackboard Path",
        description="JSON file to keep the items in; 'auto' picks one",
        json_schema_extra=ADVANCED,
    )
    max_items: PositiveInt = Field(
        1000, title="Maximum Items", description="The oldest go beyond this many", json_schema_extra=ADVANCED
    )


class Mem0MemoryConfig(ConfigModel):
    """A store kept by the Mem0 service."""

    api_key: Text = Field(title="Mem0 API Key", description="Key of the service", repr=False)
    org_id: OptionalText = Field(None, title="Organization ID", json_schema_extra=ADVANCED)
    project_id: OptionalText = Field(None, title="Project ID", json_schema_extra=ADVANCED)
    user_id: OptionalText = Field(None, title="User ID", description="Whose memories")
    agent_id: OptionalText = Field(None, title="Agent ID", description="Which agent's memories")
    base_url: OptionalText = Field(
        None, title="Address", description="Another address than that of the Mem0 platform", json_schema_extra=ADVANCED
    )
    api: Literal["platform", "server"] = Field(
        "platform",
        title="Interface",
        description="What answers there: the platform, or the open-source server",
        json_schema_extra=ADVANCED,
    )


class NotesMemoryConfig(ConfigModel):
    """A directory of human-editable notes."""

    path: Text = Field(title="Notes Directory", description="Folder that holds MEMORY.md and the notes")


class LangGraphMemoryConfig(ConfigModel):
    """Items of a LangGraph store: the one given to it, or that of the run."""

    namespace: Annotated[tuple[EntryText, ...], Entries] = Field(
        ("memories", "{owner_id}"),
        title="Namespace",
        description="Where the items are; {owner_id}, {thread_id} and {agent} are filled in",
    )
    fields: Annotated[tuple[EntryText, ...], Entries] = Field(
        ("text", "content", "memory"),
        title="Fields",
        description="The first of these fields of a value that holds a text is told",
        json_schema_extra=ADVANCED,
    )


class BuiltInMemoryConfig(ConfigModel):
    """A source over the memory's own storage; it needs no settings."""


class ExperienceMemoryConfig(ConfigModel):
    """Episodes, patterns and skills in the memory's own storage."""

    detail: Literal["index", "timeline", "full"] = Field(
        "timeline",
        title="Detail",
        description="How much of each memory is told: a line, what came of it, or everything",
    )
    follow_links: Flag = Field(
        True,
        title="Follow Links",
        description="Hits bring along the patterns and episodes they are linked with",
        json_schema_extra=ADVANCED,
    )


class StoreKind(NamedTuple):
    """A kind of store that configuration may name."""

    name: str
    config_cls: type[ConfigModel]
    summary: str
    implicit: bool = False
    """Whether attachments may name it without declaring a store."""


_KINDS: dict[str, StoreKind] = {
    kind.name: kind
    for kind in (
        StoreKind("simple", SimpleMemoryConfig, "Small conversation cache, in memory or one JSON file"),
        StoreKind("file", FileMemoryConfig, "Read-only index of documents on disk"),
        StoreKind("blackboard", BlackboardMemoryConfig, "Shared list of the newest entries, for all nodes"),
        StoreKind("mem0", Mem0MemoryConfig, "Memories kept by the Mem0 service"),
        StoreKind("langgraph", LangGraphMemoryConfig, "Items of any LangGraph store, such as PostgresStore"),
        StoreKind("notes", NotesMemoryConfig, "Human-editable Markdown notes listed in MEMORY.md"),
        StoreKind("profile", BuiltInMemoryConfig, "The owner's user and work profiles", implicit=True),
        StoreKind("long_term", BuiltInMemoryConfig, "Long-term records, searched by meaning and words", implicit=True),
        StoreKind("short_term", BuiltInMemoryConfig, "The last rounds of this thread", implicit=True),
        StoreKind("experience", ExperienceMemoryConfig, "Episodes, patterns and skills of agents", implicit=True),
    )
}


def store_kinds() -> dict[str, StoreKind]:
    """List the known kinds of store by name."""
    return dict(_KINDS)


def register_store_kind(name: str, config_cls: type[ConfigModel], summary: str) -> None:
    """Make a new kind of store known to configuration.

    Raises:
        InvalidInputError: The name is taken by another class.
    """
    known = _KINDS.get(name)
    if known is not None and known.config_cls is not config_cls:
        raise InvalidInputError(f"store kind {name!r} is already registered with {known.config_cls.__name__}")
    _KINDS[name] = StoreKind(name, config_cls, summary, implicit=known.implicit if known else False)
