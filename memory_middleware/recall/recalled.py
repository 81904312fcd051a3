"""What one turn recalls: by an agent's attachments, or by the rules where it has none."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from memory_middleware.config import MemoryAttachmentConfig, MemoryConfig, Stage
from memory_middleware.errors import InvalidInputError
from memory_middleware.recall.attached import attached_sections, recalled_records
from memory_middleware.recall.gate import should_inject, wants_long_term
from memory_middleware.recall.record_lines import record_sections, short_term_section, summary_section
from memory_middleware.recall.sections import Section
from memory_middleware.recall.shelter import Shelter
from memory_middleware.schemas.items import MemoryContentSnapshot
from memory_middleware.schemas.record import MemoryRecord, RecordKind
from memory_middleware.schemas.scope import Scope
from memory_middleware.sources.long_term.records import RecalledRecord, RelevanceFloor, recall_records
from memory_middleware.sources.manager import MemoryManager
from memory_middleware.sources.recalled import RecalledItem
from memory_middleware.storage.repositories import Repositories

__all__ = ["RecalledMemory", "recall_for_agent", "recall_memory", "worth_telling"]

_SPARE = 8


@dataclass(frozen=True, slots=True)
class RecalledMemory:
    """What a turn recalls, before it is fitted into a budget.

    Attributes:
        sections: What to tell, in the order to tell it.
        hits: The records among it.
        problems: What failed and was skipped.
        silence: Why nothing was recalled, if a rule says so.
        caps: Most parts of the budget that sources may take, as their attachments say.
    """

    sections: tuple[Section, ...] = ()
    hits: tuple[RecalledRecord, ...] = ()
    problems: tuple[str, ...] = ()
    silence: str = ""
    caps: Mapping[str, float] = field(default_factory=dict)


def recall_for_agent(
    memories: Repositories,
    scope: Scope,
    query: str | MemoryContentSnapshot,
    message_count: int,
    config: MemoryConfig,
    *,
    manager: MemoryManager | None = None,
    stage: Stage | str = Stage.GEN,
    now: datetime | None = None,
    visible: Collection[str] = (),
) -> RecalledMemory:
    """Recall for the agent that the scope names: what its attachments give, or what the rules allow if it has none.

    Attachments to records and rounds follow the gate as well; other sources are asked at every stage that
    their attachments name, also in the first round.

    Args:
        memories: Where memory is kept.
        scope: Whose, in which thread, for which agent.
        query: What is asked.
        message_count: How many messages the thread had before it.
        config: The rules and attachments.
        manager: Holds the sources that agents are attached to.
        stage: Of the agent's turn.
        now: The present moment.
        visible: The ids of rounds that the agent reads in the conversation anyway; they are not told again.

    Raises:
        InvalidInputError: The agent has attachments, and there is no manager.
        MemoryMiddlewareError: Something failed, and the configuration says ``on_error: raise``.
    """
    attachments = config.attachments(scope.agent) if scope.agent else ()
    if not attachments or not config.enabled:
        text = query if isinstance(query, str) else query.text
        return recall_memory(memories, scope, text, message_count, config, now=now, visible=visible)
    if manager is None:
        raise InvalidInputError(
            f"the agent {scope.agent!r} has attachments; pass manager=MemoryManager(config, folder, store)"
        )
    return _by_attachments(manager, attachments, scope, query, message_count, config, stage, visible)


def recall_memory(
    memories: Repositories,
    scope: Scope,
    query: str,
    message_count: int,
    config: MemoryConfig,
    *,
    now: datetime | None = None,
    visible: Collection[str] = (),
) -> RecalledMemory:
    """Recall what the rules allow for a query: the last rounds of the thread, and long-term records.

    Raises:
        EmbeddingError: The embedder failed, and the configuration says ``on_error: raise``.
        StoreError: The store failed, and the configuration says so.
    """
    if silence := _silence(query, message_count, config):
        return RecalledMemory(silence=silence)
    shelter = Shelter(config)
    hits: list[RecalledRecord] = []
    sections: list[Section] = []
    if config.long_term.enabled and wants_long_term(query, config.inject):
        with shelter.around("long-term memory"):
            limit = config.long_term.max_return
            found = recall_records(memories, scope, query, limit=limit + _SPARE, now=now, floor=_floor(config))
            hits = [found[at] for at in worth_telling([hit.record for hit in found], visible)][:limit]
            sections += record_sections([hit.record for hit in hits], config.language)
    if scope.thread_id:
        with shelter.around("short-term memory"):
            sections += _rounds_told(memories, scope, config, visible)
    return RecalledMemory(tuple(sections), tuple(hits), tuple(shelter.problems))


def worth_telling(records: Sequence[MemoryRecord], visible: Collection[str]) -> list[int]:
    """Give the places of records that tell something more, in the order to tell them.

    What was said in a visible round is not told again. Where facts were drawn from what was said, they stand in its
    place.
    """
    facts: dict[str, list[int]] = {}
    for at, record in enumerate(records):
        if record.kind is not RecordKind.DIALOGUE:
            for name in record.provenance.round_ids:
                facts.setdefault(name, []).append(at)
    told: dict[int, None] = {}
    for at, record in enumerate(records):
        rounds = record.provenance.round_ids if record.kind is RecordKind.DIALOGUE else ()
        drawn = [place for name in rounds for place in facts.get(name, ())]
        if drawn:
            told |= dict.fromkeys(drawn)
        elif not set(visible).intersection(rounds):
            told[at] = None
    return list(told)


def _rounds_told(memories: Repositories, scope: Scope, config: MemoryConfig, visible: Collection[str]) -> list[Section]:
    """Tell what was said in the thread and cannot be read there any more: a summary, and the last rounds."""
    sections: list[Section] = []
    if config.summarize.enabled and (summary := memories.summaries.get(scope)):
        sections += summary_section(summary, config.language)
    if most := config.inject.short_term_count:
        items = memories.short_term.recent(scope, most + len(visible))
        hidden = [item for item in items if item.id not in visible]
        sections += short_term_section(hidden[-most:], config.language)
    return sections


def _by_attachments(
    manager: MemoryManager,
    attachments: tuple[MemoryAttachmentConfig, ...],
    scope: Scope,
    query: str | MemoryContentSnapshot,
    message_count: int,
    config: MemoryConfig,
    stage: Stage | str,
    visible: Collection[str],
) -> RecalledMemory:
    text = query if isinstance(query, str) else query.text
    kinds = {store.name: store.type for store in config.memory}
    silence = _silence(text, message_count, config)
    # The profile is told from its own document, so that its fields keep their order.
    closed = {"profile"} | ({"long_term", "short_term"} if silence else set())
    if not (config.long_term.enabled and wants_long_term(text, config.inject)):
        closed.add("long_term")
    names = [attachment.name for attachment in attachments]
    without = {name for name in names if kinds.get(name, name) in closed}
    found = manager.retrieve(scope.agent or "", query, scope, stage, without=without)
    items = [
        each
        for each in _near_enough(found.items, attachments, config)
        if kinds.get(each.source, each.source) != "short_term" or each.item.id not in visible
    ]
    sections = attached_sections(items, {name: manager.sources[name] for name in names}, kinds, config.language)
    return RecalledMemory(
        tuple(sections),
        tuple(hit for _, hit in recalled_records(items)),
        tuple(f"{name}: {error}" for name, error in found.problems),
        "" if sections else silence,
        _caps(attachments),
    )


def _silence(query: str, message_count: int, config: MemoryConfig) -> str:
    """Tell why nothing of the conversation is recalled, or nothing if something may be."""
    if not config.enabled:
        return "memory is switched off"
    if should_inject(query, message_count, config.inject):
        return ""
    first = config.inject.first_round_empty and message_count <= 0
    return "the first round stays empty" if first else "the query is too short"


def _floor(config: MemoryConfig) -> RelevanceFloor | None:
    return None if config.inject.long_term_trigger == "always" else RelevanceFloor()


def _near_enough(
    items: tuple[RecalledItem, ...], attachments: tuple[MemoryAttachmentConfig, ...], config: MemoryConfig
) -> list[RecalledItem]:
    """Leave out the records of attachments without a threshold of their own, if none of them is near the query."""
    floor = _floor(config)
    if floor is None:
        return list(items)
    own = {attachment.name for attachment in attachments if attachment.similarity_threshold > -1.0}
    far = {
        source
        for source in {each.source for each in items} - own
        if (hits := [hit for _, hit in recalled_records(each for each in items if each.source == source)])
        and not any(floor.is_near(hit.cosine, hit.coverage, hit.record.pinned) for hit in hits)
    }
    return [each for each in items if each.source not in far]


def _caps(attachments: tuple[MemoryAttachmentConfig, ...]) -> dict[str, float]:
    """Add up the shares of each source; one that any attachment leaves to its class has no cap."""
    shares: dict[str, list[float | None]] = {}
    for attachment in attachments:
        shares.setdefault(attachment.name, []).append(attachment.budget_share)
    return {
        name: min(1.0, sum(part or 0.0 for part in parts))
        for name, parts in shares.items()
        if all(part is not None for part in parts)
    }
