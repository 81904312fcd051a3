"""Allergies and what somebody does not eat as rules of the profile, which is told in every turn."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from memory_middleware.remember.extraction.rules.findings import Finding
from memory_middleware.remember.extraction.rules.phrasing import sentence_of

__all__ = ["lifted", "restricted"]

Change = tuple[tuple[str, ...], str]
_RULES = ("user", "custom_rules")


def lifted(finding: Finding) -> Iterable[Change]:
    """The line of a restriction that a new finding takes the place of, or that does not hold any more."""
    if finding.attribute not in ("allergy", "diet", "taste"):
        return
    line = _restriction(finding)
    if finding.attribute == "allergy" and finding.variant:
        yield _RULES, sentence_of(replace(finding, variant=""))
    if finding.replace and finding.replace != line and (line or finding.attribute != "taste" or _forbids(finding)):
        yield _RULES, finding.replace


def _forbids(finding: Finding) -> bool:
    """Tell whether the record that a taste replaces says that somebody does not eat something."""
    return finding.replace == sentence_of(replace(finding, variant="no_food"))


def _restriction(finding: Finding) -> str:
    """Say what must not be served to somebody; nothing if a finding is no restriction."""
    held = finding.attribute == "diet" or (finding.attribute, finding.variant) in (
        ("allergy", ""),
        ("taste", "no_food"),
    )
    return sentence_of(finding) if held else ""


def restricted(finding: Finding) -> Iterable[Change]:
    """The line of a restriction, as the profile tells it in every turn."""
    if line := _restriction(finding):
        yield _RULES, line
