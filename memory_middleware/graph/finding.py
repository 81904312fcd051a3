"""Finding the chat models inside an agent: a function, a chain, a compiled graph."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, TypeGuard

from langchain_core.language_models import BaseChatModel
from langchain_core.runnables import Runnable, RunnableBinding, RunnableLambda, RunnableParallel, RunnableSequence
from langchain_core.runnables.configurable import DynamicRunnable
from langgraph.pregel import Pregel
from langgraph.pregel.protocol import PregelProtocol

__all__ = ["find_graph", "find_models", "is_model"]

_MOST = 10_000
_DEEPEST = 12
_LATE = "_queued_declarative_operations"


def find_models(agent: object) -> list[Runnable[Any, Any]]:
    """List the chat models that an agent can call, as far as they can be seen from outside.

    Runnables that choose or make one for every call stand among them.
    """
    seen = list(_seen_in(agent))
    found = [thing for thing in seen if is_model(thing)]
    # One that chooses among prompts, say, is no model.
    return [*found, *(thing for thing in seen if isinstance(thing, DynamicRunnable))] if found else []


def find_graph(agent: object) -> PregelProtocol[Any, Any, Any, Any] | None:
    """Find a graph that an agent is or can call, here or on a server."""
    return next((thing for thing in _seen_in(agent) if isinstance(thing, PregelProtocol)), None)


def _seen_in(agent: object) -> Iterator[object]:
    """Give an agent and all that can be seen in it; what is inside a model is its own."""
    seen: set[int] = set()
    waiting: list[tuple[object, int]] = [(agent, 0)]
    while waiting and len(seen) < _MOST:
        thing, depth = waiting.pop()
        if id(thing) in seen or depth > _DEEPEST:
            continue
        seen.add(id(thing))
        yield thing
        if not is_model(thing):
            waiting.extend((part, depth + 1) for part in _parts(thing))


def is_model(thing: object) -> TypeGuard[Runnable[Any, Any]]:
    """Tell a chat model, also one that is only made when it is called, as ``init_chat_model`` gives it."""
    return isinstance(thing, BaseChatModel) or (isinstance(thing, Runnable) and _LATE in vars(thing))


def _parts(thing: object) -> Iterator[object]:
    if isinstance(thing, Pregel):
        yield from thing.nodes.values()
    elif isinstance(thing, partial):
        yield from (thing.func, *thing.args, *thing.keywords.values())
    elif isinstance(thing, dict):
        yield from thing.values()
    elif isinstance(thing, list | tuple | set | frozenset):
        yield from thing
    elif inspect.ismethod(thing):
        yield from (thing.__self__, thing.__func__, *getattr(thing.__self__, "__dict__", {}).values())
    elif inspect.isfunction(thing):
        yield from _named_in(thing)
    else:
        yield from _parts_of_object(thing)


def _parts_of_object(thing: object) -> Iterator[object]:
    if isinstance(thing, RunnableSequence):
        yield from thing.steps
    elif isinstance(thing, RunnableParallel):
        yield from thing.steps__.values()
    elif isinstance(thing, RunnableBinding):
        yield thing.bound
    elif isinstance(thing, RunnableLambda):
        yield from (getattr(thing, name, None) for name in ("func", "afunc"))
    elif isinstance(thing, Runnable) or callable(thing) or hasattr(thing, "bound"):
        yield from _attributes(thing)


def _attributes(thing: object) -> Iterator[object]:
    for name in ("bound", "func", "afunc", "steps", "runnable", "fallbacks", "default"):
        yield inspect.getattr_static(thing, name, None)
    if not isinstance(thing, type):
        yield from list(getattr(thing, "__dict__", {}).values())
        call = inspect.getattr_static(type(thing), "__call__", None)
        if inspect.isfunction(call):
            yield from _named_in(call)


def _named_in(function: Callable[..., Any]) -> Iterator[object]:
    """Give what a function closes over, and the globals and defaults it names; nothing is run."""
    plain = inspect.unwrap(function)
    for cell in getattr(plain, "__closure__", None) or ():
        try:
            yield cell.cell_contents
        except ValueError:  # not filled yet
            continue
    yield from getattr(plain, "__defaults__", None) or ()
    yield from (getattr(plain, "__kwdefaults__", None) or {}).values()
    outside = getattr(plain, "__globals__", {})
    named = (outside[name] for name in plain.__code__.co_names if name in outside)
    yield from (thing for thing in named if not inspect.ismodule(thing) and not isinstance(thing, type))
