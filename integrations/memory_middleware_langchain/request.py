"""A model request that holds its blocks, whatever other middleware does to the system message."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

from langchain.agents.middleware import ModelRequest
from langchain_core.messages import SystemMessage

from memory_middleware import Injection
from memory_middleware_langchain.system_message import with_memory

__all__ = ["RememberingRequest", "remembering"]


class RememberingRequest(ModelRequest[Any]):
    """A request whose system message has every block once.

    Middleware further in may replace the system message, as ``@dynamic_prompt`` does; the blocks are put into the new
    one then.
    """

    injections: tuple[Injection, ...] = ()

    def override(self, **overrides: Any) -> RememberingRequest:
        """Change parts of the request; the blocks stay."""
        return _filled(super().override(**overrides), self.injections)  # type: ignore[arg-type]


def remembering(request: ModelRequest[Any], injection: Injection | None) -> ModelRequest[Any]:
    """Give a request with a block more; without one it is the same request."""
    if injection is None:
        return request
    before = request.injections if isinstance(request, RememberingRequest) else ()
    made = RememberingRequest(**{field.name: getattr(request, field.name) for field in fields(request)})
    return _filled(made, (*before, injection))


def _filled(request: RememberingRequest, injections: tuple[Injection, ...]) -> RememberingRequest:
    system: SystemMessage | None = request.system_message
    for at, injection in enumerate(injections):
        system = with_memory(system, injection, beside=injections[:at])
    # Assignment is deprecated for those who use a request; this one was made here, and nobody has it yet.
    object.__setattr__(request, "system_message", system)
    object.__setattr__(request, "injections", injections)
    return request
