"""The four ways of running an agent."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import pytest
from langchain_core.runnables import RunnableConfig

MODES: Any = ["values", "updates", "messages", "debug", "checkpoints", "tasks"]


def by_invoke(agent: Any, given: Any, config: RunnableConfig) -> list[Any]:
    return [agent.invoke(given, config)]


def by_ainvoke(agent: Any, given: Any, config: RunnableConfig) -> list[Any]:
    return [asyncio.run(agent.ainvoke(given, config))]


def by_stream(agent: Any, given: Any, config: RunnableConfig) -> list[Any]:
    return list(agent.stream(given, config, stream_mode=MODES))


def by_astream(agent: Any, given: Any, config: RunnableConfig) -> list[Any]:
    async def gather() -> list[Any]:
        return [part async for part in agent.astream(given, config, stream_mode=MODES)]

    return asyncio.run(gather())


WAYS = pytest.mark.parametrize("call", [by_invoke, by_ainvoke, by_stream, by_astream])
Call = Callable[[Any, Any, RunnableConfig], list[Any]]
