"""The graph of a replay: a router that answers or hands over, and a worker with its tools, both with memory."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from langchain_core.messages import AIMessage, BaseMessage, SystemMessage, ToolCall, ToolMessage
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import END, START, MessagesState, StateGraph
from langgraph.graph.state import CompiledStateGraph
from langgraph.types import Command

from memory_middleware import Memory, PromptLibrary
from memory_middleware.testing import ScriptedChatModel, quote_memory
from memory_middleware_cli.replay.trace import TraceTurn

__all__ = ["Player", "build_graph"]

_HAND_OVER = AIMessage("", tool_calls=[ToolCall(name="hand_over", args={"to": "worker"}, id="hand-over")])
_UNRECORDED = "(no result was recorded)"


class Player:
    """Says what was recorded for the turn at hand; where nothing was, it quotes what memory told it."""

    def __init__(self) -> None:
        self.router = ScriptedChatModel(rule=self._route)
        self.worker = ScriptedChatModel(rule=self._work)
        self._turn: TraceTurn | None = None
        self._lines: list[AIMessage] = []

    def load(self, turn: TraceTurn) -> None:
        """Take up a turn."""
        self._turn = turn
        self._lines = [message for message in turn.answers if isinstance(message, AIMessage)]

    def results(self, calls: Sequence[ToolCall]) -> list[ToolMessage]:
        """Give what the tools returned when this was recorded."""
        recorded = [message for message in self._turn.answers if isinstance(message, ToolMessage)] if self._turn else []
        found = {message.tool_call_id: message for message in recorded}
        return [
            found.get(str(call["id"])) or ToolMessage(_UNRECORDED, tool_call_id=call["id"], name=call["name"])
            for call in calls
        ]

    def _route(self, messages: Sequence[BaseMessage]) -> str | AIMessage:
        mine = self._turn is not None and self._turn.agent == "router"
        return self._say(messages) if mine else _HAND_OVER

    def _work(self, messages: Sequence[BaseMessage]) -> str | AIMessage:
        return self._say(messages)

    def _say(self, messages: Sequence[BaseMessage]) -> str | AIMessage:
        if self._lines:
            return self._lines.pop(0)
        said = AIMessage(quote_memory(messages))
        return said.model_copy(update={"id": f"{self._turn.asked.id}-answer"}) if self._turn else said


def build_graph(memory: Memory, player: Player) -> CompiledStateGraph[Any, Any, Any, Any]:
    """Build the graph, with a checkpointer that keeps its threads.

    Args:
        memory: Given to the router and the worker.
        player: Speaks for their models.
    """
    prompts = PromptLibrary(memory.config.prompts_dir, language=memory.config.language)
    router_prompt, worker_prompt = (SystemMessage(prompts.render(name)) for name in ("router", "worker"))
    router, worker = player.router, player.worker

    def route(state: MessagesState) -> Command[Any]:
        answer = router.invoke([router_prompt, *state["messages"]])
        if answer.tool_calls and answer.tool_calls[0]["name"] == "hand_over":
            return Command(goto="worker")
        return Command(goto=END, update={"messages": [answer]})

    def work(state: MessagesState) -> dict[str, Any]:
        said: list[BaseMessage] = []
        while True:
            answer = worker.invoke([worker_prompt, *state["messages"], *said])
            said.append(answer)
            if not answer.tool_calls:
                return {"messages": said}
            said += player.results(answer.tool_calls)

    builder = StateGraph(MessagesState)
    builder.add_node("router", memory.router(route), destinations=("worker", END))
    builder.add_node("worker", memory.worker(work))
    builder.add_edge(START, "router")
    builder.add_edge("worker", END)
    return builder.compile(checkpointer=InMemorySaver(), name="memory.replay")
