"""A chat model that needs no key: it says what a script or a rule tells it, and remembers what it was given."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from langchain_core.callbacks import CallbackManagerForLLMRun
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, AIMessageChunk, BaseMessage
from langchain_core.messages.tool import tool_call_chunk
from langchain_core.outputs import ChatGeneration, ChatGenerationChunk, ChatResult
from langchain_core.runnables import Runnable
from langchain_core.tools import BaseTool
from langchain_core.utils.function_calling import convert_to_openai_tool
from pydantic import Field, PrivateAttr

from memory_middleware.testing.quoting import quote_memory

__all__ = ["Rule", "ScriptedChatModel"]

Rule = Callable[[Sequence[BaseMessage]], str | AIMessage]
"""Answers what a model was given."""

_PIECE = 12


class ScriptedChatModel(BaseChatModel):
    """A chat model for tests, examples and replays. It streams, takes tools, and is safe to share between threads.

    It says the lines of its script one after the other. A line that is none, and every call after the last one, is
    answered by the rule; the rule that is there by default quotes what memory told the model.

    Attributes:
        answers: The script: texts, whole messages (with tool calls, for example), or none.
        rule: Answers what the script does not.
    """

    answers: list[str | AIMessage | None] = Field(default_factory=list)
    rule: Rule = quote_memory
    _calls: list[list[BaseMessage]] = PrivateAttr(default_factory=list)
    _tools: list[list[str]] = PrivateAttr(default_factory=list)
    _lock: Any = PrivateAttr(default_factory=threading.Lock)

    @property
    def _llm_type(self) -> str:
        return "scripted"

    @property
    def calls(self) -> list[list[BaseMessage]]:
        """The messages that it was given, call by call."""
        return self._calls

    @property
    def tools_offered(self) -> list[list[str]]:
        """The names of the tools that it could have used, call by call."""
        return self._tools

    @property
    def last_prompt(self) -> str:
        """The system message of the last call, where memory stands; empty before the first."""
        system = [message for message in self._calls[-1] if message.type == "system"] if self._calls else []
        return system[0].text if system else ""

    def bind_tools(
        self,
        tools: Sequence[dict[str, Any] | type | Callable[..., Any] | BaseTool],
        *,
        tool_choice: str | None = None,
        **kwargs: Any,
    ) -> Runnable[Any, AIMessage]:
        """Offer tools; which of them are called is told by the script."""
        return self.bind(tools=[convert_to_openai_tool(tool) for tool in tools], tool_choice=tool_choice, **kwargs)

    def _generate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: CallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> ChatResult:
        return ChatResult(generations=[ChatGeneration(message=self._answer(messages, kwargs))])

    def _stream(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: CallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> Iterator[ChatGenerationChunk]:
        for chunk in _pieces(self._answer(messages, kwargs)):
            yield ChatGenerationChunk(message=chunk)

    def _answer(self, messages: list[BaseMessage], offered: dict[str, Any]) -> AIMessage:
        with self._lock:
            at = len(self._calls)
            self._calls.append(list(messages))
            self._tools.append([tool["function"]["name"] for tool in offered.get("tools") or ()])
        said = self.answers[at] if at < len(self.answers) else None
        if said is None:
            said = self.rule(messages)
        # A message that was said before must not be changed by the run it is said in again.
        return AIMessage(said) if isinstance(said, str) else said.model_copy(deep=True)


def _pieces(answer: AIMessage) -> Iterator[AIMessageChunk]:
    text = answer.text
    for at in range(0, len(text), _PIECE):
        yield AIMessageChunk(content=text[at : at + _PIECE], id=answer.id)
    calls = [
        tool_call_chunk(name=call["name"], args=json.dumps(call["args"], ensure_ascii=False), id=call["id"], index=at)
        for at, call in enumerate(answer.tool_calls)
    ]
    yield AIMessageChunk(
        content="", id=answer.id, tool_call_chunks=calls, usage_metadata=answer.usage_metadata, chunk_position="last"
    )
