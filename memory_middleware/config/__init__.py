"""Configuration: one frozen tree, built from keyword arguments, a dict, YAML or TOML."""

from memory_middleware.config.base import ConfigModel
from memory_middleware.config.embedding import EmbeddingConfig
from memory_middleware.config.field_specs import EnumOption, FieldSpec
from memory_middleware.config.sections import (
    BudgetConfig,
    BudgetShares,
    ExperienceConfig,
    ExtractConfig,
    InjectConfig,
    LongTermConfig,
    ModelConfig,
    RetentionConfig,
    ShortTermConfig,
    StorageConfig,
    SummarizeConfig,
    WeightConfig,
)
from memory_middleware.config.stages import STAGE_ALIASES, Stage
from memory_middleware.config.store_kinds import (
    BlackboardMemoryConfig,
    BuiltInMemoryConfig,
    ExperienceMemoryConfig,
    FileMemoryConfig,
    FileSourceConfig,
    LangGraphMemoryConfig,
    Mem0MemoryConfig,
    NotesMemoryConfig,
    SimpleMemoryConfig,
    StoreKind,
    register_store_kind,
    store_kinds,
)
from memory_middleware.config.stores import AgentMemoryConfig, MemoryAttachmentConfig, MemoryStoreConfig
from memory_middleware.config.tree import MemoryConfig

__all__ = [
    "STAGE_ALIASES",
    "AgentMemoryConfig",
    "BlackboardMemoryConfig",
    "BudgetConfig",
    "BudgetShares",
    "BuiltInMemoryConfig",
    "ConfigModel",
    "EmbeddingConfig",
    "EnumOption",
    "ExperienceConfig",
    "ExperienceMemoryConfig",
    "ExtractConfig",
    "FieldSpec",
    "FileMemoryConfig",
    "FileSourceConfig",
    "InjectConfig",
    "LangGraphMemoryConfig",
    "LongTermConfig",
    "Mem0MemoryConfig",
    "MemoryAttachmentConfig",
    "MemoryConfig",
    "MemoryStoreConfig",
    "ModelConfig",
    "NotesMemoryConfig",
    "RetentionConfig",
    "ShortTermConfig",
    "SimpleMemoryConfig",
    "Stage",
    "StorageConfig",
    "StoreKind",
    "SummarizeConfig",
    "WeightConfig",
    "register_store_kind",
    "store_kinds",
]
