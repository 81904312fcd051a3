"""Where the block stands in the system message, beside prompts, cache marks and other middleware."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from langchain.agents import create_agent
from langchain.agents.middleware import AgentMiddleware, ModelRequest, dynamic_prompt
from langchain_core.messages import SystemMessage

from memory_middleware import Injection, Memory, MemoryConfig, MemoryType
from memory_middleware_langchain import AgentMemory
from memory_middleware_langchain.request import remembering
from memory_middleware_langchain.system_message import with_memory
from tests.langchain.support import BRUNO, RULES, ScriptedModel, asked, run

USER = Injection("Ana is a nurse.", MemoryType.USER)
WORK = Injection("Emergency ward.", MemoryType.WORK)
MARKED = "<!-- USER_MEMORY_START -->\nAna is a nurse.\n<!-- USER_MEMORY_END -->\n"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (None, MARKED),
        ("", MARKED),
        ("Be brief.", [{"type": "text", "text": "Be brief."}, {"type": "text", "text": MARKED}]),
        ("Be\n<!-- USER_MEMORY -->\nbrief.", f"Be\n{MARKED}brief.\n"),
        (
            "Speak of USER_MEMORY.",
            [{"type": "text", "text": "Speak of USER_MEMORY."}, {"type": "text", "text": MARKED}],
        ),
        (["Be brief."], [{"type": "text", "text": "Be brief."}, {"type": "text", "text": MARKED}]),
        (["Be brief.", "<!-- USER_MEMORY -->"], ["Be brief.", MARKED]),
        (MARKED.replace("nurse", "painter"), MARKED),
    ],
    ids=["none", "empty", "text", "placeholder", "mention", "texts", "placeholder_among_texts", "older_block"],
)
def test_the_block_finds_its_place(before: Any, after: Any) -> None:
    told = with_memory(None if before is None else SystemMessage(before), USER)
    assert told.content == after


def test_parts_before_the_block_keep_their_cache_marks() -> None:
    cached = {"type": "text", "text": "Long rules.", "cache_control": {"type": "ephemeral"}}
    image = {"type": "image", "url": "https://example.com/map.png"}
    system = SystemMessage([cached, image], id="s1", additional_kwargs={"kept": True})
    told = with_memory(system, USER)
    assert told.content == [cached, image, {"type": "text", "text": MARKED}]
    assert (told.id, told.additional_kwargs) == ("s1", {"kept": True})
    assert system.content == [cached, image]


def test_a_placeholder_in_a_part_is_filled_there() -> None:
    parts: list[Any] = [{"type": "text", "text": "Rules on WORK_MEMORY.", "cache_control": {"type": "ephemeral"}}]
    system = SystemMessage([*parts, {"type": "text", "text": "<!-- WORK_MEMORY -->"}])
    told = with_memory(system, WORK).content
    assert told[0] == parts[0]
    assert told[1] == {
        "type": "text",
        "text": "<!-- WORK_MEMORY_START -->\nEmergency ward.\n<!-- WORK_MEMORY_END -->\n",
    }


@given(
    st.one_of(st.text(), st.lists(st.one_of(st.text(), st.builds(lambda t: {"type": "text", "text": t}, st.text()))))
)
def test_a_block_stands_in_a_message_once_however_often_it_is_put_there(content: Any) -> None:
    once = with_memory(SystemMessage(content), USER)
    assert with_memory(once, USER) is once
    both = with_memory(with_memory(once, WORK), USER)
    text = both.text
    assert text.count(USER.block) >= 1
    assert text.count(WORK.block) >= 1


def test_a_request_without_a_block_stays_the_same() -> None:
    request = ModelRequest(model=ScriptedModel(), messages=[])
    assert remembering(request, None) is request


def test_a_request_holds_its_blocks_whatever_is_overridden() -> None:
    request = remembering(ModelRequest(model=ScriptedModel(), messages=[], system_message=SystemMessage("A.")), USER)
    other = Injection("Ben is a painter.", MemoryType.USER)
    both = remembering(request, other).override(system_message=SystemMessage("<!-- USER_MEMORY -->\nB."))
    assert both.system_message is not None
    text = both.system_message.text
    assert text.index("Ana is a nurse.") < text.index("B.") < text.index("Ben is a painter.")
    assert both.override(tool_choice="any").system_message is both.system_message
    bare = both.override(system_message=None).system_message
    assert bare is not None
    assert "Ana is a nurse." in bare.text
    assert "Ben is a painter." in bare.text


@dynamic_prompt
def polite(request: ModelRequest[Any]) -> str:
    return "Be polite."


class Appending(AgentMiddleware[Any, Any, Any]):
    """Appends to the system message, as middleware with instructions of its own does."""

    def wrap_model_call(self, request: Any, handler: Any) -> Any:
        parts = [*request.system_message.content_blocks, {"type": "text", "text": "Use your tools."}]
        return handler(request.override(system_message=SystemMessage(content_blocks=parts)))


@pytest.mark.parametrize("inside", [False, True], ids=["outside", "inside"])
def test_a_dynamic_prompt_may_stand_inside_or_outside(memory: Memory, inside: bool) -> None:
    model, mine = ScriptedModel(), AgentMemory(memory)
    create_agent(model, middleware=[mine, polite] if inside else [polite, mine]).invoke(asked(), run())
    assert model.systems[0].startswith("Be polite.")
    assert model.systems[0].count(BRUNO) == 1


def test_middleware_that_appends_leaves_the_block_alone(memory: Memory) -> None:
    model = ScriptedModel()
    create_agent(model, system_prompt="Hi.", middleware=[AgentMemory(memory), Appending()]).invoke(asked(), run())
    assert model.systems[0].count(BRUNO) == 1
    assert model.systems[0].endswith("Use your tools.")


def test_the_placeholder_of_the_prompt_is_filled(memory: Memory) -> None:
    model = ScriptedModel()
    prompt = "Rules first.\n<!-- USER_MEMORY -->\nRules last."
    create_agent(model, system_prompt=prompt, middleware=[AgentMemory(memory, role="router")]).invoke(asked(), run())
    system = model.systems[0]
    assert system.index("Rules first.") < system.index("nurse") < system.index(BRUNO) < system.index("Rules last.")
    assert isinstance(model.seen[0][0].content, str)


def test_two_of_different_roles_stand_beside_each_other(memory: Memory) -> None:
    model = ScriptedModel()
    both = [AgentMemory(memory, role="router", name="RouterMemory"), AgentMemory(memory, role="worker", observe=False)]
    create_agent(model, middleware=both).invoke(asked(), run())
    assert "nurse" in model.systems[0]
    assert "Emergency ward" in model.systems[0]


def test_two_of_one_role_do_not_take_each_others_place(memory: Memory, tmp_path: Path) -> None:
    model = ScriptedModel()
    with Memory.open(tmp_path / "team", config=MemoryConfig.from_dict(RULES)) as team:
        team.remember("ana", "The team's dog is called Rex.")
        own, shared = AgentMemory(memory), AgentMemory(team, name="TeamMemory", observe=False)
        agent = create_agent(model, system_prompt="<!-- WORK_MEMORY -->", middleware=[own, shared])
        agent.invoke(asked(), run())
    assert BRUNO in model.systems[0]
    assert "Rex" in model.systems[0]


def test_two_of_one_name_are_refused_by_langchain(memory: Memory) -> None:
    with pytest.raises(AssertionError, match="duplicate middleware"):
        create_agent(ScriptedModel(), middleware=[AgentMemory(memory), AgentMemory(memory)])
