"""Recordings of four houses become the same turns."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from langchain_core.load import dumpd
from langchain_core.messages import AIMessage, HumanMessage, ToolMessage, messages_to_dict

from memory_middleware import InvalidInputError
from memory_middleware_cli.replay import Trace, read_trace
from tests.replay.support import said, write_lines


def written(path: Path, data: Any) -> Path:
    path.write_text(json.dumps(data, ensure_ascii=False), encoding="utf-8")
    return path


def told(trace: Trace) -> list[tuple[str, str, list[str]]]:
    return [(turn.thread, turn.said, [message.text for message in turn.answers]) for turn in trace.turns]


def test_our_format_has_a_header_threads_times_agents_and_tools(tmp_path: Path) -> None:
    call = {"id": "c1", "name": "search", "args": {"query": "tea"}}
    trace = read_trace(
        write_lines(
            tmp_path / "day.jsonl",
            {"trace": "a day", "owner": "ana", "language": "zh", "about": "tea"},
            said("system", "be kind"),
            said("user", "find tea", time="2026-03-02T09:00:00+01:00", thread="shop"),
            said("assistant", "", thread="shop", tool_calls=[call]),
            said("tool", "green tea", thread="shop", tool_call_id="c1", name="search"),
            said("assistant", "Green tea.", thread="shop"),
            said("user", "hello", time="2026-03-01T09:00:00", thread="hall"),
            said("assistant", "Hi.", thread="hall", agent="router"),
        )
    )
    assert (trace.name, trace.owner, trace.language, trace.about) == ("a day", "ana", "zh", "tea")
    first, second = trace.turns
    assert (first.number, first.thread, first.agent) == (1, "hall", "router")
    assert first.time == datetime(2026, 3, 1, 9, tzinfo=UTC)
    assert (second.said, second.agent, second.time) == ("find tea", "worker", datetime(2026, 3, 2, 8, tzinfo=UTC))
    calls, result, answer = second.answers
    assert isinstance(calls, AIMessage)
    assert calls.tool_calls[0]["args"] == {"query": "tea"}
    assert isinstance(result, ToolMessage)
    assert (result.tool_call_id, result.name, answer.text) == ("c1", "search", "Green tea.")
    assert len({message.id for message in (second.asked, *second.answers)}) == 4


def test_messages_in_a_row_are_one_turn_where_somebody_answers(tmp_path: Path) -> None:
    rows = [said("user", "one"), said("user", "two"), said("assistant", "yes"), said("user", "three")]
    assert told(read_trace(write_lines(tmp_path / "a.jsonl", *rows))) == [
        ("thread-1", "one\ntwo", ["yes"]),
        ("thread-1", "three", []),
    ]


def test_where_nobody_answers_every_message_is_a_turn(tmp_path: Path) -> None:
    trace = read_trace(write_lines(tmp_path / "a.jsonl", said("user", "one"), said("user", "two")))
    assert told(trace) == [("thread-1", "one", []), ("thread-1", "two", [])]
    assert (trace.turns[1].time - trace.turns[0].time).total_seconds() == 60


def test_an_answer_without_content_was_given_but_not_recorded(tmp_path: Path) -> None:
    rows = [said("user", "one"), said("assistant", None, agent="router"), said("user", "two"), said("assistant", "ok")]
    trace = read_trace(write_lines(tmp_path / "a.jsonl", *rows))
    assert told(trace) == [("thread-1", "one", []), ("thread-1", "two", ["ok"])]
    assert trace.turns[0].agent == "router"


def test_what_stands_before_the_first_question_is_left_out(tmp_path: Path) -> None:
    rows = [said("assistant", "welcome"), said("user", "hi"), said("assistant", "hello")]
    assert told(read_trace(write_lines(tmp_path / "a.jsonl", *rows))) == [("thread-1", "hi", ["hello"])]


def test_a_trace_of_one_line_is_a_trace(tmp_path: Path) -> None:
    assert told(read_trace(write_lines(tmp_path / "a.jsonl", said("user", "hi")))) == [("thread-1", "hi", [])]


OPENAI = [
    said("developer", "be kind"),
    said("user", [{"type": "text", "text": "hi"}, {"type": "image_url", "image_url": {"url": "data:,x"}}]),
    {
        "role": "assistant",
        "content": None,
        "refusal": None,
        "tool_calls": [{"id": "c", "type": "function", "function": {"name": "f", "arguments": '{"a": 1}'}}],
    },
    said("tool", [{"type": "text", "text": "found"}, "more"], tool_call_id="c"),
    said("assistant", "hello", created=1_772_443_800),
]


@pytest.mark.parametrize("shape", ["list", "object", "lines"])
def test_openai_chat_is_read_in_all_its_shapes(shape: str, tmp_path: Path) -> None:
    place = tmp_path / "chat.json"
    if shape == "lines":
        write_lines(place, {"messages": OPENAI}, {"messages": [said("user", "again"), said("assistant", "yes")]})
    else:
        written(place, OPENAI if shape == "list" else {"model": "m", "messages": OPENAI})
    trace = read_trace(place)
    turn = trace.turns[0]
    assert turn.said == "hi"
    call, result, answer = turn.answers
    assert isinstance(call, AIMessage)
    assert call.tool_calls[0] == {"name": "f", "args": {"a": 1}, "id": "c", "type": "tool_call"}
    assert (result.text, answer.text) == ("found\nmore", "hello")
    if shape == "lines":
        assert [one.thread for one in trace.turns] == ["thread-1", "thread-2"]
        assert (trace.turns[1].time.date() - turn.time.date()).days == 1


def test_arguments_that_are_no_json_are_kept_as_text(tmp_path: Path) -> None:
    call = {"id": "c", "function": {"name": "f", "arguments": "{half"}}
    rows = [said("user", "hi"), {"role": "assistant", "tool_calls": [call]}]
    answer = read_trace(written(tmp_path / "a.json", rows)).turns[0].answers[0]
    assert isinstance(answer, AIMessage)
    assert answer.tool_calls[0]["args"] == {"input": "{half"}


ASKED, ANSWERED = HumanMessage("What is new?"), AIMessage("Nothing.")


@pytest.mark.parametrize(
    ("inputs", "outputs"),
    [
        ([said("user", "What is new?")], {"messages": [said("user", "What is new?"), said("assistant", "Nothing.")]}),
        (messages_to_dict([ASKED]), {"messages": messages_to_dict([ANSWERED])}),
        ([[dumpd(ASKED)]], {"generations": [[{"text": "Nothing.", "message": dumpd(ANSWERED)}]]}),
        ([dumpd(ASKED)], {"generations": [{"text": "Nothing."}]}),
        ([{"type": "human", "content": "What is new?"}], {"output": {"type": "ai", "content": "Nothing."}}),
        ([said("user", "What is new?")], {"choices": [{"message": said("assistant", "Nothing.")}]}),
        ([said("user", "What is new?")], {"output": "Nothing."}),
        ([said("user", "What is new?")], said("assistant", "Nothing.")),
    ],
    ids=["graph", "enveloped", "model", "text", "chain", "client", "plain", "bare"],
)
def test_a_langsmith_run_is_a_turn(inputs: Any, outputs: Any, tmp_path: Path) -> None:
    run = {
        "id": "r",
        "start_time": "2026-03-02T09:00:00",
        "inputs": {"messages": inputs},
        "outputs": outputs,
        "extra": {"metadata": {"thread_id": "t7"}},
    }
    trace = read_trace(written(tmp_path / "runs.json", [run]))
    assert told(trace) == [("t7", "What is new?", ["Nothing."])]
    assert trace.turns[0].time == datetime(2026, 3, 2, 9, tzinfo=UTC)


def test_runs_follow_their_times_and_inner_ones_are_left_out(tmp_path: Path) -> None:
    def run(name: str, hour: int, **more: Any) -> dict[str, Any]:
        asked = {"messages": [said("user", name)]}
        return {"start_time": f"2026-03-02T{hour:02}:00:00", "inputs": asked, "outputs": {"output": "ok"}, **more}

    rows = [run("late", 12), run("inner", 8, parent_run_id="x"), run("early", 9), {"inputs": {}, "outputs": None}]
    assert [turn.said for turn in read_trace(write_lines(tmp_path / "runs.jsonl", *rows)).turns] == ["early", "late"]
    assert [turn.said for turn in read_trace(written(tmp_path / "runs.json", {"runs": rows[1:2]})).turns] == ["inner"]


def test_an_output_that_is_no_message_leaves_the_turn_open(tmp_path: Path) -> None:
    run = {"inputs": {"messages": [said("user", "hi")]}, "outputs": {"count": 3}}
    assert told(read_trace(written(tmp_path / "run.json", run))) == [("thread-1", "hi", [])]


LOCOMO = [
    {
        "sample_id": "conv-1",
        "conversation": {
            "speaker_a": "Ana",
            "speaker_b": "Bo",
            "session_2_date_time": "9:05 am on 3 June, 2023",
            "session_2": [{"speaker": "Bo", "text": "Hey"}, {"speaker": "Ana", "text": "Back again"}],
            "session_1_date_time": "1:56 pm on 8 May, 2023",
            "session_1": [
                {"speaker": "Ana", "text": "I have a dog", "blip_caption": "a photo of a dog"},
                {"speaker": "Bo", "text": "Lovely"},
            ],
        },
    },
    {"conversation": {"speaker_a": "Cy", "speaker_b": "Di", "session_1_date_time": "soon", "session_1": []}},
]


def test_locomo_sessions_are_threads_and_the_first_speaker_is_the_user(tmp_path: Path) -> None:
    trace = read_trace(written(tmp_path / "locomo.json", LOCOMO))
    assert (trace.name, trace.owner) == ("conv-1", "Ana")
    assert told(trace) == [
        ("session-1", "I have a dog [a photo of a dog]", ["Lovely"]),
        ("session-2", "Back again", []),
    ]
    assert trace.turns[0].time == datetime(2023, 5, 8, 13, 56, tzinfo=UTC)
    assert trace.first(1).turns == trace.turns[:1]
    assert trace.first(None) is trace


@pytest.mark.parametrize(
    ("data", "pick", "told"),
    [
        (LOCOMO, 2, "'soon' is no time such as"),
        (LOCOMO, 3, "has 2 conversations; there is none of number 3"),
        ({"a": 1}, 1, "this is no trace"),
        ([1, 2], 1, "this is no trace"),
        ([], 1, "this is no trace"),
        ([said("robot", "hi")], 1, "there is no role 'robot'"),
        ([said("user", 7)], 1, "content is text or a list of parts, not 7"),
        ([said("user", "hi", time="noon")], 1, "'noon' is no time"),
        ({"messages": [5]}, 1, "a message is an object"),
        ({"messages": [said("assistant", "hi")]}, 1, "holds nothing that a user said"),
        ({"inputs": {"messages": []}}, 1, "no run holds a message of a user"),
        ([{"inputs": {"messages": [5]}}], 1, "a message is an object"),
    ],
)
def test_what_does_not_fit_is_told(data: Any, pick: int, told: str, tmp_path: Path) -> None:
    with pytest.raises(InvalidInputError, match=told):
        read_trace(written(tmp_path / "trace.json", data), pick=pick)


@pytest.mark.parametrize(
    ("rows", "told"),
    [
        ([{"trace": "x", "title": "y"}], "line 1: a header has no 'title'"),
        ([said("user", "hi", mood="good"), said("user", "ho")], "line 1: a message has no 'mood'"),
        ([said("user", "hi"), said("assistant", "ho", agent="boss")], "line 2: there is no agent 'boss'"),
    ],
)
def test_a_line_of_ours_that_does_not_fit_is_named(rows: list[dict[str, Any]], told: str, tmp_path: Path) -> None:
    with pytest.raises(InvalidInputError, match=told):
        read_trace(write_lines(tmp_path / "trace.jsonl", *rows))


def test_a_file_that_cannot_be_read_is_told(tmp_path: Path) -> None:
    with pytest.raises(InvalidInputError, match=r"nowhere\.jsonl' cannot be read"):
        read_trace(tmp_path / "nowhere.jsonl")
    place = tmp_path / "half.jsonl"
    place.write_text('{"role": "user", "content": "hi"}\n{"role"\n', encoding="utf-8")
    with pytest.raises(InvalidInputError, match=r"half\.jsonl, line 2: this is no JSON"):
        read_trace(place)
