"""Memory for LangGraph agent graphs.

Importing this package does nothing and loads nothing; each name is loaded when first asked for.
"""

from typing import TYPE_CHECKING

from memory_middleware.lazy import lazy_exports

if TYPE_CHECKING:
    from memory_middleware.config import (
        AgentMemoryConfig,
        EmbeddingConfig,
        FieldSpec,
        MemoryAttachmentConfig,
        MemoryConfig,
        MemoryStoreConfig,
        Stage,
    )
    from memory_middleware.errors import (
        ConfigError,
        ConflictError,
        EmbeddingError,
        InvalidInputError,
        MemoryMiddlewareError,
        MissingFieldError,
        NoteError,
        PromptError,
        SchemaError,
        StoreError,
        TokenizerError,
    )
    from memory_middleware.prompt_loader import (
        PromptLibrary,
        PromptTemplate,
    )
    from memory_middleware.recall import (
        AgentType,
        ComposedPrompt,
        FittedBlock,
        build_system_prompt,
        build_user_memory_prompt,
        build_work_memory_prompt,
        compose_prompt,
    )
    from memory_middleware.schemas import (
        Dialogue,
        EpisodeTrace,
        Fact,
        MemoryContentSnapshot,
        MemoryItem,
        MemoryRecord,
        MemoryStatus,
        MemoryType,
        NoteType,
        ProceduralSkill,
        Provenance,
        RecordKind,
        RecordState,
        SemanticPattern,
        TrustTier,
        UsageEntry,
        UserMemoryContent,
        WorkProfileContent,
        merge_patch,
    )
    from memory_middleware.storage import LanceStore, decode_label, encode_label
    from memory_middleware.tokens import TokenCounter

_HOMES = {
    "config": (
        "AgentMemoryConfig",
        "EmbeddingConfig",
        "FieldSpec",
        "MemoryAttachmentConfig",
        "MemoryConfig",
        "MemoryStoreConfig",
        "Stage",
    ),
    "errors": (
        "ConfigError",
        "ConflictError",
        "EmbeddingError",
        "InvalidInputError",
        "MemoryMiddlewareError",
        "MissingFieldError",
        "NoteError",
        "PromptError",
        "SchemaError",
        "StoreError",
        "TokenizerError",
    ),
    "prompt_loader": (
        "PromptLibrary",
        "PromptTemplate",
    ),
    "recall": (
        "AgentType",
        "ComposedPrompt",
        "FittedBlock",
        "build_system_prompt",
        "build_user_memory_prompt",
        "build_work_memory_prompt",
        "compose_prompt",
    ),
    "schemas": (
        "Dialogue",
        "EpisodeTrace",
        "Fact",
        "MemoryContentSnapshot",
        "MemoryItem",
        "MemoryRecord",
        "MemoryStatus",
        "MemoryType",
        "NoteType",
        "ProceduralSkill",
        "Provenance",
        "RecordKind",
        "RecordState",
        "SemanticPattern",
        "TrustTier",
        "UsageEntry",
        "UserMemoryContent",
        "WorkProfileContent",
        "merge_patch",
    ),
    "storage": ("LanceStore", "decode_label", "encode_label"),
    "tokens": ("TokenCounter",),
}

__all__ = [
    "AgentMemoryConfig",
    "AgentType",
    "ComposedPrompt",
    "ConfigError",
    "ConflictError",
    "Dialogue",
    "EmbeddingConfig",
    "EmbeddingError",
    "EpisodeTrace",
    "Fact",
    "FieldSpec",
    "FittedBlock",
    "InvalidInputError",
    "LanceStore",
    "MemoryAttachmentConfig",
    "MemoryConfig",
    "MemoryContentSnapshot",
    "MemoryItem",
    "MemoryMiddlewareError",
    "MemoryRecord",
    "MemoryStatus",
    "MemoryStoreConfig",
    "MemoryType",
    "MissingFieldError",
    "NoteError",
    "NoteType",
    "ProceduralSkill",
    "PromptError",
    "PromptLibrary",
    "PromptTemplate",
    "Provenance",
    "RecordKind",
    "RecordState",
    "SchemaError",
    "SemanticPattern",
    "Stage",
    "StoreError",
    "TokenCounter",
    "TokenizerError",
    "TrustTier",
    "UsageEntry",
    "UserMemoryContent",
    "WorkProfileContent",
    "build_system_prompt",
    "build_user_memory_prompt",
    "build_work_memory_prompt",
    "compose_prompt",
    "decode_label",
    "encode_label",
    "merge_patch",
]

__getattr__, __dir__ = lazy_exports(
    __name__, {name: f"{__name__}.{module}" for module, names in _HOMES.items() for name in names}
)
