"""Whether memory stays true when the truth changes: told stories, beside memories that have no addresses.

``python benchmarks/bench_corrections.py`` tells the stories of ``tests/remember/stories`` (moves, new jobs and numbers,
renamed projects, jokes, trips that end, namesakes, values that coexist; English and Chinese) and looks at what is
current in the end, in records and profiles, and at what recall gives for earlier moments.

The two peers get the same facts, in the same order, with the same local embedder. *Append-only* keeps every fact, as
plain vector memories do. *Cosine over 0.85* lets a new fact take the place of the nearest known one if it is near
enough, as similarity-based updaters do. Neither has addresses, so a value is looked for by the words that the story
names, which is in their favour; neither has profiles. Both know when a fact was written, and of history they give what
they held then. Words taken back, endings and trust mean nothing to them: that is what is measured. *Ours* gets the
listed facts too, one round or five in a batch; *ours, rules* reads the words of the stories instead.

The stories and this library come from one hand: the numbers say that it does what it is meant to do, not how often a
stranger's dialogue would go wrong. What rules do not understand yet is listed below the tables; where a story expects
them to abstain, only what they leave wrong counts.
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime

import numpy as np
from langchain_core.embeddings import Embeddings
from timing import show

from memory_middleware import LanceStore, Memory, MemoryConfig
from memory_middleware.embedding import build_embeddings
from memory_middleware.memory.building import Minds
from memory_middleware.remember.extraction.base import Extractor
from memory_middleware.remember.extraction.rules import RuleExtractor
from tests.remember.storybook.book import Held, Story, View, load_stories
from tests.remember.storybook.judging import Verdict, judge
from tests.remember.storybook.telling import StoryExtractor, tell

NEAR = 0.85


@dataclass
class Kept:
    """A fact in a memory without addresses, from when to when it was there."""

    text: str
    since: datetime
    until: datetime | None = None

    def is_there(self, moment: datetime) -> bool:
        """Tell whether it was there at a moment."""
        return self.since <= moment and (self.until is None or moment < self.until)


@dataclass
class PlainMemory:
    """A memory of texts and vectors.

    Attributes:
        embedder: Turns texts into vectors.
        near: From which cosine on a new text takes the place of the nearest; none keeps all.
    """

    embedder: Embeddings
    near: float | None = None
    kept: list[Kept] = field(default_factory=list)
    vectors: list[np.ndarray] = field(default_factory=list)

    def add(self, text: str, moment: datetime) -> None:
        """Keep a text, perhaps in the place of another."""
        vector = np.array(self.embedder.embed_documents([text])[0])
        vector /= np.linalg.norm(vector) or 1.0
        cosines = [
            float(old @ vector) if one.until is None else -1.0 for one, old in zip(self.kept, self.vectors, strict=True)
        ]
        if self.near is not None and cosines and max(cosines) > self.near:
            self.kept[int(np.argmax(cosines))].until = moment
        self.kept.append(Kept(text, moment))
        self.vectors.append(vector)

    def view(self, moment: datetime) -> list[str]:
        """List the texts that were there at a moment."""
        return [one.text for one in self.kept if one.is_there(moment)]


def plain(embedder: Embeddings, near: float | None, story: Story) -> Verdict:
    """Give a story's facts to a memory without addresses, and judge it as far as it can be judged."""
    memory = PlainMemory(embedder, near)
    for one in story.rounds:
        for fact in one.facts:
            memory.add(fact.say, one.when)
    verdict = Verdict()
    for view in (story.view, *story.after):
        _judge_view(memory.view(view.when), view, story, verdict)
    for held in story.history:
        verdict.asked += 1
        if not _gives(memory, held, story):
            verdict.unreachable.append(f"{held.when:%Y-%m-%d} {held.at}")
    return verdict


def _judge_view(texts: Sequence[str], view: View, story: Story, verdict: Verdict) -> None:
    wanted = (*view.current.values(), *view.current_texts)
    verdict.lost += [part for part in wanted if not any(part in text for text in texts)]
    gone = [fact.say for one in story.rounds for fact in one.facts if fact.at in view.none]
    verdict.stale += [text for text in texts if text in gone or any(part in text for part in view.not_current)]


def _gives(memory: PlainMemory, held: Held, story: Story) -> bool:
    """Tell whether what was held at a moment, of all that stories say at an address, is what was true."""
    here = {fact.say for one in story.rounds for fact in one.facts if fact.at == held.at}
    found = {text for text in memory.view(held.when) if text in here}
    return not found if held.value is None else len(found) == 1 and held.value in found.pop()


def ours(store: LanceStore, stories: Iterable[Story], *, rules: bool, size: int) -> list[Verdict]:
    """Tell stories to our memory, each to an owner of its own."""
    told: dict[str, Story] = {}
    extractor: Extractor = RuleExtractor() if rules else StoryExtractor(told)
    config = MemoryConfig.from_dict({"extract": {"mode": "inline", "batch_size": size}})
    memory = Memory(store, config, minds=Minds(extractor, None))
    verdicts = []
    for told_story in stories:
        story = told_story.for_rules() if rules else told_story
        owner = f"{story.group}/{story.id}/{rules}/{size}"
        told[owner] = story
        tell(memory, owner, story)
        verdicts.append(judge(memory, owner, story))
    return verdicts


def row(name: str, verdicts: Sequence[Verdict]) -> tuple[str, ...]:
    asked = sum(one.asked for one in verdicts)
    reached = asked - sum(len(one.unreachable) for one in verdicts)
    return (
        name,
        f"{sum(one.is_good for one in verdicts)}/{len(verdicts)}",
        str(sum(bool(one.stale) for one in verdicts)),
        str(sum(bool(one.lost) for one in verdicts)),
        f"{100 * reached / asked:.1f} %",
    )


def groups(stories: Sequence[Story], systems: dict[str, list[Verdict]]) -> None:
    rows = []
    for group in sorted({story.group for story in stories}):
        chosen = [at for at, story in enumerate(stories) if story.group == group]
        cells = (f"{sum(verdicts[at].is_good for at in chosen)}" for verdicts in systems.values())
        rows.append((group, str(len(chosen)), *cells))
    show("stories told rightly, by group", ("group", "stories", *systems), rows)


def misses(stories: Sequence[Story], verdicts: Sequence[Verdict]) -> None:
    for story, verdict in zip(stories, verdicts, strict=True):
        for problem in dict.fromkeys((*verdict.stale, *verdict.lost, *verdict.unreachable)):
            print(f"{story.group} / {story.id}: {problem}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--embedding", default="local", help="local, local:all-MiniLM-L6-v2, …")
    options = parser.parse_args()
    stories = load_stories()
    embedder = build_embeddings(options.embedding)
    with tempfile.TemporaryDirectory() as folder, LanceStore.open(folder, embedding=embedder) as store:
        systems = {
            f"{name}, by {size}": ours(store, stories, rules=rules, size=size)
            for name, rules in (("ours", False), ("ours, rules", True))
            for size in (1, 5)
        }
    systems["append-only"] = [plain(embedder, None, story) for story in stories]
    systems[f"cosine > {NEAR}"] = [plain(embedder, NEAR, story) for story in stories]
    headings = ("", "right", "stale", "lost", "history")
    show(
        f"{len(stories)} stories: told rightly, with stale values, with lost truths; history reached",
        headings,
        [row(name, verdicts) for name, verdicts in systems.items()],
    )
    groups(stories, {name: verdicts for name, verdicts in systems.items() if not name.endswith("by 1")})
    misses(stories, systems["ours, rules, by 5"])


if __name__ == "__main__":
    main()
