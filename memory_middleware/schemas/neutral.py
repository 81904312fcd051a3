"""Remembered values that cannot leave their block."""

from __future__ import annotations

import re
import unicodedata

__all__ = ["contained", "neutralise"]

# Joiners and variation selectors stay: scripts and emoji need them. Between the signs of a fence they
# would hide it from us and not from a model.
_KEPT = "\u200c\u200d\ufe0e\ufe0f"
_UNSEEN = "\u200c\u200d\u034f\ufe00-\ufe0f\U000e0100-\U000e01ef"
_IGNORABLE = f"[{_UNSEEN}]*"
_RUNS = re.compile(f"([{_UNSEEN}])[{_UNSEEN}]+")
# Letters that show nothing.
_FILLERS = "\u115f\u1160\u3164\uffa0"
_SPACE = re.compile(r"\s+")


def _signs(text: str) -> str:
    """A pattern for signs among which invisible ones may stand."""
    return _IGNORABLE.join(map(re.escape, text))


_BROKEN: tuple[tuple[re.Pattern[str], str], ...] = (
    (re.compile(_signs("<!--")), "< !--"),
    (re.compile(rf"{_signs('--')}{_IGNORABLE}(!?){_IGNORABLE}>"), r"--\1 >"),
    (
        re.compile(
            rf"({_signs('USER')}|{_signs('WORK')}){_IGNORABLE}_{_IGNORABLE}(?={_signs('MEMORY')})", re.IGNORECASE
        ),
        r"\1 ",
    ),
    # What chat templates and Markdown take for the end of a text.
    (re.compile(_signs("<|")), "< |"),
    (re.compile(_signs("|>")), "| >"),
    (re.compile(_signs("```")), "` ` `"),
    (re.compile(_signs("~~~")), "~ ~ ~"),
    (re.compile(r"\[(/?INST)\]", re.IGNORECASE), r"[ \1 ]"),
    (re.compile(r"<(/?s)>", re.IGNORECASE), r"< \1 >"),
)


def neutralise(value: str) -> str:
    """Make a value one line of plain text: no control or invisible characters, no fences, no marker names."""
    visible = "".join(char for char in value if char in _KEPT or not _is_hidden(char))
    line = _RUNS.sub(r"\1", _SPACE.sub(" ", visible).strip())
    for pattern, instead in _BROKEN:
        line = pattern.sub(instead, line)
    return line


def contained(text: str) -> str:
    """Make a text safe to stand among others: each line neutral, all but the first indented."""
    return "\n   ".join(filter(None, map(neutralise, text.splitlines())))


def _is_hidden(char: str) -> bool:
    return char in _FILLERS or (not char.isspace() and unicodedata.category(char) in ("Cc", "Cf", "Cs"))
