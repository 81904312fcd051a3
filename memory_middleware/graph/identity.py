"""Whose turn it is, in which thread, by which agent."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from langchain_core.runnables import RunnableConfig
from langgraph.config import get_config
from langgraph.runtime import get_runtime

from memory_middleware.errors import InvalidInputError
from memory_middleware.graph.port import Identify
from memory_middleware.graph.runs import run_name
from memory_middleware.schemas.scope import Scope

__all__ = ["current_run", "find_scope"]

_NAMES = ("user_id", "owner_id")
_HELP = (
    "memory needs to know whose it is: pass identify= to Memory, or call the graph with context={'user_id': …} or "
    "config={'configurable': {'user_id': …}}"
)


def current_run(config: RunnableConfig | None = None) -> tuple[RunnableConfig, Any]:
    """Give LangGraph's config and runtime of the node that runs now; outside of a graph there is no runtime."""
    try:
        runtime: Any = get_runtime()
    except (RuntimeError, KeyError):
        runtime = None
    if config is None:
        try:
            config = get_config()
        except RuntimeError:
            config = {}
    return config, runtime


def find_scope(
    config: RunnableConfig, runtime: Any, *, agent: str | None = None, identify: Identify | None = None
) -> Scope:
    """Find the scope of a turn.

    The owner is told by ``identify``, else by the context of the run, else by the server's user, else by
    ``configurable``. A run without a thread is a thread of its own, which all its nodes and subgraphs share.

    Args:
        config: LangGraph's config.
        runtime: LangGraph's runtime, or none.
        agent: The name of the agent; none takes the name of the node.
        identify: Tells the owner.

    Raises:
        InvalidInputError: Nothing tells the owner; there is no shared default.
    """
    settings = config.get("configurable") or {}
    owner = identify(config, runtime) if identify else _owner(settings, runtime)
    if not isinstance(owner, str) or not owner:
        raise InvalidInputError(f"{_HELP}; found {owner!r}")
    thread = settings.get("thread_id")
    node = (config.get("metadata") or {}).get("langgraph_node")
    return Scope(owner, str(thread) if thread else run_name(config, runtime), agent or node)


def _owner(settings: Mapping[str, Any], runtime: Any) -> Any:
    user = getattr(getattr(runtime, "server_info", None), "user", None)
    candidates = (_named(getattr(runtime, "context", None)), getattr(user, "identity", None), _named(settings))
    return next((found for found in candidates if found), None)


def _named(place: Any) -> Any:
    """Find a user's id in a mapping or an object."""
    told = place if isinstance(place, Mapping) else {name: getattr(place, name, None) for name in _NAMES}
    return next((str(found) for name in _NAMES if (found := told.get(name))), None)
