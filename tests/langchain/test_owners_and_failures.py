"""Whose memory it is, and what happens when memory fails: the answer comes all the same."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from langchain.agents import create_agent
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.types import Command, interrupt

from memory_middleware import InvalidInputError, Memory, MemoryConfig, StoreError
from memory_middleware_langchain import AgentMemory
from memory_middleware_langchain.turns import OpenTurns
from tests.langchain.support import (
    BRUNO,
    QUESTION,
    RULES,
    ScriptedModel,
    asked,
    clock,
    clock_first,
    rounds,
    run,
)
from tests.langchain.ways import WAYS, Call


@dataclass
class User:
    user_id: str


@pytest.mark.parametrize(
    ("context", "config"),
    [
        ({"user_id": "ana"}, {}),
        (User("ana"), {}),
        (None, {"user_id": "ana"}),
        ({"user_id": "ana"}, {"user_id": "ben"}),
    ],
    ids=["context", "context_object", "configurable", "context_first"],
)
def test_the_run_tells_whose_memory_it_is(memory: Memory, context: Any, config: dict[str, Any]) -> None:
    model = ScriptedModel()
    agent = create_agent(model, middleware=[AgentMemory(memory)])
    agent.invoke(asked(), {"configurable": {"thread_id": "t1", **config}}, context=context)
    assert BRUNO in model.systems[0]
    assert len(rounds(memory)) == 1


def test_a_callable_may_tell_whose_memory_it_is(memory: Memory) -> None:
    memory.identify = lambda config, runtime: config["metadata"]["person"]
    model = ScriptedModel()
    create_agent(model, middleware=[AgentMemory(memory)]).invoke(asked(), {"metadata": {"person": "ana"}})
    assert BRUNO in model.systems[0]


@WAYS
def test_a_run_of_nobody_is_refused_before_the_model_is_asked(memory: Memory, call: Call) -> None:
    model = ScriptedModel()
    agent = create_agent(model, middleware=[AgentMemory(memory)])
    with pytest.raises(InvalidInputError, match="memory needs to know whose it is"):
        call(agent, asked(), {"configurable": {"thread_id": "t1"}})
    assert model.seen == []


@WAYS
def test_a_memory_that_fails_does_not_cost_the_answer(
    memory: Memory, call: Call, caplog: pytest.LogCaptureFixture
) -> None:
    model = ScriptedModel(script=clock_first())
    agent = create_agent(model, [clock], middleware=[AgentMemory(memory)])
    memory.store.close()
    with caplog.at_level(logging.CRITICAL):
        assert "Bruno." in repr(call(agent, asked(), run()))
    assert memory.failures["observe"] == 1
    assert len(model.seen) == 2


def test_a_failure_is_told_where_the_configuration_wants_it(tmp_path: Path) -> None:
    rules = MemoryConfig.from_dict({**RULES, "on_error": "raise"})
    memory = Memory.open(tmp_path, config=rules)
    agent = create_agent(ScriptedModel(), middleware=[AgentMemory(memory)])
    memory.close()
    with pytest.raises(StoreError):
        agent.invoke(asked(), run())


@WAYS
def test_an_owner_who_is_lost_at_the_end_does_not_cost_the_answer(tmp_path: Path, call: Call) -> None:
    with Memory.open(tmp_path, config=MemoryConfig.from_dict(RULES), identify=once()) as memory:
        agent = create_agent(ScriptedModel(), middleware=[forgetful(memory)])
        assert "Fine." in repr(call(agent, asked(), run()))
        assert memory.failures == {"observe": 1}


def test_an_owner_who_is_lost_at_the_end_is_told_where_the_configuration_wants_it(tmp_path: Path) -> None:
    rules = MemoryConfig.from_dict({**RULES, "on_error": "raise"})
    with Memory.open(tmp_path, config=rules, identify=once()) as memory:
        agent = create_agent(ScriptedModel(), middleware=[forgetful(memory)])
        with pytest.raises(InvalidInputError, match="whose it is"):
            agent.invoke(asked(), run())


def test_a_signal_of_langgraph_passes_at_the_end_too(tmp_path: Path) -> None:
    def identify(config: Any, runtime: Any) -> str:
        return "ana" if len(model.seen) == 0 else str(interrupt("who are you?"))

    model = ScriptedModel()
    with Memory.open(tmp_path, config=MemoryConfig.from_dict(RULES), identify=identify) as memory:
        agent = create_agent(model, middleware=[forgetful(memory)], checkpointer=InMemorySaver())
        assert "__interrupt__" in agent.invoke(asked(), run())
        agent.invoke(Command(resume="ana"), run())
        assert rounds(memory) == [(QUESTION, "Fine.")]


def once() -> Callable[[Any, Any], str]:
    """Tell the owner the first time, and nobody after."""
    who = iter(["ana"])
    return lambda config, runtime: next(who, "")


def forgetful(memory: Memory) -> AgentMemory:
    """A middleware that keeps no turn, as one that was started anew."""
    middleware = AgentMemory(memory)
    middleware._turns = OpenTurns(most=0)
    return middleware


def test_turns_that_were_let_go_are_recalled_for_again(memory: Memory) -> None:
    model = ScriptedModel(script=clock_first())
    create_agent(model, [clock], middleware=[forgetful(memory)]).invoke(asked(), run())
    assert model.seen[0][0] == model.seen[1][0]
    assert rounds(memory) == [(QUESTION, "Bruno.")]
