"""Finding the exchange of a turn."""

from __future__ import annotations

import pytest
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, SystemMessage, ToolMessage

from memory_middleware.errors import InvalidInputError
from memory_middleware.remember.turns import find_exchange, message_text, without_blocks

CALL = {"name": "search", "args": {"q": "x"}, "id": "c1", "type": "tool_call"}


def test_the_last_turn_is_found_with_its_tools() -> None:
    messages: list[BaseMessage] = [
        SystemMessage("be kind"),
        HumanMessage("hello", id="h0"),
        AIMessage("hi", id="a0"),
        HumanMessage("find x", id="h1"),
        AIMessage("let me look", tool_calls=[CALL], id="a1"),
        ToolMessage("x is 42", tool_call_id="c1", id="t1"),
        AIMessage("It is 42.", id="a2"),
    ]
    found = find_exchange(messages)
    assert found is not None
    assert (found.user_text, found.answer, found.tool_text) == ("find x", "It is 42.", "x is 42")
    assert (found.asked_ids, found.message_ids, found.turn) == (("h1",), ("h1", "a1", "t1", "a2"), 1)


def test_messages_of_the_user_in_a_row_are_one_turn() -> None:
    messages = [HumanMessage("a"), AIMessage("b"), HumanMessage("c"), HumanMessage("d"), AIMessage("e")]
    found = find_exchange(messages)
    assert found is not None
    assert (found.user_text, found.answer, found.turn, found.asked_ids) == ("c\nd", "e", 1, ())


def test_without_an_answer_the_answer_is_empty() -> None:
    found = find_exchange([HumanMessage("a"), AIMessage("", tool_calls=[CALL])])
    assert found is not None
    assert found.answer == ""


@pytest.mark.parametrize("messages", [[], [AIMessage("hi")], [SystemMessage("x")]], ids=["none", "answer", "system"])
def test_without_a_user_there_is_no_turn(messages: list[BaseMessage]) -> None:
    assert find_exchange(messages) is None


def test_content_blocks_images_and_thoughts() -> None:
    message = HumanMessage(
        content=[
            {"type": "text", "text": "what is this?"},
            {"type": "image_url", "image_url": {"url": "https://example.org/dog.png"}},
        ]
    )
    assert message_text(message) == "what is this?\n[image attachment: https://example.org/dog.png]"
    answer = AIMessage(
        content=[
            {"type": "thinking", "thinking": "hm"},
            {"type": "text", "text": "A dog."},
            {"type": "tool_use", "id": "c1", "name": "look", "input": {}},
        ]
    )
    assert message_text(answer) == "A dog."


def test_injected_memory_and_secrets_are_taken_out() -> None:
    block = "<!-- USER_MEMORY_START -->\nlikes tea\n<!-- USER_MEMORY_END -->"
    related = "===== Related Memories =====\n1. tea\n===== End of Memory ====="
    assert without_blocks(f"a {block} b {related} c") == "a  b  c"
    assert without_blocks("a <!-- WORK_MEMORY_START --> cut short") == "a"
    found = find_exchange([HumanMessage(f"{block}\nmy password is hunter2"), AIMessage(related)])
    assert found is not None
    assert (found.user_text, found.answer) == ("my password is [secret]", "")


def test_a_summary_is_not_what_the_user_said() -> None:
    summary = HumanMessage("Here is a summary of the conversation", additional_kwargs={"lc_source": "summarization"})
    found = find_exchange([summary, HumanMessage("and now?"), AIMessage("Now this.")])
    assert found is not None
    assert (found.user_text, found.turn) == ("and now?", 0)
    assert find_exchange([summary]) is None


def test_what_is_no_message_is_refused() -> None:
    with pytest.raises(InvalidInputError, match="LangChain messages, not 'hello'"):
        find_exchange(["hello"])  # type: ignore[list-item]
