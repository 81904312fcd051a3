"""Cutting what is forgotten out of words that were said: whole sentences, in the rounds that said it and elsewhere."""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

from memory_middleware.remember.grounding import telling_terms
from memory_middleware.remember.sentences import sentences_of
from memory_middleware.schemas.record import MemoryRecord, RecordKind
from memory_middleware.storage.terms import terms_of

__all__ = ["Cutter"]

# In its own round a sentence tells a fact that holds half of its words; elsewhere it must hold all, and two at least.
_HERE = 0.5
_LEAST = 2
# They show nothing, but would split a word.
_INVISIBLE = re.compile("[\u00ad\u200b-\u200d\u2060\ufeff]")

_Words = frozenset[str]


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
        records = list(doomed)
        told = [record for record in records if record.kind is not RecordKind.DIALOGUE]
        others = list(kept)
        self._whole = frozenset(whole)
        self._here, self._kept_here = _by_round(told), _by_round(others)
        self._kept = [_telling(record.content) for record in others]
        self._said = _sayings(records)
        self._contents = _Contents([*(record.content for record in told), *filter(None, [query])])
        self.threads = {record.provenance.thread_id for record in told} - {None}

    @property
    def looks_elsewhere(self) -> bool:
        """Whether there is anything that would be known again in words of other rounds."""
        return bool(self._contents.words)

    def of_round(self, text: str, round_id: str | None) -> str:
        """Cut words that were said in a round, or that a round gave rise to."""
        if round_id in self._whole:
            return ""
        left = self._without_sayings(text, round_id or "")
        told = self._here.get(round_id or "")
        if told is None:
            return self.elsewhere(left)
        kept = self._kept_here.get(round_id or "", [])
        words = {part: _words(part) for part in sentences_of(left)}
        doomed = {part for part, said in words.items() if _is_told(_held(told, said, _HERE), said, kept)}
        if not doomed:  # it was said in other words: what tells nothing else goes
            doomed = {part for part, said in words.items() if not _held(kept, said, _HERE)}
        return self.elsewhere(_without(sentences_of(left), doomed))

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
        if not self._contents.words:
            return text
        parts = sentences_of(text)
        doomed = set()
        for part in parts:
            said = _words(part)
            if _is_told(self._contents.held(said, least), said, self._kept):
                doomed.add(part)
        return _without(parts, doomed) if doomed else text

    def _without_sayings(self, text: str, round_id: str) -> str:
        """Cut the words of a side of a round that is forgotten by itself; very long ones are kept shortened."""
        for said in self._said.get(round_id, ()):
            if text.strip().startswith(said):
                return ""
            parts = sentences_of(text)
            if doomed := {part for part in parts if part.strip() in said}:
                text = _without(parts, doomed)
        return text


class _Contents:
    """What is forgotten as sets of words, found by the words of a sentence."""

    def __init__(self, contents: Iterable[str]) -> None:
        told = dict.fromkeys(map(_telling, contents))
        self.words = [words for words in told if len(words) >= _LEAST]
        self._holding: dict[str, list[_Words]] = defaultdict(list)
        for words in self.words:
            for word in words:
                self._holding[word].append(words)
        # All words of a content stand in a sentence only if its rarest does.
        self._by_rarest: dict[str, list[_Words]] = defaultdict(list)
        for words in self.words:
            self._by_rarest[min(words, key=lambda word: (len(self._holding[word]), word))].append(words)

    def held(self, said: _Words, least: float) -> list[_Words]:
        """Give the contents of which at least a part stands in a sentence."""
        places = self._by_rarest if least >= 1.0 else self._holding
        return _held({words for word in said if word in places for words in places[word]}, said, least)


def _by_round(records: Iterable[MemoryRecord]) -> dict[str, list[_Words]]:
    found: dict[str, list[_Words]] = defaultdict(list)
    for record in records:
        for name in record.provenance.round_ids:
            found[name].append(_telling(record.content))
    return dict(found)


def _sayings(records: Iterable[MemoryRecord]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = defaultdict(list)
    for record in records:
        for name in record.provenance.round_ids if record.kind is RecordKind.DIALOGUE else ():
            found[name].append(record.content.strip())
    return dict(found)


def _is_told(held: Iterable[_Words], said: _Words, kept: Sequence[_Words]) -> bool:
    """Tell whether a sentence tells what is forgotten, rather than something kept in some of the same words."""
    return any(
        not any(words & said <= other and _share(other, said) > _share(words, said) for other in kept) for words in held
    )


def _held(told: Iterable[_Words], said: _Words, least: float) -> list[_Words]:
    return [words for words in told if words and _share(words, said) >= least]


def _share(words: _Words, said: _Words) -> float:
    return len(words & said) / len(words) if words else 0.0


def _without(parts: Sequence[str], doomed: Collection[str]) -> str:
    return "".join(part for part in parts if part not in doomed).strip()


def _telling(content: str) -> _Words:
    return telling_terms(_folded(content))


def _words(text: str) -> _Words:
    return frozenset(terms_of(_folded(text)))


def _folded(text: str) -> str:
    """Write the same words the same way, however they were typed."""
    return text if text.isascii() else _INVISIBLE.sub("", unicodedata.normalize("NFKC", text)).casefold()
