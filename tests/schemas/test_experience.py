"""Experience schemas: recorded behaviour replayed, and what the recordings do not say."""

from __future__ import annotations

import json
import uuid
from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory_middleware import schemas
from memory_middleware.errors import SchemaError
from memory_middleware.schemas import (
    ActionEntry,
    EpisodeTrace,
    ErrorEntry,
    Link,
    ProceduralSkill,
    SemanticPattern,
    TaskContext,
    parse_utc,
    times,
    to_utc_iso,
)
from tests.support import brief, cases, vectors

NOW = datetime(2026, 3, 1, 12, 34, 56, 789012, tzinfo=UTC)
FIXED = uuid.UUID("12345678-9abc-4def-8123-456789abcdef")


@pytest.fixture
def frozen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(times, "utc_now", lambda: NOW)
    monkeypatch.setattr(uuid, "uuid4", lambda: FIXED)


def sort_files(data: dict[str, Any]) -> dict[str, Any]:
    if isinstance(data.get("context"), dict):
        data["context"]["files_involved"] = sorted(data["context"]["files_involved"])
    return data


@pytest.mark.usefixtures("frozen")
@pytest.mark.parametrize("case", cases("000_loki/schemas_roundtrip"), ids=brief)
def test_a_recorded_round_trip_is_repeated(case: dict[str, Any]) -> None:
    kind = getattr(schemas, case["type"])
    made = kind.from_dict(case["input"])
    written = made.to_dict()
    if "from_dict_error" in case or "validate_error" in case:  # the original crashes; we report
        reported = made.validate()
        null_context = "context" in case["input"] and case["input"]["context"] is None
        assert any("must be" in message for message in reported) or null_context
        return
    assert sort_files(dict(written)) == case["to_dict"]
    assert list(written) == case["key_order"]
    assert made.validate() == case["validate"]
    again = kind.from_dict(json.loads(json.dumps(written))).to_dict()
    assert (sort_files(again) == sort_files(written)) is case["stable"]


@pytest.mark.usefixtures("frozen")
@pytest.mark.parametrize("case", [case for case in cases("000_loki/create") if "type" in case], ids=brief)
def test_a_recorded_creation_is_repeated(case: dict[str, Any]) -> None:
    arguments = dict(case["kwargs"])
    if case["type"] == "ProceduralSkill":
        arguments = {"description": "d", "steps": ["s"]} | arguments
    made = getattr(schemas, case["type"]).create(**arguments)
    assert made.id == case.get("id", made.id)
    assert made.to_dict() == case.get("to_dict", made.to_dict())
    assert made.validate() == case["validate"]


@pytest.mark.parametrize("case", cases("000_loki/create", op="add_link"), ids=brief)
def test_a_recorded_link_is_added_or_refused(case: dict[str, Any]) -> None:
    pattern = SemanticPattern.create("p", "c")
    if "error" in case:
        with pytest.raises(ValueError) as caught:
            pattern.add_link(*case["args"])
        assert str(caught.value) == case["message"]
        assert len(pattern.links) == case["links_after"]
    else:
        pattern.add_link(*case["args"])
        assert pattern.to_dict()["links"] == case["links"]


@pytest.mark.parametrize("case", cases("000_loki/datetimes"), ids=brief)
def test_a_recorded_time_is_read_and_written_alike(case: dict[str, Any]) -> None:
    if case["op"] == "to_iso":
        assert to_utc_iso(datetime.fromisoformat(case["input"])) == case["expected"]
    elif "error" in case:
        with pytest.raises(ValueError):
            parse_utc(case["input"])
    else:
        assert parse_utc(case["input"]).isoformat() == case["expected"]


def test_the_recorded_words_are_ours() -> None:
    enums = vectors("000_loki/schemas_roundtrip")["enums"]
    assert list(schemas.experience_parts.RELATIONS) == enums["relations"]
    assert list(schemas.experience_parts.PHASES) == enums["phases"]
    assert list(schemas.experience_parts.OUTCOMES) == enums["outcomes"]


