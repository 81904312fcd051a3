"""What rules read of the day a project is due: always at the project's own address, however the sentence names it."""

from __future__ import annotations

import pytest

from memory_middleware.schemas.record import MemoryRecord
from tests.remember.rules_support import found, record

HARBOUR = (
    record("The project Harbour is active.", "Harbour (project)", "status"),
    record("The user works on the project Atlas.", "user", "project:atlas"),
)
HARBOUR_ZH = (record("用户在做港湾项目。", "user", "project:港湾"),)


@pytest.mark.parametrize(
    ("text", "name", "day"),
    [
        ("The Fjord project is now due on 26 June 2026.", "Fjord", "2026-06-26"),
        ("Actually, the Atlas project is due on 4 December 2026 now.", "Atlas", "2026-12-04"),
        ("The Atlas project has been postponed to 1 June 2027.", "Atlas", "2027-06-01"),
        ("Our Atlas project was pushed back to 1 June 2027.", "Atlas", "2027-06-01"),
        ("The Atlas project got moved from 1 May 2027 to 1 June 2027.", "Atlas", "2027-06-01"),
        ("Project Atlas has slipped to 1 June 2027.", "Atlas", "2027-06-01"),
        ("Project Atlas is due on 1 June 2027.", "Atlas", "2027-06-01"),
        ("The Blue Whale project is due on 1 June 2027.", "Blue Whale", "2027-06-01"),
    ],
)
def test_a_named_project_keeps_its_deadline_at_its_own_address(text: str, name: str, day: str) -> None:
    told = found(text)
    assert told == {
        f"{name} (project)/deadline": f"The project {name}'s deadline is {day}.",
        f"user/project:{name.lower()}": f"The user works on the project {name}.",
    }


@pytest.mark.parametrize(
    ("text", "name", "day"),
    [
        ("Harbour is due on 30 January 2027 instead.", "Harbour", "2027-01-30"),
        ("harbour got pushed to 30 January 2027", "Harbour", "2027-01-30"),
        ("Atlas has been postponed to 1 June 2027.", "Atlas", "2027-06-01"),
        ("Atlas is now due 1 June 2027.", "Atlas", "2027-06-01"),
        ("the atlas project is due on 1 June 2027", "Atlas", "2027-06-01"),
    ],
)
def test_a_bare_name_is_enough_for_a_project_that_is_known(text: str, name: str, day: str) -> None:
    told = found(text, known=HARBOUR)
    assert told[f"{name} (project)/deadline"] == f"The project {name}'s deadline is {day}."
    assert not any("event:" in address for address in told)


def test_a_bare_name_is_enough_for_a_project_that_the_batch_named() -> None:
    told = found("I'm working on project Atlas.", "Atlas has been postponed to 1 June 2027.")
    assert told["Atlas (project)/deadline"] == "The project Atlas's deadline is 2027-06-01."


def test_the_project_means_the_one_just_spoken_of() -> None:
    told = found("I'm working on project Atlas. The project is due on 1 June 2027.")
    assert told["Atlas (project)/deadline"] == "The project Atlas's deadline is 2027-06-01."
    assert "user/event:project deadline" not in told


def test_a_moved_deadline_stands_where_the_first_one_stood() -> None:
    told = found("The deadline of project Fjord is 12 June 2026.", "The Fjord project is now due on 26 June 2026.")
    deadlines = {address: content for address, content in told.items() if "deadline" in address}
    assert deadlines == {"Fjord (project)/deadline": "The project Fjord's deadline is 2026-06-26."}


@pytest.mark.parametrize(
    ("text", "address"),
    [
        ("My school project is due on 1 May 2026.", "user/event:school project deadline"),
        ("School project is due on 1 May 2026.", "user/event:school project deadline"),
        ("My Python project is due on 1 May 2026.", "user/event:python project deadline"),
        ("The Spanish project is due on 1 May 2026.", "user/event:spanish project deadline"),
        ("My project is due on 1 May 2026.", "user/event:project deadline"),
        ("The thesis is due on 1 May 2026.", "user/event:thesis deadline"),
    ],
)
def test_a_project_without_a_name_of_its_own_stays_an_event(text: str, address: str) -> None:
    assert list(found(text)) == [address]


@pytest.mark.parametrize(
    "text",
    [
        "Harbour is due on 30 January 2027.",
        "Emma is due on 30 January 2027.",
        "Atlas has been postponed to 1 June 2027.",
        "Is the Atlas project due on 1 June 2027?",
        "If the Atlas project is due on 1 June 2027, I'm doomed.",
        "The Atlas project isn't due on 1 June 2027.",
        "The Atlas project was due on 1 June 2025.",
        "The Atlas project has not been postponed to 1 June 2027.",
    ],
)
def test_what_is_not_known_for_a_project_or_not_said_gives_no_deadline(text: str) -> None:
    assert found(text) == {}


def test_a_sister_of_a_known_name_has_no_deadline() -> None:
    sister: tuple[MemoryRecord, ...] = (record("The user's sister is Emma.", "user", "sister:emma"),)
    assert found("Emma is due on 30 January 2027.", known=sister) == {}


@pytest.mark.parametrize(
    "text", ["港湾延期到2027年6月1日了。", "港湾推迟到2027年6月1日。", "港湾改到2027年6月1日上线。"]
)
def test_a_known_project_is_found_by_its_bare_name_in_chinese(text: str) -> None:
    told = found(text, known=HARBOUR_ZH)
    assert told["港湾 (project)/deadline"] == "港湾项目的截止日期是2027-06-01。"
    assert found(text) == {}


def test_a_sentence_about_a_project_at_another_address_makes_none_known() -> None:
    noted = (record("The user works on the project Atlas.", "user", "note:atlas"),)
    assert found("Atlas has been postponed to 1 June 2027.", known=noted) == {}


@pytest.mark.parametrize(
    "text", ["My flight has been moved to 1 June 2027.", "The dentist appointment was pushed to 1 June 2027."]
)
def test_what_is_no_project_is_still_an_event(text: str) -> None:
    assert all(address.startswith("user/event:") for address in found(text))
    assert found(text)
