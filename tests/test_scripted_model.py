"""The chat model without a key: it follows its script, quotes memory, streams, takes tools and remembers its calls."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor

import pytest
from langchain_core.messages import AIMessage, HumanMessage, SystemMessage, ToolCall
from langchain_core.tools import tool

from memory_middleware.testing import ScriptedChatModel, memory_lines, quote_memory

BLOCK = """You route.

<!-- USER_MEMORY_START -->
Remembered about the user.

## Facts
- The user has a dog named Bruno.
- The user lives in Lisbon.

## Said earlier
- [2026-03-02] user: My dog is called Bruno.
- [2026-03-02] user: What is a dog?

## Last rounds of this conversation
- Asked: a dog? Answered: yes, a dog.
<!-- USER_MEMORY_END -->"""
CHINESE = """<!-- WORK_MEMORY_START -->
## 事实
- 用户对花生过敏。

## 本次对话的最近几轮
- 问：过敏 答：过敏
<!-- WORK_MEMORY_END -->"""


@tool
def search(query: str) -> str:
    """Search."""
    return query


def test_it_says_its_lines_and_then_follows_the_rule() -> None:
    call = ToolCall(name="search", args={"query": "tea"}, id="c", type="tool_call")
    model = ScriptedChatModel(answers=["one", AIMessage("", tool_calls=[call], id="mine"), None])
    assert model.last_prompt == ""
    assert model.invoke("hi").text == "one"
    called = model.invoke("hi")
    assert (called.id, called.tool_calls) == ("mine", [call])
    assert model.invoke("Thank you.").text == "Noted."
    assert model.invoke([SystemMessage(BLOCK), HumanMessage("Where does the user live?")]).text == (
        "From what I remember: The user lives in Lisbon."
    )
    assert len(model.calls) == 4
    assert model.last_prompt == BLOCK


def test_a_rule_of_ones_own_answers() -> None:
    model = ScriptedChatModel(rule=lambda messages: f"{len(messages)} messages")
    assert model.invoke([("system", "be kind"), ("human", "hi")]).text == "2 messages"


def test_it_streams_the_same_answer() -> None:
    call = ToolCall(name="search", args={"query": "茶"}, id="c", type="tool_call")
    model = ScriptedChatModel(answers=[AIMessage("A longer answer than one piece.", tool_calls=[call], id="m")])
    pieces = list(model.stream("hi"))
    assert len(pieces) > 3
    whole = pieces[0]
    for piece in pieces[1:]:
        whole += piece
    assert (whole.text, whole.id) == ("A longer answer than one piece.", "m")
    assert whole.tool_calls == [call]


def test_it_streams_to_callbacks() -> None:
    async def collected() -> str:
        model = ScriptedChatModel(answers=["streamed to whoever listens"])
        events = [event async for event in model.astream_events("hi", version="v2")]
        return "".join(event["data"]["chunk"].text for event in events if event["event"] == "on_chat_model_stream")

    assert asyncio.run(collected()) == "streamed to whoever listens"


def test_tools_are_offered_and_noted() -> None:
    model = ScriptedChatModel(answers=["none needed"])
    model.bind_tools([search]).invoke("hi")
    model.invoke("hi")
    assert model.tools_offered == [["search"], []]


def test_a_message_is_said_anew_each_time() -> None:
    said = AIMessage("same")
    model = ScriptedChatModel(answers=[said, said])
    first, second = model.invoke("a"), model.invoke("b")
    assert first.id != second.id
    assert said.id is None


def test_threads_share_a_script_without_repeating_it() -> None:
    model = ScriptedChatModel(answers=[str(number) for number in range(60)])
    with ThreadPoolExecutor(8) as threads:
        said = list(threads.map(lambda _: model.invoke("hi").text, range(60)))
    assert sorted(said, key=int) == [str(number) for number in range(60)]


@pytest.mark.parametrize(
    ("system", "asked", "answer"),
    [
        (BLOCK, "What is the dog called?", "The user has a dog named Bruno"),
        (BLOCK, "I like it.", "Noted."),
        (BLOCK, "Which colour is Mars?", "I remember nothing about that."),
        ("no memory here", "Who am I?", "I remember nothing about that."),
        (CHINESE, "我对什么过敏？", "我记得：用户对花生过敏。"),
        (CHINESE, "你还记得我对什么过敏吗", "我记得：用户对花生过敏。"),
        (CHINESE, "我喜欢茶。", "好的，记下了。"),
        (CHINESE, "现在几点？", "这件事我还不记得。"),
    ],
)
def test_questions_are_answered_with_what_memory_told(system: str, asked: str, answer: str) -> None:
    assert answer in quote_memory([SystemMessage(system), HumanMessage(asked)])


def test_only_what_memory_tells_is_a_line_of_memory() -> None:
    assert memory_lines([SystemMessage(BLOCK), HumanMessage("- not this")]) == [
        "The user has a dog named Bruno.",
        "The user lives in Lisbon.",
        "[2026-03-02] user: My dog is called Bruno.",
    ]
    assert quote_memory([]) == "Noted."
