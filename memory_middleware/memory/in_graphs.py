"""Putting a memory into graphs: wrappers, nodes and tools."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, cast

from langchain_core.runnables import RunnableLambda
from langchain_core.tools import BaseTool

from memory_middleware.graph.adding import Builder, add_memory
from memory_middleware.graph.nodes import observe_node, recall_node
from memory_middleware.graph.port import TurnMemory
from memory_middleware.graph.tools import TOOL_NAMES, ToolMemory, memory_tools
from memory_middleware.graph.turning import TurnRules
from memory_middleware.graph.wrapping import wrap_agent
from memory_middleware.recall.compose import AgentType

__all__ = ["InGraphs"]


class InGraphs:
    """The part of a memory that faces LangGraph."""

    def router(self, agent: Any, *, name: str | None = None, messages_key: str = "messages") -> Any:
        """Give a router a memory: it is told the user profile and what is recalled for the query.

        Args:
            agent: A node function, a chat model, a chain that ends in one, or a compiled graph.
            name: Its name in the configuration; none takes that of its node.
            messages_key: Where the state has its messages.
        """
        return wrap_agent(agent, self._rules(AgentType.ROUTER, name, messages_key))

    def worker(self, agent: Any, *, name: str | None = None, messages_key: str = "messages") -> Any:
        """Give a worker a memory: it is told the work profile and what is recalled for the query.

        Args:
            agent: A node function, a chat model, a chain that ends in one, or a compiled graph.
            name: Its name in the configuration; none takes that of its node.
            messages_key: Where the state has its messages.
        """
        return wrap_agent(agent, self._rules(AgentType.WORKER, name, messages_key))

    def recall_node(
        self, role: AgentType | str, *, name: str | None = None, messages_key: str = "messages"
    ) -> RunnableLambda[Any, Any]:
        """Make a node that recalls into the channels of ``MemoryChannels``, for graphs wired by hand."""
        return recall_node(self._rules(AgentType(role), name, messages_key))

    def observe_node(
        self, role: AgentType | str = AgentType.WORKER, *, name: str | None = None, messages_key: str = "messages"
    ) -> RunnableLambda[Any, Any]:
        """Make a node that writes the last turn down, for graphs wired by hand."""
        return observe_node(self._rules(AgentType(role), name, messages_key))

    def add_to(
        self,
        builder: Builder,
        *,
        router: str | Iterable[str] = (),
        workers: Iterable[str] = (),
        messages_key: str = "messages",
    ) -> Builder:
        """Give nodes of a graph a memory, before it is compiled; the graph is changed and given back.

        Raises:
            InvalidInputError: There is no node of a name, or nothing was named.
        """

        def wrap(agent: Any, role: str, name: str) -> Any:
            return wrap_agent(agent, self._rules(AgentType(role), name, messages_key))

        return add_memory(builder, wrap, router=router, workers=workers)

    def tools(self, names: Sequence[str] = TOOL_NAMES) -> list[BaseTool]:
        """Make tools for an agent: ``search_memory``, ``remember``, ``forget``, ``update_profile``.

        The owner is found as for any turn; the model has no say in it.
        """
        return memory_tools(cast(ToolMemory, self), names)

    def _rules(self, role: AgentType, name: str | None, messages_key: str) -> TurnRules:
        return TurnRules(cast(TurnMemory, self), role, name, messages_key)
