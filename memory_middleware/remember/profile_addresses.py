"""Which places of the profiles are about the address of a fact, so that what ends or goes reaches both."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from memory_middleware.remember.extraction.rules.relations import RELATIONS, relation_named
from memory_middleware.remember.likeness import Addressed, normalised
from memory_middleware.schemas.profile_places import entry_name
from memory_middleware.schemas.record import MemoryRecord
from memory_middleware.storage.terms import has_cjk

__all__ = ["field_about", "is_about", "is_of_owner", "tells", "value_like"]

_OWNER = "user"
_PEOPLE = ("user.people", "work.team_members")
_PROJECTS = "work.current_projects"
_STYLE = "user.preferences.communication_style"
_MEETINGS = "user.scheduling_preferences", "work.work_habits"
# One value at a time: all that stands at the place is about the attribute.
_WHOLE = {
    "occupation": ("user.occupation", "work.occupation"),
    "timezone": ("user.timezone",),
    "native_language": ("user.primary_language",),
    "answer_language": ("user.preferences.language_preference",),
    "answer_length": (_STYLE,),
    "answer_tone": (_STYLE,),
    "work_mode": ("user.preferences.work_lifestyle",),
    "channel": ("work.work_habits.notification_channel",),
    "working_hours": ("work.work_habits.available_hours",),
    "no_meetings": tuple(f"{part}.no_meeting_windows" for part in _MEETINGS),
    "meetings": tuple(f"{part}.preferred_meeting_windows" for part in _MEETINGS),
    "deep_work": ("user.scheduling_preferences.deep_work_windows", "work.work_habits.deep_work_blocks"),
}
# Entries beside each other: the key of the attribute names one.
_KEYED = {
    "taste": ("user.interests",),
    "plays": ("user.interests",),
    "place": ("user.places",),
    "topic": ("user.avoid_topics",),
    "routine": ("user.recurring_routines",),
    "rule": ("user.custom_rules", "work.work_rules"),
    "uses": ("work.preferred_tools",),
    "knows": ("work.expertise",),
    "project": (_PROJECTS,),
}
# A text without a subject tells of the owner if it begins with them, and not with what or who is theirs.
_OWNERS = r"(?:the )?user|i|用户|我"
_ITSELF = r"(?![a-z0-9_]|['’]s\b|[的们家])"
_CATEGORIES = {"city": "home", "hometown": "hometown", "workplace": "work"}
_RELATIONS = frozenset(RELATIONS.values())
_KEPT = ("relationship", "category")
_FIELDS = {_PROJECTS: ("status", "deadline"), **dict.fromkeys(_PEOPLE, ("occupation",))}
_OTHER_FIELDS = {"occupation": "role"}


def is_about(place: str, value: Any, one: Addressed) -> bool:
    """Tell whether what a profile says at a place, such as ``user.people:anna``, is about an address."""
    if not one.attribute or normalised(one.subject or "") != _OWNER:
        return False
    path = place.partition(":")[0]
    name, _, key = normalised(one.attribute).partition(":")
    if name in _CATEGORIES:
        return path == "user.places" and isinstance(value, Mapping) and value.get("category") == _CATEGORIES[name]
    if path in _PEOPLE and name in _RELATIONS:
        return isinstance(value, Mapping) and _is_person(value, name, key)
    if path in _KEYED.get(name, ()):
        return bool(key) and entry_name(value) == entry_name(key)
    return path in _WHOLE.get(name, ())


def is_of_owner(one: MemoryRecord) -> bool:
    """Tell whether a fact is about the owner: by its subject, or without one by how it begins."""
    if one.subject:
        return normalised(one.subject) == _OWNER
    owner = f"(?:{_OWNERS}|{re.escape(one.owner_id)}){_ITSELF}"
    return re.match(owner, one.content.strip(), re.IGNORECASE) is not None


def field_about(place: str, value: Any, one: Addressed) -> str | None:
    """Give the field of an entry that is about an address, as the deadline of a project or the role of a person."""
    path = place.partition(":")[0]
    attribute = normalised(one.attribute or "")
    if attribute not in _FIELDS.get(path, ()) or not isinstance(value, Mapping):
        return None
    bare, _, relation = normalised(one.subject or "").removesuffix(")").partition(" (")
    told = relation_named(value.get("relationship") or "")
    if entry_name(value) != entry_name(bare) or (path in _PEOPLE and relation and told and told != relation):
        return None
    return _OTHER_FIELDS.get(attribute, attribute)


def tells(content: str, value: Any) -> bool:
    """Tell whether a text holds all the words of a value, of an entry those of its name."""
    told = normalised(str(value.get("name", "") if isinstance(value, Mapping) else value))
    if has_cjk(told):
        return told in normalised(content)
    words = _words(told)
    return bool(words) and words <= _words(normalised(content))


def value_like(value: Any, content: str, other: str) -> Any:
    """Give what another text says where a text says a value, as the nurse of ``is a pilot`` and ``is a nurse``."""
    entry = isinstance(value, Mapping)
    told = str(value["name"] if entry else value)
    if not told or told not in content:
        return None
    before, _, after = content.partition(told)
    article = re.sub(r"\\ an?\\ $", r"\\ an?\\ ", re.escape(before))
    held = re.fullmatch(f"{article}(.{{1,80}}){re.escape(after)}", other, re.DOTALL)
    if held is None:
        return None
    return {**{key: value[key] for key in _KEPT if key in value}, "name": held[1]} if entry else held[1]


def _words(text: str) -> set[str]:
    return {part.strip(".,;:!?。，；：！？()（）\"'") for part in text.replace("/", " ").split()} - {""}


def _is_person(value: Mapping[str, Any], relation: str, key: str) -> bool:
    """Tell whether an entry is the person of an address such as ``sister:anna``, or the only ``boss``."""
    told = relation_named(value.get("relationship") or "")
    if key:
        return entry_name(value) == entry_name(key) and told in ("", relation)
    return told == relation
