"""Exact token counts without a network."""

from memory_middleware.tokens.counter import TokenCounter, byte_ceiling
from memory_middleware.tokens.models import ModelTokens, tokens_for_model

__all__ = ["ModelTokens", "TokenCounter", "byte_ceiling", "tokens_for_model"]
