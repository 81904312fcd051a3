"""A real HTTP server that speaks the protocol of chat models, and can be told to misbehave."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import httpx2 as httpx
import openai
import pytest
from langchain_openai import ChatOpenAI

llmock = pytest.importorskip("llmock", reason="pip install llmock, which plays a provider that misbehaves")

from llmock.pytest_plugin import LLMock  # noqa: E402  # only after it is known to be there
from llmock.scenarios import Reply  # noqa: E402
from llmock.testing import LLMockServer  # noqa: E402

__all__ = ["LLMock", "Reply", "chat", "chat_provider"]


@contextmanager
def chat_provider() -> Iterator[LLMock]:
    """Run a server for a while."""
    with LLMockServer() as server:
        yield LLMock(server)


def chat(server: LLMock, **settings: Any) -> ChatOpenAI:
    """Build a client of it whose own retries are switched off, so that ours are seen.

    It keeps no connection: those of an async client would outlive the loop of a test.
    """
    timeout, limits = settings.pop("timeout", 5), httpx.Limits(max_keepalive_connections=0)
    own = {"model": "gpt-4o-mini", "api_key": "k", "base_url": server.base_url("openai"), "max_retries": 0}
    clients = {
        "http_client": openai.DefaultHttpxClient(limits=limits, timeout=timeout),
        "http_async_client": openai.DefaultAsyncHttpxClient(limits=limits, timeout=timeout),
    }
    return ChatOpenAI(**{**own, **clients, "timeout": timeout, **settings})
