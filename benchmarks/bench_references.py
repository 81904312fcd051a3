"""How well references are detected: labelled answers and memories in English and Chinese, no model takes part.

``python benchmarks/bench_references.py`` reads ``benchmarks/data/references.jsonl``. A third of the pairs is held out:
no weight, threshold or rule was set by it. It is not blind, though: pairs and lexicon come from one hand, the lexicon
after the pairs, so what is measured there is rather too good. Half of all pairs are used, so a yes to everything has an
F1 of 66.7; those that are not used were written to mislead a check of words.

Beside our detector stand the seed's check (any keyword of the memory occurs in the answer) and a plain threshold on the
cosine of answer and memory, set to what serves it best on the pairs that are not held out.
"""

from __future__ import annotations

import argparse
import json
import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from langchain_core.embeddings import Embeddings
from timing import show

from memory_middleware.embedding import build_embeddings
from memory_middleware.remember.references import Injected, Rarity, ReferenceDetector
from memory_middleware.storage.terms import terms_of

DATA = Path(__file__).resolve().parent / "data" / "references.jsonl"
SUBJECT = frozenset(terms_of("the user 用户"))
MEMORIES = 10


@dataclass(frozen=True)
class Pair:
    """An answer, a memory that was injected, and whether the one used the other."""

    query: str
    answer: str
    memory: str
    used: bool
    lang: str
    kind: str
    held_out: bool


Detect = Callable[[Pair, Sequence[str]], list[bool]]


def load(path: Path) -> list[Pair]:
    return [Pair(**json.loads(line)) for line in path.read_text(encoding="utf-8").splitlines()]


def keyword_references(answer: str, memories: Sequence[str]) -> list[bool]:
    """Detect as the seed does: any keyword of a memory occurs in the answer."""
    said = set(terms_of(answer))
    return [bool((set(terms_of(memory)) - SUBJECT) & said) for memory in memories]


def keywords() -> Detect:
    return lambda pair, memories: keyword_references(pair.answer, memories)


def cosine(embedder: Embeddings, pairs: Sequence[Pair]) -> Detect:
    """Detect by the cosine of answer and memory, at the threshold that is best on the given pairs."""

    def cosines(answer: str, memories: Sequence[str]) -> np.ndarray:
        vectors = np.array(embedder.embed_documents([answer, *memories]))
        vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
        return vectors[1:] @ vectors[0]

    values = [(float(cosines(pair.answer, [pair.memory])[0]), pair.used) for pair in pairs]

    def quality(threshold: float) -> float:
        return scores([(value >= threshold, used) for value, used in values])[2]

    best = max((value for value, _ in values), key=quality)
    return lambda pair, memories: (cosines(pair.answer, memories) >= best).tolist()


def ours(embedder: Embeddings | None, rarity: Rarity | None) -> Detect:
    detector = ReferenceDetector(embed=embedder)

    def detect(pair: Pair, memories: Sequence[str]) -> list[bool]:
        shown = [Injected(str(at), memory) for at, memory in enumerate(memories)]
        found = detector.detect(pair.answer, shown, query=pair.query, rarity=rarity)
        return [verdict.referenced for verdict in found]

    return detect


def scores(judged: Sequence[tuple[bool, bool]]) -> tuple[float, float, float]:
    """Give precision, recall and F1 of (found, used) pairs."""
    right = sum(found and used for found, used in judged)
    precision = right / (sum(found for found, _ in judged) or 1)
    recall = right / (sum(used for _, used in judged) or 1)
    return precision, recall, 2 * precision * recall / ((precision + recall) or 1)


def percent(values: Sequence[float]) -> str:
    return " / ".join(f"{100 * value:.1f}" for value in values)


def accuracy(pairs: Sequence[Pair], found: dict[str, list[bool]]) -> None:
    rows = []
    for name, held in (("dev", False), ("held out", True)):
        for lang in ("all", "en", "zh"):
            chosen = [at for at, pair in enumerate(pairs) if pair.held_out == held and lang in ("all", pair.lang)]
            cells = (percent(scores([(each[at], pairs[at].used) for at in chosen])) for each in found.values())
            rows.append((f"{name}, {lang}, {len(chosen)} pairs", *cells))
    show("precision / recall / F1, percent", ("", *found), rows)


