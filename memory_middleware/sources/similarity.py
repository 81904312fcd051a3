"""How alike a query and a stored text are, by their words and characters."""

from __future__ import annotations

from typing import NamedTuple

__all__ = ["Likeness", "compare", "final_score", "longest_common_length"]

_SHORTEST_KEYWORD = 2
_LEAST_LENGTH_FACTOR = 0.1


class Likeness(NamedTuple):
    """The parts of a semantic score, each from 0 to 1.

    Attributes:
        jaccard: Shared words among all words.
        lcs: Characters in common and in order, as a part of the longer text.
        keyword: The part of the query's words, of two characters or more, that the content has.
        length_factor: 1 for content up to twice the query's length, less for longer content.
    """

    jaccard: float
    lcs: float
    keyword: float
    length_factor: float

    @property
    def score(self) -> float:
        """The parts as one number."""
        return 0.4 * self.jaccard + 0.3 * self.lcs + 0.2 * self.keyword + 0.1 * self.length_factor


def compare(query: str, content: str) -> Likeness:
    """Compare a query with a content; case does not count."""
    if not query or not content:
        return Likeness(0.0, 0.0, 0.0, 0.0)
    asked, told = query.lower(), content.lower()
    asked_words, told_words = set(asked.split()), set(told.split())
    every = asked_words | told_words
    keywords = {word for word in asked_words if len(word) >= _SHORTEST_KEYWORD}
    return Likeness(
        jaccard=len(asked_words & told_words) / len(every) if every else 0.0,
        lcs=longest_common_length(asked, told) / max(len(asked), len(told)),
        keyword=len(keywords & told_words) / len(keywords) if keywords else 0.0,
        length_factor=max(_LEAST_LENGTH_FACTOR, min(1.0, 2 * len(query) / len(content))),
    )


def final_score(cosine: float, semantic: float) -> float:
    """Join the likeness of two vectors and that of their texts."""
    return 0.7 * cosine + 0.3 * semantic


def longest_common_length(one: str, other: str) -> int:
    """Tell the length of the longest common subsequence of two texts.

    A row of the usual table is the bits of one integer, so a row costs a few operations on it
    instead of one for each character.
    """
    places: dict[str, int] = {}
    for at, character in enumerate(one):
        places[character] = places.get(character, 0) | 1 << at
    every = (1 << len(one)) - 1
    row = every
    for character in other:
        matches = row & places.get(character, 0)
        row = ((row + matches) | (row - matches)) & every
    return len(one) - row.bit_count()
