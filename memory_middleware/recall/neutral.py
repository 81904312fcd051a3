"""Remembered values that cannot leave their block."""

from __future__ import annotations

import re
import unicodedata

__all__ = ["neutralise"]

# Joiners stay: Persian and Indic scripts and emoji need them.
_JOINERS = "\u200c\u200d"
_SPACE = re.compile(r"\s+")


def neutralise(value: str) -> str:
    """Make a value one line of plain text: no control or invisible characters, no comment fences."""
    visible = "".join(char for char in value if char in _JOINERS or not _is_hidden(char))
    line = _SPACE.sub(" ", visible).strip()
    return line.replace("<!--", "< !--").replace("-->", "-- >")


def _is_hidden(char: str) -> bool:
    if char.isspace():
        return False
    return unicodedata.category(char) in ("Cc", "Cf", "Cs", "Co", "Cn")
