"""How much of the evidence is recalled: LoCoMo questions, no model takes part.

``python benchmarks/bench_recall.py --data DIR`` reads ``DIR/locomo10.json`` (from the repository snap-research/locomo;
its licence, CC BY-NC 4.0, does not let us ship it). Every turn becomes a dialogue record; a question's
labelled evidence turns are what must be found. Beside our recall stand what most memories do, cosine over turns with
the same embedder, and BM25 over words, in the same run.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import statistics
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
from langchain_core.embeddings import Embeddings
from rich.progress import Progress
from timing import show

from memory_middleware import LanceStore, MemoryRecord, Provenance, Scope, TokenCounter
from memory_middleware.embedding import build_embeddings
from memory_middleware.recall import fit_sections
from memory_middleware.recall.record_lines import record_sections
from memory_middleware.sources.long_term.records import recall_records
from memory_middleware.storage.postings import Postings
from memory_middleware.storage.terms import terms_of

CATEGORIES = {1: "multi-hop", 2: "temporal", 3: "open-domain", 4: "single-hop", 5: "adversarial"}
DEPTH = 60
CUTS = (1, 3, 5, 10, 20)
BUDGETS = (256, 512, 1024, 2048)
OWNER = Scope("bench")
COUNTER = TokenCounter()


@dataclass(frozen=True)
class Turn:
    """One turn of a conversation."""

    id: str
    session: str
    speaker: str
    text: str
    at: datetime
    order: int

    def record(self) -> MemoryRecord:
        """Tell the turn as a record."""
        return MemoryRecord.create(
            OWNER.owner_id,
            self.text,
            kind="dialogue",
            id=self.id,
            subject=self.speaker,
            provenance=Provenance(thread_id=self.session, turn=self.order),
            valid_from=self.at,
        )


@dataclass(frozen=True)
class Question:
    """A question and the turns that answer it."""

    text: str
    category: str
    evidence: frozenset[str]


def load(path: Path) -> list[tuple[list[Turn], list[Question]]]:
    """Read conversations in LoCoMo's own format; labels that name no turn are left out."""
    return [_conversation(sample) for sample in json.loads(path.read_text(encoding="utf-8"))]


def _conversation(sample: dict) -> tuple[list[Turn], list[Question]]:
    talk, turns = sample["conversation"], []
    names = sorted((key for key in talk if re.fullmatch(r"session_\d+", key)), key=lambda key: int(key[8:]))
    for name in names:
        moment = datetime.strptime(talk[f"{name}_date_time"], "%I:%M %p on %d %B, %Y").replace(tzinfo=UTC)
        for part in talk[name]:
            photo = f" [shares a photo of {part['blip_caption']}]" if part.get("blip_caption") else ""
            turns.append(Turn(part["dia_id"], name, part["speaker"], part["text"] + photo, moment, len(turns)))
    known = {turn.id for turn in turns}
    questions = []
    for asked in sample["qa"]:
        pairs = re.findall(r"D:?(\d+):(\d+)", " ".join(asked.get("evidence", [])))
        evidence = frozenset(f"D{int(session)}:{int(turn)}" for session, turn in pairs) & known
        if evidence:
            questions.append(Question(str(asked["question"]), CATEGORIES[asked["category"]], frozenset(evidence)))
    return turns, questions


Ranker = Callable[[str], list[str]]


def ours(turns: Sequence[Turn], embedding: str | None, folder: Path) -> tuple[Ranker, Callable[[], None]]:
    store = LanceStore.open(folder, embedding=embedding, durable=False)
    records = [turn.record() for turn in turns]
    for at in range(0, len(records), 500):
        store.memories.records.put(OWNER, records[at : at + 500])

    def search(query: str) -> list[str]:
        return [hit.record.id for hit in recall_records(store.memories, OWNER, query, limit=DEPTH)]

    return search, store.close


def bm25(turns: Sequence[Turn]) -> Ranker:
    postings = Postings()
    postings.add([" ".join(terms_of(f"{turn.speaker}: {turn.text}")) for turn in turns])
    return lambda query: _best(turns, postings.score(terms_of(query)))


def cosine(turns: Sequence[Turn], embedder: Embeddings) -> Ranker:
    matrix = np.array(embedder.embed_documents([f"{turn.speaker}: {turn.text}" for turn in turns]))
    return lambda query: _best(turns, matrix @ np.array(embedder.embed_query(query)))


