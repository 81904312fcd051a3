"""Memories kept by a Mem0 service: what the user said is sent there, if a store of this kind is declared."""

from __future__ import annotations

import re
from datetime import datetime
from typing import Any

from memory_middleware.config import Mem0MemoryConfig
from memory_middleware.schemas.ids import derive_id
from memory_middleware.schemas.items import MemoryContentSnapshot, MemoryItem
from memory_middleware.schemas.scope import Scope
from memory_middleware.schemas.scrub import scrub
from memory_middleware.schemas.times import parse_utc
from memory_middleware.sources.base import Exchange, Source
from memory_middleware.sources.mem0_client import Mem0Client
from memory_middleware.sources.registry import SourceContext

__all__ = ["Mem0Source", "build", "search_filters", "spoken", "written_to"]

# Graphs put this before what one node hands to the next.
_HANDED_OVER = re.compile(r"=== INPUT FROM \S+ \(\w+\) ===\s*")


def spoken(text: str) -> str:
    """Give what was said, without the lines that tell which node handed it over."""
    return _HANDED_OVER.sub("", text).strip()


def search_filters(user_id: str | None, agent_id: str | None, role: str) -> dict[str, Any]:
    """Tell whose memories are searched: the user's, the agent's, either, or by default the role's."""
    if user_id and agent_id:
        return {"OR": [{"user_id": user_id}, {"agent_id": agent_id}]}
    return {"user_id": user_id} if user_id else {"agent_id": agent_id or role}


def written_to(user_id: str | None, agent_id: str | None, role: str) -> dict[str, str]:
    """Tell whose memories are written: the user's, since it is what the user said; else the agent's."""
    return {"user_id": user_id} if user_id else {"agent_id": agent_id or role}


class Mem0Source(Source):
    """Recalls from Mem0 and sends it what the user says; the service decides what it makes of it.

    Where neither a user nor an agent is configured, the owner is the user, so that owners are kept apart.

    Args:
        name: What attachments call it.
        client: Talks to the service.
        user_id: Whose memories, for all owners.
        agent_id: Which agent's memories, for all owners.
    """

    tells = "facts"

    def __init__(
        self, name: str, client: Mem0Client, *, user_id: str | None = None, agent_id: str | None = None
    ) -> None:
        self.name = name
        self._client = client
        self._user_id = user_id
        self._agent_id = agent_id

    def retrieve(
        self, query: MemoryContentSnapshot, scope: Scope, *, top_k: int, threshold: float = -1.0
    ) -> list[MemoryItem]:
        """Give what the service finds.

        Raises:
            StoreError: The service failed.
        """
        if not query.text.strip() or top_k <= 0:
            return []
        role = scope.agent or self.name
        asked: dict[str, Any] = {"query": query.text, "top_k": top_k}
        asked["filters"] = search_filters(self._user(scope), self._agent_id, role)
        if threshold >= 0:
            asked["threshold"] = threshold
        return [_item(entry, role) for entry in self._client.search(**asked)][:top_k]

    def update(self, exchange: Exchange, scope: Scope) -> None:
        """Send what the user said, without secrets.

        Raises:
            StoreError: The service failed.
        """
        said = scrub(spoken(exchange.inputs_text))
        if said:
            whose = written_to(self._user(scope), self._agent_id, exchange.role)
            self._client.add(messages=[{"role": "user", "content": said}], infer=True, **whose)

    def _user(self, scope: Scope) -> str | None:
        return self._user_id or (None if self._agent_id else scope.owner_id)


def _item(entry: dict[str, Any], role: str) -> MemoryItem:
    text = str(entry.get("memory") or "")
    metadata = {
        "agent_role": role,
        "score": entry.get("score"),
        "categories": entry.get("categories") or [],
        "source": "mem0",
    }
    identity = str(entry.get("id") or derive_id("mem0", text))
    return MemoryItem(identity, text, metadata, timestamp=_moment(entry.get("updated_at") or entry.get("created_at")))


def _moment(told: object) -> float | None:
    try:
        moment: datetime = parse_utc(str(told))
    except ValueError:
        return None
    return moment.timestamp()


def build(config: Mem0MemoryConfig, context: SourceContext) -> Source:
    """Build the source that a configuration declares.

    Raises:
        ConfigError: The address of the service is none.
    """
    place = {"org_id": config.org_id, "project_id": config.project_id}
    client = Mem0Client(
        config.api_key,
        config.base_url,
        api=config.api,
        place={name: value for name, value in place.items() if value},
    )
    return Mem0Source(context.name, client, user_id=config.user_id, agent_id=config.agent_id)
