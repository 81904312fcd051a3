"""The whole configuration, as one frozen tree."""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal, Self

from pydantic import Field, ValidationError, model_validator

from memory_middleware.config.base import ConfigModel, raise_problems
from memory_middleware.config.embedding import EmbeddingConfig
from memory_middleware.config.environment import environment, expand, read_variables
from memory_middleware.config.files import read_toml, read_yaml
from memory_middleware.config.layouts import read_layout
from memory_middleware.config.sections import (
    ExperienceConfig,
    ExtractConfig,
    InjectConfig,
    LongTermConfig,
    ModelConfig,
    RetentionConfig,
    ShortTermConfig,
    StorageConfig,
    SummarizeConfig,
)
from memory_middleware.config.store_kinds import store_kinds
from memory_middleware.config.stores import AgentMemoryConfig, MemoryAttachmentConfig, MemoryStoreConfig
from memory_middleware.config.types import Count, Entries, Flag, OptionalText
from memory_middleware.errors import ConfigError
from memory_middleware.schemas.problems import list_problems, problem_at

__all__ = ["MemoryConfig"]


def _local_embedding() -> EmbeddingConfig:
    return EmbeddingConfig(provider="local", model="wordllama")


class MemoryConfig(ConfigModel):
    """Everything that can be set. Every field has a default that works with no key and no network."""

    enabled: Flag = Field(True, description="Switches all memory on or off")
    max_history: Count = Field(20, description="Messages of a thread that are looked at")
    language: Literal["en", "zh"] = Field("en", description="Language of prompts and notes")
    on_error: Literal["skip", "raise"] = Field("skip", description="Whether a memory failure may stop the agent")
    prompts_dir: OptionalText = Field(None, description="Folder of prompt files that replace the shipped ones")
    storage: StorageConfig = Field(default_factory=StorageConfig, description="Where memory lives")
    embedding: EmbeddingConfig | None = Field(default_factory=_local_embedding, description="The common embedder")
    memory: Annotated[tuple[MemoryStoreConfig, ...], Entries] = Field((), description="Declared stores")
    agents: dict[str, AgentMemoryConfig] = Field(default_factory=dict, description="Memories of each agent node")
    inject: InjectConfig = Field(default_factory=InjectConfig, description="Injection rules")
    short_term: ShortTermConfig = Field(default_factory=ShortTermConfig, description="Short-term memory")
    long_term: LongTermConfig = Field(default_factory=LongTermConfig, description="Long-term memory")
    memory_agent: ModelConfig = Field(default_factory=ModelConfig, description="The model that extracts")
    extract: ExtractConfig = Field(default_factory=ExtractConfig, description="Extraction")
    summarize: SummarizeConfig = Field(default_factory=SummarizeConfig, description="Summaries")
    experience: ExperienceConfig = Field(default_factory=ExperienceConfig, description="What workers learn")
    retention: RetentionConfig = Field(default_factory=RetentionConfig, description="How long the journal is kept")

    @model_validator(mode="after")
    def _names_fit(self) -> MemoryConfig:
        names = [store.name for store in self.memory]
        for at, name in enumerate(names):
            if name in names[:at]:
                raise problem_at(("memory", at, "name"), f"duplicated memory store name {name!r}")
        known = {*names, *(kind.name for kind in store_kinds().values() if kind.implicit)}
        for agent, settings in self.agents.items():
            for at, attachment in enumerate(settings.memories):
                if attachment.name not in known:
                    message = f"memory reference {attachment.name!r} not defined in "
                    raise problem_at(("agents", agent, "memories", at), message, place=("memory",))
        return self

    def attachments(self, agent: str) -> tuple[MemoryAttachmentConfig, ...]:
        """List the attachments of an agent node; an unknown one has none."""
        settings = self.agents.get(agent)
        return settings.memories if settings else ()

    @classmethod
    def from_dict(cls, data: Mapping[str, Any], *, path: str = "") -> Self:
        """Read plain data, in our shape, as a graph file with ``nodes``, or as ``[memory]`` settings.

        Raises:
            ConfigError: Something is wrong; the text reads ``path: message``.
        """
        if not isinstance(data, Mapping):
            raise ConfigError("expected mapping", path)
        layout = read_layout(data, path)
        try:
            return cls.model_validate(layout.data)
        except ValidationError as error:
            raise_problems(list_problems(error, cls, path, layout.data, layout.written), error)

    @classmethod
    def from_yaml(cls, source: str | Path, *, env: Mapping[str, str] | None = None) -> Self:
        """Read a YAML file, or YAML text if the string holds a line break.

        ``${NAME}`` and ``${NAME:-default}`` are replaced from the file's ``vars``, then from the
        environment.

        Args:
            source: The file, or the text.
            env: Used instead of the process environment.

        Raises:
            ConfigError: The file cannot be read, or something in it is wrong.
        """
        return cls._from_document(read_yaml(source), env)

    @classmethod
    def from_toml(cls, source: str | Path, *, env: Mapping[str, str] | None = None) -> Self:
        """Read a TOML file, or TOML text if the string holds a line break; else as ``from_yaml``.

        Raises:
            ConfigError: The file cannot be read, or something in it is wrong.
        """
        return cls._from_document(read_toml(source), env)

    @classmethod
    def _from_document(cls, document: Mapping[str, Any], env: Mapping[str, str] | None) -> Self:
        outside = dict(environment() if env is None else env)
        variables = ChainMap(read_variables(document.get("vars"), outside), outside)
        return cls.from_dict(expand({key: value for key, value in document.items() if key != "vars"}, variables))
