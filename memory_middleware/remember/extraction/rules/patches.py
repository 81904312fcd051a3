"""What findings change in the two profiles: values to set, entries to add, entries to take out."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from memory_middleware.remember.extraction.rules.findings import HEDGED, Finding
from memory_middleware.remember.extraction.rules.lexicon import LANGUAGES
from memory_middleware.remember.extraction.rules.people import relation_word
from memory_middleware.remember.extraction.rules.relations import ANIMALS, WORK
from memory_middleware.remember.extraction.rules.restrictions import lifted, restricted
from memory_middleware.remember.extraction.rules.vocabulary import normalise

__all__ = ["ProfileChanges", "profile_changes"]

Path = tuple[str, ...]
Change = tuple[Path, Any]


class ProfileChanges:
    """A patch and the removals beside it, in the shape of an extraction."""

    def __init__(self) -> None:
        self.patch: dict[str, Any] = {}
        self.removals: dict[str, Any] = {}

    def put(self, path: Path, value: Any) -> None:
        """Set a value, or add an entry to a list; an entry of the same name takes the new fields too."""
        _discard(self.removals, path, value)
        _add(self.patch, path, value)

    def take(self, path: Path, value: Any) -> None:
        """Take an entry out of a list, or clear a value."""
        _discard(self.patch, path, value)
        _add(self.removals, path, value)


def _add(tree: dict[str, Any], path: Path, value: Any) -> None:
    for name in path[:-1]:
        tree = tree.setdefault(name, {})
    if path[-1] not in _LISTS:
        tree[path[-1]] = value
        return
    entries: list[Any] = tree.setdefault(path[-1], [])
    for at, entry in enumerate(entries):
        if _is_same(entry, value):
            entries[at] = {**entry, **value} if isinstance(entry, dict) and isinstance(value, dict) else value
            return
    entries.append(value)


def _discard(tree: dict[str, Any], path: Path, value: Any) -> None:
    for name in path[:-1]:
        tree = tree.get(name, {})
    if path[-1] not in _LISTS:
        tree.pop(path[-1], None)
    elif path[-1] in tree:
        tree[path[-1]] = [entry for entry in tree[path[-1]] if _identity(entry) != _identity(value)]
        if not tree[path[-1]]:
            del tree[path[-1]]


def _is_same(one: Any, other: Any) -> bool:
    """Two entries are one by their name, unless they are different people: a brother and a neighbour."""
    if _identity(one) != _identity(other):
        return False
    relations = {part["relationship"] for part in (one, other) if isinstance(part, dict) and part.get("relationship")}
    return len(relations) < 2


def _identity(entry: Any) -> str:
    if isinstance(entry, dict):
        return normalise(str(entry["name"])) if "name" in entry else repr(sorted(entry.items()))
    return normalise(str(entry))


_LISTS = frozenset(
    ["people", "places", "language_preference", "no_meeting_windows", "preferred_meeting_windows", "deep_work_windows"]
    + [
        "deep_work_blocks",
        "interests",
        "avoid_topics",
        "custom_rules",
        "recurring_routines",
        "expertise",
        "available_hours",
    ]
    + ["preferred_tools", "current_projects", "team_members", "work_rules", "notification_preference"]
)
_CATEGORIES = {"city": "home", "hometown": "hometown", "workplace": "work", "place": "frequent"}


def profile_changes(findings: Iterable[Finding]) -> ProfileChanges:
    """Turn findings, the oldest first, into changes of the profiles. Guesses stay out of them."""
    changes = ProfileChanges()
    for finding in findings:
        reader = _READERS.get(finding.attribute)
        if reader is None or finding.confidence <= HEDGED:
            continue
        if finding.who.is_user or finding.attribute in ("status", "deadline", "occupation"):
            _apply(changes, finding, reader(finding))
    return changes


def _apply(changes: ProfileChanges, finding: Finding, found: Iterable[Change]) -> None:
    for path, value in found:
        if finding.ended and path[-1] in _LISTS:
            changes.take(path, value["name"] if isinstance(value, dict) and "name" in value else value)
        elif finding.ended:
            changes.take(path, None)
        else:
            changes.put(path, value)
    for path, value in _gone(finding):
        changes.take(path, value)


def _gone(finding: Finding) -> Iterable[Change]:
    """What a new value ends: the old home, an interest that became a dislike, the old name of a project."""
    before = finding.extra.get("before")
    if left := finding.extra.get("left") or (finding.attribute == "city" and before):
        yield ("user", "places"), left
    if finding.attribute == "relation" and before:
        yield _shelf(str(finding.extra["relation"])), before
    if finding.attribute == "taste" and finding.variant in ("dislike", "avoid", "quit", "no_food", "no_drink"):
        yield ("user", "interests"), finding.bare
    if finding.attribute == "answer_language" and before and _code(before) != _code(finding.bare):
        yield ("user", "preferences", "language_preference"), _code(before)
    if former := finding.extra.get("former"):
        yield ("work", "current_projects"), former
    yield from lifted(finding)


def _occupation(finding: Finding) -> Iterable[Change]:
    if finding.who.is_user:
        yield ("user", "occupation"), finding.bare
        yield ("work", "occupation"), finding.bare
    elif finding.who.name and not finding.ended and finding.who.relation not in ANIMALS:
        relation = {"relationship": relation_word(finding.who, finding.language)} if finding.who.relation else {}
        yield _shelf(finding.who.relation), {"name": finding.who.name, **relation, "role": finding.bare}


def _shelf(relation: str) -> Path:
    return ("work", "team_members") if relation in WORK else ("user", "people")


def _place(finding: Finding) -> Iterable[Change]:
    yield ("user", "places"), {"name": finding.bare, "category": _CATEGORIES[finding.attribute]}


def _relation(finding: Finding) -> Iterable[Change]:
    relation = str(finding.extra["relation"])
    if relation not in ANIMALS and finding.value:
        yield _shelf(relation), {"name": finding.value, "relationship": str(finding.extra["word"])}


def _taste(finding: Finding) -> Iterable[Change]:
    if finding.extra.get("interest") and not finding.variant:
        yield ("user", "interests"), finding.bare
    yield from restricted(finding)


def _rule(finding: Finding) -> Iterable[Change]:
    path = ("work", "work_rules") if finding.extra.get("work") else ("user", "custom_rules")
    yield path, finding.bare


def _style(finding: Finding) -> Iterable[Change]:
    yield ("user", "preferences", "communication_style"), finding.bare


def _project(finding: Finding) -> Iterable[Change]:
    yield ("work", "current_projects"), {"name": finding.value}


def _project_part(finding: Finding) -> Iterable[Change]:
    if finding.who.relation == "project":
        yield ("work", "current_projects"), {"name": finding.who.name, finding.attribute: finding.bare}


def _routine(finding: Finding) -> Iterable[Change]:
    entry: dict[str, Any] = {"name": finding.bare}
    if cadence := finding.extra.get("cadence"):
        entry["cadence"] = cadence
    if window := finding.extra.get("window"):
        entry["time_windows"] = [window]
    yield ("user", "recurring_routines"), entry


def _window(finding: Finding, *names: Path) -> Iterable[Change]:
    for path in names:
        yield path, finding.extra["window"]


def _language(finding: Finding) -> Iterable[Change]:
    yield ("user", "preferences", "language_preference"), _code(finding.bare)


def _code(language: str) -> str:
    return LANGUAGES.get(normalise(language), language).capitalize()


_READERS: dict[str, Callable[[Finding], Iterable[Change]]] = {
    "occupation": _occupation,
    "city": _place,
    "hometown": _place,
    "workplace": _place,
    "place": _place,
    "relation": _relation,
    "taste": _taste,
    "allergy": restricted,
    "diet": restricted,
    "plays": lambda finding: [(("user", "interests"), finding.bare)],
    "rule": _rule,
    "answer_length": _style,
    "answer_tone": _style,
    "answer_language": _language,
    "project": _project,
    "status": _project_part,
    "deadline": _project_part,
    "routine": _routine,
    "work_mode": lambda finding: [(("user", "preferences", "work_lifestyle"), finding.bare)],
    "timezone": lambda finding: [(("user", "timezone"), finding.bare)],
    "native_language": lambda finding: [(("user", "primary_language"), _code(finding.bare))],
    "topic": lambda finding: [(("user", "avoid_topics"), finding.bare)],
    "uses": lambda finding: [(("work", "preferred_tools"), finding.bare)],
    "knows": lambda finding: [(("work", "expertise"), finding.bare)],
    "channel": lambda finding: [(("work", "work_habits", "notification_channel"), finding.bare)],
    "working_hours": lambda finding: _window(finding, ("work", "work_habits", "available_hours")),
    "no_meetings": lambda finding: _window(
        finding,
        ("user", "scheduling_preferences", "no_meeting_windows"),
        ("work", "work_habits", "no_meeting_windows"),
    ),
    "meetings": lambda finding: _window(
        finding,
        ("user", "scheduling_preferences", "preferred_meeting_windows"),
        ("work", "work_habits", "preferred_meeting_windows"),
    ),
    "deep_work": lambda finding: _window(
        finding,
        ("user", "scheduling_preferences", "deep_work_windows"),
        ("work", "work_habits", "deep_work_blocks"),
    ),
}
