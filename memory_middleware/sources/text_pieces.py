"""Texts cut for search: the key content of a turn, the pieces of a document, and their hashes."""

from __future__ import annotations

import hashlib
import re

from memory_middleware.errors import InvalidInputError

__all__ = ["content_hash", "cut_pieces", "file_hash", "key_content"]

_KEPT_WHOLE = 100
_LEAST_SENTENCE = 20
_MOST_SENTENCES = 3
# Sentences by which prompts tell a model its role or its task; they are the same in every turn.
_BOILERPLATE = re.compile(r"你是一位[^，,。]*[，,。]|User will input[^,.]*[,.]|You need to[^,.]*[,.]")
_SENTENCE_END = re.compile(r"[。！？；]")
_PIECE_END = re.compile(r"[.!?。！？\n]")


def key_content(text: str, limit: int = 500) -> str:
    """Cut a text to what is searched: short text whole, of a longer one its first full sentences.

    Args:
        text: Any text; runs of blank space become one space.
        limit: Most characters; a text that is cut here ends in ``...``.
    """
    collapsed = " ".join(text.split())
    if len(collapsed) <= _KEPT_WHOLE:
        return _cut(collapsed, limit)
    told = " ".join(_BOILERPLATE.sub("", collapsed).split())
    sentences = [piece.strip() for piece in _SENTENCE_END.split(told)]
    full = [sentence for sentence in sentences if len(sentence) >= _LEAST_SENTENCE]
    return _cut("。".join(full[:_MOST_SENTENCES]) or told or collapsed, limit)


def cut_pieces(text: str, size: int = 500, overlap: int = 50) -> list[str]:
    """Cut a text into pieces that end with a sentence or a line where one ends in the piece's second half.

    Args:
        text: Any text.
        size: Most characters of a piece.
        overlap: Characters that two neighbours share.

    Raises:
        InvalidInputError: The pieces would never end.
    """
    if not 0 <= overlap < size:
        raise InvalidInputError(f"an overlap of {overlap} does not fit pieces of {size} characters; choose it smaller")
    pieces = []
    start, end = 0, 0
    while end < len(text):
        end = _piece_end(text, start, size)
        pieces.append(text[start:end].strip())
        start = max(start + 1, end - overlap)
    return [piece for piece in pieces if piece]


def content_hash(text: str) -> str:
    """Name a text by 8 hexadecimal digits; two texts may share them."""
    return _md5(text.encode("utf-8", "surrogatepass"))[:8]


def file_hash(data: bytes) -> str:
    """Name the bytes of a file by 16 hexadecimal digits."""
    return _md5(data)[:16]


def _cut(text: str, limit: int) -> str:
    return text if len(text) <= limit else text[:limit] + "..."


def _piece_end(text: str, start: int, size: int) -> int:
    if start + size >= len(text):
        return len(text)
    ends = [found.end() for found in _PIECE_END.finditer(text, start + size // 2 + 1, start + size)]
    return ends[-1] if ends else start + size


def _md5(data: bytes) -> str:
    return hashlib.md5(data, usedforsecurity=False).hexdigest()
