"""What Chinese clauses say."""

from __future__ import annotations

from memory_middleware.remember.extraction.rules.chinese.clauses import (
    read_clause,
    read_consequence,
    read_mentions,
    read_orders,
)

__all__ = ["read_clause", "read_consequence", "read_mentions", "read_orders"]
