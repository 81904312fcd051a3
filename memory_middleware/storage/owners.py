"""How owners and threads are named in the database."""

from __future__ import annotations

import hashlib
import json
import unicodedata

__all__ = ["address_digest", "digest"]


def digest(text: str | None) -> str:
    """Give a fixed-width name for any text; equal texts have equal names."""
    return hashlib.sha256((text or "").encode("utf-8", "surrogatepass")).hexdigest()


def address_digest(subject: str | None, attribute: str | None) -> str | None:
    """Name the address of a record, or none if it has none; case, width and blanks around it do not matter."""
    if not subject or not attribute:
        return None
    parts = [unicodedata.normalize("NFKC", part).casefold().strip() for part in (subject, attribute)]
    return digest(json.dumps(parts))
