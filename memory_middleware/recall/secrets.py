"""The last look for secrets, before anything is told."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from memory_middleware.recall.sections import Line
from memory_middleware.schemas.scrub import scrub

__all__ = ["without_secrets"]

# Looking for every kind of secret takes longer than all the rest of a budget; without one of these there is none.
_HINT = re.compile(
    r"key|secret|token|pass|pwd|pin\b|bearer|://|sk[-_]|[rp]k_|gh[pousr]_|github_pat|glpat|akia|asia|aiza|xox|hf[-_]"
    r"|npm[-_]|pypi[-_]|dop_v1|lsv2|eyj|密|口令|令牌|验证码|\d(?:[ -]?\d){12}",
    re.IGNORECASE,
)


def without_secrets(lines: Sequence[Line]) -> list[Line]:
    """Give lines with their secrets taken out."""
    if _HINT.search("\n".join(line.text for line in lines)) is None:
        return list(lines)
    return [replace(line, text=scrub(line.text)) if _HINT.search(line.text) else line for line in lines]