def _best(turns: Sequence[Turn], scores: np.ndarray) -> list[str]:
    return [turns[at].id for at in np.argsort(-scores, kind="stable")[:DEPTH]]


def measured(ranked: Sequence[str], question: Question, turns: dict[str, Turn]) -> dict[str, float]:
    """Tell how much of the evidence stands how high, and how much fits into budgets."""
    evidence = question.evidence
    found = {f"R@{cut}": len(evidence & set(ranked[:cut])) / len(evidence) for cut in CUTS}
    gains = [1.0 / np.log2(at + 2) for at, turn in enumerate(ranked[:10]) if turn in evidence]
    found["nDCG@10"] = sum(gains) / sum(1.0 / np.log2(at + 2) for at in range(min(10, len(evidence))))
    first = next((at for at, turn in enumerate(ranked) if turn in evidence), None)
    found["MRR"] = 0.0 if first is None else 1.0 / (first + 1)
    sessions = list(dict.fromkeys(turns[turn].session for turn in ranked))
    wanted = {turns[turn].session for turn in evidence}
    found["session R@5"] = len(wanted & set(sessions[:5])) / len(wanted)
    sections = record_sections([turns[turn].record() for turn in ranked])
    for budget in BUDGETS:
        block = fit_sections("Remembered:", sections, budget, COUNTER)
        kept = {entry.id for entry in block.manifest if entry.status == "kept"}
        found[f"in {budget} tokens"] = len(evidence & kept) / len(evidence)
    return found


def interval(values: Sequence[float]) -> str:
    """Give a mean in percent with half the width of its 95 % bootstrap interval."""
    chance = random.Random(1)
    means = sorted(statistics.fmean(chance.choices(values, k=len(values))) for _ in range(300))
    return f"{100 * statistics.fmean(values):.1f} ±{50 * (means[292] - means[7]):.1f}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="the folder that holds locomo10.json")
    parser.add_argument("--embedding", nargs="+", default=["local"], help="local, local:all-MiniLM-L6-v2, …")
    options = parser.parse_args()
    conversations = load(options.data / "locomo10.json")
    results: dict[str, list[tuple[str, dict[str, float]]]] = {}
    took: dict[str, list[float]] = {}
    with Progress() as progress, tempfile.TemporaryDirectory() as name:
        task = progress.add_task("questions", total=sum(len(asked) for _, asked in conversations))
        for at, (turns, questions) in enumerate(conversations):
            known = {turn.id: turn for turn in turns}
            systems: dict[str, Ranker] = {"BM25": bm25(turns)}
            closing = []
            search, close = ours(turns, None, Path(name) / f"none{at}")
            systems["ours, no embedder"] = search
            closing.append(close)
            for embedding in options.embedding:
                systems[f"cosine, {embedding}"] = cosine(turns, build_embeddings(embedding))
                search, close = ours(turns, embedding, Path(name) / f"{embedding.replace(':', '-')}{at}")
                systems[f"ours, {embedding}"] = search
                closing.append(close)
            for question in questions:
                for system, rank in systems.items():
                    start = time.perf_counter()
                    ranked = rank(question.text)
                    took.setdefault(system, []).append((time.perf_counter() - start) * 1e3)
                    results.setdefault(system, []).append((question.category, measured(ranked, question, known)))
                progress.advance(task)
            for close in closing:
                close()
    report(results, took)


def report(results: dict[str, list[tuple[str, dict[str, float]]]], took: dict[str, list[float]]) -> None:
    names = list(results)
    measures = list(results[names[0]][0][1])
    rows = [(name, *(interval([one[name] for _, one in results[system]]) for system in names)) for name in measures]
    rows.append(("median ms", *(f"{statistics.median(took[system]):.1f}" for system in names)))
    show(f"{len(results[names[0]])} questions, percent of the evidence", ("", *names), rows)
    kinds = sorted({category for category, _ in results[names[0]]})
    rows = [
        (kind, *(interval([one["R@10"] for category, one in results[system] if category == kind]) for system in names))
        for kind in kinds
    ]
    show("R@10 by category", ("", *names), rows)


if __name__ == "__main__":
    main()
