"""Findings as sentences that stand by themselves, in the owner's language."""

from __future__ import annotations

from memory_middleware.remember.extraction.rules.findings import Finding, Who
from memory_middleware.remember.extraction.rules.relations import chinese_word
from memory_middleware.remember.extraction.rules.vocabulary import ATTRIBUTES

__all__ = ["in_chinese", "in_english", "sentence_of"]


def sentence_of(finding: Finding) -> str:
    """Say a finding in one full sentence."""
    english, chinese = ATTRIBUTES[finding.attribute].sentences[finding.variant]
    if finding.language == "zh":
        said = chinese.format(who=in_chinese(finding.who), v=finding.value, k=_kind(finding), d=finding.day)
        return said.replace(" 。", "。")
    who = in_english(finding.who)
    said = english.format(who=who, whose=f"{who}'s", v=finding.value, k=_kind(finding), d=finding.day)
    return said.replace("..", ".")


def _kind(finding: Finding) -> str:
    return str(finding.extra.get("kind", finding.key))


def in_english(who: Who) -> str:
    """Name somebody at the beginning of an English sentence."""
    if who.is_user:
        return "The user"
    if who.relation == "project":
        return f"The project {who.name}"
    return f"The user's {who.relation} {who.name}".rstrip()


def in_chinese(who: Who) -> str:
    """Name somebody at the beginning of a Chinese sentence."""
    if who.is_user:
        return "用户"
    if who.relation == "project":
        return f"{who.name}项目"
    return f"用户的{who.word or chinese_word(who.relation)}{who.name}"
