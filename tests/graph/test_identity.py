"""On a server: the authenticated user alone says whose memory it is, as the documentation advises."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from langchain.agents import create_agent
from langchain_core.messages import HumanMessage
from langgraph.graph import MessagesState, StateGraph

from memory_middleware import InvalidInputError, Memory, MemoryConfig
from memory_middleware.graph.port import Identify
from memory_middleware_langchain import AgentMemory
from tests.graph.conftest import MANUAL
from tests.graph.support import listener, one_node, rounds
from tests.support import ROOT

QUESTION = "Where do I live, do you know?"


class SignedIn:
    """A user as LangGraph's server tells it."""

    is_authenticated = True
    permissions: tuple[str, ...] = ()

    def __init__(self, identity: str) -> None:
        self.identity = identity
        self.display_name = identity


def recipe() -> Identify:
    """Read the recipe out of the page."""
    page = (ROOT / "docs" / "graphs.md").read_text(encoding="utf-8")
    [code] = re.findall(r"^def signed_in.*?(?=^\S*memory = )", page, re.DOTALL | re.MULTILINE)
    names: dict[str, Any] = {}
    exec(code, names)
    found: Identify = names["signed_in"]
    return found


def forged(user: SignedIn | None) -> dict[str, Any]:
    """A run whose caller claims to be somebody else wherever a caller can."""
    settings: dict[str, Any] = {"thread_id": "t1", "user_id": "victim", "owner_id": "victim"}
    return {
        "config": {"configurable": settings | ({"langgraph_auth_user": user} if user else {})},
        "context": {"user_id": "victim"},
    }


def graph_of(memory: Memory, kind: str) -> Any:
    if kind == "agent":
        return create_agent(listener(), middleware=[AgentMemory(memory)])
    builder: StateGraph[Any, Any, Any, Any] = one_node(memory.worker(listener()), state=MessagesState)
    return builder.compile()


@pytest.mark.parametrize("kind", ["graph", "agent"])
def test_a_claim_in_the_request_does_not_reach_the_memory_of_another(tmp_path: Path, kind: str) -> None:
    with Memory.open(tmp_path, config=MemoryConfig.from_dict(MANUAL), identify=recipe()) as memory:
        graph = graph_of(memory, kind)
        graph.invoke({"messages": [HumanMessage(QUESTION)]}, **forged(SignedIn("ana@example.com")))
        assert rounds(memory, "ana@example.com") == [(QUESTION, "I see.")]
        assert rounds(memory, "victim") == []
        with pytest.raises(InvalidInputError, match="found ''"):
            graph.invoke({"messages": [HumanMessage(QUESTION)]}, **forged(None))
        assert list(memory.owners()) == ["ana@example.com"]


def test_without_the_recipe_the_context_comes_first(tmp_path: Path) -> None:
    with Memory.open(tmp_path, config=MemoryConfig.from_dict(MANUAL)) as memory:
        graph = graph_of(memory, "graph")
        graph.invoke({"messages": [HumanMessage(QUESTION)]}, **forged(SignedIn("ana@example.com")))
        assert list(memory.owners()) == ["victim"]
