"""Whose memory, in which thread, for which agent."""

from __future__ import annotations

from dataclasses import dataclass

from memory_middleware.errors import SchemaError

__all__ = ["Scope"]


@dataclass(frozen=True, slots=True)
class Scope:
    """Every read and write of memory names one; there is no call without an owner."""

    owner_id: str
    thread_id: str | None = None
    agent: str | None = None

    def __post_init__(self) -> None:
        if not isinstance(self.owner_id, str) or not self.owner_id:
            raise SchemaError(f"a scope needs the id of its owner, not {self.owner_id!r}")
