"""Counting tokens: exact where the tokenizer is known, never below the truth, never failing."""

from __future__ import annotations

import functools
import logging
import math
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from memory_middleware.errors import TokenizerError
from memory_middleware.tokens.models import tokens_for_model
from memory_middleware.tokens.ranks import ENCODINGS, load_encoding

if TYPE_CHECKING:
    from memory_middleware.config import BudgetConfig

__all__ = ["BYTES", "TokenCounter", "byte_ceiling"]

BYTES = "bytes"
_log = logging.getLogger(__name__)


def byte_ceiling(text: str) -> int:
    """Count UTF-8 bytes: a byte-level tokenizer never makes more tokens, since each covers at least one."""
    return len(text.encode("utf-8", "surrogatepass"))


class TokenCounter:
    """Counts the tokens of texts.

    Args:
        encoding: ``o200k_base``, ``cl100k_base``, or ``bytes`` for the ceiling that holds for every
            byte-level tokenizer.
        factor: Multiplies every count, for models whose own tokenizer is not at hand.
        cache_size: How many texts' counts are remembered; long texts are counted anew each time.

    The rank file is loaded at the first count, not before. If it cannot be used, the counter falls
    back to ``bytes`` and says so in the log and in ``exact``.
    """

    CACHED_LENGTH = 8_000
    """Longer texts are not kept in the cache."""

    PIECE = 100_000
    """Text that the tokenizer's own engine gives up on is counted in pieces of this many characters."""

    def __init__(self, encoding: str = "o200k_base", *, factor: float = 1.0, cache_size: int = 8192) -> None:
        if encoding not in ENCODINGS and encoding != BYTES:
            known = ", ".join((*ENCODINGS, BYTES))
            raise TokenizerError(f"unknown encoding {encoding!r}; use one of: {known}")
        if not (math.isfinite(factor) and factor > 0):
            raise TokenizerError(f"the factor must be a positive number, not {factor!r}")
        self._encoding = encoding
        self._factor = factor
        self._cache_size = cache_size
        self._cached = functools.lru_cache(cache_size)(self._measure)

    @classmethod
    def for_model(cls, model: str, *, factor: float | None = None, cache_size: int = 8192) -> TokenCounter:
        """Build the counter that suits a model; an unknown one counts with a margin.

        Args:
            model: The model's name, with or without a provider in front.
            factor: Used instead of the built-in one.
            cache_size: As for the class.
        """
        tokens = tokens_for_model(model)
        return cls(tokens.encoding, factor=tokens.factor if factor is None else factor, cache_size=cache_size)

    @classmethod
    def from_config(cls, config: BudgetConfig) -> TokenCounter:
        """Build the counter that a budget asks for: by its encoding, else by its model, else ``o200k_base``."""
        if config.encoding is None and config.model:
            return cls.for_model(config.model, factor=config.factor)
        return cls(config.encoding or "o200k_base", factor=config.factor or 1.0)

    def __reduce__(self) -> tuple[Any, ...]:
        rebuild = functools.partial(TokenCounter, factor=self._factor, cache_size=self._cache_size)
        return rebuild, (self._encoding,)

    @property
    def encoding(self) -> str:
        """The encoding in use."""
        return self._encoding

    @property
    def factor(self) -> float:
        """What every count is multiplied with."""
        return self._factor

    @property
    def exact(self) -> bool:
        """Whether counts are those of a real tokenizer, neither a ceiling nor multiplied."""
        return self._encoding != BYTES and self._factor == 1.0

    def count(self, text: str) -> int:
        """Count the tokens of a text; text that looks like a special token counts as plain text."""
        return self._cached(text) if len(text) <= self.CACHED_LENGTH else self._measure(text)

    def count_all(self, texts: Iterable[str]) -> int:
        """Count several texts, each by itself."""
        return sum(map(self.count, texts))

    def cut(self, text: str, budget: int) -> str:
        """Give a start of a text that the budget holds, as long as bisection finds, in whole characters."""
        if self.count(text) <= budget:
            return text
        low, high = 0, min(len(text), self._longest(budget))
        while low < high:
            middle = (low + high + 1) // 2
            if self._measure(text[:middle]) <= budget:
                low = middle
            else:
                high = middle - 1
        return text[:low]

    def _longest(self, budget: int) -> int:
        """Bound the search in ``cut``: the longest token of either encoding covers 128 bytes."""
        return max(0, math.ceil(budget / self._factor)) * 128 + 1

    def _measure(self, text: str) -> int:
        return math.ceil(self._tokens(text) * self._factor)

    def _tokens(self, text: str) -> int:
        if self._encoding == BYTES:
            return byte_ceiling(text)
        try:
            encoding = load_encoding(self._encoding)
        except TokenizerError as error:
            _log.warning("tokens are counted as bytes from now on: %s", error)
            self._encoding = BYTES
            return byte_ceiling(text)
        try:
            # encode, not encode_ordinary: that one panics where this raises.
            return len(encoding.encode(text, disallowed_special=()))
        except ValueError:
            return byte_ceiling(text) if len(text) <= self.PIECE else self._tokens_in_pieces(text)

    def _tokens_in_pieces(self, text: str) -> int:
        return sum(self._tokens(text[at : at + self.PIECE]) for at in range(0, len(text), self.PIECE))
