"""Vectors as the rows of a matrix, so that a product with a unit vector gives cosines."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

__all__ = ["unit_rows"]


def unit_rows(vectors: Sequence[Any], dims: int) -> npt.NDArray[np.float32]:
    """Give vectors as rows of length 1; a number that is not finite counts as 0.

    Args:
        vectors: Each with ``dims`` numbers.
        dims: Also the width of a matrix without rows.
    """
    matrix = np.nan_to_num(np.array(vectors, dtype=np.float32).reshape(len(vectors), dims), posinf=0.0, neginf=0.0)
    lengths = np.linalg.norm(matrix, axis=1, keepdims=True)
    lengths[lengths == 0] = 1.0
    unit: npt.NDArray[np.float32] = matrix / lengths
    return unit
