"""The last look for secrets, before anything is told."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from memory_middleware.recall.sections import Line
from memory_middleware.schemas.scrub import scrub

__all__ = ["without_secrets"]

# Looking for every kind of secret takes longer than all the rest of a budget; without one of these there is none.
_HINTS = (
    "key", "secret", "token", "pass", "pwd", "pin", "bearer", "://", "sk-", "sk_", "rk_", "pk_", "ghp_", "gho_", "ghu_",
    "ghs_", "ghr_", "github_pat", "glpat", "akia", "asia", "aiza", "xox", "hf_", "hf-", "npm_", "npm-", "pypi",
    "dop_v1", "lsv2", "eyj", "密", "口令", "令牌", "验证码",
)  # fmt: skip
_LONG_NUMBER = re.compile(r"\d(?:[ -]?\d){12}")


def without_secrets(lines: Sequence[Line]) -> list[Line]:
    """Give lines with their secrets taken out."""
    if not _may_hold_one("\n".join(line.text for line in lines)):
        return list(lines)
    return [replace(line, text=scrub(line.text)) if _may_hold_one(line.text) else line for line in lines]


def _may_hold_one(text: str) -> bool:
    folded = text.casefold()
    return any(hint in folded for hint in _HINTS) or _LONG_NUMBER.search(text) is not None
