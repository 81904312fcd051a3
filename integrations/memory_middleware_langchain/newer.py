"""What newer releases of LangChain offer, and older ones do without."""

from __future__ import annotations

import importlib
from typing import Any

__all__ = ["INTERNAL_CALLS", "TRACE_POLICY"]


def _found(module: str, name: str) -> Any:
    try:
        return getattr(importlib.import_module(module), name, None)
    except ImportError:
        return None


def _trace_policy() -> Any:
    policy, omit = _found("langgraph.types", "TracePolicy"), _found("langgraph.types", "omit_payload")
    return policy(process_inputs=omit) if policy and omit else None


def _internal_calls() -> tuple[Any, ...]:
    transformer = _found("langchain.agents.middleware.internal_call_transformer", "InternalCallTransformer")
    return (transformer,) if transformer else ()


TRACE_POLICY = _trace_policy()
"""Keeps the conversation out of the spans of our hooks; the model's own span has it."""

INTERNAL_CALLS = _internal_calls()
"""Keeps the tokens of an extractor's model out of the stream of messages."""
