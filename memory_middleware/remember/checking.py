"""Between the extractor and memory: facts need evidence, secrets go, orders of strangers are put aside."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from memory_middleware.config import ExtractConfig
from memory_middleware.remember.extraction.base import Extraction, Retraction
from memory_middleware.remember.grounding import missing_names, said_by, stands_in
from memory_middleware.remember.jokes import joke_about_facts
from memory_middleware.remember.suspicion import is_attack, is_instruction
from memory_middleware.remember.unsaid import Unsaid, without_unsaid
from memory_middleware.schemas.dialogue import Dialogue, Fact
from memory_middleware.schemas.record import RecordKind, RecordState, TrustTier
from memory_middleware.schemas.scrub import SECRET, scrub

__all__ = ["Checked", "CheckedFact", "Refusal", "check", "scrubbed", "suspicion_of"]

# Fields whose values are other words for what was said: zones, times, dates and choices.
_DERIVED_NAMES = (
    "timezone start end weekdays cadence status preference due_date deadline primary_language language_preference "
    "category relationship role importance priority communication_style work_lifestyle"
)
_DERIVED = frozenset(_DERIVED_NAMES.split())


class Refusal(NamedTuple):
    """A fact that was not taken, and why."""

    content: str
    why: str


@dataclass(frozen=True, slots=True)
class CheckedFact:
    """A fact that may be remembered.

    Attributes:
        fact: The fact, without secrets.
        rounds: The rounds it came from, the oldest first.
        trust: In whose words it stands there.
        state: ``active``, or ``quarantined`` if somebody should look at it first.
        note: Why it is quarantined.
    """

    fact: Fact
    rounds: tuple[Dialogue, ...]
    trust: TrustTier = TrustTier.USER
    state: RecordState = RecordState.ACTIVE
    note: str | None = None


@dataclass(frozen=True, slots=True)
class Checked:
    """What is left of an extraction, what was refused, and what it says and unsays of the profiles."""

    facts: tuple[CheckedFact, ...] = ()
    retractions: tuple[Retraction, ...] = ()
    profile_patch: Mapping[str, Any] | None = None
    profile_removals: Mapping[str, Any] | None = None
    refused: tuple[Refusal, ...] = ()
    unsaid: tuple[Unsaid, ...] = ()


def check(extraction: Extraction, rounds: Sequence[Dialogue], rules: ExtractConfig) -> Checked:
    """Check what an extractor found against the rounds it read."""
    sound = (joke_about_facts(_sound(found, rounds), extraction.facts, rounds) for found in extraction.retractions)
    told = replace(extraction, retractions=tuple(one for one in sound if one.evidence or one.rounds))
    extraction, unsaid = without_unsaid(told, rounds)
    facts: list[CheckedFact] = []
    refused: list[Refusal] = []
    for fact in extraction.facts:
        found = _check_fact(fact, rounds, rules)
        if isinstance(found, CheckedFact):
            facts.append(found)
        else:
            refused.append(Refusal(fact.content, found))
    kept, surplus = facts[: rules.max_facts], facts[rules.max_facts :]
    refused += [Refusal(found.fact.content, f"more than {rules.max_facts} facts in a batch") for found in surplus]
    spoken = "\n".join(one.user_query for one in rounds)
    return Checked(
        tuple(kept),
        extraction.retractions,
        _spoken_only(extraction.profile_patch, spoken) if kept or not extraction.facts else None,
        extraction.profile_removals or None,
        tuple(refused),
        unsaid,
    )


def _check_fact(fact: Fact, rounds: Sequence[Dialogue], rules: ExtractConfig) -> CheckedFact | str:
    clean = scrubbed(fact)
    if clean.content.replace(SECRET, "").strip(" .:=。：") == "":
        return "it is nothing but a secret"
    if clean.confidence < rules.min_confidence:
        return f"its confidence {clean.confidence:g} is below {rules.min_confidence:g}"
    cited = _evidence(clean, rounds)
    if not cited:
        return "no round says so"
    if missing := missing_names(clean.content.replace(SECRET, " "), cited):
        return f"its rounds do not hold {', '.join(missing)}"
    trust = said_by(clean.content, cited)
    why = suspicion_of(clean, trust)
    state = RecordState.QUARANTINED if why else RecordState.ACTIVE
    return CheckedFact(clean, cited, trust, state, why)


def scrubbed(fact: Fact) -> Fact:
    """Give a fact without secrets."""
    told = {name: text and scrub(text) for name, text in (("subject", fact.subject), ("attribute", fact.attribute))}
    return fact.model_copy(update={**told, "content": scrub(fact.content), "tags": tuple(map(scrub, fact.tags))})


def suspicion_of(fact: Fact, trust: TrustTier) -> str | None:
    """Tell why somebody should look at a fact before it is believed, or none."""
    if is_attack(fact.content):
        return "it tries to steer the agent"
    if trust is TrustTier.USER:
        return None
    if fact.type is RecordKind.FEEDBACK:
        return f"only the owner may tell the agent how to behave; this stands in the words of the {trust.value}"
    return "it reads like an order, and the owner did not give it" if is_instruction(fact.content) else None


def _evidence(fact: Fact, rounds: Sequence[Dialogue]) -> tuple[Dialogue, ...]:
    """Give the rounds a fact cites; of a fact that cites none, those that hold it best."""
    cited = tuple(one for one in rounds if one.id in fact.evidence)
    if cited or not rounds:
        return cited
    held = [stands_in(fact.content, f"{one.user_query}\n{one.assistant_response}") for one in rounds]
    best = max(held)
    return tuple(one for one, part in zip(rounds, held, strict=True) if part == best) if best >= 0.5 else ()


def _sound(retraction: Retraction, rounds: Sequence[Dialogue]) -> Retraction:
    cited = tuple(one for one in rounds if one.id in retraction.evidence)
    said_at = max((one.created_at for one in cited), default=None)
    return replace(retraction, evidence=tuple(one.id for one in cited), said_at=said_at, cited=cited)


def _spoken_only(patch: Mapping[str, Any], spoken: str) -> Mapping[str, Any] | None:
    """Leave in a patch what the owner said; a profile is made of nothing else."""
    kept = {kind: _spoken(part, spoken) for kind, part in patch.items() if isinstance(part, Mapping)}
    return {kind: part for kind, part in kept.items() if part} or None


def _spoken(value: Any, spoken: str, field: str = "") -> Any:
    if isinstance(value, Mapping):
        kept = {key: _spoken(part, spoken, key) for key, part in value.items()}
        return {key: part for key, part in kept.items() if part not in (None, [], {})} if _named(value, kept) else {}
    if isinstance(value, list):
        return [part for entry in value if (part := _spoken(entry, spoken, field)) not in (None, [], {})]
    if not isinstance(value, str):
        return value
    if scrub(value) != value or is_attack(value) or (field in _DERIVED and is_instruction(value)):
        return None
    return value if field in _DERIVED or _was_said(value, spoken) else None


def _was_said(value: str, spoken: str) -> bool:
    return value.casefold() in spoken.casefold() or stands_in(value, spoken) >= 0.5


def _named(value: Mapping[str, Any], kept: Mapping[str, Any]) -> bool:
    """An entry whose name did not pass says nothing."""
    return "name" not in value or kept.get("name") is not None
