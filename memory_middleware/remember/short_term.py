"""Compact traces of rounds, and how old ones are shortened."""

from __future__ import annotations

import re

from memory_middleware.config import MemoryConfig
from memory_middleware.remember.suspicion import without_attacks
from memory_middleware.remember.turns import TurnExchange
from memory_middleware.schemas.dialogue import ShortTermItem
from memory_middleware.schemas.scope import Scope
from memory_middleware.storage.repositories import Repositories

__all__ = ["MOST_UNFOLDED", "NOTHING", "compressed", "keep_short", "trace"]

MOST_UNFOLDED = 200
"""So many rounds of a thread wait at most for a summary."""


NOTHING = "…"
"""What stands in the place of words that were cut."""

_LONG = 600
_SHORT = 160
_SENTENCE = re.compile(r"[^.!?。！？\n]*[.!?。！？]?")
_SIDES = {"en": ("Asked: ", "Answered: "), "zh": ("问：", "答：")}


def trace(exchange: TurnExchange, language: str = "en") -> str:
    """Tell a round in two short lines, without what tries to steer the agent: the thread has it, a prompt must not."""
    user, agent = _SIDES.get(language, _SIDES["en"])
    lines = ((user, exchange.user_text), (agent, exchange.answer))
    return "\n".join(f"{side}{_cut(without_attacks(text), _LONG) or NOTHING}" for side, text in lines if text)


def compressed(item: ShortTermItem) -> ShortTermItem:
    """Shorten an item to the first sentence of each line."""
    lines = (_cut(_first_sentence(line), _SHORT) for line in item.content.splitlines())
    return item.model_copy(update={"content": "\n".join(filter(None, lines)) or item.content, "compressed": True})


def keep_short(memories: Repositories, scope: Scope, config: MemoryConfig) -> None:
    """Shorten the items of a thread beyond the newest, and drop those beyond the most.

    Where threads are summarised, old items wait whole until they are folded into the summary.
    """
    rules = config.short_term
    if config.summarize.enabled:
        memories.short_term.trim(scope, MOST_UNFOLDED)
        return
    memories.short_term.trim(scope, rules.max_items)
    if old := memories.short_term.uncompressed(scope, rules.compression_threshold, rules.max_items):
        memories.short_term.replace(scope, [compressed(item) for item in old])


def _first_sentence(line: str) -> str:
    found = _SENTENCE.match(line)
    first = found.group(0) if found else line
    # A sentence of two words tells too little: "Sure." or "好。"
    return first if len(first) >= 24 or first == line else line


def _cut(text: str, most: int) -> str:
    flat = " ".join(text.split())
    if len(flat) <= most:
        return flat
    end = flat.rfind(" ", most // 2, most)
    return f"{flat[: end if end > 0 else most]} …"
