"""The owner's profiles as a source."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from memory_middleware.errors import ConfigError
from memory_middleware.schemas.items import MemoryContentSnapshot, MemoryItem
from memory_middleware.schemas.profile import MemoryStatus, MemoryType
from memory_middleware.schemas.scope import Scope
from memory_middleware.sources.base import Source
from memory_middleware.sources.registry import SourceContext
from memory_middleware.storage.repositories.profiles import ProfileRepository

__all__ = ["ProfileSource", "build"]


class ProfileSource(Source):
    """One item for each profile that is active and says something; the query does not matter.

    Args:
        name: What attachments call it.
        profiles: Where they are kept.
    """

    tells = "profile"

    def __init__(self, name: str, profiles: ProfileRepository) -> None:
        self.name = name
        self._profiles = profiles

    def retrieve(
        self, query: MemoryContentSnapshot, scope: Scope, *, top_k: int, threshold: float = -1.0
    ) -> list[MemoryItem]:
        """Give the profiles, user before work."""
        found = []
        for kind in MemoryType:
            profile = self._profiles.load(scope, kind)
            told = "; ".join(_told(profile.content.model_dump(mode="json", exclude_defaults=True)))
            if profile.status is MemoryStatus.ACTIVE and told:
                metadata = {"memory_type": kind.value, "version": profile.version}
                moment = profile.updated_at.timestamp()
                found.append(MemoryItem(profile.id, f"{kind.value} profile: {told}", metadata, timestamp=moment))
        return found[:top_k]


def _told(value: Any, name: str = "") -> Iterator[str]:
    """Tell nested data flat, as ``people.name: Marta``; notes about entries are left out."""
    if isinstance(value, dict):
        for key, part in value.items():
            if key != "meta":
                yield from _told(part, f"{name}.{key}" if name else key)
    elif isinstance(value, list) and all(isinstance(part, str | int) for part in value):
        yield f"{name}: {', '.join(map(str, value))}"
    elif isinstance(value, list):
        for part in value:
            yield from _told(part, name)
    else:
        yield f"{name}: {value}"


def build(_config: object, context: SourceContext) -> Source:
    """Build the source over the memory's own storage.

    Raises:
        ConfigError: There is no storage.
    """
    if context.store is None:
        raise ConfigError("profile needs the memory's own storage; give the manager a LanceStore", context.name)
    return ProfileSource(context.name, context.store.memories.profiles)
