"""Remembering what somebody asked to be remembered, in so many words."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from memory_middleware.errors import InvalidInputError
from memory_middleware.remember.checking import Checked, CheckedFact, scrubbed, suspicion_of
from memory_middleware.remember.neighbours import near_in_words, neighbours_of
from memory_middleware.remember.reconcile import reconcile
from memory_middleware.remember.said import retire_sayings
from memory_middleware.remember.writing import write_operations
from memory_middleware.schemas import times
from memory_middleware.schemas.dialogue import Fact
from memory_middleware.schemas.merge import validate_content
from memory_middleware.schemas.record import MemoryRecord, RecordKind, RecordState, TrustTier
from memory_middleware.schemas.scope import Scope
from memory_middleware.schemas.scrub import SECRET, scrub
from memory_middleware.storage.repositories import Repositories

__all__ = ["remember_explicitly"]


def remember_explicitly(
    memories: Repositories,
    scope: Scope,
    content: str,
    *,
    kind: RecordKind | str = RecordKind.FACT,
    tags: Sequence[str] = (),
    subject: str | None = None,
    attribute: str | None = None,
    replace: str | None = None,
    trust: TrustTier | str = TrustTier.USER,
    valid_to: datetime | None = None,
    event_time: datetime | None = None,
    pinned: bool = False,
    source: str = "explicit",
    now: datetime | None = None,
) -> MemoryRecord:
    """Keep a record and give it; what says the same is confirmed, and what stands at its address is superseded.

    Args:
        memories: Where to.
        scope: Whose.
        content: One sentence that makes sense by itself. Secrets are taken out of it.
        kind: What it is about.
        tags: Words to find it by.
        subject: Of its address, ``user`` for the owner.
        attribute: Of its address.
        replace: The text of a record that it makes untrue.
        trust: Who vouches for it.
        valid_to: When it ends.
        event_time: Of an event.
        pinned: Whether it is never archived by itself.
        source: Where it comes from.
        now: The present moment.

    Raises:
        InvalidInputError: There is nothing to remember, or a field does not fit.
    """
    clean = scrub(content).strip() if isinstance(content, str) else ""
    if not clean.replace(SECRET, "").strip(" .:=。："):
        raise InvalidInputError(f"there is nothing to remember in {content!r}; secrets are not kept")
    told = {
        "content": clean,
        "type": kind,
        "tags": tags,
        "subject": subject,
        "attribute": attribute,
        "replace": replace,
        "valid_to": valid_to,
        "event_time": event_time,
    }
    fact, tier = scrubbed(validate_content(Fact, told)), TrustTier(trust)
    why = suspicion_of(fact, tier)
    checked = CheckedFact(fact, (), tier, RecordState.QUARANTINED if why else RecordState.ACTIVE, why)
    near = near_in_words(memories, scope, [checked])
    with memories.database.writing():
        memories.profiles.ensure(scope)  # this may be the owner's first contact
        made = reconcile(
            [checked],
            [],
            neighbours_of(memories, scope, Checked((checked,)), near),
            owner_id=scope.owner_id,
            thread_id=scope.thread_id,
            now=now or times.utc_now(),
            source=source,
        )
        write_operations(memories, scope, made)
        retire_sayings(memories, scope, memories.records.get_many(scope, made.superseded))
        kept = next((record.id for record in made.added), None) or next(iter(made.confirmed), None)
        found = memories.records.get(scope, kept) if kept else None
        if found is None:  # the same was kept in the same moment
            [found] = [record for record in memories.records.get_many(scope, near) if record.content == clean][:1]
        return memories.records.patch(scope, found.id, pinned=True) if pinned and not found.pinned else found
