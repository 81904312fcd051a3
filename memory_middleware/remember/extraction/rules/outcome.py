"""All that was found in a batch as one extraction: one value at each address, the most useful first."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime

from memory_middleware.remember.extraction.base import Extraction, ExtractionBatch, Retraction
from memory_middleware.remember.extraction.rules.findings import Finding, Who
from memory_middleware.remember.extraction.rules.known import Known, under_new_name
from memory_middleware.remember.extraction.rules.patches import profile_changes
from memory_middleware.remember.extraction.rules.phrasing import sentence_of
from memory_middleware.remember.extraction.rules.rounds import RoundReader, Said
from memory_middleware.remember.extraction.rules.script import has_han
from memory_middleware.remember.extraction.rules.vocabulary import ATTRIBUTES, normalise
from memory_middleware.schemas.dialogue import Fact

__all__ = ["outcome_of"]

Address = tuple[str, str]


def outcome_of(reader: RoundReader, batch: ExtractionBatch) -> Extraction:
    """Give what a reader found as facts, retractions and profile changes."""
    times = {round_.id: round_.created_at for round_ in batch.rounds}
    kept = _settled(reader.said, times, reader.known)
    live = [finding for finding in kept if not finding.ended]
    facts = [_fact(finding, batch.auto_tag) for finding in _by_use(live)]
    changes = profile_changes(finding for finding in kept if not finding.extra.get("past"))
    return Extraction(
        tuple(facts[: max(0, batch.max_facts)]),
        (*_ends(kept), *_jokes(reader, live)),
        changes.patch,
        changes.removals,
    )


def _settled(said: list[Said], times: dict[str, datetime], known: Known) -> list[Finding]:
    """Let later findings correct, end or repeat earlier ones of the same address."""
    kept: list[Finding] = []
    current: dict[Address, int] = {}
    for one in said:
        finding = one.finding
        address = (finding.subject, finding.address)
        at = current.get(address)
        earlier = kept[at] if at is not None else None
        if _is_idle(finding, earlier, known):
            continue
        if at is not None and earlier is not None:
            if _ends_another(finding, earlier):
                kept[at] = _without(earlier, finding)
                continue
            if _same(earlier, finding):
                kept[at] = _joined(earlier, finding)
                continue
            kept[at] = _over(earlier, finding, times.get(one.round_id))
        current[address] = len(kept)
        kept.append(_replacing(finding, known))
        for moved in _renamed(finding, kept, known, times.get(one.round_id)):
            current[(moved.subject, moved.address)] = len(kept)
            kept.append(moved)
    named = {finding.extra["relation"] for finding in kept if finding.variant == "pet"}
    return [finding for finding in kept if not _void(finding, named)]


def _renamed(finding: Finding, kept: list[Finding], known: Known, when: datetime | None) -> list[Finding]:
    """Say what was said or is known of a project again under its new name; what was said under the old one ends."""
    former = finding.extra.get("former")
    if not former:
        return []
    old, new = Who(former, "project"), Who(finding.value, "project")
    moved = {}
    for at, one in enumerate(kept):
        if normalise(one.subject) == normalise(old.subject) and not (one.ended or _is_over(one)):
            kept[at] = _over(one, finding, when)
            evidence = tuple(dict.fromkeys((*one.evidence, *finding.evidence)))
            moved[one.address] = replace(one, who=new, evidence=evidence)
    for record in known.about(old.subject):
        if record.attribute not in moved:
            moved[record.attribute or ""] = replace(
                under_new_name(record, former, finding.value), evidence=finding.evidence
            )
    return list(moved.values())


def _is_over(finding: Finding) -> bool:
    return bool(finding.extra.get("void") or finding.extra.get("past"))


def _ends_another(finding: Finding, earlier: Finding) -> bool:
    """Tell whether what ends is not what holds: ``I live in Porto, I don't live in Lisbon any more``."""
    if not finding.ended or earlier.ended or not finding.value or finding.attribute != earlier.attribute:
        return False
    return normalise(finding.value) not in normalise(earlier.value)


def _without(earlier: Finding, finding: Finding) -> Finding:
    """Keep what holds, and note in its place what it took the place of."""
    left = {"left": finding.value} if finding.attribute == "city" else {}
    return replace(earlier, change=True, extra={**earlier.extra, **left})


