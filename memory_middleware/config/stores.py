"""Declared stores, and how agents are attached to them."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field, SerializeAsAny, ValidationInfo, field_validator, model_validator
from pydantic_core import PydanticUseDefault

from memory_middleware.config.base import ConfigModel
from memory_middleware.config.field_specs import ADVANCED, EnumOption, FieldSpec
from memory_middleware.config.stages import STAGE_ALIASES, Stage
from memory_middleware.config.store_kinds import BuiltInMemoryConfig, store_kinds
from memory_middleware.config.types import Entries, Flag, Fraction, Number, PositiveInt, Text
from memory_middleware.schemas.problems import problem_at

__all__ = ["AgentMemoryConfig", "MemoryAttachmentConfig", "MemoryStoreConfig"]

ConfigClass = type[ConfigModel]


class MemoryStoreConfig(ConfigModel):
    """A named store of some kind, with that kind's settings."""

    name: Text = Field(title="Store Name", description="Unique name of the store")
    type: Text = Field(title="Store Type", description="Kind of the store")
    config: SerializeAsAny[ConfigModel] = Field(
        default_factory=BuiltInMemoryConfig,
        validate_default=False,
        title="Store Configuration",
        description="Settings of that kind",
    )

    @model_validator(mode="before")
    @classmethod
    def _needs_config(cls, data: Any) -> Any:
        return {"config": None, **data} if isinstance(data, dict) else data

    @field_validator("type")
    @classmethod
    def _known_type(cls, value: str) -> str:
        if value not in store_kinds():
            raise ValueError(f"unsupported memory store type {value!r}")
        return value

    @field_validator("config", mode="plain")
    @classmethod
    def _by_type(cls, value: Any, info: ValidationInfo) -> ConfigModel:
        if "type" not in info.data:
            raise PydanticUseDefault
        if value is None:
            raise ValueError("memory store requires config block")
        return store_kinds()[info.data["type"]].config_cls.model_validate(value)

    @classmethod
    def child_class(cls, name: str, data: Any) -> ConfigClass | None:
        """Tell which class reads ``config``, given the raw store."""
        kind = store_kinds().get(str(data.get("type"))) if name == "config" and isinstance(data, dict) else None
        return kind.config_cls if kind else None

    @classmethod
    def field_specs(cls) -> dict[str, FieldSpec]:
        """Describe the fields; ``type`` lists every known kind."""
        specs = super().field_specs()
        kinds = store_kinds().values()
        options = tuple(EnumOption(kind.name, kind.name, kind.summary) for kind in kinds)
        specs["type"] = replace(specs["type"], enum=tuple(kind.name for kind in kinds), enum_options=options)
        specs["config"] = replace(specs["config"], type="object", required=True, default=None, child=None)
        return specs


def _read_stage(value: Any) -> Stage:
    try:
        return STAGE_ALIASES.get(value) or Stage(value)
    except (ValueError, TypeError):
        raise ValueError(f"retrieve_stage entries must be one of {[stage.value for stage in Stage]}") from None


class MemoryAttachmentConfig(ConfigModel):
    """Binds a store to an agent: what is read and written, when, and how much."""

    name: Text = Field(title="Memory Name", description="Name of the store")
    retrieve_stage: Annotated[tuple[Annotated[Stage, BeforeValidator(_read_stage)], ...], Entries] | None = Field(
        None, title="Retrieve Stage", description="Stages at which to recall; none means all"
    )
    top_k: PositiveInt = Field(3, title="Top K", description="Most items to recall", json_schema_extra=ADVANCED)
    similarity_threshold: Number = Field(
        -1.0,
        title="Similarity Threshold",
        description="Least similarity of an item; -1 means any",
        json_schema_extra=ADVANCED,
    )
    read: Flag = Field(True, title="Allow Read", description="Recall from this store", json_schema_extra=ADVANCED)
    write: Flag = Field(True, title="Allow Write", description="Write back to this store", json_schema_extra=ADVANCED)
    budget_share: Fraction | None = Field(
        None,
        title="Budget Share",
        description="Part of the token budget its items may take; none leaves it to their class",
        json_schema_extra=ADVANCED,
    )

    def recalls_at(self, stage: Stage) -> bool:
        """Tell whether this attachment recalls at a stage."""
        return self.read and (not self.retrieve_stage or stage in self.retrieve_stage)


class AgentMemoryConfig(ConfigModel):
    """The memories of one agent node."""

    role: Literal["router", "worker"] | None = Field(
        None, description="A router gets the user profile, a worker the work profile; none follows the node's wiring"
    )
    memories: Annotated[tuple[MemoryAttachmentConfig, ...], Entries] = Field((), description="Stores attached to it")
    budget_tokens: PositiveInt | None = Field(
        None,
        description="Tokens its memory may take; none uses the common budget",
        json_schema_extra=ADVANCED,
    )

    @model_validator(mode="after")
    def _shares_fit(self) -> AgentMemoryConfig:
        total = sum(attachment.budget_share or 0.0 for attachment in self.memories)
        if total > 1.0 + 1e-9:
            raise problem_at(("memories",), f"budget shares add up to {total:g}; they must not pass 1")
        return self
