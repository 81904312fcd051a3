"""A chat model that keeps what it was given, and graphs with a memory."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from langchain_core.callbacks import CallbackManagerForLLMRun
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, AIMessageChunk, BaseMessage
from langchain_core.outputs import ChatGeneration, ChatGenerationChunk, ChatResult
from langchain_core.runnables import Runnable
from langgraph.graph import START, MessagesState, StateGraph

from memory_middleware import Memory, Scope
from memory_middleware.schemas.record import RecordKind

ANA = Scope("ana")
START_MARK = "MEMORY_START"


class Listener(BaseChatModel):
    """Answers by a function of what it was given, and keeps that."""

    answer: Callable[[Sequence[BaseMessage]], AIMessage]
    heard: list[list[BaseMessage]] = []

    @property
    def _llm_type(self) -> str:
        return "listener"

    def _generate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: CallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> ChatResult:
        self.heard.append(messages)
        return ChatResult(generations=[ChatGeneration(message=self.answer(messages))])

    def _stream(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: CallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> Iterator[ChatGenerationChunk]:
        self.heard.append(messages)
        for word in self.answer(messages).text.split(" "):
            yield ChatGenerationChunk(message=AIMessageChunk(content=f"{word} "))

    def bind_tools(self, tools: Sequence[Any], **kwargs: Any) -> Runnable[Any, Any]:
        return self.bind(**kwargs)

    @property
    def system(self) -> str:
        """What the system message of the last call said."""
        return "\n".join(message.text for message in self.heard[-1] if message.type == "system")


def listener(text: str | Callable[[Sequence[BaseMessage]], AIMessage] = "I see.") -> Listener:
    """A model that says one thing."""
    return Listener(answer=(lambda _messages: AIMessage(text)) if isinstance(text, str) else text, heard=[])


def one_node(agent: Any, name: str = "worker", state: Any = MessagesState) -> StateGraph[Any, Any, Any, Any]:
    """A graph of one agent."""
    builder: StateGraph[Any, Any, Any, Any] = StateGraph(state)
    builder.add_node(name, agent)
    builder.add_edge(START, name)
    return builder


def run(thread: str = "t1", owner: str = "ana") -> Any:
    """The config of a run."""
    return {"configurable": {"thread_id": thread, "user_id": owner}}


def rounds(memory: Memory, owner: str = "ana", thread: str = "t1") -> list[tuple[str, str]]:
    """What waits for the extractor."""
    found = memory.store.memories.dialogues.batch(Scope(owner), thread, 100)
    return [(one.user_query, one.assistant_response) for one in found]


def facts(memory: Memory, owner: str = "ana") -> list[str]:
    """What is known."""
    kinds = [kind for kind in RecordKind if kind is not RecordKind.DIALOGUE]
    return [record.content for record in memory.store.memories.records.newest(Scope(owner), kinds=kinds)]
