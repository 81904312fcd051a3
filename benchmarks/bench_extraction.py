"""Extraction by rules: precision, recall and throughput on labelled sheets, beside a plain keyword extractor.

The sheets that are held out are for measuring only: their misses are not read while rules are written, so that the next
measurement still tells something. ``--failures`` therefore lists the misses of the other sheets alone.
"""

from __future__ import annotations

import argparse
import json
import re
from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

from timing import cpu_seconds, show

from memory_middleware.remember.extraction.base import Extraction, ExtractionBatch
from memory_middleware.remember.extraction.rules import RuleExtractor
from memory_middleware.schemas.dialogue import Dialogue, Fact

DATA = Path(__file__).parent / "data"
FILES = ("extraction.jsonl", "extraction_loose_dev.jsonl", "extraction_loose_held_out.jsonl")
# The sheets in the order of the tables: those that no rule was tuned on come first.
SHEETS = {
    "held_out": "Held out, first sheet: written before any rule",
    "second": "Held out, second sheet: written after the rules, not tuned on",
    "loose_held_out": "Held out, loose sheet: as people type, written without a look at the rules",
    "dev": "Used while the rules were written (dev)",
    "loose_dev": "As people type, used while the rules were widened (loose dev)",
}
NOW = datetime(2026, 3, 4, 10, tzinfo=UTC)
Row = dict[str, Any]
Extract = Callable[[ExtractionBatch], Extraction]


@dataclass
class Score:
    """Counts of one group of exchanges."""

    right: int = 0
    wrong: int = 0
    found: int = 0
    wanted: int = 0
    traps: int = 0
    clean: int = 0
    paths: int = 0
    paths_found: int = 0
    failures: list[str] = field(default_factory=list)

    def add(self, other: Score) -> None:
        """Add the counts of another group."""
        for name in ("right", "wrong", "found", "wanted", "traps", "clean", "paths", "paths_found"):
            setattr(self, name, getattr(self, name) + getattr(other, name))

    def line(self, name: str, count: int) -> tuple[str, ...]:
        """Give the row of a table."""
        precision = self.right / (self.right + self.wrong) if self.right + self.wrong else 1.0
        recall = self.found / self.wanted if self.wanted else 1.0
        f1 = 2 * precision * recall / (precision + recall) if precision + recall else 0.0
        traps = f"{self.clean}/{self.traps}" if self.traps else "–"
        paths = f"{self.paths_found}/{self.paths}" if self.paths else "–"
        return name, str(count), f"{precision:.3f}", f"{recall:.3f}", f"{f1:.3f}", traps, paths


HEADINGS = ("group", "exchanges", "precision", "recall", "F1", "clean traps", "profile paths")


def load() -> list[Row]:
    return [json.loads(line) for name in FILES for line in (DATA / name).read_text(encoding="utf-8").splitlines()]


def sheet_of(row: Row) -> str:
    named = {2: "second"}.get(row.get("sheet"), row.get("sheet"))
    return named or ("held_out" if row["held_out"] else "dev")


def batch_of(row: Row) -> ExtractionBatch:
    turns = [*row.get("before", []), {"user": row["user"], "assistant": row["assistant"]}]
    rounds = tuple(
        Dialogue(
            id=f"{row['id']}-{at}",
            owner_id="owner",
            session_id="thread",
            user_query=turn["user"],
            assistant_response=turn["assistant"],
            created_at=NOW + timedelta(minutes=at - len(turns) + 1),
        )
        for at, turn in enumerate(turns)
    )
    return ExtractionBatch(rounds, max_facts=50)


def same_address(wanted: Row, subject: str | None, attribute: str | None) -> bool:
    names = (wanted["attribute"] or "").split("|")
    who = fnmatchcase((subject or "").casefold(), wanted["subject"].casefold())
    return who and any(fnmatchcase(attribute or "", name) for name in names)


def matches(wanted: Row, fact: Fact, *, strict: bool) -> bool:
    said = wanted.get("contains", "").casefold() in fact.content.casefold()
    # A peer without addresses is judged by the text alone.
    return said and (not strict or same_address(wanted, fact.subject, fact.attribute))


def judge(row: Row, extraction: Extraction, *, strict: bool) -> Score:
    score = Score(traps=int(row["trap"]), wanted=len(row["facts"]) + len(row.get("retractions", [])))
    for fact in extraction.facts:
        if any(matches(wanted, fact, strict=strict) for wanted in row["facts"]):
            score.right += 1
        elif any(same_address(some, fact.subject, fact.attribute) for some in row.get("optional", [])):
            continue
        else:
            score.wrong += 1
            score.failures.append(f"unwanted {fact.subject} | {fact.attribute} | {fact.content}")
    score.found = sum(any(matches(wanted, fact, strict=strict) for fact in extraction.facts) for wanted in row["facts"])
    score.failures += [
        f"missing {wanted}"
        for wanted in row["facts"]
        if not any(matches(wanted, fact, strict=strict) for fact in extraction.facts)
    ]
    _judge_retractions(row, extraction, score)
    score.clean = int(row["trap"] and not score.wrong)
    _judge_profile(row, extraction, score)
    return score


