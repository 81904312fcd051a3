"""Items of the declared stores: a searchable summary and whole, multimodal snapshots."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from memory_middleware.errors import MissingFieldError, SchemaError
from memory_middleware.schemas.blocks import describe_block, is_message, role_of

if TYPE_CHECKING:
    from langchain_core.messages import BaseMessage

__all__ = ["MemoryContentSnapshot", "MemoryItem"]


@dataclass
class MemoryContentSnapshot:
    """A payload kept whole: its text, its blocks tagged by role, attachments as data URIs.

    ``envelopes`` holds, for LangChain messages, what the blocks do not say (ids, tool calls,
    metadata), so that ``to_messages`` gives back equal messages.
    """

    text: str
    blocks: list[dict[str, Any]] = field(default_factory=list)
    envelopes: list[dict[str, Any]] = field(default_factory=list)

    def to_dict(self) -> dict[str, Any]:
        """Write as plain JSON data."""
        data: dict[str, Any] = {"text": self.text, "blocks": self.blocks}
        if self.envelopes:
            data["envelopes"] = self.envelopes
        return data

    @classmethod
    def from_dict(cls, payload: Mapping[str, Any] | None) -> MemoryContentSnapshot | None:
        """Read plain data; nothing gives nothing."""
        if not payload:
            return None
        return cls(
            text=payload.get("text", ""),
            blocks=list(payload.get("blocks") or []),
            envelopes=list(payload.get("envelopes") or []),
        )

    @classmethod
    def from_message(cls, message: object) -> MemoryContentSnapshot | None:
        """Take a snapshot of a LangChain message, a string or any other value."""
        if message is None:
            return None
        if not is_message(message):
            return cls(text=str(message))
        # Importing langchain-core takes most of a second; items read from disk never need it.
        from memory_middleware.schemas.messages import message_parts  # noqa: PLC0415

        text, blocks, envelopes = message_parts(message)
        return cls(text=text, blocks=blocks, envelopes=envelopes)

    @classmethod
    def from_messages(cls, messages: Sequence[BaseMessage]) -> MemoryContentSnapshot | None:
        """Take a snapshot of several messages; the text reads ``(role) text``, one paragraph each.

        Raises:
            SchemaError: Something in the list is no message.
        """
        for at, message in enumerate(messages):
            if not is_message(message):
                raise SchemaError(f"messages[{at}] must be a LangChain message, not {message!r}")
        taken = [snapshot for message in messages if (snapshot := cls.from_message(message))]
        tagged = [f"({role_of(message)}) {snapshot.text}" for message, snapshot in zip(messages, taken, strict=True)]
        if not tagged:
            return None
        return cls(
            text="\n\n".join(tagged),
            blocks=[block for snapshot in taken for block in snapshot.blocks],
            envelopes=[envelope for snapshot in taken for envelope in snapshot.envelopes],
        )

    @classmethod
    def from_blocks(
        cls, *, text: str, blocks: Sequence[Mapping[str, Any]], role: str = "input"
    ) -> MemoryContentSnapshot:
        """Take a snapshot of plain blocks under one role."""
        return cls(text=text, blocks=[{"role": role, "block": dict(block)} for block in blocks])

    def to_messages(self) -> list[BaseMessage]:
        """Give back LangChain messages: equal ones if it was taken from such, else one per role change.

        Raises:
            SchemaError: Blocks and envelopes of a stored snapshot do not belong together.
        """
        from memory_middleware.schemas.messages import restore_messages  # noqa: PLC0415

        return restore_messages(self.text, self._sound_payloads(), self.envelopes)

    def to_message_blocks(self) -> list[dict[str, Any]]:
        """List the blocks without their roles, leaving out what is malformed."""
        return [payload["block"] for payload in self._sound_payloads()]

    def attachment_overview(self) -> list[dict[str, Any]]:
        """List the attachments without their data."""
        return [
            {"role": payload.get("role"), **{key: attachment.get(key) for key in _OVERVIEW}}
            for payload in self._sound_payloads()
            if (attachment := payload["block"].get("attachment"))
        ]

    def describe(self) -> str:
        """Tell the blocks in words, attachments by name."""
        return "\n".join(filter(None, map(describe_block, self.to_message_blocks()))) or self.text

    def _sound_payloads(self) -> list[dict[str, Any]]:
        return [part for part in self.blocks if isinstance(part, dict) and isinstance(part.get("block"), dict)]


_OVERVIEW = ("attachment_id", "mime_type", "name", "size")


@dataclass
class MemoryItem:
    """One entry of a declared store, as it is written to disk."""

    id: str
    content_summary: str
    metadata: dict[str, Any]
    embedding: list[float] | None = None
    timestamp: float | None = None
    input_snapshot: MemoryContentSnapshot | None = None
    output_snapshot: MemoryContentSnapshot | None = None

    def __post_init__(self) -> None:
        if self.timestamp is None:
            self.timestamp = time.time()

    def to_dict(self) -> dict[str, Any]:
        """Write as plain JSON data; absent snapshots are left out."""
        data: dict[str, Any] = {
            "id": self.id,
            "content_summary": self.content_summary,
            "metadata": self.metadata,
            "embedding": self.embedding,
            "timestamp": self.timestamp,
        }
        if self.input_snapshot:
            data["input_snapshot"] = self.input_snapshot.to_dict()
        if self.output_snapshot:
            data["output_snapshot"] = self.output_snapshot.to_dict()
        return data

    @classmethod
    def from_dict(cls, payload: Mapping[str, Any]) -> MemoryItem:
        """Read plain data.

        Raises:
            MissingFieldError: There is no ``id``.
            SchemaError: The payload is no object.
        """
        if not isinstance(payload, Mapping):
            raise SchemaError(f"a memory item must be an object, not {payload!r}")
        if "id" not in payload:
            raise MissingFieldError(f"a memory item needs an 'id'; found only {sorted(payload)}")
        return cls(
            id=payload["id"],
            content_summary=payload.get("content_summary", ""),
            metadata=payload.get("metadata") or {},
            embedding=payload.get("embedding"),
            timestamp=payload.get("timestamp"),
            input_snapshot=MemoryContentSnapshot.from_dict(payload.get("input_snapshot")),
            output_snapshot=MemoryContentSnapshot.from_dict(payload.get("output_snapshot")),
        )

    def attachments(self) -> list[dict[str, Any]]:
        """List the attachments of both snapshots without their data."""
        snapshots = (self.input_snapshot, self.output_snapshot)
        return [entry for snapshot in snapshots if snapshot for entry in snapshot.attachment_overview()]
