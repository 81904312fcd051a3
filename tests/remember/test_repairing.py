"""Single entries of an answer, mended or given up."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory_middleware.remember.extraction.addressing import attribute_of, subject_of
from memory_middleware.remember.extraction.base import Retraction
from memory_middleware.remember.extraction.patching import repair_patch
from memory_middleware.remember.extraction.repairing import KnownTexts, TurnIds, repair_fact, repair_retraction
from memory_middleware.remember.extraction.rules.vocabulary import ATTRIBUTES
from memory_middleware.schemas.dialogue import Fact
from memory_middleware.schemas.profile import UserMemoryContent, WorkProfileContent

TURNS = TurnIds(["dlg-a", "dlg-b", "dlg-c"])
KNOWN = KnownTexts(["The user lives in Berlin.", "用户喜欢绿茶。"])


def repaired(**raw: Any) -> Fact:
    fact = repair_fact({"content": "The user lives in Rome.", **raw}, TURNS, KNOWN)
    assert fact is not None
    return fact


def test_a_fact_that_fits_stays_as_it_is() -> None:
    fact = repaired(
        type="preference",
        tags=["a", "b"],
        confidence=0.75,
        replace="The user lives in Berlin.",
        subject="user",
        attribute="city",
        event_time="2026-05-01T10:00:00Z",
        valid_to="2026-06-01T10:00:00+02:00",
        evidence=["t1", "t3"],
    )
    assert fact == Fact(
        content="The user lives in Rome.",
        type="preference",
        tags=("a", "b"),
        confidence=0.75,
        replace="The user lives in Berlin.",
        subject="user",
        attribute="city",
        event_time=datetime(2026, 5, 1, 10, tzinfo=UTC),
        valid_to=datetime(2026, 6, 1, 8, tzinfo=UTC),
        evidence=("dlg-a", "dlg-c"),
    )


@pytest.mark.parametrize(
    "raw",
    [{}, {"content": None}, {"content": 7}, {"content": " "}, {"content": "..."}, {"content": "None"}, {"tags": ["x"]}],
)
def test_a_fact_that_says_nothing_is_given_up(raw: dict[str, Any]) -> None:
    assert repair_fact(raw, TURNS, KNOWN) is None


def test_a_time_outside_the_calendar_gives_the_fact_up() -> None:
    assert repair_fact({"content": "x y", "event_time": "0001-01-01T00:00:00+10:00"}, TURNS, KNOWN) is None


@pytest.mark.parametrize(
    ("told", "kind"),
    [
        ("Fact", "fact"),
        ("PREFERENCE ", "preference"),
        ("likes", "preference"),
        ("偏好", "preference"),
        ("task", "project"),
        ("rule", "feedback"),
        ("link", "reference"),
        ("dialogue", "fact"),
        ("banana", "fact"),
        (None, "fact"),
        (["fact"], "fact"),
    ],
)
def test_types_are_mapped(told: Any, kind: str) -> None:
    assert repaired(type=told).type == kind


@pytest.mark.parametrize(
    ("told", "confidence"),
    [
        (1.7, 1.0),
        (-0.5, 0.0),
        (0, 0.0),
        (1, 1.0),
        (90, 0.9),
        (8, 0.8),
        (1000, 0.8),
        (float("nan"), 0.8),
        (True, 0.8),
        (None, 0.8),
        ([0.5], 0.8),
        ("0.95", 0.95),
        ("90%", 0.9),
        ("900%", 1.0),
        ("4/5", 0.8),
        ("4/0", 0.4),
        ("high", 0.9),
        ("High (0.85)", 0.85),
        ("very high", 0.95),
        ("low", 0.3),
        ("高", 0.9),
        ("很低", 0.1),
        ("who knows", 0.8),
    ],
)
def test_confidence_is_read_and_clamped(told: Any, confidence: float) -> None:
    assert repaired(confidence=told).confidence == pytest.approx(confidence)


@pytest.mark.parametrize(
    ("told", "tags"),
    [
        ("Food, #Tea，health、x", ("food", "tea", "health", "x")),
        ("tea", ("tea",)),
        (["Tea", "tea", 3, None, "", "#", "x" * 50], ("tea",)),
        (list("abcdefg"), ("a", "b", "c", "d", "e")),
        ({"a": 1}, ()),
        (None, ()),
    ],
)
def test_tags_are_read(told: Any, tags: tuple[str, ...]) -> None:
    assert repaired(tags=told).tags == tags


def test_tags_can_be_unwanted() -> None:
    fact = repair_fact({"content": "x y", "tags": ["a"]}, TURNS, KNOWN, auto_tag=False)
    assert fact is not None and fact.tags == ()


@pytest.mark.parametrize(
    ("told", "evidence"),
    [
        (["t2", "T1", "t2"], ("dlg-b", "dlg-a")),
        ("t1, t3", ("dlg-a", "dlg-c")),
        ("[turn 2]", ("dlg-b",)),
        (3, ("dlg-c",)),
        (["t0", "t4", "t99999999999", "x", None, True, {}], ()),
        (None, ()),
        (["dlg-a"], ()),
    ],
)
def test_evidence_is_mapped_back_and_invented_turns_are_ignored(told: Any, evidence: tuple[str, ...]) -> None:
    assert repaired(evidence=told).evidence == evidence


@pytest.mark.parametrize(
    ("told", "replace"),
    [
        ("the user lives in  Berlin", "The user lives in Berlin."),
        ("- 用户喜欢绿茶", "用户喜欢绿茶。"),
        ("The user lives in Paris.", None),
        ("…", None),
        (None, None),
        (True, None),
    ],
)
def test_only_a_known_text_is_replaced(told: Any, replace: str | None) -> None:
    assert repaired(replace=told).replace == replace


@pytest.mark.parametrize(
    ("told", "moment"),
    [
        ("2026-05-01", datetime(2026, 5, 1, tzinfo=UTC)),
        ("2026-05-01T09:00", datetime(2026, 5, 1, 9, tzinfo=UTC)),
        ("next May", None),
        ("", None),
        (20260501, None),
    ],
)
def test_times_are_read(told: Any, moment: datetime | None) -> None:
    assert repaired(event_time=told).event_time == moment


def test_a_state_holds_through_its_last_day() -> None:
    assert repaired(valid_to="2026-05-01").valid_to == datetime(2026, 5, 2, tzinfo=UTC)
    assert repaired(valid_to="9999-12-31").valid_to is None


def test_halves_of_characters_are_mended() -> None:
    fact = repair_fact({"content": "tea \ud83c\udf75 and \ud83c\0"}, TURNS, KNOWN)
    assert fact is not None and fact.content == "tea 🍵 and \ufffd\ufffd"


@pytest.mark.parametrize(
    ("told", "subject"),
    [("User", "user"), ("the user", "user"), ("用户", "user"), ("Anna", "Anna"), ("x" * 90, None), (None, None)],
)
def test_subjects(told: str | None, subject: str | None) -> None:
    assert subject_of(told) == subject


@pytest.mark.parametrize(
    ("told", "attribute"),
    [
        ("city", "city"),
        ("City of Residence", "city"),
        ("city: Berlin", "city"),
        ("居住地", "city"),
        ("Time Zone", "timezone"),
        ("speaks: French", "speaks:french"),
        ("language：法语", "speaks:法语"),
        ("likes/the Coffee", "taste:coffee"),
        ("speaks", None),
        ("languages", None),
        ("sister:Anna", "sister:anna"),
        ("Shoe-Size", "shoe_size"),
        ("relation", None),
        (":x", None),
        ("x" * 90, None),
        (None, None),
    ],
)
def test_attributes_come_to_the_addresses_of_the_rules(told: str | None, attribute: str | None) -> None:
    assert attribute_of(told) == attribute


@pytest.mark.parametrize("name", ["extractor.md", "extractor.zh.md"])
def test_the_prompt_names_attributes_of_the_rules(name: str) -> None:
    text = (Path(__file__).parents[2] / "prompts" / name).read_text(encoding="utf-8")
    for attribute in ("city", "employer", "phone", "location", "answer_length", "deadline"):
        assert attribute in text and not ATTRIBUTES[attribute].keyed
    for attribute in ("speaks", "taste", "allergy", "uses", "knows", "project", "event", "rule"):
        assert f"{attribute}:" in text and ATTRIBUTES[attribute].keyed


def test_retractions_name_an_address_or_a_known_record() -> None:
    raw = {"subject": "the user", "attribute": "employer", "evidence": ["t2"]}
    assert repair_retraction(raw, TURNS, KNOWN) == Retraction("user", "employer", None, ("dlg-b",))
    by_text = repair_retraction({"content": "用户喜欢绿茶"}, TURNS, KNOWN)
    assert by_text == Retraction(content="用户喜欢绿茶。")
    assert repair_retraction({"subject": "user", "content": "unknown"}, TURNS, KNOWN) is None


def test_a_patch_keeps_what_fits() -> None:
    patch = repair_patch(
        {
            "user": {
                "timezone": "Shanghai",
                "occupation": "nurse",
                "interests": "tea",
                "avoid_topics": [],
                "people": [{"name": "Li", "role": None, "meta": {"source": "manual"}}, {"nam": "x"}, None],
                "preferences": {"language_preference": ["zh"], "bogus": 1},
                "scheduling_preferences": {
                    "meeting_buffer_minutes": 10,
                    "max_meetings_per_day": "many",
                    "no_meeting_windows": [{"start": "9:00", "end": "10:00"}, {"start": "09:00", "end": "10:00"}],
                },
            },
            "work": {"current_projects": {"name": "Atlas", "status": "active"}, "work_habits": "none"},
            "other": {"x": 1},
        }
    )
    assert patch == {
        "user": {
            "occupation": "nurse",
            "people": [{"name": "Li"}],
            "preferences": {"language_preference": ["zh"]},
            "scheduling_preferences": {
                "no_meeting_windows": [{"start": "09:00", "end": "10:00"}],
                "meeting_buffer_minutes": 10,
            },
            "interests": ["tea"],
        },
        "work": {"current_projects": [{"name": "Atlas", "status": "active"}]},
    }
    UserMemoryContent.model_validate(patch["user"])
    WorkProfileContent.model_validate(patch["work"])


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=8,
)
FIELDS = [
    "content",
    "type",
    "tags",
    "confidence",
    "replace",
    "subject",
    "attribute",
    "event_time",
    "valid_to",
    "evidence",
]


@given(st.dictionaries(st.sampled_from(FIELDS), JSON))
def test_no_entry_breaks_the_repair(raw: dict[str, Any]) -> None:
    repair_fact(raw, TURNS, KNOWN)
    repair_retraction(raw, TURNS, KNOWN)


@given(
    st.dictionaries(
        st.sampled_from(["user", "work"]),
        st.dictionaries(st.sampled_from([*UserMemoryContent.model_fields, *WorkProfileContent.model_fields]), JSON)
        | JSON,
    )
)
def test_every_repaired_patch_fits_the_profiles(raw: dict[str, Any]) -> None:
    patch = repair_patch(raw)
    UserMemoryContent.model_validate(patch.get("user", {}))
    WorkProfileContent.model_validate(patch.get("work", {}))