def _judge_retractions(row: Row, extraction: Extraction, score: Score) -> None:
    wanted = row.get("retractions", [])
    for some in extraction.retractions:
        if some.rounds:
            continue
        right = any(same_address(one, some.subject, some.attribute) for one in wanted)
        if not right and any(same_address(one, some.subject, some.attribute) for one in row.get("optional", [])):
            continue
        score.right += right
        score.wrong += not right
        if not right:
            score.failures.append(f"unwanted retraction {some.subject} | {some.attribute}")
    for one in wanted:
        found = any(same_address(one, some.subject, some.attribute) for some in extraction.retractions)
        score.found += found
        if not found:
            score.failures.append(f"missing retraction {one}")
    if (back := row.get("retracts_rounds_before")) and not any(
        f"{row['id']}-{len(row['before']) - back}" in some.rounds for some in extraction.retractions
    ):
        score.wrong += 1
        score.failures.append("missing retraction of the round before")


def _judge_profile(row: Row, extraction: Extraction, score: Score) -> None:
    for path in row["profile"]:
        part: Any = extraction.profile_patch
        for name in path.split("."):
            part = part.get(name) if isinstance(part, dict) else None
        score.paths += 1
        score.paths_found += part is not None
        if part is None:
            score.failures.append(f"missing profile {path}")


NAIVE = re.compile(
    r"\b(?:I am|I'm|My [\w ]{1,30} (?:is|are)|I (?:like|love|hate|prefer|live|work|use|have|speak))\b[^.!?\n]*"
    r"|我(?:是|叫|喜欢|讨厌|住|在|有|用|会|的[^,，。!！?？\n]{1,10}是)[^。!！?？\n]*",
    re.IGNORECASE,
)


def keyword_extract(batch: ExtractionBatch) -> Extraction:
    """Take every sentence that begins like a statement about oneself, as plain extractors do."""
    last = batch.rounds[-1]
    facts = tuple(Fact(content=found[0], evidence=(last.id,)) for found in NAIVE.finditer(last.user_query))
    return Extraction(facts)


def measure(rows: Iterable[Row], extract: Extract, *, strict: bool) -> dict[tuple[str, str], tuple[Score, int]]:
    groups: dict[tuple[str, str], Score] = defaultdict(Score)
    counts: dict[tuple[str, str], int] = defaultdict(int)
    for row in rows:
        score = judge(row, extract(batch_of(row)), strict=strict)
        for key in (("all", ""), ("language", row["lang"]), ("category", row["category"])):
            groups[key].add(score)
            counts[key] += 1
            groups[key].failures += [f"{row['id']} {row['user']!r}: {line}" for line in score.failures]
    return {key: (groups[key], counts[key]) for key in groups}


def report(rows: list[Row], *, failures: bool) -> None:
    extractor = RuleExtractor()
    for sheet, title in SHEETS.items():
        part = [row for row in rows if sheet_of(row) == sheet]
        if not part:
            continue
        ours = measure(part, extractor.extract, strict=True)
        theirs = measure(part, keyword_extract, strict=False)
        lines = [ours[key][0].line(" ".join(key).strip(), ours[key][1]) for key in sorted(ours) if key[0] != "category"]
        plain, count = theirs[("all", "")]
        lines.append(plain.line("keyword extractor, text only", count))
        show(title, HEADINGS, lines)
        by_category = sorted(key for key in ours if key[0] == "category")
        show(f"{title}, by category", HEADINGS, [ours[key][0].line(key[1], ours[key][1]) for key in by_category])
        if failures and not part[0]["held_out"]:
            print("\n".join(ours[("all", "")][0].failures))


def throughput(rows: list[Row]) -> None:
    batches = [batch_of(row) for row in rows]
    rounds = sum(len(batch.rounds) for batch in batches)
    lines = []
    for name, extract in (("rules", RuleExtractor().extract), ("keyword extractor", keyword_extract)):
        seconds = cpu_seconds(lambda: [extract(batch) for batch in batches])  # noqa: B023 - run at once
        lines.append((name, f"{rounds / seconds:,.0f}", f"{seconds / rounds * 1e6:.0f}"))
    show("Throughput on one core", ("extractor", "rounds/s", "µs per round"), lines)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "--failures", action="store_true", help="list what was missed or not wanted in sheets that are not held out"
    )
    parser.add_argument("--sheet", choices=SHEETS, action="append", help="only this sheet; may be given again")
    options = parser.parse_args()
    everything = load()
    report([row for row in everything if sheet_of(row) in (options.sheet or SHEETS)], failures=options.failures)
    throughput(everything)
