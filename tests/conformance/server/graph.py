"""Graphs for the server to run: one that uses the store, and one that blocks the event loop."""

from __future__ import annotations

import time
from typing import Any, TypedDict

from langgraph.graph import START, StateGraph
from langgraph.runtime import Runtime


class State(TypedDict):
    text: str
    found: list[str]


async def remember(state: State, runtime: Runtime[Any]) -> dict[str, Any]:
    assert runtime.store is not None
    await runtime.store.aput(("notes", "ana"), state["text"], {"text": state["text"], "owner": "ana"})
    found = await runtime.store.asearch(("notes", "ana"), query=state["text"])
    kept = await runtime.store.aget(("notes", "ana"), state["text"])
    return {"found": [item.key for item in found if kept is not None]}


async def block(state: State) -> dict[str, Any]:
    time.sleep(0.01)
    return {}


graph = StateGraph(State).add_node("remember", remember).add_edge(START, "remember").compile()
careless = StateGraph(State).add_node("block", block).add_edge(START, "block").compile()
