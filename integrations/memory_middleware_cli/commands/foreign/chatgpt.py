"""Conversations of a ChatGPT export: their rounds go through the extractor like any other."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

from langchain_core.messages import AIMessage, BaseMessage, HumanMessage

from memory_middleware import InvalidInputError, Scope
from memory_middleware_cli.commands.desk import Desk
from memory_middleware_cli.commands.foreign.reading import read_objects, when
from memory_middleware_cli.commands.foreign.taking import ForeignReport
from memory_middleware_cli.commands.printing import bars

__all__ = ["take_chatgpt"]


class _Said(NamedTuple):
    """A message and when it was written."""

    message: BaseMessage
    at: datetime | None


class _Conversation(NamedTuple):
    """A conversation as its owner saw it last."""

    thread: str
    said: list[_Said]


def take_chatgpt(desk: Desk, file: Path | None) -> ForeignReport:
    """Put the rounds of all conversations into the buffer and extract them, conversation by conversation.

    Raises:
        InvalidInputError: The file is no ``conversations.json``.
    """
    raw = read_objects(file, ("conversations",), "ChatGPT conversations")
    found = sorted((_conversation(one, number) for number, one in enumerate(raw, start=1)), key=_began)
    desk.memory.store.memories.profiles.ensure(desk.scope)
    rounds = known = facts = 0
    with bars("conversations") as told:
        for at, conversation in enumerate(found, start=1):
            scope = Scope(desk.owner, conversation.thread)
            for turn in _turns(conversation.said):
                seen = desk.memory.observe(scope, [one.message for one in turn], now=turn[0].at)
                rounds += seen.is_new
                known += not seen.is_new
            facts += sum(len(report.added) for report in desk.memory.flush(scope))
            told(at, len(found))
    return ForeignReport(known=known, rounds=rounds, facts=facts, owners=(desk.owner,))


def _conversation(data: dict[str, Any], number: int) -> _Conversation:
    mapping, name = data.get("mapping"), data.get("conversation_id") or data.get("id")
    if not isinstance(mapping, dict) or not isinstance(name, str):
        raise InvalidInputError(f"conversation {number} of the file has no id and mapping; is it a ChatGPT export?")
    said = [one for node in _branch(mapping, data.get("current_node")) if (one := _message(node)) is not None]
    return _Conversation(f"chatgpt:{name}", said)


def _branch(mapping: dict[str, Any], last: Any) -> list[dict[str, Any]]:
    """Follow the branch that was shown last back to its root, and give it from there."""
    at = last if last in mapping else _newest_leaf(mapping)
    path: dict[str, dict[str, Any]] = {}
    while isinstance(at, str) and at not in path and isinstance(mapping.get(at), dict):
        path[at] = mapping[at]
        at = mapping[at].get("parent")
    return list(reversed(path.values()))


def _newest_leaf(mapping: dict[str, Any]) -> str | None:
    leaves = [name for name, node in mapping.items() if isinstance(node, dict) and not node.get("children")]
    return max(leaves, key=lambda name: (mapping[name].get("message") or {}).get("create_time") or 0, default=None)


def _message(node: dict[str, Any]) -> _Said | None:
    """Read what the user wrote and what the assistant answered; tools, instructions and hidden parts are neither."""
    told = node.get("message") or {}
    role = (told.get("author") or {}).get("role")
    hidden = (told.get("metadata") or {}).get("is_visually_hidden_from_conversation")
    content = told.get("content") or {}
    kind = content.get("content_type", "text")
    if hidden or told.get("recipient", "all") != "all" or kind not in ("text", "multimodal_text"):
        return None
    text = "\n".join(filter(None, map(_part, content.get("parts") or []))).strip()
    if role not in ("user", "assistant") or not text:
        return None
    made = HumanMessage if role == "user" else AIMessage
    return _Said(made(content=text, id=str(told.get("id") or node.get("id"))), when(told.get("create_time")))


def _part(part: Any) -> str:
    if isinstance(part, dict):
        return str(part.get("text") or "")
    return part if isinstance(part, str) else ""


def _turns(said: list[_Said]) -> Iterator[list[_Said]]:
    """Cut a conversation into what the user said and what was answered to it."""
    turn: list[_Said] = []
    for one in said:
        if isinstance(one.message, HumanMessage) and turn and not isinstance(turn[-1].message, HumanMessage):
            yield turn
            turn = []
        if turn or isinstance(one.message, HumanMessage):
            turn.append(one)
    if turn and not isinstance(turn[-1].message, HumanMessage):
        yield turn


def _began(conversation: _Conversation) -> datetime:
    return next((one.at for one in conversation.said if one.at), datetime.fromtimestamp(0, UTC))
