"""Memories of other systems, taken in by ``memory import --from``."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from enum import StrEnum
from pathlib import Path

from memory_middleware_cli.commands.desk import Desk
from memory_middleware_cli.commands.foreign.base_store import read_base_store
from memory_middleware_cli.commands.foreign.chatgpt import take_chatgpt
from memory_middleware_cli.commands.foreign.markdown import read_markdown
from memory_middleware_cli.commands.foreign.mem0 import read_mem0
from memory_middleware_cli.commands.foreign.taking import ForeignMemory, ForeignReport, take_memories

__all__ = ["FOREIGN", "ForeignName", "ForeignReport"]


class ForeignName(StrEnum):
    """What can be taken in."""

    MEM0 = "mem0"
    LANGMEM = "langmem"
    CHATGPT = "chatgpt"
    MARKDOWN = "markdown"


def _memories(read: Callable[[Path | None], Iterator[ForeignMemory]]) -> Callable[[Desk, Path | None], ForeignReport]:
    def take(desk: Desk, file: Path | None) -> ForeignReport:
        return take_memories(desk, list(read(file)))

    return take


FOREIGN: dict[ForeignName, Callable[[Desk, Path | None], ForeignReport]] = {
    ForeignName.MEM0: _memories(read_mem0),
    ForeignName.LANGMEM: _memories(read_base_store),
    ForeignName.CHATGPT: take_chatgpt,
    ForeignName.MARKDOWN: _memories(read_markdown),
}
