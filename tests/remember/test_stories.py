"""Stories in which the truth changes: nothing stale stays, no truth is lost, and all history is reachable."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memory_middleware import LanceStore, Memory, MemoryConfig, MemoryType
from memory_middleware.memory.building import Minds
from memory_middleware.remember.extraction.rules import RuleExtractor
from tests.remember.storybook.book import Story, load_stories
from tests.remember.storybook.judging import Verdict, active_view, judge
from tests.remember.storybook.telling import StoryExtractor, tell

STORIES = load_stories()
SIZES = (1, 5)
NAMES = [f"{story.group}: {story.id}" for story in STORIES]
UNDERSTOOD = [
    pytest.param(story, id=name)
    for name, story in zip(NAMES, STORIES, strict=True)
    if not (story.rules and story.rules.misses)
]


@dataclass
class Room:
    """A store in which every story has an owner of its own, so that many can be told."""

    store: LanceStore
    told: dict[str, Story] = field(default_factory=dict)

    def tell(self, story: Story, *, size: int, rules: bool, again: str = "") -> tuple[Memory, str]:
        """Tell a story in batches of a size, to rules or to an extractor that knows it."""
        config = MemoryConfig.from_dict({"extract": {"mode": "inline", "batch_size": size}})
        extractor: Any = RuleExtractor() if rules else StoryExtractor(self.told)
        memory = Memory(self.store, config, minds=Minds(extractor, None))
        owner = f"{story.group}/{story.id}/{size}/{rules}{again}"
        self.told[owner] = story
        tell(memory, owner, story)
        return memory, owner


@pytest.fixture(scope="module")
def room(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Room]:
    with LanceStore.open(tmp_path_factory.mktemp("stories"), embedding=None) as store:
        yield Room(store)


def outcome(room: Room, story: Story, *, size: int, rules: bool) -> tuple[Verdict, Any]:
    """What is wrong with a story told in batches of a size, and what stands in memory after it."""
    memory, owner = room.tell(story, size=size, rules=rules)
    standing = view_of(memory, owner, story), profiles_of(memory, owner)
    return judge(memory, owner, story), standing


def view_of(memory: Memory, owner: str, story: Story) -> set[tuple[str | None, str | None, str]]:
    return {
        (record.subject, record.attribute, record.content) for record in active_view(memory, owner, story.view.when)
    }


def profiles_of(memory: Memory, owner: str) -> list[Any]:
    return [_without_meta(memory.profile(owner, kind).model_dump(mode="json")) for kind in MemoryType]  # type: ignore[union-attr]


def _without_meta(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _without_meta(part) for key, part in value.items() if key != "meta"}
    return [_without_meta(part) for part in value] if isinstance(value, list) else value


def test_the_book_is_large_and_in_two_languages() -> None:
    assert len(STORIES) >= 125
    assert len({story.id for story in STORIES}) == len(STORIES)
    assert 0.4 <= sum(story.lang == "zh" for story in STORIES) / len(STORIES) <= 0.6
    assert len(UNDERSTOOD) >= 0.9 * len(STORIES), "rules may miss some, and tell which"
    assert all(2 <= len(story.rounds) <= 6 for story in STORIES)


@pytest.mark.parametrize("story", STORIES, ids=NAMES)
def test_with_facts_from_a_perfect_extractor_memory_stays_true(story: Story, room: Room) -> None:
    (one, alone), (five, together) = (outcome(room, story, size=size, rules=False) for size in SIZES)
    assert (one.stale, one.lost, one.unreachable) == ([], [], [])
    assert (five.stale, five.lost, five.unreachable) == ([], [], [])
    assert alone == together


@pytest.mark.parametrize("story", UNDERSTOOD)
def test_with_rules_memory_stays_true(story: Story, room: Room) -> None:
    told = story.for_rules()
    (one, alone), (five, together) = (outcome(room, told, size=size, rules=True) for size in SIZES)
    assert (one.stale, one.lost, one.unreachable) == ([], [], [])
    assert (five.stale, five.lost, five.unreachable) == ([], [], [])
    assert alone == together


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(story=st.sampled_from(STORIES), size=st.integers(2, 4))
def test_wherever_batches_end_the_view_is_the_same(room: Room, story: Story, size: int) -> None:
    views = []
    for chosen in (1, size):
        memory, owner = room.tell(story, size=chosen, rules=False, again=" again")
        views.append(view_of(memory, owner, story))
    assert views[0] == views[1]
