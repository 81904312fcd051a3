"""Sentences of a text, in any language, with what stands between them."""

from __future__ import annotations

import re

__all__ = ["sentences_of"]

# A full stop inside an address or a number ends no sentence.
_SENTENCE = re.compile(r"(?:[^.!?。！？\n]|[.!?](?![\s\"'”’)\]]|$))*+(?:[.!?。！？]+[\"'”’)\]]*\s*|\n+|$)")


def sentences_of(text: str) -> list[str]:
    """Split a text into sentences, each with the blanks after it; put together they are the text again."""
    return [found for found in _SENTENCE.findall(text) if found]
