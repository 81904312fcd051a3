"""Following links: what comes along, how much it counts, and never twice."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from hypothesis import given
from hypothesis import strategies as st

from memory_middleware.schemas import EpisodeTrace, Link, ProceduralSkill, SemanticPattern
from memory_middleware.sources.experience.linking import Candidate, expand, links_of
from memory_middleware.storage.documents import Experience


def pattern(name: str, *links: Link, episodes: Sequence[str] = ()) -> SemanticPattern:
    return SemanticPattern(name, name, "c", links=list(links), source_episodes=list(episodes))


def episode(name: str) -> EpisodeTrace:
    made = EpisodeTrace.create("t", "a", name)
    made.id = name
    return made


def follow(hits: Sequence[Candidate], memories: Iterable[Experience]) -> dict[str, Candidate]:
    known = list(memories)
    found = expand(
        hits,
        lambda wanted: [memory for memory in known if memory.id in wanted],
        lambda targets: [memory for memory in known if set(links_of(memory)) & set(targets)],
    )
    assert len({candidate.place for candidate in found}) == len(found)
    return {candidate.memory.id: candidate for candidate in found}


def test_links_and_source_episodes_come_along() -> None:
    start = pattern("p", Link("q", "related_to", 0.5), episodes=["e"])
    found = follow([Candidate(start, 0.8)], [start, pattern("q"), episode("e"), pattern("stranger")])
    assert {name: candidate.relevance for name, candidate in found.items()} == {"p": 0.8, "q": 0.2, "e": 0.4}
    assert found["p"].reached is None
    assert found["q"].reached == ("p", "related_to", 0.5)
    assert found["e"].reached == ("p", "derived_from", 1.0)


def test_an_episode_brings_the_patterns_that_link_to_it() -> None:
    lesson = pattern("lesson", Link("e", "derived_from", 0.9))
    found = follow([Candidate(episode("e"), 1.0)], [lesson, episode("e")])
    assert found["lesson"].relevance == 0.45
    assert found["lesson"].reached == ("e", "derived_from", 0.9)


def test_the_better_of_search_and_link_counts() -> None:
    strong, weak = pattern("strong", Link("weak", "supports", 1.0)), pattern("weak", Link("strong", "supports", 1.0))
    found = follow([Candidate(strong, 0.9), Candidate(weak, 0.1)], [strong, weak])
    assert {name: candidate.relevance for name, candidate in found.items()} == {"strong": 0.9, "weak": 0.45}


def test_the_outdated_is_not_brought_along() -> None:
    new, old = pattern("new", Link("old", "supersedes")), pattern("old", Link("new", "superseded_by"))
    assert set(follow([Candidate(new, 1.0)], [new, old])) == {"new"}
    assert set(follow([Candidate(old, 1.0)], [new, old])) == {"old", "new"}


def test_the_strongest_of_several_links_counts() -> None:
    made = pattern("p", Link("q", "related_to", 0.2), Link("q", "supports", 0.7), Link("q", "elaborates", 0.5))
    assert links_of(made)["q"] == ("p", "supports", 0.7)
    assert links_of(ProceduralSkill.create("s", "d", ["one"])) == {}


def test_nothing_found_brings_nothing() -> None:
    assert follow([], [pattern("p")]) == {}


LINKS = st.lists(
    st.builds(Link, st.sampled_from("abcd"), st.sampled_from(["related_to", "supports"]), st.floats(0, 1)), max_size=4
)


@given(st.lists(LINKS, min_size=4, max_size=4), st.lists(st.floats(0, 1), min_size=1, max_size=4))
def test_nothing_linked_passes_the_best_hit(links: list[list[Link]], relevance: list[float]) -> None:
    memories = [pattern(name, *some) for name, some in zip("abcd", links, strict=True)]
    hits = sorted(map(Candidate, memories, relevance), key=lambda hit: -hit.relevance)
    found = follow(hits, memories)
    best = max(relevance)
    assert all(candidate.relevance <= best for candidate in found.values())
    assert all(found[hit.memory.id].relevance >= hit.relevance for hit in hits)
    assert all(candidate.relevance <= best / 2 for candidate in found.values() if candidate.reached)
