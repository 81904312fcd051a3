"""Taking secrets out of text: keys, tokens, passwords and card numbers."""

from __future__ import annotations

import re

__all__ = ["SECRET", "has_secret", "may_hold_secret", "scrub"]

SECRET = "[secret]"
"""What stands in the place of a secret."""

_IS = r"(?:\s+(?:is|was)(?:\s+now)?\b|\s{0,3}[:=]|\s*[\"']\s*:)\s*[\"'`“]?"
_VALUE = r"[^\s\"'`”,;，。；]"
_KEYS = (
    r"(?:api|access|secret|private|encryption)[ _\-]?key|client[ _\-]?secret|"
    r"(?:auth|access|refresh)[ _\-]?token"
)
_PASSWORDS = r"password|passwd|passphrase|pwd|passcode|pin(?: code)?"
# What people say of a password without telling it.
_NO_PASSWORD = (
    r"(?:required|wrong|too|not|the|a|an|my|your|incorrect|invalid|expired|reset|secret|safe|strong|weak|stored|kept)\b"
)
# Each pattern names what to replace as its group ``secret``, or replaces its whole match. All are bounded, so that
# no text makes them slow.
_EXACT = (
    r"-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----[A-Za-z0-9+/=\s:,\-]{0,20000}(?:-----END [A-Z ]{0,40}PRIVATE KEY-----)?",
    r"\bsk-(?:[a-z]{2,12}-)?[A-Za-z0-9_\-]{16,200}",
    r"\b(?:gh[pousr]_[A-Za-z0-9]{20,255}|github_pat_[A-Za-z0-9_]{20,255}|glpat-[A-Za-z0-9_\-]{16,64})",
    r"\b(?:AKIA|ASIA)[A-Z0-9]{16}\b",
    r"\bAIza[A-Za-z0-9_\-]{30,45}",
    r"\bxox[abeoprs]-[A-Za-z0-9\-]{10,200}",
    r"\b(?:sk|rk|pk)_(?:live|test)_[A-Za-z0-9]{16,128}",
    r"\b(?:hf|npm|pypi|dop_v1|lsv2_pt|lsv2_sk)[_\-][A-Za-z0-9_\-]{20,255}",
    r"\beyJ[A-Za-z0-9_\-]{8,4000}\.[A-Za-z0-9_\-]{8,8000}\.[A-Za-z0-9_\-]{0,2000}",
    r"(?:密码|口令|密钥|密匙|令牌|验证码)(?:就?是|为|[:：=])\s*[\"'`“「]?(?P<secret>[A-Za-z0-9!-/:-@\[-`{-~]{3,200})",
)
_ANY_CASE = (
    r"\bBearer\s+(?P<secret>[A-Za-z0-9._~+/\-]{16,4000}=*)",
    r"\b[a-z][a-z0-9+.\-]{1,20}://[^\s:/@]{1,100}:(?P<secret>[^\s:/@]{1,200})@",
    rf"\b(?:{_KEYS}){_IS}(?P<secret>{_VALUE}{{6,500}})",
    rf"\b(?:{_PASSWORDS}){_IS}(?P<secret>(?!{_NO_PASSWORD}){_VALUE}{{3,200}})",
)
_PATTERNS = (*map(re.compile, _EXACT), *(re.compile(pattern, re.IGNORECASE) for pattern in _ANY_CASE))
# Every secret has one of these about it, and most texts have none; plain words are found faster than patterns.
_SIGNS = (
    "key", "secret", "token", "pass", "pwd", "pin", "bearer", "://", "sk-", "sk_", "rk_", "pk_", "ghp_", "gho_", "ghu_",
    "ghs_", "ghr_", "github_pat", "glpat", "akia", "asia", "aiza", "xox", "hf_", "hf-", "npm_", "npm-", "pypi",
    "dop_v1", "lsv2", "eyj", "密", "口令", "令牌", "验证码",
)  # fmt: skip
_LONG_NUMBER = re.compile(r"\d(?:[ \-]?\d){12}")
_CARD = re.compile(r"(?<![\d.\-])\d(?:[ \-]?\d){12,18}(?![\d.\-]*\d)")


def scrub(text: str) -> str:
    """Give a text with its secrets replaced by ``[secret]``; a text without any stays as it is."""
    if not may_hold_secret(text):
        return text
    for pattern in _PATTERNS:
        text = pattern.sub(_hidden, text)
    return _CARD.sub(_card, text)


def may_hold_secret(text: str) -> bool:
    """Tell quickly whether it is worth looking for secrets; without a sign of one there is none."""
    folded = text.casefold()
    return any(sign in folded for sign in _SIGNS) or _LONG_NUMBER.search(text) is not None


def has_secret(text: str) -> bool:
    """Tell whether a text holds a secret."""
    return scrub(text) != text


def _hidden(found: re.Match[str]) -> str:
    whole = found.group(0)
    if "secret" not in found.re.groupindex:
        return SECRET
    start, end = (place - found.start() for place in found.span("secret"))
    return f"{whole[:start]}{SECRET}{whole[end:]}"


def _card(found: re.Match[str]) -> str:
    digits = [int(char) for char in found.group(0) if char.isdigit()]
    # A phone number or an order number of that length seldom passes the check sum of cards.
    return SECRET if 13 <= len(digits) <= 19 and _luhn(digits) and len(set(digits)) > 1 else found.group(0)


def _luhn(digits: list[int]) -> bool:
    doubled = (digit if at % 2 == 0 else digit * 2 - 9 * (digit > 4) for at, digit in enumerate(reversed(digits)))
    return sum(doubled) % 10 == 0
