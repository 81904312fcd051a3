"""Giving the agents of a graph a memory before it is compiled."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any, TypeVar

from langgraph.graph import StateGraph

from memory_middleware.errors import InvalidInputError

__all__ = ["add_memory"]

Builder = TypeVar("Builder", bound=StateGraph[Any, Any, Any, Any])


def add_memory(
    builder: Builder,
    wrap: Callable[[Any, str, str], Any],
    *,
    router: str | Iterable[str] = (),
    workers: Iterable[str] = (),
) -> Builder:
    """Wrap nodes of a graph that is not compiled yet.

    Args:
        builder: The graph; its nodes are changed.
        wrap: Wraps an agent, given its role and name.
        router: The name of the router, or several.
        workers: The names of the workers.

    Raises:
        InvalidInputError: There is no node of a name, nothing was named, or the graph is compiled already.
    """
    if not isinstance(builder, StateGraph):
        raise InvalidInputError(
            f"memory is added to the builder of a graph, a StateGraph, not to {type(builder).__name__}; "
            "give the builder before it is compiled"
        )
    routers = [router] if isinstance(router, str) else list(router)
    roles = {**dict.fromkeys(workers, "worker"), **dict.fromkeys(routers, "router")}
    if not roles:
        raise InvalidInputError("name the nodes that get a memory: router=… or workers=[…]")
    for name in roles:
        if name not in builder.nodes:
            known = ", ".join(builder.nodes)
            raise InvalidInputError(f"the graph has no node {name!r}; its nodes are {known or 'none yet'}")
    for name, role in roles.items():
        spec = builder.nodes[name]
        builder.nodes[name] = replace(spec, runnable=wrap(spec.runnable, role, name))
    return builder
