"""Profile documents: the field tree, strict scalars, and partial updates."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from memory_middleware import schemas
from memory_middleware.errors import SchemaError
from memory_middleware.schemas import (
    EntryMeta,
    MemoryStatus,
    MemoryType,
    Milestone,
    Person,
    Place,
    SchedulingPreferences,
    TimeWindow,
    UserMemoryContent,
    WorkProfileContent,
    merge_patch,
    validate_content,
)
from memory_middleware.schemas.profile import content_class
from tests.support import brief, cases, vectors

META_TREE = {"source", "confidence", "last_updated_at"}


def assert_same_keys(tree: Any, model: Any) -> None:
    assert list(tree) == list(model.model_fields)
    for name, value in tree.items():
        part = value[0] if isinstance(value, list) and value else value
        if isinstance(part, dict):
            annotation = model.model_fields[name].annotation
            inner = annotation.__args__[0] if isinstance(value, list) else annotation
            assert_same_keys(part, inner)
        elif part == "@meta":
            assert set(model.model_fields[name].annotation.model_fields) == META_TREE


@pytest.mark.parametrize("case", cases("001_memory_protocol/field_tree"), ids=lambda case: str(case["model"]))
def test_the_field_tree_is_the_protocols(case: dict[str, Any]) -> None:
    model = getattr(schemas, case["model"])
    assert list(model.model_fields) == case["key_order"]
    assert_same_keys(case["tree"], model)


def test_the_enums_are_the_protocols() -> None:
    enums = vectors("001_memory_protocol/field_tree")["enums"]
    assert [member.value for member in MemoryType] == enums["MemoryType"]
    assert [member.value for member in MemoryStatus] == enums["MemoryStatus"]
    for value in enums["place.preference"]:
        assert Place.model_validate({"name": "x", "preference": value}).preference == value
    for value in enums["project.status"]:
        assert schemas.Project.model_validate({"name": "x", "status": value}).status == value


def test_work_profile_has_the_protocols_fields() -> None:
    assert list(WorkProfileContent.model_fields) == [
        "occupation",
        "expertise",
        "preferred_tools",
        "current_projects",
        "work_habits",
        "team_members",
        "team_context",
        "work_rules",
    ]


def test_defaults_are_null_and_empty() -> None:
    user = UserMemoryContent().model_dump()
    assert user["occupation"] is None
    assert user["people"] == []
    assert user["scheduling_preferences"]["preferred_meeting_duration_minutes"] == []
    assert EntryMeta().model_dump() == {"source": None, "confidence": 1.0, "last_updated_at": None}
    assert UserMemoryContent().people is not UserMemoryContent().people


def test_each_document_has_its_model() -> None:
    assert content_class(MemoryType.USER) is UserMemoryContent
    assert content_class(MemoryType.WORK) is WorkProfileContent


@pytest.mark.parametrize("case", cases("001_memory_protocol/time_strings"), ids=brief)
def test_only_the_strict_clock_form_is_taken(case: dict[str, Any]) -> None:
    raw = {"start": case["input"], "end": "23:59"}
    if case["strict_hh_mm_regex"]:
        assert TimeWindow.model_validate(raw).start == case["input"]
    else:
        with pytest.raises(ValidationError, match="HH:MM"):
            TimeWindow.model_validate(raw)


@pytest.mark.parametrize("case", cases("001_memory_protocol/timezones"), ids=lambda case: str(case["name"]))
def test_only_iana_zones_are_taken(case: dict[str, Any]) -> None:
    if case["valid"]:
        assert UserMemoryContent.model_validate({"timezone": case["name"]}).timezone == case["name"]
    else:
        with pytest.raises(ValidationError, match="IANA"):
            UserMemoryContent.model_validate({"timezone": case["name"]})


FIELDS: dict[str, tuple[Any, str]] = {
    "confidence": (EntryMeta, "confidence"),
    "date": (Milestone, "due_date"),
    "datetime": (EntryMeta, "last_updated_at"),
    "int": (SchedulingPreferences, "max_meetings_per_day"),
}
STRICTER: list[tuple[str, Any]] = [("confidence", True), ("date", 0)]


@pytest.mark.parametrize("case", cases("001_memory_protocol/scalars"), ids=brief)
def test_scalars_are_those_of_the_oracle_or_stricter(case: dict[str, Any]) -> None:
    model, name = FIELDS[case["kind"]]
    raw = ({"name": "x"} if model is Milestone else {}) | {name: case["input"]}
    nullable = case["input"] is None and case["kind"] != "confidence"
    stricter = any(case["kind"] == kind and case["input"] is value for kind, value in STRICTER)
    if "ok" in case["lax_pydantic"] and not stricter:
        told = model.model_validate(raw).model_dump(mode="json")[name]
        assert str(told).replace("Z", "+00:00").startswith(str(case["lax_pydantic"]["ok"]))
    elif nullable:
        assert getattr(model.model_validate(raw), name) is None
    else:
        with pytest.raises(ValidationError):
            model.model_validate(raw)


@pytest.mark.parametrize("day", ["monday", "Mon", " MONDAY ", "周一", "星期一", "礼拜一", 1])
def test_a_weekday_can_be_written_in_many_ways(day: object) -> None:
    window = TimeWindow.model_validate({"weekdays": [day], "start": "09:00", "end": "10:00"})
    assert window.weekdays == ["monday"]


@pytest.mark.parametrize("day", [0, 8, True, "someday", None])
def test_what_is_no_weekday_is_refused(day: object) -> None:
    with pytest.raises(ValidationError, match="weekday"):
        TimeWindow.model_validate({"weekdays": [day], "start": "09:00", "end": "10:00"})


def test_a_window_may_run_over_midnight_but_not_be_empty() -> None:
    assert TimeWindow(start="22:00", end="06:00").overnight
    assert not TimeWindow(start="06:00", end="22:00").overnight
    with pytest.raises(ValidationError, match="must not end when it starts"):
        TimeWindow(start="09:00", end="09:00")


def test_a_wrong_assignment_is_refused() -> None:
    profile = UserMemoryContent()
    profile.timezone = "Asia/Shanghai"
    with pytest.raises(ValidationError):
        profile.timezone = "Mars/Olympus"
    assert profile.timezone == "Asia/Shanghai"


@pytest.mark.parametrize(
    ("patch", "message"),
    [
        ({"ocupation": "x"}, "ocupation: unknown key 'ocupation'; did you mean 'occupation'?"),
        ({"ocupation": None}, "ocupation: unknown key 'ocupation'; did you mean 'occupation'?"),
        ({"people": [{"name": "A", "nots": "x"}]}, "people[0].nots: unknown key 'nots'; did you mean 'notes'?"),
        ({"people": [{}]}, "people[0].name: expected string"),
        ({"people": [{"name": " "}]}, "people[0].name: string should have at least 1 character, not ' '"),
        ({"people": "x"}, "people: expected list"),
        ({"preferences": 3}, "preferences: expected mapping"),
        ({"foo[0]": 1}, "foo[0]: unknown key 'foo[0]'; known: occupation, timezone"),
        ({"occupation": "\ud800"}, "occupation: the text holds half a surrogate pair at position 0"),
        ({"interests": ["ok", "\ud800"]}, "interests: the text holds half a surrogate pair at position 0"),
        ({"timezone": "Factory"}, "timezone: expected an IANA time zone, not 'Factory'"),
        ({"interests": [1]}, "interests[0]: expected string"),
        (
            {"places": [{"name": "x", "preference": "love"}]},
            "places[0].preference: input should be 'like', 'neutral' or 'avoid', not 'love'",
        ),
        (
            {"people": [{"name": "A", "meta": {"confidence": 2}}]},
            "people[0].meta.confidence: confidence must be at most 1.0, not 2",
        ),
        (
            {"places": [{"name": "x", "commute_minutes": -1}]},
            "places[0].commute_minutes: commute_minutes must be at least 0, not -1",
        ),
        (
            {"timezone": "asia/shanghai"},
            "timezone: expected an IANA time zone, not 'asia/shanghai'; did you mean 'Asia/Shanghai'?",
        ),
        (
            {"timezone": "nowhere at all"},
            "timezone: expected an IANA time zone, not 'nowhere at all'; use a name such as 'Asia/Shanghai'",
        ),
    ],
)
def test_a_patch_that_does_not_fit_is_refused_with_its_path(patch: dict[str, Any], message: str) -> None:
    with pytest.raises(SchemaError) as caught:
        merge_patch(UserMemoryContent(), patch)
    assert str(caught.value).startswith(message)


@pytest.mark.parametrize("text", ["0", "1700006400", "2026-1-2", "20260102"])
def test_a_date_has_one_form(text: str) -> None:
    with pytest.raises(ValidationError, match="expected a date YYYY-MM-DD"):
        Milestone.model_validate({"name": "x", "due_date": text})


def test_all_problems_are_told() -> None:
    with pytest.raises(SchemaError) as caught:
        validate_content(UserMemoryContent, {"people": [{}], "timezone": 5})
    assert str(caught.value).splitlines() == ["timezone: expected string", "people[0].name: expected string"]


@pytest.mark.parametrize("case", cases("001_memory_protocol/rfc7396_merge_patch"), ids=brief)
def test_plain_data_merges_as_the_rfc_says(case: dict[str, Any]) -> None:
    assert merge_patch(case["original"], case["patch"]) == case["result"]


def test_a_patch_merges_objects_replaces_lists_and_resets_on_null() -> None:
    before = UserMemoryContent.model_validate(
        {
            "occupation": "cook",
            "interests": ["a", "b"],
            "people": [{"name": "A"}],
            "preferences": {"communication_style": "short", "language_preference": ["en"]},
        }
    )
    after = merge_patch(
        before,
        {"occupation": None, "interests": ["c"], "people": None, "preferences": {"communication_style": "long"}},
    )
    assert after.occupation is None
    assert after.interests == ["c"]
    assert after.people == []
    assert after.preferences.communication_style == "long"
    assert after.preferences.language_preference == ["en"]
    assert merge_patch(after, {"preferences": None}).preferences == schemas.Preferences()
    assert before.interests == ["a", "b"]


def test_a_patch_must_be_an_object() -> None:
    with pytest.raises(SchemaError, match="a patch must be an object"):
        merge_patch(UserMemoryContent(), [])


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from("abc"), inner, max_size=3),
    max_leaves=8,
)


@given(JSON, JSON)
def test_merging_twice_is_merging_once(original: Any, patch: Any) -> None:
    once = merge_patch(original, patch)
    assert merge_patch(once, patch) == once


@given(st.lists(st.text(min_size=1).filter(lambda name: name.strip()), max_size=3), st.floats(0, 1))
def test_a_profile_survives_writing_and_reading(names: list[str], confidence: float) -> None:
    people = [Person(name=name, meta=EntryMeta(confidence=confidence)) for name in names]
    profile = UserMemoryContent(people=people)
    assert UserMemoryContent.model_validate_json(profile.model_dump_json()) == profile
    assert merge_patch(profile, {}) == profile
