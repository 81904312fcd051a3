"""Remembered values that cannot leave their block."""

from __future__ import annotations

import re
import unicodedata

__all__ = ["neutralise"]

# Joiners and variation selectors stay: scripts and emoji need them. Between the signs of a fence they
# would hide it from us and not from a model.
_KEPT = "\u200c\u200d\ufe0e\ufe0f"
_IGNORABLE = "[\u200c\u200d\u034f\ufe00-\ufe0f\U000e0100-\U000e01ef]*"
_OPENING = re.compile(_IGNORABLE.join("<!--"))
_CLOSING = re.compile(_IGNORABLE.join("-->"))
_MARKER = re.compile(r"(USER|WORK)_(?=MEMORY)", re.IGNORECASE)
_SPACE = re.compile(r"\s+")


def neutralise(value: str) -> str:
    """Make a value one line of plain text: no control or invisible characters, no fences, no marker names."""
    visible = "".join(char for char in value if char in _KEPT or not _is_hidden(char))
    line = _SPACE.sub(" ", visible).strip()
    line = _CLOSING.sub("-- >", _OPENING.sub("< !--", line))
    return _MARKER.sub(r"\1 ", line)


def _is_hidden(char: str) -> bool:
    return not char.isspace() and unicodedata.category(char) in ("Cc", "Cf", "Cs")
