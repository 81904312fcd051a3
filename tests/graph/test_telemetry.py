"""Spans tell counts and hashes, never content."""

from __future__ import annotations

import importlib

import pytest
from langchain_core.messages import HumanMessage
from opentelemetry import trace
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from memory_middleware import Memory, Scope
from memory_middleware.graph import telemetry
from tests.graph.support import listener, one_node, run


def test_a_turn_has_spans_without_content(memory: Memory) -> None:
    exporter = InMemorySpanExporter()
    provider = TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    trace.set_tracer_provider(provider)
    telemetry._tracer.cache_clear()
    graph = one_node(memory.worker(listener("You live in Lisbon."))).compile()
    graph.invoke({"messages": [HumanMessage("Where do I live, do you know?")]}, run())
    spans = {span.name: dict(span.attributes or {}) for span in exporter.get_finished_spans()}
    assert set(spans) == {"memory.recall", "memory.observe"}
    assert spans["memory.recall"]["memory.records"] == 1
    assert spans["memory.observe"]["memory.referenced"] == 1
    assert "ana" not in str(spans)
    assert "Lisbon" not in str(spans)


def test_without_opentelemetry_there_are_no_spans(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(name: str) -> None:
        raise ImportError(name)

    telemetry._tracer.cache_clear()
    monkeypatch.setattr(importlib, "import_module", missing)
    with telemetry.span("recall", Scope("ana")) as span:
        span.note(tokens=3)
    telemetry._tracer.cache_clear()
