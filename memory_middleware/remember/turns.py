"""Finding the exchange of a turn among LangChain messages."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, ToolMessage

from memory_middleware.errors import InvalidInputError
from memory_middleware.schemas.blocks import describe_block, encode_part
from memory_middleware.schemas.scrub import scrub

__all__ = ["TurnExchange", "clean_text", "find_exchange", "message_text", "without_blocks"]

_MOST_TOOL_TEXT = 4000
_BLOCK = re.compile(
    r"<!--\s*(USER|WORK)_MEMORY_START\s*-->.*?(?:<!--\s*\1_MEMORY_END\s*-->|\Z)", re.DOTALL | re.IGNORECASE
)
_RELATED = re.compile(r"={3,} Related Memories ={3,}.*?(?:={3,} End of Memory ={3,}|\Z)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class TurnExchange:
    """What was said in one turn, without injected memory and without secrets.

    Attributes:
        user_text: What the user said last; images and files are told in brackets.
        answer: What the agent answered last; empty if it said nothing yet.
        tool_text: What tools told it meanwhile, shortened.
        asked_ids: The ids of the user's messages.
        message_ids: The ids of all messages of the turn, as far as they have any.
        turn: How many times the user had spoken before, as far as the messages show.
    """

    user_text: str
    answer: str
    tool_text: str = ""
    asked_ids: tuple[str, ...] = ()
    message_ids: tuple[str, ...] = ()
    turn: int = 0


def find_exchange(messages: Sequence[BaseMessage]) -> TurnExchange | None:
    """Find the last turn: what the user said last, and all that followed.

    Several messages of the user in a row are one turn. Without any message of a user there is no turn.

    Raises:
        InvalidInputError: Something among them is no message.
    """
    for message in messages:
        if not isinstance(message, BaseMessage):
            raise InvalidInputError(f"a conversation is made of LangChain messages, not {message!r}")
    last = max((at for at, message in enumerate(messages) if _is_user(message)), default=None)
    if last is None:
        return None
    first = last
    while first > 0 and _is_user(messages[first - 1]):
        first -= 1
    asked, after = messages[first : last + 1], messages[last + 1 :]
    answers = [text for message in after if isinstance(message, AIMessage) if (text := message_text(message))]
    tools = "\n".join(message_text(message) for message in after if isinstance(message, ToolMessage))
    return TurnExchange(
        user_text=clean_text("\n".join(filter(None, map(message_text, asked)))),
        answer=clean_text(answers[-1]) if answers else "",
        tool_text=clean_text(tools[:_MOST_TOOL_TEXT]),
        asked_ids=_ids(asked),
        message_ids=_ids(messages[first:]),
        turn=_rounds_before(messages[:first]),
    )


def message_text(message: BaseMessage) -> str:
    """Tell a message in words: its text, and in brackets what else it holds; tool calls are left out."""
    if isinstance(message.content, str):
        return message.content.strip()
    told = (describe_block(encode_part(part)[0]) for part in message.content if not _is_silent(part))
    return "\n".join(filter(None, told)).strip()


def without_blocks(text: str) -> str:
    """Take injected memory out of a text, so that it cannot be remembered as if it had been said."""
    return _RELATED.sub("", _BLOCK.sub("", text)).strip()


def clean_text(text: str) -> str:
    """Take injected memory and secrets out of a text."""
    return scrub(without_blocks(text))


def _is_user(message: BaseMessage) -> bool:
    """Tell the words of the user; a summary that stands in their place is not."""
    human = isinstance(message, HumanMessage) or message.type == "human"
    return human and message.additional_kwargs.get("lc_source") != "summarization"


def _is_silent(part: object) -> bool:
    """Tell parts that are no words of anybody: calls of tools, and thoughts."""
    return isinstance(part, dict) and part.get("type") in (
        "tool_use", "tool_call", "tool_call_chunk", "function_call", "thinking", "reasoning", "redacted_thinking",
        "server_tool_call", "server_tool_result", "input_json_delta",
    )  # fmt: skip


def _ids(messages: Sequence[BaseMessage]) -> tuple[str, ...]:
    return tuple(message.id for message in messages if message.id)


def _rounds_before(messages: Sequence[BaseMessage]) -> int:
    """Count the rounds: messages of the user in a row are one."""
    return sum(_is_user(message) and not (at and _is_user(messages[at - 1])) for at, message in enumerate(messages))
