"""Joining two rankings: a weighted sum of scores scaled to the same range.

Reciprocal rank fusion gives the weaker list the same vote as the better one and ends up below it;
scaled scores keep how much better a hit is.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

__all__ = ["fuse", "scale"]

Scores = npt.NDArray[np.float32]

_EQUAL = 1e-9


def scale(scores: Scores) -> Scores:
    """Scale scores to 0–1, the lowest to 0 and the highest to 1; equal ones all to 1."""
    if not scores.size:
        return scores
    low, high = float(scores.min()), float(scores.max())
    if high - low < _EQUAL:
        return np.ones_like(scores)
    scaled: Scores = (scores - low) / (high - low)
    return scaled


def fuse(dense: Scores | None, lexical: Scores | None, weight: float) -> Scores | None:
    """Join dense and lexical scores of the same candidates.

    Args:
        dense: Cosine similarities, or none where there is no vector search.
        lexical: BM25 scores, zero where no term matches, or none where there is no text search.
        weight: How much the dense side counts, from 0 to 1.
    """
    high = float(lexical.max()) if lexical is not None and lexical.size else 0.0
    if dense is None or weight <= 0.0:
        return scale(lexical) if lexical is not None and high > 0 else lexical
    if lexical is None or high <= 0 or weight >= 1.0:
        return dense
    least, most = float(dense.min()), float(dense.max())
    spread = most - least
    words = lexical * np.float32((1.0 - weight) / high)
    if spread < _EQUAL:
        return words + np.float32(weight)
    joined: Scores = (dense - np.float32(least)) * np.float32(weight / spread) + words
    return joined
