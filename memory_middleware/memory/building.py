"""Building the parts of a memory from its configuration."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple, TypeVar

from langchain_core.language_models import BaseChatModel

from memory_middleware.config import MemoryConfig
from memory_middleware.prompt_loader import PromptLibrary
from memory_middleware.remember.chat_models import build_chat_model
from memory_middleware.remember.experience import ModelConsolidator, PatternWriter
from memory_middleware.remember.extraction.base import Extractor
from memory_middleware.remember.extraction.model import ModelExtractor
from memory_middleware.remember.extraction.rules import RuleExtractor
from memory_middleware.remember.summarizing import ModelSummarizer, Summarizer
from memory_middleware.storage import LanceStore
from memory_middleware.storage.mirror import MirrorStore, guarded

__all__ = ["Minds", "folder_of", "minds_of", "served"]

Part = TypeVar("Part")


class Minds(NamedTuple):
    """What thinks for a memory: what extracts, summarises, and puts lessons into words; none means rules."""

    extractor: Extractor
    summarizer: Summarizer | None = None
    writer: PatternWriter | None = None


def minds_of(config: MemoryConfig, model: BaseChatModel | str | None = None) -> Minds:
    """Build what extracts and summarises: a given model, the configured one, or rules."""
    chosen = model if model is not None else config.memory_agent if config.memory_agent.enabled else None
    if chosen is None:
        return Minds(RuleExtractor())
    prompts = PromptLibrary(config.prompts_dir, language=config.language)
    timeout = config.memory_agent.timeout
    return Minds(
        ModelExtractor(chosen, prompts=prompts, timeout=4 * timeout),
        ModelSummarizer(chosen, prompts=prompts, timeout=2 * timeout),
        ModelConsolidator(build_chat_model(chosen)),
    )


def folder_of(config: MemoryConfig, store: LanceStore) -> Path:
    """Tell where sources keep their files: beside the embedded database, else in the configured folder."""
    database = store.database.url.database
    if store.database.is_sqlite and database and not isinstance(store, MirrorStore):  # whose folder goes away
        return Path(database).parent
    return Path(config.storage.path)


def served(store: LanceStore, part: Part) -> Part:
    """Give a part whose methods visit the owner they are for, where memory is kept in somebody else's store."""
    return guarded(part, store.visit) if isinstance(store, MirrorStore) else part
