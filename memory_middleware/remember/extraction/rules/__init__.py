"""The extractor that needs no model."""

from __future__ import annotations

from memory_middleware.remember.extraction.rules.extractor import RuleExtractor

__all__ = ["RuleExtractor"]
