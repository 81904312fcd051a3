"""Memory for LangGraph agent graphs.

Importing this package does nothing and loads nothing; each name is loaded when first asked for.
"""

from typing import TYPE_CHECKING

from memory_middleware.lazy import lazy_exports

if TYPE_CHECKING:
    from memory_middleware.config import (
        AgentMemoryConfig,
        ConfigModel,
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
        ExtractionError,
        InvalidInputError,
        MemoryMiddlewareError,
        MissingFieldError,
        NoteError,
        PromptError,
        SchemaError,
        StoreError,
        TokenizerError,
    )
    from memory_middleware.graph.extractor import ExtractorGraph
    from memory_middleware.graph.identity import current_run, find_scope
    from memory_middleware.graph.injecting import Injection, with_block
    from memory_middleware.graph.nodes import MemoryChannels
    from memory_middleware.graph.port import TurnMemory
    from memory_middleware.graph.turning import AgentTurn, TurnRules
    from memory_middleware.memory import GraphMemory, Memory
    from memory_middleware.memory.happened import TurnPage, TurnView
    from memory_middleware.memory.looking import MemoryStats, RecordView
    from memory_middleware.memory.moving import ImportReport
    from memory_middleware.prompt_loader import PromptLibrary, PromptTemplate
    from memory_middleware.recall import (
        AgentType,
        ComposedPrompt,
        FittedBlock,
        build_system_prompt,
        build_user_memory_prompt,
        build_work_memory_prompt,
        compose_prompt,
    )
    from memory_middleware.recall.context import build_memory_context_with_stats
    from memory_middleware.recall.gate import should_inject
    from memory_middleware.recall.recalled import recall_for_agent
    from memory_middleware.recall.turn import ComposedTurn, compose_turn
    from memory_middleware.remember.batches import retry_parked
    from memory_middleware.remember.experience import (
        ConsolidationReport,
        ModelConsolidator,
        consolidate,
        episode_from_run,
    )
    from memory_middleware.remember.extraction.base import Extraction, ExtractionBatch, Extractor, Retraction
    from memory_middleware.remember.extraction.model import ModelExtractor
    from memory_middleware.remember.extraction.rules import RuleExtractor
    from memory_middleware.remember.forgetting import Receipt, forget
    from memory_middleware.remember.journal import MemoryJournal
    from memory_middleware.remember.observe import Observed, Observer
    from memory_middleware.remember.pipeline import ExtractionPipeline, ExtractionReport
    from memory_middleware.remember.references import Injected, Reference, ReferenceDetector
    from memory_middleware.remember.summarizing import ModelSummarizer, SalientSummarizer, Summarizer, fold_thread
    from memory_middleware.remember.upkeep import MaintenanceReport, run_maintenance
    from memory_middleware.schemas import (
        Dialogue,
        EpisodeTrace,
        ExtractionRun,
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
        RunState,
        Scope,
        SemanticPattern,
        ShortTermItem,
        ThreadSummary,
        TrustTier,
        Turn,
        UsageEntry,
        UserMemoryContent,
        WorkProfileContent,
        merge_patch,
    )
    from memory_middleware.sources import (
        Exchange,
        MemoryManager,
        Source,
        SourceContext,
        list_memory_stores,
        register_memory_store,
    )
    from memory_middleware.sources.long_term.records import RecalledRecord, recall_records
    from memory_middleware.sources.notes_dir import MemoryDir
    from memory_middleware.storage import LanceStore, decode_label, encode_label
    from memory_middleware.storage.repositories.edits import RecordEdit
    from memory_middleware.storage.repositories.journal_pages import JournalPage
    from memory_middleware.storage.repositories.record_pages import RecordPage
    from memory_middleware.tokens import TokenCounter

