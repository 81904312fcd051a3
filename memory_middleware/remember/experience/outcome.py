"""How a run ended, by rules."""

from __future__ import annotations

import re
from collections.abc import Sequence

from langchain_core.messages import AIMessage, BaseMessage

from memory_middleware.remember.experience.calls import Call
from memory_middleware.remember.experience.failures import Failure
from memory_middleware.remember.turns import message_text

__all__ = ["outcome_of"]

_LOOKED_AT = 4000
_GAVE_UP = re.compile(
    r"\b(?:I|we)(?:'m| am| was| were| have been|'ve been)? ?(?:still |also |unfortunately )?"
    r"(?:could ?n[o']t|cannot|can ?n[o']t|unable to|not able to|failed to|did ?n[o']t manage to|did ?n[o']t succeed)"
    r"(?! (?:find|see|spot|detect|identify|reproduce) (?:any|a single|evidence|further))"
    r"|(?:^|[.!?\n])\s*(?:unfortunately, )?(?:unable|failed|could not|couldn't) (?:to )?\w"
    r"|\bthe task (?:failed|could not be|was not completed|is not complete)",
    re.IGNORECASE,
)
_GAVE_UP_CHINESE = re.compile(
    r"(?:我们?|(?:^|[。！？，,;；\n]))\s*(?:很抱歉|抱歉|对不起|遗憾的是|目前|暂时|仍然?|还|也|最终)?[，,]?\s*我?们?(?:还是|仍然?|暂时|目前)?"
    r"(?:无法|没能|未能|不能|没有办法|没有成功)(?!发现任何|找到任何|再)"
    r"|任务(?:失败|未完成|没有完成)"
)
_IN_PART = re.compile(
    r"\b(?:partially|partly|in part|only some|the rest (?:is|remains|of))\b|部分完成|只完成了|还剩", re.IGNORECASE
)


def outcome_of(messages: Sequence[BaseMessage], calls: Sequence[tuple[Call, Failure | None]], changed: bool) -> str:
    """Judge a run: ``success``, ``failure`` or ``partial``.

    A run failed if every call failed, or if the worker says that it could not do it and has changed nothing. It
    succeeded in part if the worker says so, if it gave up after changing something, if its last calls failed or
    have no answer, or if it never came to a last word.

    Args:
        messages: The run.
        calls: Its calls and what went wrong with them.
        changed: Whether the run changed or made anything.
    """
    answered = [failure for call, failure in calls if call.answer is not None]
    if answered and all(answered):
        return "failure"
    said = _last_word(messages)
    if said and _gave_up(said):
        return "partial" if changed or _IN_PART.search(said) else "failure"
    if not said or _IN_PART.search(said) or _ends_badly(calls):
        return "partial"
    return "success"


def _last_word(messages: Sequence[BaseMessage]) -> str:
    """Give what the worker said in its last message; nothing if that is a call, or somebody else's."""
    last = messages[-1] if messages else None
    is_final = isinstance(last, AIMessage) and not last.tool_calls
    return message_text(last)[-_LOOKED_AT:] if last is not None and is_final else ""


def _gave_up(said: str) -> bool:
    return bool(_GAVE_UP.search(said) or _GAVE_UP_CHINESE.search(said))


def _ends_badly(calls: Sequence[tuple[Call, Failure | None]]) -> bool:
    if not calls:
        return False
    call, failure = calls[-1]
    return failure is not None or call.answer is None
