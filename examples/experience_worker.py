"""A worker that learns from its runs: each becomes an episode, episodes become patterns, and the next run is told.

Run with ``python examples/experience_worker.py``. It needs no key: the chat model is scripted, and says so.
"""

from __future__ import annotations

import tempfile
from datetime import UTC, datetime
from typing import Any

from langchain_core.messages import AIMessage, BaseMessage, ToolCall
from langchain_core.tools import tool
from langgraph.graph import START, MessagesState, StateGraph
from langgraph.prebuilt import ToolNode, tools_condition

from memory_middleware import Memory, MemoryConfig, Scope, consolidate, episode_from_run
from memory_middleware.testing import ScriptedChatModel

ANA = Scope("ana", agent="worker")
SERVICES = ("harbour", "lighthouse", "pier")


@tool
def run_command(command: str) -> str:
    """Run a command."""
    if command.startswith("deploy") and "--region" not in command:
        raise ValueError("missing --region: set a region before you deploy")
    return "done"


def script(service: str) -> list[str | AIMessage | None]:
    """Let the worker fail first, then set the region, then report."""

    def call(command: str, number: int) -> AIMessage:
        asked = ToolCall(name="run_command", args={"command": command}, id=f"{service}-{number}")
        return AIMessage("", tool_calls=[asked])

    return [
        call(f"deploy {service}", 1),
        call(f"deploy {service} --region north", 2),
        f"The {service} service is deployed in the north.",
    ]


def run(memory: Memory, service: str) -> list[BaseMessage]:
    """Let the worker deploy a service with its tool, and give the messages of the run."""
    model = ScriptedChatModel(answers=script(service))
    worker = model.bind_tools([run_command])

    def work(state: MessagesState) -> dict[str, Any]:
        return {"messages": [worker.invoke(state["messages"])]}

    builder = StateGraph(MessagesState)
    builder.add_node("worker", memory.worker(work))
    builder.add_node("tools", ToolNode([run_command], handle_tool_errors=True))
    builder.add_edge(START, "worker")
    builder.add_conditional_edges("worker", tools_condition)
    builder.add_edge("tools", "worker")
    asked: Any = {"messages": [("user", f"Deploy the {service} service to production")]}
    done = builder.compile().invoke(asked, {"configurable": {"user_id": "ana"}})
    messages: list[BaseMessage] = done["messages"]
    return messages


def main() -> None:
    """Run three deployments, draw lessons, and show what the next one is told."""
    print("No key is set: the worker follows a script.\n")
    config = MemoryConfig.from_dict(
        {
            "inject": {"first_round_empty": False},
            "agents": {"worker": {"role": "worker", "memories": [{"name": "experience", "top_k": 3}]}},
        }
    )
    with tempfile.TemporaryDirectory() as folder, Memory.open(folder, config=config) as memory:
        store = memory.store
        for service in SERVICES:
            episode = episode_from_run(run(memory, service), agent="worker", thread_id=service)
            store.memories.experience.put(ANA, [episode])
            print(f"{episode.goal}: {episode.outcome}, {len(episode.errors_encountered)} error on the way")
        report = consolidate(store.memories, ANA, now=datetime.now(UTC), embed=store.embeddings)
        print(f"\n{report}\n")
        print(memory.compose(ANA, "Deploy the jetty service to production", role="worker", prompt="").text)


if __name__ == "__main__":
    main()
