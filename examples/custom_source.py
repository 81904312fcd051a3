"""A source of your own: one class, one call, and configuration can declare it.

Run with ``python examples/custom_source.py``.
"""

from __future__ import annotations

import tempfile
from pathlib import Path

from pydantic import Field

from memory_middleware import (
    MemoryConfig,
    MemoryItem,
    MemoryManager,
    Scope,
    Source,
    SourceContext,
    register_memory_store,
)
from memory_middleware.config.base import ConfigModel
from memory_middleware.schemas import MemoryContentSnapshot


class GlossaryConfig(ConfigModel):
    """Terms of a house and what they mean."""

    terms: dict[str, str] = Field(default_factory=dict, title="Terms", description="Term to meaning")


class Glossary(Source):
    """Gives the meaning of every term that a query names."""

    def __init__(self, name: str, terms: dict[str, str]) -> None:
        self.name = name
        self._terms = terms

    def retrieve(
        self, query: MemoryContentSnapshot, scope: Scope, *, top_k: int, threshold: float = -1.0
    ) -> list[MemoryItem]:
        """Look every term up in the query."""
        named = [term for term in self._terms if term.casefold() in query.text.casefold()]
        return [MemoryItem(term, f"{term}: {self._terms[term]}", {}) for term in named[:top_k]]


def build(config: GlossaryConfig, context: SourceContext) -> Source:
    """Build a glossary from its settings."""
    return Glossary(context.name, config.terms)


def main() -> None:
    """Declare a glossary, attach a worker to it, and recall."""
    register_memory_store("glossary", GlossaryConfig, build, "Terms of a house and what they mean")
    config = MemoryConfig.from_yaml("""
memory:
  - name: words
    type: glossary
    config:
      terms:
        harbour: the payment service
        lighthouse: the dashboard of the harbour
agents:
  worker:
    memories: [{name: words, top_k: 2, write: false}]
""")
    with tempfile.TemporaryDirectory() as folder:
        manager = MemoryManager(config, Path(folder))
        recalled = manager.retrieve("worker", "Why is the lighthouse dark?", Scope("ana"))
        print(recalled.formatted_text)


if __name__ == "__main__":
    main()
