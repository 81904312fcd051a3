"""Whether the server lives and can serve; anybody may ask."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter

from memory_middleware import Memory, Scope
from memory_middleware_rest.answers import Health
from memory_middleware_rest.problems import MemoryProblem
from memory_middleware_rest.tables import error_answers

__all__ = ["add_health"]

_NOBODY = Scope("\0health")


def add_health(router: APIRouter, memory: Memory) -> None:
    """Put the two routes into a router."""

    async def health() -> Any:
        """Tell that the server lives."""
        return Health(status="ok")

    def ready() -> Any:
        """Tell that the store answers."""
        memory.store.memories.records.count(_NOBODY)
        return Health(status="ready")

    for path, endpoint in (("/health", health), ("/ready", ready)):
        errors = error_answers((503,), usual=(422, 500))
        errors[503] |= {"model": MemoryProblem}
        router.add_api_route(
            path,
            endpoint,
            response_model=Health,
            operation_id=endpoint.__name__,
            tags=["health"],
            responses={
                200: {"content": {"application/json": {"example": {"status": endpoint.__name__}}}},
                **errors,
            },
        )
