"""The one place where a failure of memory is kept from the agent."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager

from memory_middleware.config import MemoryConfig
from memory_middleware.errors import EmbeddingError, SchemaError, StoreError

__all__ = ["Shelter"]

_log = logging.getLogger(__name__)


class Shelter:
    """Skips parts of memory that fail, and tells which; with ``on_error: raise`` it lets them fail.

    Args:
        config: Says which of the two.

    Attributes:
        problems: What failed and was skipped.
    """

    def __init__(self, config: MemoryConfig) -> None:
        self._raises = config.on_error == "raise"
        self.problems: list[str] = []

    @contextmanager
    def around(self, part: str) -> Iterator[None]:
        """Recall a part of memory; what is stored badly, or not to be reached, does not cost the turn."""
        try:
            yield
        except (EmbeddingError, StoreError, SchemaError) as error:
            if self._raises:
                raise
            _log.warning("%s could not be recalled", part, exc_info=error)
            self.problems.append(f"{part}: {error}")
