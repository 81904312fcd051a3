"""Whether a tool's answer tells an error, and which."""

from __future__ import annotations

import json
import re
from typing import Any, NamedTuple

from memory_middleware.remember.experience.brief import brief
from memory_middleware.remember.experience.calls import Call
from memory_middleware.remember.experience.steps import step_name
from memory_middleware.remember.experience.touched import reads_only, target_of

__all__ = ["Failure", "failure_of"]

_MESSAGE = 200
_NAME = 60
_HEAD, _TAIL = 2000, 2000
_SHORT = 400
_CLASS = re.compile(r"\b(?:[a-z_]\w*\.)*([A-Z]\w{0,50}(?:Error|Exception|Failure|Timeout|Interrupt))\b")
_TRACEBACK = re.compile(r"^Traceback \(most recent call last\)", re.MULTILINE)
_TOLD = re.compile(
    r"[^\w{\[\"]{0,3}(?:(?:fatal |runtime |internal |an? )?(?:error|exception)\b"
    r"(?![\s-]+(?:handling|free|messages?\b|rate))"
    r"|failed(?: to|:)|failure:|fatal:|(?-i:(?:[a-z_]\w*\.)*[A-Z]\w*(?:Error|Exception|Timeout))\b\s*[:(]"
    r"|[^\n]{0,200}: (?:command not found|permission denied|no such file or directory)"
    r"|(?:错误|报错|异常|失败|出错)(?!的|率|处理|重试))",
    re.IGNORECASE,
)
_CODE = re.compile(
    r"(?:exit(?:ed)?(?: with)?(?: status| code)*|return ?code|退出码|返回码)\s*[:=：]?\s*(-?[1-9]\d{0,9})\b",
    re.IGNORECASE,
)
_TESTS = re.compile(r"^(?:=+ )?(?:\d+ \w+, )*[1-9]\d* (?:failed|errors?)\b", re.IGNORECASE)
_HTTP = re.compile(r"\b(?:HTTP(?:/[\d.]+)?|status(?: code)?)[\s:]*([45]\d\d)\b", re.IGNORECASE)


class Failure(NamedTuple):
    """What went wrong: a name for its kind, and a short message."""

    kind: str
    message: str


def failure_of(call: Call) -> Failure | None:
    """Tell what went wrong with a call, or none if nothing did, or nobody knows yet.

    The status of an answer decides; else its beginning, its end or its ``error`` field, so that a file or page
    that merely speaks of errors is none.
    """
    if call.answer is None:
        return None
    answer, reading = call.answer.strip(), reads_only(call)
    # What was merely read may say anything, unless it is short.
    trusted = not reading or len(answer) <= _SHORT
    told = _reported(answer) if trusted else None
    if not call.is_error and told is None and not (trusted and _tells(answer, reading)):
        return None
    text = told or answer or "no message"
    name = brief(step_name(call.name, target_of(call)), _NAME)
    return Failure(_kind(text, name), brief(_decisive(text), _MESSAGE) or "no message")


def _tells(answer: str, reading: bool) -> bool:
    """Judge an answer by its first and last words."""
    first, last = answer[:_HEAD].partition("\n")[0], answer[-_TAIL:].rpartition("\n")[2]
    if _TOLD.match(first) or _TRACEBACK.match(answer):
        return True
    return not reading and any(_CODE.match(line.strip()) or _TESTS.match(line.strip()) for line in (first, last))


def _reported(answer: str) -> str | None:
    """Read the error out of a JSON answer that has one."""
    if not answer.startswith("{") or len(answer) > 10 * _HEAD:
        return None
    try:
        data = json.loads(answer)
    except (ValueError, RecursionError):
        return None
    if data.get("error"):
        return _text(data["error"])
    if data.get("success") is False or data.get("ok") is False or data.get("isError") is True:
        return _text(data.get("message") or data.get("reason") or "no message")
    return None


def _text(value: Any) -> str:
    if isinstance(value, dict):
        value = value.get("message") or value
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _kind(text: str, step: str) -> str:
    """Name the kind of an error by its class, status or code; else by the step."""
    head, tail = text[:_HEAD], text[-_TAIL:]
    if classes := _CLASS.findall(tail if _TRACEBACK.search(head) else head):
        return str(classes[-1] if _TRACEBACK.search(head) else classes[0])
    if head.startswith("InvalidToolCall"):
        return "InvalidToolCall"
    if found := _HTTP.search(head):
        return f"HTTP {found[1]}"
    if found := _CODE.search(head) or _CODE.search(tail):
        return f"{step} exit code {found[1]}"
    return f"{step} failed"


def _decisive(text: str) -> str:
    """Give the part that tells: the last line of a traceback, else the beginning."""
    return text[-_TAIL:].strip().rpartition("\n")[2] if _TRACEBACK.search(text[:_HEAD]) else text
