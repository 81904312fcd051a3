"""A chat model that answers by a script and notes what it was given, and small words for the tests."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import Any

from langchain_core.callbacks import AsyncCallbackManagerForLLMRun, CallbackManagerForLLMRun
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, SystemMessage
from langchain_core.outputs import ChatGeneration, ChatResult
from langchain_core.runnables import RunnableConfig
from langchain_core.tools import tool
from pydantic import Field

from memory_middleware import Memory, Scope

Script = Callable[[list[BaseMessage]], AIMessage | str]


class ScriptedModel(BaseChatModel):
    """Answers what its script says to the messages."""

    script: Script = lambda messages: "Fine."
    seen: list[list[BaseMessage]] = Field(default_factory=list)

    @property
    def _llm_type(self) -> str:
        return "scripted"

    def bind_tools(self, tools: Sequence[Any], **more: Any) -> Any:
        return self.bind(**more)

    def _generate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: CallbackManagerForLLMRun | None = None,
        **more: Any,
    ) -> ChatResult:
        self.seen.append(list(messages))
        said = self.script(messages)
        return ChatResult(
            generations=[ChatGeneration(message=AIMessage(said) if isinstance(said, str) else said.model_copy())]
        )

    async def _agenerate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: AsyncCallbackManagerForLLMRun | None = None,
        **more: Any,
    ) -> ChatResult:
        await asyncio.sleep(0)
        return self._generate(messages)

    @property
    def systems(self) -> list[str]:
        """The system prompt of every call, as text."""
        return [system_text(messages) for messages in self.seen]


def system_text(messages: Sequence[BaseMessage]) -> str:
    """Tell the system prompt of a call."""
    return "".join(message.text for message in messages if isinstance(message, SystemMessage))


def calling(tool: str, **args: Any) -> AIMessage:
    """An answer that calls a tool."""
    return AIMessage("", tool_calls=[{"name": tool, "args": args, "id": f"call-{tool}", "type": "tool_call"}])


RULES: dict[str, Any] = {
    "extract": {"mode": "manual"},
    "inject": {"first_round_empty": False, "long_term_trigger": "always"},
}
QUESTION = "What is my dog called?"
BRUNO = "The user's dog is called Bruno."
MARK = "MEMORY_START"


@tool
def clock() -> str:
    """Tell the time."""
    return "It is noon."


def asked(text: str = QUESTION, **more: Any) -> Any:
    """What an agent is called with."""
    return {"messages": [HumanMessage(text, **more)]}


def run(thread: str = "t1", owner: str = "ana") -> RunnableConfig:
    """The config of a run."""
    return {"configurable": {"thread_id": thread, "user_id": owner}}


def rounds(memory: Memory, owner: str = "ana", thread: str = "t1") -> list[tuple[str, str]]:
    """What waits for the extractor."""
    waiting = memory.store.memories.dialogues.batch(Scope(owner), thread, 1000)
    return [(said.user_query, said.assistant_response) for said in waiting]


def clock_first(answer: str = "Bruno.") -> Script:
    """Look at the clock, then answer."""
    return lambda messages: calling("clock") if messages[-1].type == "human" else answer
