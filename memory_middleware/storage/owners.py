"""How owners and threads are named in the database."""

from __future__ import annotations

import hashlib

__all__ = ["digest"]


def digest(text: str | None) -> str:
    """Give a fixed-width name for any text; equal texts have equal names."""
    return hashlib.sha256((text or "").encode("utf-8", "surrogatepass")).hexdigest()
