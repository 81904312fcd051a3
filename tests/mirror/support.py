"""Stores of other people, one of which fails when told to, and memories over them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any

from langchain_core.messages import AIMessage, HumanMessage
from langgraph.store.base import BaseStore, Op, PutOp, Result
from langgraph.store.memory import InMemoryStore

from memory_middleware import Memory, MemoryConfig, Scope

MANUAL = MemoryConfig.from_dict(
    {"extract": {"mode": "manual"}, "inject": {"first_round_empty": False, "long_term_trigger": "always"}}
)


class Moody(InMemoryStore):
    """A store in memory that refuses what it is told to refuse, and counts what it is asked."""

    def __init__(self) -> None:
        super().__init__()
        self.is_down = False
        self.is_full = False
        self.refused = ""
        self.batches: list[list[Op]] = []

    def batch(self, ops: Iterable[Op]) -> list[Result]:
        listed = list(ops)
        self.batches.append(listed)
        puts = [op for op in listed if isinstance(op, PutOp)]
        if self.is_down or (self.is_full and puts):
            raise ConnectionError("the line is dead")
        if self.refused and any(self.refused in repr(op.value) for op in puts):
            raise OverflowError("that is too much")
        return super().batch(listed)


@contextmanager
def over(store: BaseStore, config: MemoryConfig = MANUAL, **more: Any) -> Iterator[Memory]:
    """A memory over a store, closed at the end."""
    with Memory.over(store, config, **more) as memory:
        yield memory


def told(memory: Memory, owner: str | None = "ana") -> list[str]:
    """Everything that is kept, without the moment it was asked."""
    return list(memory.export(owner))[1:]


def facts(memory: Memory, owner: str = "ana") -> set[str]:
    """What is known and holds."""
    return {record.content for record in memory.list_records(owner, kinds=["fact", "preference"]).records}


def say(memory: Memory, text: str, answer: str = "I see.", thread: str = "t1", owner: str = "ana") -> Any:
    """Let a turn happen: recall, an answer, observe."""
    scope = Scope(owner, thread, "router")
    asked = HumanMessage(text, id=f"h-{thread}-{text}")
    composed = memory.compose(scope, [asked], role="router")
    injected = [hit.record for hit in composed.injected]
    memory.observe(scope, [asked, AIMessage(answer, id=f"a-{thread}-{text}")], injected, tokens=composed.block.tokens)
    return composed


def text_in(store: BaseStore) -> str:
    """All that a store holds, as one text."""
    return "\n".join(repr(item.value) for item in store.search(("memory_middleware",), limit=100_000))
