"""Ids that follow from what they name, so that writing twice writes once."""

from __future__ import annotations

import hashlib
import json

__all__ = ["derive_id"]


def derive_id(prefix: str, *parts: str | int | None) -> str:
    """Derive a 128-bit id from its parts; equal parts give equal ids, on every machine.

    The parts are joined as a JSON array, so ``("ab", "c")`` and ``("a", "bc")`` differ.
    """
    canonical = json.dumps(parts, ensure_ascii=True, separators=(",", ":"))
    return f"{prefix}_{hashlib.sha256(canonical.encode('ascii')).hexdigest()[:32]}"
