"""Where an owner lives, as far as the clock is concerned."""

from __future__ import annotations

from datetime import tzinfo
from zoneinfo import ZoneInfo

from memory_middleware.schemas.profile import MemoryType, UserMemoryContent
from memory_middleware.schemas.scope import Scope
from memory_middleware.storage.repositories import Repositories

__all__ = ["owner_zone"]


def owner_zone(memories: Repositories, scope: Scope) -> tzinfo | None:
    """Give the time zone of the owner's user profile, or none if it tells none or is disabled."""
    content = memories.profiles.get(scope, MemoryType.USER)
    name = content.timezone if isinstance(content, UserMemoryContent) else None
    return ZoneInfo(name) if name else None
