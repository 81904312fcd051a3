"""A rule that answers by quoting what memory told it, so that a graph without a model still shows its memory."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from langchain_core.messages import BaseMessage

from memory_middleware.recall.labels import words
from memory_middleware.storage.terms import has_cjk, terms_of

__all__ = ["memory_lines", "quote_memory"]

_BLOCK = re.compile(r"<!-- (USER|WORK)_MEMORY_START -->(.*?)<!-- \1_MEMORY_END -->", re.DOTALL)
_SPEAKER = re.compile(r"^\[\d{4}-\d{2}-\d{2}\] (?:(?:user|assistant)(?:: |：))?")
_ASKS = re.compile(r"[?？]|[吗呢么]\s*[。.]?\s*$")
_MOST = 2
_NOTED = {"en": "Noted.", "zh": "好的，记下了。"}
_UNKNOWN = {"en": "I remember nothing about that.", "zh": "这件事我还不记得。"}
_QUOTED = {"en": ("From what I remember: ", "; ", "."), "zh": ("我记得：", "；", "。")}


def memory_lines(messages: Sequence[BaseMessage]) -> list[str]:
    """List what memory told a model; questions, and the conversation that is under way, tell nothing."""
    return list(_lines("\n".join(message.text for message in messages if message.type == "system")))


def quote_memory(messages: Sequence[BaseMessage]) -> str:
    """Answer the last thing the user said: a question with the lines of memory that share its words.

    Args:
        messages: What the model was given, with the block of memory in its system message.
    """
    asked = next((message.text for message in reversed(messages) if message.type == "human"), "")
    language = "zh" if has_cjk(asked) else "en"
    if not _ASKS.search(asked):
        return _NOTED[language]
    wanted = set(terms_of(asked))
    best = sorted(((_fit(wanted, line), line) for line in memory_lines(messages)), key=lambda found: -found[0])
    quotes = [_SPEAKER.sub("", line).rstrip(".。") for fit, line in best[:_MOST] if fit >= max(1.0, best[0][0] - 0.5)]
    if not quotes:
        return _UNKNOWN[language]
    opening, between, end = _QUOTED[language]
    return f"{opening}{between.join(quotes)}{end}"


def _fit(wanted: set[str], line: str) -> float:
    """Count the words that a line shares with a question; what was concluded is quoted before what was said."""
    shared = len(wanted.intersection(terms_of(line)))
    return shared + 0.5 if shared and not _SPEAKER.match(line) else float(shared)


def _lines(text: str) -> Iterator[str]:
    running = {words("recent", "en"), words("recent", "zh")}
    for _, block in _BLOCK.findall(text):
        section = ""
        for line in block.splitlines():
            if line.startswith("## "):
                section = line[3:]
            elif line.startswith("- ") and section not in running and not _ASKS.search(line):
                yield line[2:]
