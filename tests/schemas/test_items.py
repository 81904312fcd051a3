"""Items and snapshots, and LangChain messages through them."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from langchain_core.messages import (
    AIMessage,
    AIMessageChunk,
    BaseMessage,
    ChatMessage,
    FunctionMessage,
    HumanMessage,
    SystemMessage,
    ToolMessage,
)

from memory_middleware.errors import MissingFieldError, SchemaError
from memory_middleware.schemas import MemoryContentSnapshot, MemoryItem
from tests.support import brief, cases

FILE = {"type": "file", "base64": "YWJj", "mime_type": "text/plain", "name": "a.txt", "id": "f1"}
RECORDED: list[BaseMessage] = [
    HumanMessage("hello"),
    AIMessage([{"type": "text", "text": "part one"}, "part two", FILE]),
]


def through_json(snapshot: MemoryContentSnapshot | None) -> MemoryContentSnapshot:
    assert snapshot is not None
    again = MemoryContentSnapshot.from_dict(json.loads(json.dumps(snapshot.to_dict())))
    assert again is not None
    return again


def test_messages_give_the_recorded_text_and_blocks() -> None:
    (case,) = cases("002_devall/snapshots", op="from_messages")
    snapshot = MemoryContentSnapshot.from_messages(RECORDED)
    assert snapshot is not None
    assert {"text": snapshot.text, "blocks": snapshot.blocks} == case["expected"]
    assert snapshot.attachment_overview() == case["attachment_overview"]
    assert len(snapshot.to_message_blocks()) == case["message_block_count"]


@pytest.mark.parametrize("case", cases("002_devall/snapshots", op="from_message"), ids=brief)
def test_a_plain_value_gives_the_recorded_snapshot(case: dict[str, Any]) -> None:
    snapshot = MemoryContentSnapshot.from_message(case["input"])
    assert snapshot is not None
    assert snapshot.to_dict() == case["expected"]


@pytest.mark.parametrize("case", cases("002_devall/snapshots", op="from_dict"), ids=brief)
def test_plain_data_gives_the_recorded_snapshot(case: dict[str, Any]) -> None:
    snapshot = MemoryContentSnapshot.from_dict(case["input"])
    assert (snapshot.to_dict() if snapshot else None) == case["expected"]


@pytest.mark.parametrize("case", cases("002_devall/snapshots", op="item_from_dict"), ids=brief)
def test_plain_data_gives_the_recorded_item(case: dict[str, Any]) -> None:
    if "error" in case["expected"]:
        with pytest.raises(KeyError):
            MemoryItem.from_dict(case["input"])
    else:
        assert MemoryItem.from_dict(case["input"]).to_dict() == case["expected"]["ok"]


MESSAGES: list[BaseMessage] = [
    SystemMessage("be kind"),
    HumanMessage("你好 🚀", id="h1", name="ana"),
    HumanMessage([{"type": "text", "text": "look", "extras": {"cache": True}}]),
    HumanMessage([{"type": "image", "base64": "iVBORw0KGgo=", "mime_type": "image/png"}]),
    HumanMessage([{"type": "image", "url": "https://example.org/a.png", "mime_type": "image/png"}]),
    HumanMessage([{"type": "image_url", "image_url": {"url": "data:image/png;base64,iVBORw0KGgo=", "detail": "low"}}]),
    HumanMessage([{"type": "image_url", "image_url": {"url": "https://example.org/a.png"}}]),
    HumanMessage([{"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "iVBORw0KGgo="}}]),
    HumanMessage([{"type": "file", "file": {"filename": "b.pdf", "file_data": "data:application/pdf;base64,YWJj"}}]),
    HumanMessage([{"type": "file", "file_id": "file-1"}]),
    HumanMessage([{"type": "image", "source_type": "base64", "data": "YWJj", "mime_type": "image/jpeg"}]),
    HumanMessage([{"type": "input_audio", "input_audio": {"data": "YWJj", "format": "wav"}}]),
    HumanMessage([{"type": "image", "url": "data:image/png;base64,iVBORw0KGgo="}]),
    HumanMessage([{"type": "image_url", "image_url": "DATA:image/png;base64,iVBORw0KGgo="}]),
    HumanMessage([{"type": "input_image", "image_url": "data:image/png;base64,iVBORw0KGgo="}]),
    HumanMessage([{"type": "input_file", "filename": "c.pdf", "file_data": "data:application/pdf;base64,YWJj"}]),
    HumanMessage([{"type": "media", "mime_type": "video/mp4", "data": "YWJj"}]),
    HumanMessage([{"type": "media", "mime_type": "image/png", "data": b"\x00\xff"}]),
    HumanMessage([{"image": {"format": "png", "source": {"bytes": b"\x01\x02"}}}]),
    HumanMessage([{"type": "document", "source": {"type": "text", "media_type": "text/plain", "data": "plain é"}}]),
    HumanMessage([{"type": "file", "url": "data:text/plain,hello%20you", "mime_type": "text/plain"}]),
    HumanMessage([{"type": "file", "source_type": "text", "text": "abc", "mime_type": "text/plain"}]),
    AIMessage([{"type": "reasoning", "summary": "s"}], response_metadata={"model_provider": "openai"}),
    AIMessage("", tool_calls=[{"name": "f", "args": {"raw": b"\x00"}, "id": "c"}]),
    HumanMessage([]),
    HumanMessage(""),
    AIMessage("", tool_calls=[{"name": "search", "args": {"q": "x"}, "id": "c1"}]),
    AIMessage(
        [{"type": "reasoning", "reasoning": "hm"}, {"type": "text", "text": "done"}],
        usage_metadata={"input_tokens": 1, "output_tokens": 2, "total_tokens": 3},
        response_metadata={"model": "m"},
        invalid_tool_calls=[{"name": "f", "args": "{", "id": "c2", "error": "bad"}],
    ),
    AIMessageChunk(content="half"),
    ToolMessage("result", tool_call_id="c1", status="error", artifact={"rows": [1]}),
    ToolMessage([{"type": "text", "text": "a"}, FILE], tool_call_id="c1"),
    ChatMessage(content="said", role="critic"),
    FunctionMessage(content="out", name="f"),
]


@pytest.mark.parametrize("message", MESSAGES, ids=lambda message: f"{message.type}-{str(message.content)[:40]}")
def test_a_message_comes_back_equal(message: BaseMessage) -> None:
    assert through_json(MemoryContentSnapshot.from_message(message)).to_messages() == [message]


def test_a_conversation_comes_back_equal() -> None:
    assert through_json(MemoryContentSnapshot.from_messages(MESSAGES)).to_messages() == MESSAGES


PARTS = st.one_of(
    st.text(),
    st.builds(lambda text: {"type": "text", "text": text}, st.text()),
    st.builds(
        lambda kind, data, name: {"type": kind, "base64": data, "mime_type": "x/y", "name": name},
        st.sampled_from(["image", "audio", "video", "file"]),
        st.sampled_from(["YWJj", "YQ==", "AAAA"]),
        st.text(),
    ),
    st.dictionaries(st.text(max_size=3), st.text(max_size=3) | st.integers(), max_size=3),
)


@settings(deadline=None)
@given(st.lists(st.one_of(st.text(), st.lists(PARTS, max_size=3)), min_size=1, max_size=3))
def test_any_content_comes_back_equal(contents: list[Any]) -> None:
    messages: list[BaseMessage] = [HumanMessage(content) for content in contents]
    assert through_json(MemoryContentSnapshot.from_messages(messages)).to_messages() == messages


def test_what_json_cannot_hold_is_kept_as_text() -> None:
    message = ToolMessage("r", tool_call_id="c", artifact={"when": complex(1, 2)})
    (back,) = through_json(MemoryContentSnapshot.from_message(message)).to_messages()
    assert back.artifact == {"when": "(1+2j)"}  # type: ignore[attr-defined]


def test_attachments_are_measured_and_named() -> None:
    snapshot = through_json(MemoryContentSnapshot.from_messages(MESSAGES))
    found = {entry["mime_type"]: entry for entry in snapshot.attachment_overview() if entry["size"] is not None}
    assert found["image/png"]["size"] == 8
    assert found["text/plain"]["size"] in (3, 9)
    assert found["video/mp4"]["size"] == 3
    assert all(len(entry["attachment_id"]) < 60 for entry in snapshot.attachment_overview())
    assert found["application/pdf"]["name"] == "c.pdf"
    assert "[file attachment: b.pdf]" in snapshot.describe()
    assert "[reasoning block]" in snapshot.text


def test_nothing_gives_nothing() -> None:
    assert MemoryContentSnapshot.from_message(None) is None
    assert MemoryContentSnapshot.from_messages([]) is None


def test_blocks_of_other_systems_become_messages() -> None:
    blocks = [
        {"role": "user", "block": {"type": "text", "text": "hi"}},
        {"role": "assistant", "block": {"type": "text", "text": "look"}},
        {
            "role": "assistant",
            "block": {
                "type": "image",
                "attachment": {
                    "attachment_id": "i",
                    "mime_type": "image/png",
                    "data_uri": "data:image/png;base64,YQ==",
                },
            },
        },
        {"role": "tool", "block": {"type": "data", "data": {"text": "out"}}},
    ]
    snapshot = MemoryContentSnapshot(text="hi", blocks=blocks)
    assert snapshot.to_messages() == [
        HumanMessage("hi"),
        AIMessage(
            [{"type": "text", "text": "look"}, {"type": "image", "base64": "YQ==", "mime_type": "image/png", "id": "i"}]
        ),
        ChatMessage(content="out", role="tool"),
    ]
    assert MemoryContentSnapshot("only text").to_messages() == [HumanMessage("only text")]
    assert MemoryContentSnapshot("").to_messages() == []


def test_malformed_blocks_are_left_out() -> None:
    snapshot = MemoryContentSnapshot(
        "t", blocks=[{"role": "user"}, {"role": "user", "block": {"type": "text", "text": "x"}}]
    )
    assert snapshot.to_message_blocks() == [{"type": "text", "text": "x"}]


def test_a_large_image_stays_out_of_the_text() -> None:
    message = HumanMessage([{"type": "image", "url": f"data:image/png;base64,{'A' * 100_000}"}])
    snapshot = through_json(MemoryContentSnapshot.from_message(message))
    assert len(snapshot.text) < 100
    assert len(json.dumps(snapshot.attachment_overview())) < 300


def test_a_snapshot_that_was_tampered_with_is_refused() -> None:
    snapshot = through_json(MemoryContentSnapshot.from_messages(RECORDED))
    snapshot.blocks.pop()
    with pytest.raises(SchemaError, match="do not belong together"):
        snapshot.to_messages()


def test_only_messages_are_taken_for_messages() -> None:
    with pytest.raises(SchemaError, match=r"messages\[1\] must be a LangChain message, not 'plain'"):
        MemoryContentSnapshot.from_messages([HumanMessage("a"), "plain"])  # type: ignore[list-item]


def test_an_item_lists_the_attachments_of_both_sides() -> None:
    item = MemoryItem(
        "i",
        "s",
        {},
        input_snapshot=MemoryContentSnapshot.from_blocks(
            text="x", blocks=[{"type": "file", "attachment": {"attachment_id": "a"}}]
        ),
        output_snapshot=MemoryContentSnapshot.from_message(RECORDED[1]),
    )
    assert [entry["attachment_id"] for entry in item.attachments()] == ["a", "f1"]
    assert item.timestamp is not None
    assert MemoryItem.from_dict(json.loads(json.dumps(item.to_dict()))) == item


def test_what_is_no_item_is_refused() -> None:
    with pytest.raises(MissingFieldError, match=r"needs an 'id'; found only \['text'\]"):
        MemoryItem.from_dict({"text": "x"})
    with pytest.raises(SchemaError, match="must be an object"):
        MemoryItem.from_dict([])  # type: ignore[arg-type]
