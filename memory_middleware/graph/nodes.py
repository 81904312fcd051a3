"""Memory as nodes of their own, for people who wire a graph by hand."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, get_type_hints

from langchain_core.runnables import RunnableConfig, RunnableLambda
from typing_extensions import TypedDict

from memory_middleware.graph.channels import MemoryChannels, RecalledBlock
from memory_middleware.graph.conversation import messages_of
from memory_middleware.graph.turning import AgentTurn, TurnRules

__all__ = ["MemoryChannels", "observe_node", "recall_node"]


def recall_node(rules: TurnRules) -> RunnableLambda[Any, Any]:
    """Make a node that recalls into the channels of memory."""

    def node(state: Any, config: RunnableConfig) -> dict[str, Any]:
        turn = rules.begin(state, config)
        turn.recall()
        return _told(turn)

    async def anode(state: Any, config: RunnableConfig) -> dict[str, Any]:
        turn = rules.begin(state, config)
        await turn.arecall()
        return _told(turn)

    return _node(node, anode, "memory.recall", rules.messages_key)


def observe_node(rules: TurnRules) -> RunnableLambda[Any, Any]:
    """Make a node that writes the last turn down; what the recall node noted is what was injected."""

    def node(state: Any, config: RunnableConfig) -> None:
        turn = rules.begin(state, config)
        _take_over(turn, state)
        turn.observe(messages_of(state, rules.messages_key))

    async def anode(state: Any, config: RunnableConfig) -> None:
        turn = rules.begin(state, config)
        _take_over(turn, state)
        await turn.aobserve(messages_of(state, rules.messages_key))

    return _node(node, anode, "memory.observe", rules.messages_key)


def _told(turn: AgentTurn) -> dict[str, Any]:
    """Give what was recalled as channels, for this agent and by its name."""
    told = turn.channels()
    own = RecalledBlock(block=told["memory_block"], ids=told["memory_ids"], tokens=told["memory_tokens"])
    return {**told, "memory_by_agent": {turn.scope.agent or "": own}}


def _take_over(turn: AgentTurn, state: Any) -> None:
    """Note what the recall node told this agent; an agent it does not name was told what all were."""
    own = (state.get("memory_by_agent") or {}).get(turn.scope.agent or "")
    if own:
        turn.note(own["ids"], own["tokens"])
    else:
        turn.note(state.get("memory_ids") or (), state.get("memory_tokens") or 0)


def _node(step: Callable[..., Any], astep: Callable[..., Any], name: str, key: str) -> RunnableLambda[Any, Any]:
    """Make a node of both colours that brings its channels along.

    LangGraph reads a node's channels from the first parameter of a function or of ``__call__``. The messages are
    declared without a reducer, so that those of the host stand.
    """
    fields: Any = {key: list, **get_type_hints(MemoryChannels, include_extras=True)}
    schema = TypedDict("MemoryNodeInput", fields, total=False)  # type: ignore[misc]

    class MemoryNode(RunnableLambda[Any, Any]):
        def __call__(self, state: Any) -> Any:
            return self.invoke(state)

    MemoryNode.__call__.__annotations__ = {"state": schema}
    return MemoryNode(step, afunc=astep, name=name)
