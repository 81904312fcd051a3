"""The rules of memory: what is injected, kept, extracted, summarised, and where it is stored."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field, model_validator

from memory_middleware.config.base import ConfigModel
from memory_middleware.config.field_specs import ADVANCED
from memory_middleware.config.types import (
    Count,
    Entries,
    EntryText,
    Factor,
    Flag,
    Fraction,
    OptionalText,
    Params,
    PositiveInt,
    Seconds,
    Text,
)
from memory_middleware.schemas.problems import problem_at

__all__ = [
    "BudgetConfig",
    "BudgetShares",
    "ExperienceConfig",
    "ExtractConfig",
    "InjectConfig",
    "LongTermConfig",
    "ModelConfig",
    "RetentionConfig",
    "ShortTermConfig",
    "StorageConfig",
    "SummarizeConfig",
    "WeightConfig",
]


class BudgetShares(ConfigModel):
    """Parts of the budget reserved for each class of memory; unused parts go to the others."""

    profile: Fraction = Field(0.30, description="The profile of the owner")
    corrections: Fraction = Field(0.15, description="Corrections and explicit rules")
    facts: Fraction = Field(0.25, description="Facts, preferences and projects")
    dialogue: Fraction = Field(0.10, description="Earlier rounds found by search")
    short_term: Fraction = Field(0.10, description="The last rounds of this thread")
    experience: Fraction = Field(0.05, description="Episodes, patterns and skills")
    documents: Fraction = Field(0.05, description="Notes and files")

    @model_validator(mode="after")
    def _fit(self) -> BudgetShares:
        total = sum(getattr(self, name) for name in type(self).model_fields)
        if total > 1.0 + 1e-9:
            raise problem_at((), f"shares add up to {total:g}; they must not pass 1")
        return self


class BudgetConfig(ConfigModel):
    """How many tokens memory may take in a prompt, and how they are counted."""

    total_tokens: PositiveInt = Field(1024, description="Tokens one agent's memory may take")
    shares: BudgetShares = Field(default_factory=BudgetShares, description="Parts reserved for each class")
    encoding: Literal["o200k_base", "cl100k_base", "bytes"] | None = Field(
        None, description="How tokens are counted; none follows the model", json_schema_extra=ADVANCED
    )
    model: OptionalText = Field(None, description="Model to count for, such as 'gpt-4o' or 'claude-sonnet'")
    factor: Factor | None = Field(
        None, description="Safety factor on counts; none follows the model", json_schema_extra=ADVANCED
    )


def _read_trigger(value: Any) -> Any:
    return "keywords" if value == "keyword" else value


class InjectConfig(ConfigModel):
    """When and how much memory is injected."""

    first_round_empty: Flag = Field(True, description="Inject nothing in the first round of a thread")
    short_term_count: Count = Field(3, description="Most short-term items, from the second round on")
    long_term_trigger: Annotated[Literal["keywords", "always", "semantic"], BeforeValidator(_read_trigger)] = Field(
        "keywords", description="What makes a query recall long-term memory"
    )
    keywords: Annotated[tuple[EntryText, ...], Entries] = Field(
        (), description="Words that trigger it; none uses the built-in list", json_schema_extra=ADVANCED
    )
    min_query_length: Count = Field(4, description="Shorter queries inject nothing; a Chinese character counts as two")
    budget: BudgetConfig = Field(default_factory=BudgetConfig, description="The token budget")


class ShortTermConfig(ConfigModel):
    """The last rounds of a thread."""

    max_items: PositiveInt = Field(10, description="Rounds kept for each thread")
    compression_threshold: PositiveInt = Field(5, description="Older rounds beyond this many are kept shortened")

    @model_validator(mode="after")
    def _in_order(self) -> ShortTermConfig:
        if self.compression_threshold > self.max_items:
            raise problem_at(
                ("compression_threshold",),
                f"compression_threshold {self.compression_threshold} passes max_items {self.max_items}",
            )
        return self


class WeightConfig(ConfigModel):
    """How the weight of a record follows its use; a new record weighs 1."""

    gain: Factor = Field(0.2, description="Added when an answer uses a record; less near the ceiling")
    loss: Fraction = Field(0.02, description="Part of the weight lost when a record is injected and not used")
    half_life_days: Factor = Field(180.0, description="Days in which a weight fades to half")
    ceiling: Factor = Field(5.0, description="No weight rises above", json_schema_extra=ADVANCED)


class LongTermConfig(ConfigModel):
    """Records kept across threads."""

    enabled: Flag = Field(True, description="Keep and recall long-term records")
    vector_index: Flag = Field(True, description="Search by meaning as well as by words")
    max_return: PositiveInt = Field(2, description="Most records recalled in a turn")
    archive_threshold: Fraction = Field(0.3, description="Records whose weight falls below are archived")
    archive_after: Count = Field(3, description="But not before they were injected so often; the unasked may wait")
    keep_dialogue: Flag = Field(True, description="Keep what was said as records too, so that it can be recalled")
    weights: WeightConfig = Field(default_factory=WeightConfig, description="How weights follow use")


class ExtractConfig(ConfigModel):
    """How dialogue becomes records."""

    mode: Literal["inline", "background", "manual"] = Field("background", description="When the extractor runs")
    batch_size: PositiveInt = Field(5, description="Rounds that make a batch")
    max_facts: PositiveInt = Field(20, description="Most facts drawn from a batch")
    min_confidence: Fraction = Field(0.7, description="Facts below are not kept")
    auto_tag: Flag = Field(True, description="Let the extractor choose tags")
    max_attempts: PositiveInt = Field(3, description="A batch that fails this often is parked")
    idle_seconds: Seconds = Field(300.0, description="A thread quiet for so long is extracted, full batch or not")


class SummarizeConfig(ConfigModel):
    """Folding old rounds into a running summary."""

    enabled: Flag = Field(False, description="Summarise long threads")
    trigger_tokens: PositiveInt = Field(2000, description="Tokens of a thread that trigger it")
    max_tokens: PositiveInt = Field(300, description="Most tokens of a summary")


class ModelConfig(ConfigModel):
    """The chat model that extracts and summarises; without it, rules do."""

    enabled: Flag = Field(False, description="Use the model")
    provider: OptionalText = Field(None, description="A LangChain provider name, such as 'openai'")
    model: OptionalText = Field(None, description="The provider's name of the model")
    api_key: OptionalText = Field(None, description="The provider's key", repr=False)
    base_url: OptionalText = Field(None, description="Another address of the service")
    timeout: Seconds = Field(30.0, description="Seconds, or text such as '30s'")

    @model_validator(mode="after")
    def _named(self) -> ModelConfig:
        if self.enabled and not self.model:
            raise problem_at(("model",), "an enabled memory agent needs a model, such as 'gpt-4o-mini'")
        return self


class ExperienceConfig(ConfigModel):
    """What workers learn from their runs."""

    record: Flag = Field(True, description="Keep the runs of workers that used tools, as episodes")
    consolidate: Flag = Field(True, description="Draw patterns and skills from episodes during maintenance")


class RetentionConfig(ConfigModel):
    """How long the journal is kept; none keeps it for ever."""

    usage_days: Factor | None = Field(365.0, description="Days of the usage log; weights keep what it said")
    turns_days: Factor | None = Field(365.0, description="Days of the journal of turns")
    short_term_days: Factor | None = Field(30.0, description="Days of short-term items and summaries of quiet threads")
    runs_days: Factor | None = Field(30.0, description="Days of runs of the extractor that are done")
    superseded_days: Factor | None = Field(None, description="Days of records that were superseded")


class StorageConfig(ConfigModel):
    """Where memory lives."""

    path: Text = Field("./memory", description="Folder of the embedded store, or the base of the two below")
    sql_url: OptionalText = Field(None, description="SQLAlchemy URL; none keeps SQLite in the folder", repr=False)
    lance_uri: OptionalText = Field(
        None, description="Folder, s3:// or db:// of the index; none keeps it in the folder"
    )
    storage_options: Params = Field(default_factory=dict, description="Options of the object store", repr=False)
