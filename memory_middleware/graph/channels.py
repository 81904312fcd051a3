"""The channels of the memory nodes: they live for the run, and no checkpoint holds them."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from typing import Annotated, Any

from langgraph.channels import UntrackedValue
from typing_extensions import TypedDict

__all__ = ["MemoryChannels", "RecalledBlock"]

_log = logging.getLogger(__name__)


class _OfOneAgent(UntrackedValue[Any]):
    """What one agent was told; what several were told in one step is nobody's, and is kept by agent only."""

    def update(self, values: Sequence[Any]) -> bool:
        """Take what a step wrote."""
        if len(values) > 1:
            _log.info("several recall nodes ran in one step; read memory_by_agent instead of %s", self.key)
            values = [type(values[0])()]
        return super().update(values)


class _ByAgent(UntrackedValue[Any]):
    """What every agent was told last in the run."""

    def update(self, values: Sequence[Any]) -> bool:
        """Take what a step wrote; every agent's own replaces what it was told before."""
        if not values:
            return False
        merged = dict(self.value) if self.is_available() else {}
        for told in values:
            merged.update(told)
        return super().update([merged])


class RecalledBlock(TypedDict):
    """What one agent was told.

    Attributes:
        block: What was recalled, with its markers.
        ids: The ids of the records in it.
        tokens: What it cost.
    """

    block: str
    ids: list[str]
    tokens: int


class MemoryChannels(TypedDict, total=False):
    """The channels of the memory nodes, to be mixed into a state that wants to read them.

    They live for the run and are never checkpointed; after an interrupt the recall node has to run again. Where several
    recall nodes run in one step, the first three are empty, and every agent finds its own under its name.

    Attributes:
        memory_block: What was recalled, with its markers.
        memory_ids: The ids of the records in it.
        memory_tokens: What it cost.
        memory_by_agent: The same by the name that the recall node was given, else by that of the node.
    """

    memory_block: Annotated[str, _OfOneAgent]
    memory_ids: Annotated[list[str], _OfOneAgent]
    memory_tokens: Annotated[int, _OfOneAgent]
    memory_by_agent: Annotated[dict[str, RecalledBlock], _ByAgent]
