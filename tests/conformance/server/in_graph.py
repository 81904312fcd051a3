"""The same agent with its memory in whatever store the server gives the graph."""

from __future__ import annotations

from typing import Any

from langgraph.graph import START, MessagesState, StateGraph

from memory_middleware import Memory, MemoryConfig
from memory_middleware.testing import ScriptedChatModel

rules = {
    "extract": {"mode": "inline", "batch_size": 1},
    "inject": {"first_round_empty": False, "long_term_trigger": "always"},
    "on_error": "raise",
}
memory = Memory.in_graph(MemoryConfig.from_dict(rules))
model = ScriptedChatModel()


async def talk(state: MessagesState) -> dict[str, Any]:
    return {"messages": [await model.ainvoke(state["messages"])]}


graph = StateGraph(MessagesState).add_node("worker", memory.worker(talk)).add_edge(START, "worker").compile()
