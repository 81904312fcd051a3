"""An array that grows at its end without being copied each time."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

__all__ = ["Growing"]


class Growing:
    """Rows of an array with room behind them; the room doubles when it is used up.

    The first rows are taken over as they are, not copied.
    """

    __slots__ = ("_room", "_used")

    def __init__(self, rows: npt.NDArray[Any]) -> None:
        self._room = rows
        self._used = len(rows)

    @property
    def rows(self) -> npt.NDArray[Any]:
        """The rows so far, not a copy."""
        return self._room[: self._used]

    def extend(self, rows: npt.NDArray[Any]) -> None:
        """Append rows."""
        if not self._used:
            self._room, self._used = rows, len(rows)
            return
        if not len(rows):
            return  # the room may be somebody else's, and not to be written
        end = self._used + len(rows)
        if end > len(self._room):
            room = np.empty((max(end, 2 * self._used), *self._room.shape[1:]), self._room.dtype)
            room[: self._used] = self.rows
            self._room = room
        self._room[self._used : end] = rows
        self._used = end
