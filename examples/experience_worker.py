"""A worker that learns from its runs: each becomes an episode, episodes become patterns, and the next run is told.

Run with ``python examples/experience_worker.py``. It needs no key: the chat model is scripted, and says so.
"""

from __future__ import annotations

import tempfile
from typing import Any

from langchain_core.messages import AIMessage, BaseMessage, ToolCall
from langchain_core.tools import tool
from langgraph.graph import START, MessagesState, StateGraph
from langgraph.prebuilt import ToolNode, tools_condition

from memory_middleware import Memory, MemoryConfig, Scope, episode_from_run
from memory_middleware.testing import ScriptedChatModel

ANA = Scope("ana", agent="worker")
CONFIG = """
inject: {first_round_empty: false}
agents:
  worker: {role: worker, memories: [{name: experience, top_k: 3}]}
"""


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


def agent(service: str) -> Any:
    """Build an agent that deploys a service with its tool; it knows nothing of memory."""
    model = ScriptedChatModel(answers=script(service))
    with_tools = model.bind_tools([run_command])

    def work(state: MessagesState) -> dict[str, Any]:
        return {"messages": [with_tools.invoke(state["messages"])]}

    builder = StateGraph(MessagesState)
    builder.add_node("work", work)
    builder.add_node("tools", ToolNode([run_command], handle_tool_errors=True))
    builder.add_edge(START, "work")
    builder.add_conditional_edges("work", tools_condition)
    builder.add_edge("tools", "work")
    return builder.compile()


def deploy(worker: Any, service: str) -> list[BaseMessage]:
    """Run an agent in a graph, and give the messages of the run."""
    graph = StateGraph(MessagesState).add_node("worker", worker).add_edge(START, "worker").compile()
    asked: Any = {"messages": [("user", f"Deploy the {service} service to production")]}
    messages: list[BaseMessage] = graph.invoke(asked, {"configurable": {"user_id": "ana"}})["messages"]
    return messages


def main() -> None:
    """Run three deployments, draw lessons, and show what the next one is told."""
    print("No key is set: the worker follows a script.\n")
    config = MemoryConfig.from_yaml(CONFIG)
    with tempfile.TemporaryDirectory() as folder, Memory.open(folder, config=config) as memory:
        experience = memory.store.memories.experience
        for service in ("harbour", "lighthouse"):
            deploy(memory.worker(agent(service)), service)  # a wrapped worker's runs are kept by themselves
        elsewhere = deploy(agent("pier"), "pier")  # and a run from elsewhere can be brought along
        experience.put(ANA, [episode_from_run(elsewhere, agent="worker")])
        for episode in experience.newest(ANA, "episode"):
            print(f"{episode.goal}: {episode.outcome}, {len(episode.errors_encountered)} error on the way")
        report = memory.consolidate("ana")
        print(f"\n{report.patterns_created} pattern from {report.episodes_processed} episodes\n")
        print(memory.compose(ANA, "Deploy the jetty service to production", role="worker", prompt="").text)


if __name__ == "__main__":
    main()
