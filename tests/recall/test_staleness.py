"""Entries of a profile that may be out of date."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from memory_middleware import UserMemoryContent, WorkProfileContent, build_user_memory_prompt, build_work_memory_prompt

NOW = datetime(2026, 5, 13, 12, tzinfo=UTC)


def project(**fields: Any) -> WorkProfileContent:
    return WorkProfileContent.model_validate({"current_projects": [{"name": "Harbour", **fields}]})


def told(content: WorkProfileContent, language: str = "en", now: datetime = NOW) -> str:
    return build_work_memory_prompt(content, language=language, now=now).splitlines()[-1]


@pytest.mark.parametrize(
    ("days", "status", "marked"),
    [
        (10, "active", False),
        (180, "active", False),
        (181, "active", True),
        (999, None, True),
        (999, "completed", False),
    ],
)
def test_a_project_that_nobody_spoke_of_is_marked(days: int, status: str | None, marked: bool) -> None:
    seen = NOW - timedelta(days=days)
    content = project(status=status, meta={"last_updated_at": seen.isoformat()})
    assert (f"(not confirmed since {seen:%Y-%m-%d})" in told(content)) is marked
    assert (f"自 {seen:%Y-%m-%d} 起未确认" in told(content, "zh")) is marked


def test_what_was_never_dated_is_not_marked() -> None:
    assert told(project()) == "- Harbour"


def test_people_keep_longer_than_projects() -> None:
    seen = (NOW - timedelta(days=2000)).isoformat()
    data = {
        "people": [{"name": "Marta", "meta": {"last_updated_at": seen}}],
        "recurring_routines": [{"name": "Pottery", "meta": {"last_updated_at": seen, "confidence": 0.1}}],
    }
    text = build_user_memory_prompt(UserMemoryContent.model_validate(data), now=NOW)
    assert "- Marta\n" in text
    assert "- Pottery (uncertain, not confirmed since 2020-11-20)" in text


@pytest.mark.parametrize(
    ("deadline", "status", "marked"),
    [
        ("2026-05-11", "active", True),
        ("2026-05-13", "active", False),
        ("2026-05-12", None, True),
        ("2026-05-11", "completed", False),
    ],
)
def test_a_deadline_that_has_passed_is_marked(deadline: str, status: str | None, marked: bool) -> None:
    noon = datetime(2026, 5, 13, 13, tzinfo=UTC)
    content = project(deadline=deadline, status=status)
    assert (f"deadline: {deadline} (passed)" in told(content, now=noon)) is marked
    assert (f"截止日期：{deadline} (已过)" in told(content, "zh", now=noon)) is marked


def test_a_day_is_over_when_it_is_over_everywhere() -> None:
    content = project(deadline="2026-05-12")
    assert "passed" not in told(content, now=datetime(2026, 5, 13, 11, 59, tzinfo=UTC))
    assert "passed" in told(content, now=datetime(2026, 5, 13, 12, 0, tzinfo=UTC))
    assert "passed" in told(content, now=datetime(2026, 5, 13, 12, 0)), "a moment without a zone is taken as UTC"


def test_milestones_have_days_of_their_own() -> None:
    steps = [
        {"name": "draft", "due_date": "2026-01-01", "status": "done"},
        {"name": "test", "due_date": "2026-02-01", "status": "planned"},
    ]
    text = told(project(key_milestones=steps))
    assert "draft (due: 2026-01-01; status: done)" in text
    assert "test (due: 2026-02-01 (passed); status: planned)" in text
