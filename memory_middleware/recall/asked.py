"""What a turn is about: the last thing the user said, and how much was said before."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import NamedTuple

from langchain_core.messages import BaseMessage, convert_to_messages
from langchain_core.messages.utils import MessageLikeRepresentation

from memory_middleware.errors import InvalidInputError
from memory_middleware.schemas.dialogue import Dialogue
from memory_middleware.schemas.items import MemoryContentSnapshot
from memory_middleware.schemas.scope import Scope

__all__ = ["Asked", "Said", "asked_of"]

Said = str | MemoryContentSnapshot | Sequence[MessageLikeRepresentation]
"""A query, or the messages of a thread."""

_SPOKEN = ("human", "ai")


class Asked(NamedTuple):
    """What is asked.

    Attributes:
        query: The words, and what came with them.
        before: How many messages of user and assistant stood before it.
        earlier: The ids of the user's messages of each earlier round that the agent can still read.
    """

    query: MemoryContentSnapshot
    before: int
    earlier: tuple[tuple[str, ...], ...] = ()

    def visible_rounds(self, scope: Scope) -> frozenset[str]:
        """Give the ids of the rounds that need not be told, since the agent reads them in the conversation."""
        thread = scope.thread_id or ""
        return frozenset(Dialogue.id_of_messages(scope.owner_id, thread, ids) for ids in self.earlier)


def asked_of(said: Said, message_count: int | None = None) -> Asked:
    """Find what is asked: the last message of the user, or the last of all where the user said nothing.

    Args:
        said: A query, or the messages of a thread; instructions and results of tools are not counted. A query by
            itself is taken as said in a thread that is under way.
        message_count: Used instead of counting.

    Raises:
        InvalidInputError: It is neither.
    """
    if isinstance(said, str | MemoryContentSnapshot):
        query = MemoryContentSnapshot(said) if isinstance(said, str) else said
        return Asked(query, 1 if message_count is None else message_count)
    messages = _messages(said)
    users = [at for at, message in enumerate(messages) if _is_user(message)]
    at = users[-1] if users else len(messages) - 1
    query = (MemoryContentSnapshot.from_message(messages[at]) if messages else None) or MemoryContentSnapshot("")
    counted = sum(message.type in _SPOKEN for message in messages[: max(at, 0)])
    before = counted if message_count is None else message_count
    return Asked(query, before, _rounds(messages[: max(at, 0)]))


def _is_user(message: BaseMessage) -> bool:
    """Tell the words of the user; a summary that stands in their place is not."""
    return message.type == "human" and message.additional_kwargs.get("lc_source") != "summarization"


def _rounds(messages: Sequence[BaseMessage]) -> tuple[tuple[str, ...], ...]:
    """Give the ids of the user's messages, those in a row together."""
    groups = [list(group) for user, group in groupby(messages, key=_is_user) if user]
    return tuple(ids for group in groups if (ids := tuple(message.id for message in group if message.id)))


def _messages(said: Sequence[MessageLikeRepresentation]) -> list[BaseMessage]:
    if not isinstance(said, Sequence):
        raise InvalidInputError(f"a turn needs a query or a list of messages, not {said!r}")
    try:
        return convert_to_messages(said)
    except (ValueError, NotImplementedError) as error:
        raise InvalidInputError(f"a turn needs LangChain messages: {error}") from error
