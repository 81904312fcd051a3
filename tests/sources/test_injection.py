"""Recalled text in conversations."""

from __future__ import annotations

from typing import Any

import pytest
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, SystemMessage

from memory_middleware import InvalidInputError
from memory_middleware.sources.injection import inject_text
from tests.support import brief, cases

KINDS: dict[str, type[BaseMessage]] = {"system": SystemMessage, "user": HumanMessage, "assistant": AIMessage}


@pytest.mark.parametrize("case", cases("002_devall/injection"), ids=brief)
def test_recorded_text_is_injected_alike(case: dict[str, Any]) -> None:
    given = [KINDS[role](content=text) for role, text in case["conversation"]]
    before = [message.model_copy() for message in given]
    found = inject_text(given, case["memory_text"], case["mode"])
    assert [(type(message), message.content) for message in found] == [
        (KINDS[role], text) for role, text in case["expected"]
    ]
    assert given == before


def test_a_conversation_without_a_user_gets_it_at_the_end() -> None:
    found = inject_text([SystemMessage("s"), AIMessage("a")], "MEM")
    assert [message.content for message in found] == ["s", "a", "MEM"]


def test_images_and_ids_of_the_last_message_stay() -> None:
    image = {"type": "image_url", "image_url": {"url": "data:image/png;base64,YWJj"}}
    last = HumanMessage(content=[{"type": "text", "text": "what is this"}, image], id="m1")
    (found,) = inject_text([last], "MEM", "prompt")
    assert found.id == "m1"
    assert found.content == [{"type": "text", "text": "MEM\n\n"}, *last.content]


@pytest.mark.parametrize("mode", ["prompt", "messages"])
def test_nothing_recalled_changes_nothing(mode: Any) -> None:
    given = [HumanMessage("u")]
    assert inject_text(given, "", mode) == given


def test_an_unknown_mode_is_refused() -> None:
    with pytest.raises(InvalidInputError, match="unknown injection mode 'both'"):
        inject_text([], "MEM", "both")  # type: ignore[arg-type]  # on purpose