def by_kind(pairs: Sequence[Pair], found: dict[str, list[bool]]) -> None:
    rows = []
    for kind, used in sorted({(pair.kind, pair.used) for pair in pairs}, key=lambda each: (not each[1], each[0])):
        chosen = [at for at, pair in enumerate(pairs) if (pair.kind, pair.used) == (kind, used)]
        cells = (_right(pairs, chosen, each) for each in found.values())
        rows.append((f"{kind}, {'used' if used else 'not used'}", *cells))
    show("right verdicts by kind, dev · held out", ("", *found), rows)


def _right(pairs: Sequence[Pair], chosen: Sequence[int], found: Sequence[bool]) -> str:
    cells = []
    for held in (False, True):
        here = [at for at in chosen if pairs[at].held_out == held]
        cells.append(f"{sum(found[at] == pairs[at].used for at in here)}/{len(here)}" if here else "–")
    return " · ".join(cells)


def strangers(pairs: Sequence[Pair], systems: dict[str, Detect]) -> None:
    """Count references among answers and the memories of all other pairs; hardly any of them are true."""
    counts, total = dict.fromkeys(systems, 0), 0
    for pair in pairs:
        others = [
            other.memory
            for other in pairs
            if other.lang == pair.lang and other.memory != pair.memory and other.query != pair.query
        ]
        total += len(others)
        for name, detect in systems.items():
            counts[name] += sum(detect(pair, others))
    row = ("per 1,000", *(f"{1000 * count / total:.1f}" for count in counts.values()))
    show(f"references among {total} answers and memories put together by chance", ("", *systems), [row])


def speed(pairs: Sequence[Pair], systems: dict[str, Detect]) -> None:
    columns = []
    for detect in systems.values():
        times = []
        for at, pair in enumerate(pairs):
            memories = [pairs[(at + 7 * step) % len(pairs)].memory for step in range(MEMORIES)]
            start = time.perf_counter()
            detect(pair, memories)
            times.append((time.perf_counter() - start) * 1e6)
        columns.append((statistics.median(times), sorted(times)[int(0.95 * len(times))]))
    rows = [
        ("µs per memory, median", *(f"{median / MEMORIES:.0f}" for median, _ in columns)),
        (f"ms per {MEMORIES} memories, median", *(f"{median / 1e3:.2f}" for median, _ in columns)),
        ("the same, 95th percentile", *(f"{late / 1e3:.2f}" for _, late in columns)),
    ]
    show("time of one detection", ("", *systems), rows)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=DATA)
    parser.add_argument("--embedding", nargs="+", default=["local"], help="local, local:all-MiniLM-L6-v2, …")
    options = parser.parse_args()
    pairs = load(options.data)
    # The memories of a split stand for those of one owner.
    owners = {held: Rarity.of_texts(pair.memory for pair in pairs if pair.held_out == held) for held in (False, True)}
    embedders = {name: build_embeddings(name) for name in options.embedding}
    systems: dict[str, Detect] = {"seed: keywords": keywords()}
    for name, embedder in embedders.items():
        systems[f"cosine, {name}"] = cosine(embedder, [pair for pair in pairs if not pair.held_out])
    systems["ours, no embedder"] = _of_owner(None, owners)
    systems["ours, rarity unknown"] = ours(None, None)
    for name, embedder in embedders.items():
        systems[f"ours, {name}"] = _of_owner(embedder, owners)
    found = {name: [detect(pair, [pair.memory])[0] for pair in pairs] for name, detect in systems.items()}
    accuracy(pairs, found)
    by_kind(pairs, found)
    strangers(pairs, systems)
    speed(pairs, systems)


def _of_owner(embedder: Embeddings | None, owners: dict[bool, Rarity]) -> Detect:
    made = {held: ours(embedder, rarity) for held, rarity in owners.items()}
    return lambda pair, memories: made[pair.held_out](pair, memories)


if __name__ == "__main__":
    main()