def _void(finding: Finding, named: set[str]) -> bool:
    """Tell whether a finding fell to a later one; a dog without a name falls to one with a name."""
    nameless = finding.attribute == "children" and finding.extra.get("relation") in named
    return nameless or bool(finding.extra.get("void"))


def _is_idle(finding: Finding, earlier: Finding | None, known: Known) -> bool:
    """Tell whether a finding changes nothing: it denies what nobody said, or adds little to what was said."""
    if finding.extra.get("only_if"):
        return not _was_said(finding, earlier, known)
    if finding.ended and earlier is None and finding.value:
        before = known.value_before(finding)
        return before is not None and _is_another(finding.value, before)
    return bool(finding.extra.get("weak")) and earlier is not None


def _is_another(one: str, other: str) -> bool:
    """Tell whether two values of one script are not the same."""
    if has_han(one) != has_han(other):
        return False
    return normalise(one) not in normalise(other) and normalise(other) not in normalise(one)


def _was_said(finding: Finding, earlier: Finding | None, known: Known) -> bool:
    """Tell whether what is denied was said before."""
    if finding.extra.get("whole"):
        return normalise(finding.value) == normalise((earlier.value if earlier else known.value_before(finding)) or "")
    record = known.at(finding.subject, finding.address)
    old = sentence_of(earlier) if earlier else record.content if record else ""
    return normalise(finding.value) in normalise(old)


def _same(one: Finding, other: Finding) -> bool:
    return (one.ended, one.variant, normalise(one.value), one.day) == (
        other.ended,
        other.variant,
        normalise(other.value),
        other.day,
    )


def _joined(one: Finding, other: Finding) -> Finding:
    evidence = tuple(dict.fromkeys((*one.evidence, *other.evidence)))
    return replace(
        one, evidence=evidence, confidence=max(one.confidence, other.confidence), extra={**one.extra, **other.extra}
    )


def _over(earlier: Finding, later: Finding, when: datetime | None) -> Finding:
    """End an earlier finding: it was never true if the later one corrects it, and true until then if not."""
    at_once = earlier.evidence == later.evidence and not later.change
    never = later.correction or earlier.ended or at_once
    if never or when is None:
        return replace(earlier, extra={**earlier.extra, "void": True})
    end = min(when, earlier.valid_to) if earlier.valid_to else when
    return replace(earlier, valid_to=end, extra={**earlier.extra, "past": True})


def _replacing(finding: Finding, known: Known) -> Finding:
    """Name the record that a finding takes the place of, and the value that it held."""
    record = known.at(finding.subject, finding.address)
    if record is None or finding.ended or finding.replace or record.content == sentence_of(finding):
        return finding
    before = known.value_before(finding)
    extra = {**finding.extra, "before": before} if before else finding.extra
    return replace(finding, replace=record.content, extra=extra)


def _by_use(findings: list[Finding]) -> list[Finding]:
    """Put the most useful first; what stood at one address stays in the order of time."""
    best: dict[Address, tuple[int, float]] = {}
    for finding in findings:
        address = (finding.subject, finding.address)
        use = (ATTRIBUTES[finding.attribute].rank, -finding.confidence)
        best[address] = min(best.get(address, use), use)
    return sorted(findings, key=lambda finding: best[(finding.subject, finding.address)])


def _fact(finding: Finding, auto_tag: bool) -> Fact:
    attribute = ATTRIBUTES[finding.attribute]
    return Fact(
        content=sentence_of(finding),
        type=finding.extra.get("record_kind", attribute.kind),
        tags=attribute.tags[:5] if auto_tag else (),
        confidence=finding.confidence,
        replace=finding.replace,
        subject=finding.subject,
        attribute=finding.address,
        event_time=finding.event_time,
        valid_to=finding.valid_to,
        evidence=finding.evidence,
    )


def _ends(findings: Iterable[Finding]) -> Iterable[Retraction]:
    return [
        Retraction(finding.subject, finding.address, evidence=finding.evidence) for finding in findings if finding.ended
    ]


def _jokes(reader: RoundReader, live: list[Finding]) -> Iterable[Retraction]:
    """Take back rounds; one that also says something that is meant keeps what is left of it."""
    meant = {round_id for finding in live for round_id in finding.evidence}
    return [
        Retraction(evidence=(said_in,), rounds=(round_id,))
        for round_id, said_in in reader.taken_back.items()
        if round_id not in meant
    ]
