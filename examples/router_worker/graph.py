"""A router that hands work over to a worker, both with the memory that ``memory.yaml`` describes.

Run with ``python examples/router_worker/graph.py``. It needs no key: the chat models are scripted, and say so.
"""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any, Literal

from langchain_core.language_models import BaseChatModel
from langchain_core.messages import SystemMessage
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import START, MessagesState, StateGraph
from langgraph.types import Command

from memory_middleware import Memory, MemoryConfig, PromptLibrary
from memory_middleware.testing import ScriptedChatModel

HERE = Path(__file__).parent
WORK = ("deploy", "project", "ticket", "release", "deadline")
PROMPTS = PromptLibrary()


def build(memory: Memory, model: BaseChatModel) -> Any:
    """Build the graph; the agents below know nothing of memory."""

    def router(state: MessagesState) -> Command[Literal["worker", "__end__"]]:
        """Answer small things, and hand over what is work."""
        if any(word in state["messages"][-1].text.lower() for word in WORK):
            return Command(goto="worker")
        prompt = SystemMessage(PROMPTS.render("router"))
        return Command(goto="__end__", update={"messages": [model.invoke([prompt, *state["messages"]])]})

    def worker(state: MessagesState) -> dict[str, Any]:
        """Do the work."""
        return {"messages": [model.invoke([SystemMessage(PROMPTS.render("worker")), *state["messages"]])]}

    builder = StateGraph(MessagesState)
    builder.add_node("router", router)
    builder.add_node("worker", worker)
    builder.add_edge(START, "router")
    memory.add_to(builder, router="router", workers=["worker"])  # this line is all there is to it
    return builder.compile(checkpointer=InMemorySaver())


def main() -> None:
    """Talk about a project in two threads."""
    model = ScriptedChatModel()
    print("No key is set: the chat model quotes what memory tells it.\n")
    with tempfile.TemporaryDirectory() as folder:
        config = MemoryConfig.from_yaml(HERE / "memory.yaml", env={"MEMORY_PATH": folder})
        with Memory.open(config) as memory:
            graph = build(memory, model)
            for thread, text in (
                ("monday", "I'm working on a project called Harbour. It is due on 11 December 2026."),
                ("monday", "We deploy on Thursdays, and my colleague Amir reviews every release."),
                ("friday", "Hello again, a quick question about work."),
                ("friday", "What is the deadline of the Harbour project?"),
            ):
                run: Any = {"configurable": {"thread_id": thread, "user_id": "ana"}}
                answer = graph.invoke({"messages": [("user", text)]}, run)["messages"][-1]
                print(f"ana: {text}\n  → {answer.text}")
            print(f"\nWhat the worker was told in the last turn:\n{model.last_prompt.partition('<!--')[2]}")


if __name__ == "__main__":
    main()
