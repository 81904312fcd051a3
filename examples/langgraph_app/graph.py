"""An app for ``langgraph dev``: a router with a memory of its own, exported without a store.

In this folder: ``langgraph dev``. The owner is the user that the server authenticated, or ``user_id`` of the run's
``configurable``. It needs no key: the chat model is scripted and quotes what memory tells it.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from langchain_core.messages import SystemMessage
from langgraph.graph import START, MessagesState, StateGraph

from memory_middleware import Memory, PromptLibrary
from memory_middleware.testing import ScriptedChatModel

memory = Memory.from_yaml(Path(__file__).with_name("memory.yaml"))
model = ScriptedChatModel()
prompt = SystemMessage(PromptLibrary().render("router"))


async def talk(state: MessagesState) -> dict[str, Any]:
    """Answer; the server's event loop never waits for memory."""
    return {"messages": [await model.ainvoke([prompt, *state["messages"]])]}


graph = StateGraph(MessagesState).add_node("router", memory.router(talk)).add_edge(START, "router").compile()