_HOMES = {
    "config": (
        "AgentMemoryConfig",
        "ConfigModel",
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
        "ExtractionError",
        "InvalidInputError",
        "MemoryMiddlewareError",
        "MissingFieldError",
        "NoteError",
        "PromptError",
        "SchemaError",
        "StoreError",
        "TokenizerError",
    ),
    "graph.extractor": ("ExtractorGraph",),
    "graph.identity": ("current_run", "find_scope"),
    "graph.injecting": ("Injection", "with_block"),
    "graph.nodes": ("MemoryChannels",),
    "graph.port": ("TurnMemory",),
    "graph.turning": ("AgentTurn", "TurnRules"),
    "memory": ("GraphMemory", "Memory"),
    "memory.happened": ("TurnPage", "TurnView"),
    "memory.looking": ("MemoryStats", "RecordView"),
    "memory.moving": ("ImportReport",),
    "prompt_loader": ("PromptLibrary", "PromptTemplate"),
    "recall": (
        "AgentType",
        "ComposedPrompt",
        "FittedBlock",
        "build_system_prompt",
        "build_user_memory_prompt",
        "build_work_memory_prompt",
        "compose_prompt",
    ),
    "recall.context": ("build_memory_context_with_stats",),
    "recall.gate": ("should_inject",),
    "recall.recalled": ("recall_for_agent",),
    "recall.turn": ("ComposedTurn", "compose_turn"),
    "remember.batches": ("retry_parked",),
    "remember.experience": ("ConsolidationReport", "ModelConsolidator", "consolidate", "episode_from_run"),
    "remember.extraction.base": ("Extraction", "ExtractionBatch", "Extractor", "Retraction"),
    "remember.extraction.model": ("ModelExtractor",),
    "remember.extraction.rules": ("RuleExtractor",),
    "remember.forgetting": ("Receipt", "forget"),
    "remember.journal": ("MemoryJournal",),
    "remember.observe": ("Observed", "Observer"),
    "remember.pipeline": ("ExtractionPipeline", "ExtractionReport"),
    "remember.references": ("Injected", "Reference", "ReferenceDetector"),
    "remember.summarizing": ("ModelSummarizer", "SalientSummarizer", "Summarizer", "fold_thread"),
    "remember.upkeep": ("MaintenanceReport", "run_maintenance"),
    "schemas": (
        "Dialogue",
        "EpisodeTrace",
        "ExtractionRun",
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
        "RunState",
        "Scope",
        "SemanticPattern",
        "ShortTermItem",
        "ThreadSummary",
        "TrustTier",
        "Turn",
        "UsageEntry",
        "UserMemoryContent",
        "WorkProfileContent",
        "merge_patch",
    ),
    "sources": ("Exchange", "MemoryManager", "Source", "SourceContext", "list_memory_stores", "register_memory_store"),
    "sources.long_term.records": ("RecalledRecord", "recall_records"),
    "sources.notes_dir": ("MemoryDir",),
    "storage": ("LanceStore", "decode_label", "encode_label"),
    "storage.repositories.edits": ("RecordEdit",),
    "storage.repositories.journal_pages": ("JournalPage",),
    "storage.repositories.record_pages": ("RecordPage",),
    "tokens": ("TokenCounter",),
}

__all__ = [
    "AgentMemoryConfig",
    "AgentTurn",
    "AgentType",
    "ComposedPrompt",
    "ComposedTurn",
    "ConfigError",
    "ConfigModel",
    "ConflictError",
    "ConsolidationReport",
    "Dialogue",
    "EmbeddingConfig",
    "EmbeddingError",
    "EpisodeTrace",
    "Exchange",
    "Extraction",
    "ExtractionBatch",
    "ExtractionError",
    "ExtractionPipeline",
    "ExtractionReport",
    "ExtractionRun",
    "Extractor",
    "ExtractorGraph",
    "Fact",
    "FieldSpec",
    "FittedBlock",
    "GraphMemory",
    "ImportReport",
    "Injected",
    "Injection",
    "InvalidInputError",
    "JournalPage",
    "LanceStore",
    "MaintenanceReport",
    "Memory",
    "MemoryAttachmentConfig",
    "MemoryChannels",
    "MemoryConfig",
    "MemoryContentSnapshot",
    "MemoryDir",
    "MemoryItem",
    "MemoryJournal",
    "MemoryManager",
    "MemoryMiddlewareError",
    "MemoryRecord",
    "MemoryStats",
    "MemoryStatus",
    "MemoryStoreConfig",
    "MemoryType",
    "MissingFieldError",
    "ModelConsolidator",
    "ModelExtractor",
    "ModelSummarizer",
    "NoteError",
    "NoteType",
    "Observed",
    "Observer",
    "ProceduralSkill",
    "PromptError",
    "PromptLibrary",
    "PromptTemplate",
    "Provenance",
    "RecalledRecord",
    "Receipt",
    "RecordEdit",
    "RecordKind",
    "RecordPage",
    "RecordState",
    "RecordView",
    "Reference",
    "ReferenceDetector",
    "Retraction",
    "RuleExtractor",
    "RunState",
    "SalientSummarizer",
    "SchemaError",
    "Scope",
    "SemanticPattern",
    "ShortTermItem",
    "Source",
    "SourceContext",
    "Stage",
    "StoreError",
    "Summarizer",
    "ThreadSummary",
    "TokenCounter",
    "TokenizerError",
    "TrustTier",
    "Turn",
    "TurnMemory",
    "TurnPage",
    "TurnRules",
    "TurnView",
    "UsageEntry",
    "UserMemoryContent",
    "WorkProfileContent",
    "build_memory_context_with_stats",
    "build_system_prompt",
    "build_user_memory_prompt",
    "build_work_memory_prompt",
    "compose_prompt",
    "compose_turn",
    "consolidate",
    "current_run",
    "decode_label",
    "encode_label",
    "episode_from_run",
    "find_scope",
    "fold_thread",
    "forget",
    "list_memory_stores",
    "merge_patch",
    "recall_for_agent",
    "recall_records",
    "register_memory_store",
    "retry_parked",
    "run_maintenance",
    "should_inject",
    "with_block",
]

__getattr__, __dir__ = lazy_exports(
    __name__, {name: f"{__name__}.{module}" for module, names in _HOMES.items() for name in names}
)
