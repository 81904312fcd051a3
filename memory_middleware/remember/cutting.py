"""Cutting what is forgotten out of words that were said: whole sentences, in the rounds that said it and elsewhere."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

from memory_middleware.remember.grounding import stands_in, telling_terms
from memory_middleware.remember.sentences import sentences_of
from memory_middleware.schemas.record import MemoryRecord, RecordKind
from memory_middleware.storage.terms import terms_of

__all__ = ["Cutter"]

# In its own round a sentence tells a fact that holds half of its words; elsewhere it must hold all, and two at least.
_HERE = 0.5
_LEAST = 2
_STEM = 4


class Cutter:
    """Knows what is forgotten, and cuts it out of texts.

    Args:
        doomed: The records that are forgotten.
        kept: Other records from the same rounds; the sentences that tell them stay.
        whole: The ids of rounds whose words go wholly.
        query: What was asked to be forgotten, in words.
    """

    def __init__(
        self,
        doomed: Iterable[MemoryRecord],
        kept: Iterable[MemoryRecord] = (),
        *,
        whole: Collection[str] = (),
        query: str | None = None,
    ) -> None:
        self._told = [record for record in doomed if record.kind is not RecordKind.DIALOGUE]
        self._kept = list(kept)
        self._whole = frozenset(whole)
        contents = dict.fromkeys([*(record.content for record in self._told), *filter(None, [query])])
        self._contents = [content for content in contents if len(telling_terms(content)) >= _LEAST]
        self.rounds = {name for record in self._told for name in record.provenance.round_ids} | self._whole
        self.threads = {record.provenance.thread_id for record in self._told} - {None}

    def of_round(self, text: str, round_id: str | None) -> str:
        """Cut words that were said in a round, or that a round gave rise to."""
        if round_id in self._whole:
            return ""
        if round_id not in self.rounds:
            return self.elsewhere(text)
        told = [record.content for record in self._told if round_id in record.provenance.round_ids]
        parts = sentences_of(text)
        doomed = [part for part in parts if any(stands_in(content, part) >= _HERE for content in told)]
        if not doomed:  # it was said in other words: what tells nothing else goes
            others = [record.content for record in self._kept if round_id in record.provenance.round_ids]
            doomed = [part for part in parts if not any(stands_in(content, part) >= _HERE for content in others)]
        return _without(parts, doomed)

    def of_thread(self, text: str, thread_id: str | None) -> str:
        """Cut words that tell of a thread, such as its summary."""
        return self._cut(text, _HERE) if thread_id in self.threads else self.elsewhere(text)

    def elsewhere(self, text: str) -> str:
        """Cut sentences that tell all of something forgotten."""
        return self._cut(text, 1.0)

    def in_tree(self, value: Any) -> Any:
        """Cut plain data, text by text; what nothing is left of becomes dots."""
        if isinstance(value, Mapping):
            return {key: self.in_tree(part) for key, part in value.items()}
        if isinstance(value, list):
            return [self.in_tree(part) for part in value]
        return (self.elsewhere(value) or "…") if isinstance(value, str) and value else value

    def _cut(self, text: str, least: float) -> str:
        folded = text.casefold()
        told = [content for content in self._contents if _may_hold(folded, content)]
        if not told:
            return text
        parts = sentences_of(text)
        doomed = [part for part in parts if any(stands_in(content, part) >= least for content in told)]
        return _without(parts, doomed) if doomed else text


def _without(parts: Sequence[str], doomed: Sequence[str]) -> str:
    return "".join(part for part in parts if part not in doomed).strip()


def _may_hold(folded: str, content: str) -> bool:
    """Tell cheaply whether a text may hold a content: by the beginning of its longest word."""
    return max(terms_of(content), key=len)[:_STEM] in folded