@given(st.datetimes(datetime(2, 1, 1), datetime(9998, 1, 1), timezones=st.timezones()))
def test_any_time_survives_writing_and_reading(moment: datetime) -> None:
    assert parse_utc(to_utc_iso(moment)) == moment.astimezone(UTC)


def test_usage_counts_up() -> None:
    pattern = SemanticPattern.create("p", "c")
    pattern.last_used = None
    pattern.increment_usage()
    assert pattern.usage_count == 1
    assert pattern.last_used is not None


def test_an_error_fix_is_kept_and_checked_later() -> None:
    skill = ProceduralSkill.create("s", "d", ["one"])
    skill.add_error_fix("boom", "")
    assert skill.validate() == ["common_errors[0]: ErrorFix.fix is required"]


def test_created_values_are_not_shared() -> None:
    steps = ["one"]
    ProceduralSkill.create("s", "d", steps).steps.append("two")
    assert steps == ["one"]


def test_files_involved_come_in_the_order_they_were_touched() -> None:
    trace = EpisodeTrace.create("t", "a", "g")
    trace.files_read, trace.files_modified = ["z", "a"], ["a", "m"]
    assert trace.to_dict()["context"]["files_involved"] == ["z", "a", "m"]


def test_every_message_of_the_originals_can_be_had() -> None:
    """The recordings count 34 exact messages; here each is provoked once."""
    wrong_trace = EpisodeTrace("", "", NOW, -1, "", "x", "", outcome="x", tokens_used=-1, importance=2, access_count=-1)
    wrong_pattern = SemanticPattern("", "", "", confidence=2, usage_count=-1, importance=2, access_count=-1)
    wrong_skill = ProceduralSkill("", "", "", importance=2, access_count=-1)
    parts: list[Any] = [
        ActionEntry("", "", "", -1),
        ErrorEntry("", "", ""),
        Link("", "", 2),
        schemas.ErrorFix("", ""),
        TaskContext("", "x"),
    ]
    told = [message for part in (*parts, wrong_trace, wrong_pattern, wrong_skill) for message in part.validate()]
    assert len(told) == len(set(told)) == 34


JUNK = st.one_of(
    st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=5), st.lists(st.integers(), max_size=2)
)
NAMES = {
    EpisodeTrace: [name for name in EpisodeTrace.__dataclass_fields__ if "timestamp" not in name] + ["context"],
    SemanticPattern: list(SemanticPattern.__dataclass_fields__),
    ProceduralSkill: list(ProceduralSkill.__dataclass_fields__),
    TaskContext: list(TaskContext.__dataclass_fields__),
    Link: list(Link.__dataclass_fields__),
    ActionEntry: list(ActionEntry.__dataclass_fields__),
}


@given(st.data(), st.sampled_from(list(NAMES)))
def test_no_wrong_value_crashes_validate(data: st.DataObject, kind: Any) -> None:
    raw = data.draw(st.dictionaries(st.sampled_from(NAMES[kind]), JUNK))
    try:
        made = kind.from_dict(raw)
    except ValueError:  # text that is no time, or a context that is no object: refused when read
        return
    assert all(isinstance(message, str) for message in made.validate())
    made.to_dict()


