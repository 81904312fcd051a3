"""Looking after memory by hand: remembering, forgetting, and the profiles."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from typing import Any

from memory_middleware.errors import InvalidInputError
from memory_middleware.remember.explicit import remember_explicitly
from memory_middleware.remember.forgetting import Receipt, forget
from memory_middleware.schemas.profile import MemoryType, Profile, ProfileContent, UserMemoryContent
from memory_middleware.schemas.record import MemoryRecord, RecordKind
from memory_middleware.schemas.scope import Scope
from memory_middleware.storage import LanceStore
from memory_middleware.storage.erasing import Leftovers, erase_leftovers
from memory_middleware.storage.repositories import Repositories

__all__ = ["ByHand", "scope_of"]


class ByHand:
    """The part of a memory that people and tools change on purpose."""

    store: LanceStore
    _memories: Repositories

    def remember(
        self, owner: Scope | str, content: str, *, kind: RecordKind | str = RecordKind.FACT, **fields: Any
    ) -> MemoryRecord:
        """Keep a record; what stands at its address is superseded, what says the same is confirmed.

        Args:
            owner: Whose.
            content: One sentence that makes sense by itself.
            kind: What it is about.
            fields: ``tags``, ``subject``, ``attribute``, ``replace``, ``trust``, ``valid_to``, ``event_time``,
                ``pinned`` and ``source``, as in ``remember_explicitly``.
        """
        return remember_explicitly(self._memories, scope_of(owner), content, kind=kind, **fields)

    def forget(
        self,
        owner: Scope | str,
        *,
        ids: Sequence[str] | str | None = None,
        query: str | None = None,
        source: str | None = None,
        thread: bool = False,
        everything: bool = False,
        with_sources: bool = False,
        with_profile: bool = False,
        dry_run: bool = False,
    ) -> Receipt:
        """Forget by one of the ways, with all that hangs on it; see ``remember.forgetting.forget``."""
        return forget(
            self._memories,
            scope_of(owner),
            ids=ids,
            query=query,
            source=source,
            thread=thread,
            everything=everything,
            with_sources=with_sources,
            with_profile=with_profile,
            dry_run=dry_run,
        )

    def erase_leftovers(self, *, backups: bool = False) -> Leftovers:
        """Erase what deleted rows leave on disk, for all owners; see ``storage.erasing.erase_leftovers``."""
        return erase_leftovers(self.store, backups=backups)

    def profile(self, owner: Scope | str, kind: MemoryType | str = MemoryType.USER) -> ProfileContent | None:
        """Give a profile, or none while it is disabled."""
        return self._memories.profiles.get(scope_of(owner), MemoryType(kind))

    def set_profile(self, owner: Scope | str, content: ProfileContent) -> Profile:
        """Replace a profile by hand; which one follows from the content."""
        kind = MemoryType.USER if isinstance(content, UserMemoryContent) else MemoryType.WORK
        return self._memories.profiles.put(scope_of(owner), kind, content)

    def update_profile(self, owner: Scope | str, kind: MemoryType | str, patch: Mapping[str, Any]) -> Profile:
        """Change parts of a profile by hand: objects merge, lists are replaced, null clears."""
        return self._memories.profiles.patch(scope_of(owner), MemoryType(kind), patch)

    async def aremember(self, owner: Scope | str, content: str, **more: Any) -> MemoryRecord:
        """Keep a record; the async twin of ``remember``."""
        return await asyncio.to_thread(self.remember, owner, content, **more)

    async def aforget(self, owner: Scope | str, **more: Any) -> Receipt:
        """Forget; the async twin of ``forget``."""
        return await asyncio.to_thread(self.forget, owner, **more)

    async def aerase_leftovers(self, *, backups: bool = False) -> Leftovers:
        """Erase what deleted rows leave on disk; the async twin of ``erase_leftovers``."""
        return await asyncio.to_thread(self.erase_leftovers, backups=backups)

    async def aprofile(self, owner: Scope | str, kind: MemoryType | str = MemoryType.USER) -> ProfileContent | None:
        """Give a profile; the async twin of ``profile``."""
        return await asyncio.to_thread(self.profile, owner, kind)

    async def aset_profile(self, owner: Scope | str, content: ProfileContent) -> Profile:
        """Replace a profile; the async twin of ``set_profile``."""
        return await asyncio.to_thread(self.set_profile, owner, content)

    async def aupdate_profile(self, owner: Scope | str, kind: MemoryType | str, patch: Mapping[str, Any]) -> Profile:
        """Change a profile; the async twin of ``update_profile``."""
        return await asyncio.to_thread(self.update_profile, owner, kind, patch)


def scope_of(owner: Scope | str) -> Scope:
    """Give the scope of an owner.

    Raises:
        InvalidInputError: It is neither an id nor a scope.
    """
    if isinstance(owner, Scope):
        return owner
    if not isinstance(owner, str):
        raise InvalidInputError(f"an owner is told by an id or a Scope, not {owner!r}")
    return Scope(owner)
