"""Agents with memory around them: functions, models, chains and compiled graphs."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import Any

from langchain_core.runnables import (
    Runnable,
    RunnableBinding,
    RunnableConfig,
    RunnableLambda,
    RunnableSequence,
    RunnableWithFallbacks,
)
from langchain_core.runnables.configurable import DynamicRunnable

from memory_middleware.errors import InvalidInputError
from memory_middleware.graph.conversation import answer_of
from memory_middleware.graph.finding import find_graph, find_models, is_model
from memory_middleware.graph.injecting import injecting
from memory_middleware.graph.passage import Passage
from memory_middleware.graph.readying import make_ready
from memory_middleware.graph.turning import TurnRules

__all__ = ["wrap_agent"]


def wrap_agent(agent: Any, rules: TurnRules) -> Any:
    """Give an agent a memory, as a node for a graph.

    What the agent returns passes through as it is: updates, commands, sends, lists, nothing. What is recalled reaches
    the chat models inside it and nothing else.

    Args:
        agent: A node function, a chat model, a chain that ends in one, or a compiled graph.
        rules: How its turns are served.

    Raises:
        InvalidInputError: It is none of these, or is or calls a graph in which no chat model can be seen.
    """
    models = find_models(agent)
    for model in models:
        make_ready(model)
    if not models and (graph := find_graph(agent)):
        # A block in the state of a graph would be in its checkpoints and streams too.
        raise InvalidInputError(
            f"no chat model can be seen inside the graph {graph.get_name()!r}, so nothing recalled could reach it; "
            "give create_agent the AgentMemory middleware, or wrap the nodes that call the model, where they run"
        )
    if isinstance(agent, Runnable):
        return _around_runnable(agent, rules, speaks=_is_model(agent), through_state=not models)
    if not callable(agent):
        raise InvalidInputError(f"an agent is a function, a chat model, a chain or a graph, not {agent!r}")
    return _around_function(agent, rules, through_state=not models)


def _is_model(agent: Runnable[Any, Any]) -> bool:
    """Tell a chat model, also one with something bound to it, behind it or to fall back on, or a choice of some."""
    if isinstance(agent, RunnableBinding):
        return _is_model(agent.bound)
    if isinstance(agent, RunnableWithFallbacks):
        return _is_model(agent.runnable)
    if isinstance(agent, RunnableSequence):
        return _is_model(agent.first)
    if isinstance(agent, DynamicRunnable):
        return _is_model(agent.default)
    return is_model(agent)


def _around_runnable(
    agent: Runnable[Any, Any], rules: TurnRules, *, speaks: bool, through_state: bool
) -> RunnableLambda[Any, Any]:
    """Wrap with a closure, since LangGraph looks for subgraphs in closures."""

    def node(state: Any, config: RunnableConfig) -> Any:
        turn = rules.begin(state, config)
        turn.recall()
        passage = Passage.of(state, turn, through_state)
        with injecting(turn.injection), passage.crossed() as outcome:
            given = turn.messages if speaks else passage.state
            outcome.result = answer_of(agent.invoke(given, config), rules.messages_key)
        turn.observe(outcome.result)
        return outcome.given()

    async def anode(state: Any, config: RunnableConfig) -> Any:
        turn = rules.begin(state, config)
        await turn.arecall()
        passage = Passage.of(state, turn, through_state)
        with injecting(turn.injection), passage.crossed() as outcome:
            given = turn.messages if speaks else passage.state
            outcome.result = answer_of(await agent.ainvoke(given, config), rules.messages_key)
        await turn.aobserve(outcome.result)
        return outcome.given()

    return RunnableLambda(node, afunc=anode, name=f"memory.{rules.role.value}")


def _around_function(agent: Callable[..., Any], rules: TurnRules, *, through_state: bool) -> Callable[..., Any]:
    """Wrap with the function's own signature, so that LangGraph gives it what it asks for.

    Args:
        agent: The function.
        rules: How its turns are served.
        through_state: Whether the block goes into a copy of the state, as no model can be seen from here.
    """
    called: Any = agent if inspect.isroutine(agent) else type(agent).__call__
    if inspect.isgeneratorfunction(called) or inspect.isasyncgenfunction(called):
        raise InvalidInputError(f"{agent!r} is a generator; give memory a function that returns its update")
    if inspect.iscoroutinefunction(agent) or inspect.iscoroutinefunction(called):

        @functools.wraps(called)
        async def anode(state: Any, *args: Any, **more: Any) -> Any:
            turn = rules.begin(state)
            await turn.arecall()
            passage = Passage.of(state, turn, through_state)
            with injecting(turn.injection), passage.crossed() as outcome:
                outcome.result = await agent(passage.state, *args, **more)
            await turn.aobserve(outcome.result)
            return outcome.given()

        return _unbound(anode, agent)

    @functools.wraps(called)
    def node(state: Any, *args: Any, **more: Any) -> Any:
        turn = rules.begin(state)
        turn.recall()
        passage = Passage.of(state, turn, through_state)
        with injecting(turn.injection), passage.crossed() as outcome:
            outcome.result = agent(passage.state, *args, **more)
        turn.observe(outcome.result)
        return outcome.given()

    return _unbound(node, agent)


def _unbound(node: Callable[..., Any], agent: Callable[..., Any]) -> Callable[..., Any]:
    """Let the node of a callable object show the signature without ``self``."""
    node.__signature__ = inspect.signature(agent)  # type: ignore[attr-defined]
    return node