@pytest.mark.parametrize(
    ("field", "value", "message"),
    [
        ("action_log", None, "EpisodeTrace.action_log must be a list, not None"),
        ("action_log", [5], "action_log[0]: expected ActionEntry, not 5"),
        ("files_read", "a.py", "EpisodeTrace.files_read must be a list, not 'a.py'"),
        ("files_modified", [1], "EpisodeTrace.files_modified must hold strings only"),
        ("importance", True, "EpisodeTrace.importance must be a number, not True"),
        ("tokens_used", float("nan"), "EpisodeTrace.tokens_used must be non-negative"),
        ("agent", 7, "EpisodeTrace.agent must be a string, not 7"),
        ("timestamp", "now", "EpisodeTrace.timestamp must be a datetime, not 'now'"),
        ("last_accessed", 5, "EpisodeTrace.last_accessed must be a datetime, not 5"),
        ("git_commit", 5, "EpisodeTrace.git_commit must be a string, not 5"),
        ("phase", [], "EpisodeTrace.phase must be one of: REASON, ACT, REFLECT, VERIFY"),
        ("duration_seconds", float("inf"), "EpisodeTrace.duration_seconds must be a number, not inf"),
        (
            "timestamp",
            datetime(1, 1, 1, tzinfo=timezone(timedelta(hours=8))),
            "EpisodeTrace.timestamp lies outside the years 1 to 9999 in UTC",
        ),
    ],
)
def test_a_wrong_type_is_reported_by_name(field: str, value: object, message: str) -> None:
    trace = EpisodeTrace.create("t", "a", "g")
    setattr(trace, field, value)
    assert trace.validate() == [message]
    trace.to_dict()


def test_a_context_that_is_no_object_is_refused() -> None:
    with pytest.raises(ValueError, match="context must be an object, not 'x'"):
        EpisodeTrace.from_dict({"context": "x"})


@pytest.mark.parametrize(
    ("part", "message"),
    [
        (ActionEntry("a", {}, "", 1), "ActionEntry.input must be a string, not {}"),  # type: ignore[arg-type]
        (ErrorEntry("a", "b", 5), "ErrorEntry.resolution must be a string, not 5"),  # type: ignore[arg-type]
        (
            SemanticPattern("i", "p", "c", correct_approach=5),  # type: ignore[arg-type]
            "SemanticPattern.correct_approach must be a string, not 5",
        ),
        (
            ProceduralSkill("i", "n", "d", steps=["s"], example_usage=5),  # type: ignore[arg-type]
            "ProceduralSkill.example_usage must be a string, not 5",
        ),
    ],
    ids=str,
)
def test_optional_text_must_be_text(part: Any, message: str) -> None:
    assert part.validate() == [message]


@pytest.mark.parametrize("kind", list(NAMES))
def test_what_is_no_object_cannot_be_read(kind: Any) -> None:
    with pytest.raises(SchemaError, match=f"{kind.__name__} is read from an object, not from None"):
        kind.from_dict(None)


def test_a_bad_time_names_its_field() -> None:
    with pytest.raises(SchemaError, match="last_used must be an ISO 8601 time, not 'soon'"):
        SemanticPattern.from_dict({"last_used": "soon"})


def test_a_damaged_experience_says_so_when_it_is_used() -> None:
    pattern = SemanticPattern.from_dict({"links": None, "usage_count": None})
    with pytest.raises(SchemaError, match="links must be a list"):
        pattern.add_link("a", "supports")
    with pytest.raises(SchemaError, match="usage_count must be a number"):
        pattern.increment_usage()
    with pytest.raises(SchemaError, match="common_errors must be a list"):
        ProceduralSkill.from_dict({"common_errors": None}).add_error_fix("a", "b")


def test_lists_are_never_shared() -> None:
    raw = {"conditions": ["a"]}
    pattern = SemanticPattern.from_dict(raw)
    pattern.to_dict()["conditions"].append("b")
    pattern.conditions.append("c")
    assert raw == {"conditions": ["a"]}
    assert pattern.conditions == ["a", "c"]


def test_an_offset_is_kept_in_memory() -> None:
    trace = EpisodeTrace.from_dict({"timestamp": "2026-01-06T10:00:00+08:00"})
    assert trace.timestamp == datetime(2026, 1, 6, 10, tzinfo=timezone(timedelta(hours=8)))
    assert trace.timestamp.utcoffset() == timedelta(hours=8)
