"""Where words that told something forgotten stand beside records: the journal, and what runs of workers left."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from typing import NamedTuple

from memory_middleware.remember.cutting import Cutter
from memory_middleware.remember.short_term import NOTHING
from memory_middleware.schemas.scope import Scope
from memory_middleware.storage.documents import EXPERIENCE_KINDS, Experience, searched_parts
from memory_middleware.storage.owners import digest
from memory_middleware.storage.repositories import Repositories
from memory_middleware.storage.repositories.journal_texts import JournalText, JournalTextRepository

__all__ = ["CutWords", "cut_experience", "cut_words"]

_ALL = 1_000_000_000
_MAY_BE_EMPTY = ("turns", "usage", "waiting")


class CutWords(NamedTuple):
    """What was cut, or would be.

    Attributes:
        counts: How many texts, by where they stood: ``turns``, ``usage``, ``short_term``, ``summaries``, ``runs``,
            ``waiting``, ``episode``, ``pattern``, ``skill`` and ``edits``, which go wholly.
        texts: The texts as they were, whose vectors must go too.
    """

    counts: dict[str, int]
    texts: tuple[str, ...]


def cut_words(
    memories: Repositories,
    scope: Scope,
    cutter: Cutter,
    *,
    dry_run: bool,
    experience: Collection[str] = (),
    thread: str | None = None,
    searched: bool = True,
) -> CutWords:
    """Cut what is forgotten out of the journal and out of experience.

    Args:
        memories: Where they are.
        scope: Whose.
        cutter: Knows what is forgotten.
        dry_run: Only count.
        experience: The ids of episodes, patterns and skills that are forgotten anyway.
        thread: A thread that is forgotten anyway; of it only what other records keep is looked at.
        searched: Whether experience that was cut can be embedded; if not, searches do not find it until it is
            written again.
    """
    counts: Counter[str] = Counter()
    texts: list[str] = []
    journal = JournalTextRepository(memories.database)
    for found, cut in _journal(journal, scope, cutter, thread):
        counts[found.shelf] += 1
        texts += found.texts.values()
        if not dry_run:
            journal.rewrite(scope, found, cut)
    for item, version, told in memories.edits.told(scope):
        if cutter.in_tree(told) != told:
            counts["edits"] += 1
            if not dry_run:
                memories.edits.forget(scope, item, version)
    for kind, old, new in cut_experience(memories, scope, cutter, experience):
        counts[kind] += 1
        texts += searched_parts(kind, old.to_dict()).meaning
        if not dry_run:
            memories.experience.put(scope, [new], searched=searched)
    return CutWords(dict(counts), tuple(texts))


def _journal(
    journal: JournalTextRepository, scope: Scope, cutter: Cutter, thread: str | None
) -> Iterator[tuple[JournalText, dict[str, str]]]:
    rounds: dict[str, str | None] = {}
    threads = {digest(name): name for name in (*cutter.threads, thread) if name}
    for found in list(journal.all_of(scope)):
        if found.shelf == "turns":
            rounds[found.beside] = found.document["round_id"]
        gone = thread is not None and _thread_of(found, threads) == thread
        if gone and found.shelf != "usage":
            continue
        cut = {name: "" if gone else _cut(cutter, found, text, rounds, threads) for name, text in found.texts.items()}
        if any(cut[name].strip() != text.strip() for name, text in found.texts.items()):
            yield found, cut if found.shelf in _MAY_BE_EMPTY else {name: text or NOTHING for name, text in cut.items()}


def _thread_of(found: JournalText, threads: Mapping[str, str]) -> str | None:
    return found.document.get("session_id") or threads.get(found.beside)


def _cut(
    cutter: Cutter, found: JournalText, text: str, rounds: Mapping[str, str | None], threads: Mapping[str, str]
) -> str:
    if found.shelf in ("turns", "usage"):
        return cutter.of_round(text, rounds.get(found.beside))
    if found.shelf in ("short_term", "waiting"):
        return cutter.of_round(text, found.document["id"])
    return cutter.of_thread(text, threads.get(found.beside))


def cut_experience(
    memories: Repositories, scope: Scope, cutter: Cutter, but: Collection[str] = ()
) -> Iterator[tuple[str, Experience, Experience]]:
    """Give the kind of each episode, pattern or skill that tells it, how it was, and how it is without that."""
    for kind, made in EXPERIENCE_KINDS.items():
        for old in memories.experience.newest(scope, kind, limit=_ALL):
            told = old.to_dict()
            cut = told if old.id in but else cutter.in_tree(told)
            if cut != told:
                yield kind, old, made.from_dict({**cut, "id": old.id})
