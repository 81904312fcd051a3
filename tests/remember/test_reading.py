"""Answers of models: JSON in every state of repair, and words instead of it."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from langchain_core.messages import AIMessage
from langchain_core.messages.tool import invalid_tool_call, tool_call

from memory_middleware.errors import ExtractionError
from memory_middleware.remember.extraction.loose_json import find_json
from memory_middleware.remember.extraction.reading import read_answer, read_message
from tests.support import brief, cases

FACT = {"content": "用户使用 Go", "type": "fact", "tags": ["go"], "confidence": 0.9, "replace": None}


def _facts_of(recorded: Any) -> list[dict[str, Any]]:
    """Pick the facts from what the reference reader made of an answer, which may be several values."""
    if isinstance(recorded, dict):
        return [recorded] if "content" in recorded else []
    return [fact for entry in recorded for fact in _facts_of(entry)] if isinstance(recorded, list) else []


@pytest.mark.parametrize("case", cases("003_orca/llm_json"), ids=brief)
def test_recorded_answers_are_read(case: dict[str, Any]) -> None:
    assert [dict(fact) for fact in read_answer(case["input"]).facts] == _facts_of(case["json_repair"])


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("{'a': 'it''s', 'b': None, 'c': True}", [{"a": "it''s", "b": None, "c": True}]),
        ("{'dog': 'the user's dog', 'n': -1.5e2}", [{"dog": "the user's dog", "n": -150.0}]),
        ('{"a": "he said "hi" to me", "b": 1}', [{"a": 'he said "hi" to me', "b": 1.0}]),
        ('{"a": "she said "yes", then left", "b": "x"}', [{"a": 'she said "yes", then left', "b": "x"}]),
        ('{"a": "x"\n "b": "y"}', [{"a": "x", "b": "y"}]),
        ('{"a": "x" // why\n, /* no */ "b": [1, 2,],}', [{"a": "x", "b": [1.0, 2.0]}]),
        ("{“a”：“喜欢“绿茶””，“b”：“是”}", [{"a": "喜欢“绿茶”", "b": "是"}]),
        ("{a: some words, b: 'x', c:, d}", [{"a": "some words", "b": "x", "c": None, "d": None}]),
        ('[{"a": 1]', [[{"a": 1.0}]]),
        ('{"a": [1, 2}', [{"a": [1.0, 2.0]}]),
        ("[1}, 2]", [[1.0, 2.0]]),
        ("[1, : 2]", [[1.0, ": 2"]]),
        ('{{"a": 1}, [2],}', [{"": [{"a": 1.0}, [2.0]]}]),
        (r'{"a": "\u4f60\n\"\\ \q \u12", }', [{"a": '你\n"\\ q u12'}]),
        ("[`x`, 1,]", [[None, "x", None, 1.0]]),
        ("{: 1, 'b': 2}", [{"1": None, "b": 2.0}]),
        ('[{"a": "b"}\n```\nThat was [1].', [[{"a": "b"}], [1]]),
        ('{"a": "b"\n```', [{"a": "b"}]),
        ("no JSON", []),
        ('"[1]"', ["[1]"]),
        ("[NaN, Infinity, 1e999, undefined,]", [[None, "Infinity", float("inf"), None]]),
    ],
)
def test_damaged_json_is_read(text: str, values: list[Any]) -> None:
    assert list(find_json(text).values) == values


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ('[{"a": "whole"}, {"a": "hal', [[{"a": "whole"}, {}]]),
        ('{"a": "whole", "b": 0.', [{"a": "whole"}]),
        ('{"a": "whole", "b": ', [{"a": "whole"}]),
        ('{"a": "whole", "b', [{"a": "whole"}]),
        ('{"a": ["x", "y', [{"a": ["x"]}]),
        ('{"a": "x\\', [{}]),
        ("[", [[]]),
        ("{", [{}]),
    ],
)
def test_what_the_end_cuts_off_is_left_out_and_told(text: str, values: list[Any]) -> None:
    found = find_json(text)
    assert list(found.values) == values
    assert not found.complete


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("<think>is it [1]?</think>\n[2]", [[2]]),
        ("<Thinking>is it [1]?</Thinking>[2]", [[2]]),
        ("is it [1]? no\n</think>\n[2]", [[2]]),
        ("<think>is it [1]? I wonder", []),
        ('["</think>", 2]', [["</think>", 2]]),
    ],
)
def test_thoughts_are_no_answer(text: str, values: list[Any]) -> None:
    assert list(find_json(text).values) == values


@pytest.mark.parametrize(
    "text",
    [
        "[]",
        "{}",
        "null",
        '{"facts": []}',
        '{"facts": null, "profile_patch": {}}',
        '{"facts": "none"}',
        '{"facts": [null]}',
        "```json\n[]\n```",
        "no facts found",
        "There are no new facts to remember here.",
        "Nothing worth remembering: nothing to extract.",
        "None.",
        "<think>hm</think>\nThe conversation does not contain any durable facts.",
        "没有需要记住的内容。",
        "无",
        "本次对话中没有新的事实。",
        "无需记录。",
    ],
)
def test_an_answer_without_facts_is_empty(text: str) -> None:
    reading = read_answer(text)
    assert (reading.facts, reading.retractions, reading.profile_patch, reading.dropped) == ((), (), {}, 0)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "I am a teapot.",
        "Hello {name}, how are you?",
        "[1, 2]",
        '{"message": "hello"}',
        "[[[[",
        "[" * 1000,
        '{"facts"',
        "I'm sorry, I can't help with that.",
        "The weather is fine. " * 30 + "[]",
        "<think>no facts",
    ],
    ids=brief,
)
def test_an_unreadable_answer_is_told(text: str) -> None:
    with pytest.raises(ExtractionError) as caught:
        read_answer(text)
    assert not caught.value.permanent


@pytest.mark.parametrize(
    "text",
    [
        '{"facts": [{"content": "likes tea"}]}',
        '{"answer": {"facts": [{"content": "likes tea"}]}}',
        '{"facts": {"content": "likes tea"}}',
        '{"facts": ["likes tea"]}',
        '{"facts": "likes tea"}',
        '{"facts": "[{\\"content\\": \\"likes tea\\"}]"}',
        '{"name": "remember", "arguments": "{\\"facts\\": [\\"likes tea\\"]}"}',
        '{"role": "assistant", "content": "{\\"facts\\": [\\"likes tea\\"]}"}',
        '"{\\"facts\\": [\\"likes tea\\"]}"',
        '{"content": "likes tea"}\n',
        '{"Facts": [{"Fact": "likes tea"}]}',
        '{"事实": [{"内容": "likes tea"}]}',
        "In [brackets] first. [{content: likes tea}] :[",
    ],
)
def test_facts_are_found_wherever_they_are(text: str) -> None:
    reading = read_answer(text)
    assert [next(iter(fact.values())) for fact in reading.facts] == ["likes tea"]


def test_all_parts_of_an_answer_are_read() -> None:
    reading = read_answer(
        '{"facts": [7, {"content": "a"}], "retractions": [{"subject": "user"}, "x"],'
        ' "profile_patch": "{\\"user\\": {\\"occupation\\": \\"nurse\\"}}"}'
    )
    assert (len(reading.facts), reading.dropped) == (1, 1)
    assert reading.retractions == ({"subject": "user"},)
    assert reading.profile_patch == {"user": {"occupation": "nurse"}}


def test_json_is_opened_only_so_deep() -> None:
    text = '{"facts": ["likes tea"]}'
    for _ in range(4):
        text = json.dumps(text)
    with pytest.raises(ExtractionError):
        read_answer(text)


def test_a_tool_call_is_the_answer() -> None:
    call = tool_call(name="remember", args={"facts": [{"content": "likes tea"}]}, id="1")
    assert len(read_message(AIMessage("Sure [1]", tool_calls=[call])).facts) == 1


def test_a_broken_tool_call_is_mended() -> None:
    call = invalid_tool_call(name="remember", args='{"facts": [{"content": "likes tea"}, {"con', id="1", error=None)
    reading = read_message(AIMessage("", invalid_tool_calls=[call]))
    assert [fact for fact in reading.facts if fact] == [{"content": "likes tea"}]
    assert not reading.complete


def test_text_in_blocks_is_read_and_reasoning_is_not() -> None:
    blocks: list[str | dict[str, Any]] = [
        {"type": "reasoning", "reasoning": "[1]"},
        {"type": "text", "text": '{"facts": [{"content": "likes tea"}]}'},
    ]
    assert len(read_message(AIMessage(blocks)).facts) == 1


def test_a_refusal_is_told() -> None:
    with pytest.raises(ExtractionError, match="refused to answer: 'I will not'"):
        read_message(AIMessage("", additional_kwargs={"refusal": "I will not"}))


TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
FACTS = st.lists(
    st.fixed_dictionaries({"content": TEXTS.filter(lambda text: not text.lstrip().startswith(("{", "[")))})
    | st.fixed_dictionaries(
        {"content": st.just("a b"), "tags": st.lists(TEXTS, max_size=2), "confidence": st.floats(0, 1)}
    ),
    min_size=1,
    max_size=4,
)
AROUND = ["", "Here you are:\n", "```json\n", "```\n", "好的，结果如下：\n", "<think>hm [1] {</think>", "\ufeff "]
BEHIND = ["", "\n```", "\nDone.", "\n```\nAnything else?", "。"]


def _loosened(value: Any) -> str:
    """Write JSON with a trailing comma in every list and object."""
    if isinstance(value, dict):
        return "{" + "".join(f"{json.dumps(key)}: {_loosened(inner)}, " for key, inner in value.items()) + "}"
    if isinstance(value, list):
        return "[" + "".join(f"{_loosened(inner)},\n" for inner in value) + "]"
    return json.dumps(value, ensure_ascii=False)


@given(FACTS, st.sampled_from(AROUND), st.sampled_from(BEHIND), st.booleans(), st.booleans())
def test_facts_survive_fences_prose_and_commas(
    facts: list[dict[str, Any]], before: str, behind: str, wrapped: bool, loose: bool
) -> None:
    asked = {"facts": facts} if wrapped else facts
    text = before + (_loosened(asked) if loose else json.dumps(asked, ensure_ascii=False)) + behind
    reading = read_answer(text)
    assert [dict(fact) for fact in reading.facts] == facts
    assert reading.complete


@given(FACTS, st.data())
def test_a_cut_answer_keeps_the_facts_before_the_cut(facts: list[dict[str, Any]], data: st.DataObject) -> None:
    text = json.dumps({"facts": facts})
    cut = text[: data.draw(st.integers(1, len(text) - 1))]
    kept = [dict(fact) for fact in _read_or_nothing(cut)]
    assert all(fact in facts for fact in kept[:-1])
    assert not kept or kept[-1].get("content") in (None, facts[len(kept) - 1]["content"])


def _read_or_nothing(text: str) -> Any:
    try:
        return read_answer(text).facts
    except ExtractionError:
        return ()


@given(st.text(st.sampled_from("{}[]\"'“”:：,，\\/*`\n ua1.-tfnse<>="), max_size=60) | st.text(max_size=60))
@example('{"a": "\ud800"}')
@example("/*" * 30 + "[/*")
def test_reading_fails_in_one_way_only(text: str) -> None:
    _read_or_nothing(text)


@pytest.mark.parametrize(
    "text",
    [
        "[" + '{"content": "a b", },' * 50_000,
        '["' + '" ' * 500_000,
        '["' + '", ' * 330_000 + "x",
        "[" + "/*" * 500_000,
        "[" + "//\n" * 330_000,
        '["' + "\n" * 1_000_000 + "x",
        "[" + "\\" * 1_000_000,
        "[" + "a" * 1_000_000,
        "{" + "a:" * 500_000,
        "[}" * 500_000,
        "{a} " * 250_000,
        "</think>" * 120_000,
        "<think>" * 140_000,
        '["' + "，" * 1_000_000,
        "[" + "1," * 500_000,
        "no facts " * 110_000,
    ],
    ids=lambda text: str(text)[:12],
)
def test_a_million_characters_are_read_in_one_go(text: str) -> None:
    # Reading in quadratic time would keep the suite busy for hours; there is no clock here.
    _read_or_nothing(text)
