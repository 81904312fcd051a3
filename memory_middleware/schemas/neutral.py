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


class _Visible(dict[int, int | None]):
    """What becomes of each character, looked up once: hidden ones go."""

    def __missing__(self, code: int) -> int | None:
        char = chr(code)
        self[code] = None if char not in _KEPT and _is_hidden(char) else code
        return self[code]


def _is_hidden(char: str) -> bool:
    return char in _FILLERS or (not char.isspace() and unicodedata.category(char) in ("Cc", "Cf", "Cs"))


_VISIBLE = _Visible()


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


_ROLES = "|".join(
    _signs(role)
    for role in (
        "system", "assistant", "user", "human", "developer", "tool", "function", "model", "ai", "bot",
        "instructions", "instruction", "系统", "助手", "用户", "人类", "开发者", "工具", "指令",
    )
)  # fmt: skip
# At the start of a line these would pass for the turn of a speaker.
_TURN = re.compile(
    rf"^([>#*_=\-\[(|/ {_UNSEEN}]*(?:{_ROLES})[*_\])|/ {_UNSEEN}]*)(?=[:：])"
    rf"|^([{_UNSEEN}]*#[# {_UNSEEN}]*(?:{_ROLES})(?![^\W\d_]))",
    re.IGNORECASE,
)
_TAG = re.compile(rf"<(/?)[ ]*((?:{_ROLES})|<?/?SYS>?)[ ]*>", re.IGNORECASE)
# Without one of these there is nothing to break.
_SUSPECT = re.compile(r"[<>`~\[_]")


def neutralise(value: str) -> str:
    """Make a value one line of plain text that speaks for nobody.

    No control or invisible characters, no fences, no marker names; what looks like the turn of a speaker, such as
    ``system:`` or ``### Assistant`` at the start of a line, is quoted.
    """
    if value.isascii() and value.isprintable():
        line = _unspoken(" ".join(value.split()))
    else:
        lines = (" ".join(part.split()) for part in value.translate(_VISIBLE).splitlines())
        line = _RUNS.sub(r"\1", " ".join(_unspoken(part) for part in lines if part))
    if _SUSPECT.search(line) is None:
        return line
    for pattern, instead in _BROKEN:
        line = pattern.sub(instead, line)
    return _TAG.sub(r"< \1\2 >", line)


def contained(text: str) -> str:
    """Make a text safe to stand among others: each line neutral, all but the first indented."""
    return "\n   ".join(filter(None, map(neutralise, text.splitlines())))


def _unspoken(line: str) -> str:
    """Quote what looks like the turn of a speaker at the start of a line."""
    found = _TURN.match(line)
    return f'"{(found[1] or found[2]).strip()}"{line[found.end() :]}' if found else line
