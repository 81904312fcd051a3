"""Items of any LangGraph store as a source: the store of the run, or one of one's own such as PostgresStore."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from langgraph.config import get_store
from langgraph.store.base import BaseStore, SearchItem

from memory_middleware.config import LangGraphMemoryConfig
from memory_middleware.errors import InvalidInputError
from memory_middleware.schemas.items import MemoryContentSnapshot, MemoryItem
from memory_middleware.schemas.scope import Scope
from memory_middleware.sources.base import MemoryKind, Source
from memory_middleware.sources.registry import SourceContext
from memory_middleware.storage import encode_label

__all__ = ["LangGraphStoreSource", "build"]


class LangGraphStoreSource(Source):
    """Recalls the items that a LangGraph store finds; what that store cannot do, such as search by words, it cannot.

    Args:
        name: What attachments call it.
        store: Where the items are; none takes the store of the run.
        namespace: Their namespace, in which ``{owner_id}``, ``{thread_id}`` and ``{agent}`` are filled in. One that
            names nobody belongs to everybody.
        fields: The first of these fields of a value that holds a text is told.
    """

    tells: ClassVar[MemoryKind] = "facts"

    def __init__(
        self,
        name: str,
        store: BaseStore | None = None,
        *,
        namespace: Sequence[str] = ("memories", "{owner_id}"),
        fields: Sequence[str] = ("text", "content", "memory"),
    ) -> None:
        self.name = name
        self._store = store
        self._namespace = tuple(namespace)
        self._fields = tuple(fields)

    def retrieve(
        self, query: MemoryContentSnapshot, scope: Scope, *, top_k: int, threshold: float = -1.0
    ) -> list[MemoryItem]:
        """Give the items that the store finds for the query.

        Raises:
            InvalidInputError: There is no store, or the namespace names a thread where there is none.
        """
        found = self._of_run().search(self._place(scope), query=query.text or None, limit=top_k)
        near = [item for item in found if item.score is None or item.score >= threshold]
        return [self._item(item, text) for item in near if (text := self._text(item.value))]

    def _of_run(self) -> BaseStore:
        if self._store is not None:
            return self._store
        try:
            store: BaseStore | None = get_store()
        except (RuntimeError, KeyError):
            store = None
        if store is None:
            raise InvalidInputError(
                f"the source {self.name!r} has no store; compile the graph with one, or give the source a store"
            )
        return store

    def _place(self, scope: Scope) -> tuple[str, ...]:
        """Fill in the namespace; ids become labels that LangGraph allows."""
        known = {"{owner_id}": scope.owner_id, "{thread_id}": scope.thread_id, "{agent}": scope.agent}
        labels = [encode_label(str(known[part] or "")) if part in known else part for part in self._namespace]
        if missing := next((part for part in self._namespace if part in known and not known[part]), None):
            raise InvalidInputError(
                f"the namespace of the source {self.name!r} needs {missing}, and the scope has none"
            )
        return tuple(labels)

    def _text(self, value: dict[str, Any]) -> str:
        texts = (value.get(field) for field in self._fields)
        return next((text for text in texts if isinstance(text, str) and text.strip()), "")

    @staticmethod
    def _item(item: SearchItem, text: str) -> MemoryItem:
        return MemoryItem(
            id="/".join((*item.namespace, item.key)),
            content_summary=text,
            metadata={"score": item.score},
            timestamp=item.updated_at.timestamp(),
        )


def build(config: LangGraphMemoryConfig, context: SourceContext) -> LangGraphStoreSource:
    """Build the source over the store of the run."""
    return LangGraphStoreSource(context.name, namespace=config.namespace, fields=config.fields)
