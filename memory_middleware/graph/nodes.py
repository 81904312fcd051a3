"""Memory as nodes of their own, for people who wire a graph by hand."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any, get_type_hints

from langchain_core.runnables import RunnableConfig, RunnableLambda
from langgraph.channels import UntrackedValue
from typing_extensions import TypedDict

from memory_middleware.graph.conversation import messages_of
from memory_middleware.graph.turning import TurnRules

__all__ = ["MemoryChannels", "observe_node", "recall_node"]


class MemoryChannels(TypedDict, total=False):
    """The channels of the memory nodes, to be mixed into a state that wants to read them.

    They live for the run and are never checkpointed; after an interrupt the recall node has to run again.

    Attributes:
        memory_block: What was recalled, with its markers.
        memory_ids: The ids of the records in it.
        memory_tokens: What it cost.
    """

    memory_block: Annotated[str, UntrackedValue]
    memory_ids: Annotated[list[str], UntrackedValue]
    memory_tokens: Annotated[int, UntrackedValue]


def recall_node(rules: TurnRules) -> RunnableLambda[Any, Any]:
    """Make a node that recalls into ``memory_block`` and ``memory_ids``."""

    def node(state: Any, config: RunnableConfig) -> dict[str, Any]:
        turn = rules.begin(state, config)
        turn.recall()
        return turn.channels()

    async def anode(state: Any, config: RunnableConfig) -> dict[str, Any]:
        turn = rules.begin(state, config)
        await turn.arecall()
        return turn.channels()

    return _node(node, anode, "memory.recall", rules.messages_key)


def observe_node(rules: TurnRules) -> RunnableLambda[Any, Any]:
    """Make a node that writes the last turn down; what the recall node noted is what was injected."""

    def node(state: Any, config: RunnableConfig) -> None:
        turn = rules.begin(state, config)
        turn.note(state.get("memory_ids") or (), state.get("memory_tokens") or 0)
        turn.observe(messages_of(state, rules.messages_key))

    async def anode(state: Any, config: RunnableConfig) -> None:
        turn = rules.begin(state, config)
        turn.note(state.get("memory_ids") or (), state.get("memory_tokens") or 0)
        await turn.aobserve(messages_of(state, rules.messages_key))

    return _node(node, anode, "memory.observe", rules.messages_key)


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
