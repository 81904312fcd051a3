"""Which places of the profiles are about an address, and which words tell a value."""

from __future__ import annotations

from typing import Any

import pytest

from memory_middleware import Fact, MemoryRecord
from memory_middleware.remember.profile_addresses import field_about, is_about, is_of_owner, tells, value_like

ANNA = {"name": "Anna", "relationship": "sister"}
TOM = {"name": "Tom"}
HOME = {"name": "Lisbon", "category": "home"}
ATLAS = {"name": "Atlas", "deadline": "2026-09-01"}


def at(subject: str | None, attribute: str | None) -> Fact:
    return Fact(content="x", subject=subject, attribute=attribute)


@pytest.mark.parametrize(
    ("place", "value", "address", "is_so"),
    [
        ("user.occupation", "nurse", ("user", "occupation"), True),
        ("work.occupation", "nurse", ("User", "Occupation"), True),
        ("user.occupation", "nurse", ("Anna", "occupation"), False),
        ("user.occupation", "nurse", ("user", "city"), False),
        ("user.occupation", "nurse", ("user", None), False),
        ("user.places:lisbon", HOME, ("user", "city"), True),
        ("user.places:lisbon", HOME, ("user", "workplace"), False),
        ("user.interests:chess", "chess", ("user", "plays:Chess"), True),
        ("user.interests:chess", "chess", ("user", "plays:go"), False),
        ("user.interests:chess", "chess", ("user", "plays"), False),
        ("user.people:anna", ANNA, ("user", "sister:anna"), True),
        ("user.people:anna", ANNA, ("user", "colleague:anna"), False),
        ("user.people:anna", ANNA, ("user", "sister"), True),
        ("user.people:tom", TOM, ("user", "friend:tom"), True),
        ("user.people:tom", TOM, ("user", "friend"), False),
        ("work.current_projects:atlas", ATLAS, ("user", "project:atlas"), True),
        ("user.preferences.language_preference:en", "en", ("user", "answer_language"), True),
    ],
)
def test_places_and_addresses(place: str, value: Any, address: tuple[str, str | None], is_so: bool) -> None:
    assert is_about(place, value, at(*address)) is is_so


@pytest.mark.parametrize(
    ("place", "value", "address", "field"),
    [
        ("work.current_projects:atlas", ATLAS, ("Atlas (project)", "deadline"), "deadline"),
        ("work.current_projects:atlas", ATLAS, ("Harbour", "deadline"), None),
        ("work.current_projects:atlas", ATLAS, ("Atlas", "city"), None),
        ("user.people:anna", ANNA, ("Anna (sister)", "occupation"), "role"),
        ("user.people:anna", ANNA, ("Anna (colleague)", "occupation"), None),
        ("user.occupation", "nurse", ("user", "occupation"), None),
    ],
)
def test_fields_of_entries(place: str, value: Any, address: tuple[str, str], field: str | None) -> None:
    assert field_about(place, value, at(*address)) == field


def test_a_text_tells_a_value_by_all_of_its_words() -> None:
    assert tells("The user's time zone is Europe/Lisbon.", "Europe/Lisbon")
    assert tells("The user's sister is Anna.", ANNA)
    assert not tells("The user is a nurse.", "head nurse")
    assert not tells("The user is a nurse.", "")
    assert tells("用户住在上海。", "上海")
    assert not tells("用户上班要过海。", "上海")


@pytest.mark.parametrize(
    ("value", "content", "other", "found"),
    [
        ("pilot", "The user is a pilot.", "The user is a nurse.", "nurse"),
        ("astronaut", "The user is an astronaut.", "The user is a dentist.", "dentist"),
        ("nurse", "The user is a nurse.", "The user is an actor.", "actor"),
        ("宇航员", "用户的职业是宇航员。", "用户的职业是厨师。", "厨师"),
        (HOME, "The user lives in Lisbon.", "The user lives in Rome.", {"name": "Rome", "category": "home"}),
        ("pilot", "The user flies.", "The user is a nurse.", None),
        ("pilot", "The user is a pilot.", "The user heals people.", None),
        ("", "The user is a pilot.", "The user is a nurse.", None),
    ],
)
def test_the_value_in_the_place_of_another(value: Any, content: str, other: str, found: Any) -> None:
    assert value_like(value, content, other) == found


@pytest.mark.parametrize(
    ("content", "subject", "expected"),
    [
        ("The user is a teacher.", None, True),
        ("I'm a teacher.", None, True),
        ("Ana works as a teacher.", None, True),
        ("用户是老师", None, True),
        ("我是老师", None, True),
        ("It is so.", "User", True),
        ("The user's sister is a teacher.", None, False),
        ("Ana’s sister is a teacher.", None, False),
        ("Anastasia is a teacher.", None, False),
        ("用户的妹妹是老师", None, False),
        ("我们公司的老师", None, False),
        ("The user knows a teacher.", "Tom", False),
    ],
)
def test_a_fact_is_of_the_owner_by_its_subject_or_by_how_it_begins(
    content: str, subject: str | None, expected: bool
) -> None:
    assert is_of_owner(MemoryRecord.create("ana", content, subject=subject)) is expected
