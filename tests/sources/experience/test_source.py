"""The experience source on a real store, by words and by meaning."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from memory_middleware.config import BuiltInMemoryConfig, ExperienceMemoryConfig, MemoryConfig
from memory_middleware.errors import ConfigError, ConflictError, InvalidInputError
from memory_middleware.schemas import (
    EpisodeTrace,
    MemoryContentSnapshot,
    MemoryItem,
    ProceduralSkill,
    Scope,
    SemanticPattern,
    parse_utc,
)
from memory_middleware.sources import Exchange, SourceContext, build_source
from memory_middleware.sources.experience import ExperienceSource, Task, accessed, build
from memory_middleware.storage import LanceStore
from memory_middleware.storage.database import Statement
from memory_middleware.storage.documents import Experience, experience_namespace
from memory_middleware.storage.repositories import experience as repository

NOW = parse_utc("2026-03-01T12:00:00Z")
ANA, BOB = Scope("ana"), Scope("bob")


def episode(name: str, goal: str, *, days: float = 1.0, outcome: str = "success") -> EpisodeTrace:
    made = EpisodeTrace.create("t", "coder", goal)
    made.id, made.timestamp, made.outcome = name, NOW - timedelta(days=days), outcome
    return made


def pattern(name: str, text: str, category: str = "general", *, links: dict[str, float] | None = None) -> Any:
    made = SemanticPattern(name, text, category, last_used=NOW)
    for target, strength in (links or {}).items():
        made.add_link(target, "related_to", strength)
    return made


def source(store: LanceStore, **settings: Any) -> ExperienceSource:
    return ExperienceSource("experience", store.memories.experience, clock=lambda: NOW, **settings)


def ask(found_in: ExperienceSource, text: str, scope: Scope = ANA, **limits: Any) -> list[MemoryItem]:
    return found_in.retrieve(MemoryContentSnapshot(text), scope, **{"top_k": 5, **limits})


def ids(items: list[MemoryItem]) -> list[str]:
    return [item.id for item in items]


def test_the_task_decides_what_counts(store: LanceStore) -> None:
    memories: list[Experience] = [
        episode("ep", "login endpoint"),
        episode("other", "water the plants", days=99, outcome="failure"),
        pattern("sem", "login endpoint"),
        pattern("anti", "login endpoint", "anti-pattern"),
        ProceduralSkill("skill", "login", "endpoint", steps=["one"]),
    ]
    store.memories.experience.put(ANA, memories)
    asked = source(store, follow_links=False)
    assert ids(ask(asked, "implement login endpoint"))[:2] == ["sem", "skill"]
    assert set(ids(ask(asked, "implement login endpoint"))) - {"other"} == {"sem", "skill", "ep"}
    assert ids(ask(asked, "explore login endpoint"))[0] == "ep"
    assert set(ids(ask(asked, "fix login endpoint"))) - {"other"} == {"ep", "sem", "anti"}
    assert set(ids(ask(asked, "修复 login endpoint"))) - {"other"} == {"ep", "sem", "anti"}


def test_an_item_explains_its_score(store: LanceStore) -> None:
    store.memories.experience.put(ANA, [episode("ep", "fix the login endpoint", days=15)])
    item = ask(source(store), "debug the login endpoint")[0]
    told = item.metadata
    signals = told["signals"]
    assert (told["kind"], told["layer"]) == ("episode", "timeline")
    assert signals["task_type"] == "debugging"
    assert (signals["group"], signals["weight"]) == ("episodic", 0.4)
    assert signals["recency"] == pytest.approx(1.05)
    assert signals["importance"] == pytest.approx(0.571)  # 0.5, a success, fading for 15 days
    assert signals["relevance"] == told["similarity"]
    product = signals["relevance"] * 0.4 * (0.7 + 0.3 * signals["importance"]) * signals["confidence"] * 1.05
    assert told["score"] == pytest.approx(product)
    assert item.timestamp == (NOW - timedelta(days=15)).timestamp()
    assert MemoryItem.from_dict(item.to_dict()) == item


def test_recent_and_important_memories_come_first(store: LanceStore) -> None:
    old, new, dear = (episode(name, "deploy the service", days=days) for name, days in (("a", 400), ("b", 2), ("c", 2)))
    dear.importance = 0.9
    store.memories.experience.put(ANA, [old, new, dear])
    assert ids(ask(source(store), "deploy the service")) == ["c", "b", "a"]


def test_hits_bring_linked_memories_along_once(store: LanceStore) -> None:
    memories: list[Experience] = [
        pattern("start", "validate input of handlers", links={"near": 1.0, "far": 0.2, "start-two": 1.0}),
        pattern("start-two", "validate input of forms"),
        pattern("near", "schemas describe shapes"),
        pattern("far", "cache compiled shapes"),
        episode("ep", "an unrelated thing"),
    ]
    memories[0].source_episodes = ["ep"]  # type: ignore[union-attr]
    store.memories.experience.put(ANA, memories)
    found = ask(source(store), "implement validate input handlers", top_k=10)
    assert len(ids(found)) == len(set(ids(found)))
    assert ids(found)[:2] == ["start", "start-two"]
    by_id = {item.id: item for item in found}
    assert by_id["near"].metadata["signals"]["link"] == {"from": "start", "relation": "related_to", "strength": 1.0}
    assert by_id["near"].metadata["score"] > by_id["far"].metadata["score"]
    assert "ep" in by_id
    assert "link" not in by_id["start"].metadata["signals"]


def test_an_episode_brings_its_lesson(store: LanceStore) -> None:
    lesson = pattern("lesson", "zzz", links={"ep": 1.0})
    store.memories.experience.put(ANA, [episode("ep", "migrate the database"), lesson])
    found = ask(source(store), "migrate database")
    assert set(ids(found)) == {"ep", "lesson"}
    assert {item.id: item for item in found}["lesson"].metadata["signals"]["relevance"] > 0


def test_links_can_be_left_alone(store: LanceStore) -> None:
    memories = [pattern("start", "validate input", links={"near": 1.0}), pattern("near", "schemas describe shapes")]
    store.memories.experience.put(ANA, memories)
    found = ask(source(store, follow_links=False), "validate input")
    assert all("link" not in item.metadata["signals"] for item in found)


def test_few_skills_are_not_hidden_by_many_episodes(store: LanceStore) -> None:
    crowd: list[Experience] = [episode(f"ep{at}", "build the parser") for at in range(60)]
    skill = ProceduralSkill("skill", "build the parser now", "by hand", steps=["lexer", "grammar", "tree"])
    store.memories.experience.put(ANA, [*crowd, skill, episode("other", "water some plants")])
    common = store.memories.experience.search(ANA, "build the parser", limit=32)
    assert "skill" not in [hit.memory.id for hit in common]
    found = ask(source(store), "build the parser", top_k=5)
    assert len(found) == 5
    assert found[0].id == "skill"
    assert found[0].metadata["similarity"] <= common[-1].score


def test_threshold_and_limit_hold(store: LanceStore) -> None:
    store.memories.experience.put(ANA, [episode(f"ep{at}", f"build parser {'part ' * at}") for at in range(10)])
    asked = source(store)
    assert len(ask(asked, "build parser", top_k=3)) == 3
    assert all(item.metadata["similarity"] >= 0.5 for item in ask(asked, "build parser", threshold=0.5))
    assert ask(asked, "build parser", threshold=2.0) == []
    assert ask(asked, "build parser", top_k=0) == []
    assert ask(asked, " ") == []


def test_an_owner_sees_only_their_own(store: LanceStore) -> None:
    store.memories.experience.put(ANA, [episode("ep", "build the parser")])
    assert ids(ask(source(store), "build the parser", ANA)) == ["ep"]
    assert ask(source(store), "build the parser", BOB) == []


def test_a_task_says_more_than_its_goal(store: LanceStore) -> None:
    store.memories.experience.put(ANA, [episode("ep", "parser"), pattern("anti", "parser", "anti-pattern")])
    task = Task("parser", phase="debugging", action_type="run_test", files=("a.py",))
    found = source(store).retrieve_for(task, ANA, top_k=5)
    assert {item.metadata["signals"]["task_type"] for item in found} == {"debugging"}
    assert set(ids(found)) == {"ep", "anti"}


@pytest.mark.parametrize(
    ("detail", "text"),
    [
        ("index", "skill: Release"),
        ("timeline", "Release: publish it; steps: 1"),
        ("full", "Skill: Release\npublish it\nSteps:\n1. tag"),
    ],
)
def test_the_setting_chooses_the_detail(store: LanceStore, tmp_path: Path, detail: str, text: str) -> None:
    store.memories.experience.put(ANA, [ProceduralSkill("s", "Release", "publish it", steps=["tag"])])
    config = ExperienceMemoryConfig.from_dict({"detail": detail})
    made = build_source("experience", config, SourceContext("lessons", tmp_path, store))
    item = made.retrieve(MemoryContentSnapshot("release"), ANA, top_k=1)[0]
    assert made.name == "lessons"
    assert (item.content_summary, item.metadata["layer"]) == (text, detail)
    assert item.timestamp is not None


@pytest.mark.parametrize("config", [None, BuiltInMemoryConfig()], ids=["nothing", "built-in"])
def test_no_settings_mean_the_defaults(store: LanceStore, tmp_path: Path, config: Any) -> None:
    made = build(config, SourceContext("experience", tmp_path, store))
    assert isinstance(made, ExperienceSource)
    made.update(Exchange("worker", "hello"), ANA)
    made.load()
    made.save()
    assert store.memories.experience.count(ANA) == {"episode": 0, "pattern": 0, "skill": 0}


def test_without_a_store_there_is_no_experience(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="memory.lessons: experience is kept in .* LanceStore"):
        build(None, SourceContext("lessons", tmp_path))


def test_the_settings_are_part_of_the_configuration() -> None:
    declared = {"memory": [{"name": "lessons", "type": "experience", "config": {"detail": "full"}}]}
    assert MemoryConfig.from_dict(declared).memory[0].config == ExperienceMemoryConfig(detail="full")
    declared["memory"][0]["config"] = {"detail": "novel"}
    with pytest.raises(ConfigError, match="detail"):
        MemoryConfig.from_dict(declared)


def test_access_is_written_back(store: LanceStore) -> None:
    experience = store.memories.experience
    lesson = pattern("p", "build the parser", links={"ep": 0.5})
    experience.put(ANA, [episode("ep", "build the parser"), lesson])
    asked = source(store)
    changed = asked.accessed([*ask(asked, "build the parser"), MemoryItem("gone", "", {})], ANA)
    assert {memory.id for memory in changed} == {"ep", "p"}
    for kind, name in (("episode", "ep"), ("pattern", "p")):
        stored = experience.get(ANA, kind, name)
        assert stored is not None
        assert (stored.importance, stored.access_count, stored.last_accessed) == (0.55, 1, NOW)
    linking = experience.linking_to(ANA, ["ep"])
    assert [memory.id for memory in linking] == ["p"]
    assert accessed(experience, ANA, []) == []
    assert accessed(experience, BOB, ["ep"]) == []


def test_no_access_is_lost(store: LanceStore) -> None:
    experience = store.memories.experience
    experience.put(ANA, [episode("a", "build"), episode("b", "build")])
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda _: accessed(experience, ANA, ["a", "b"], boost=0.1), range(20)))
    found = experience.get_many(ANA, ["b", "a", "c"])
    assert [(memory.id, memory.access_count) for memory in found] == [("b", 20), ("a", 20)]
    assert all(0.5 < memory.importance <= 1 for memory in found)


def test_access_keeps_the_life_of_a_memory_and_what_is_not_searched(store: LanceStore) -> None:
    experience = store.memories.experience
    space = experience_namespace(ANA.owner_id, "episode")
    store.put(space, "ep", episode("ep", "build the parser").to_dict(), index=False, ttl=60)
    accessed(experience, ANA, ["ep"])
    assert experience.search(ANA, "build the parser") == []
    with store.database.reading() as session:
        life, expires_at = session.all(Statement("SELECT ttl, expires_at FROM store_items"))[0]
    assert life == 60
    assert expires_at is not None


def test_a_change_keeps_id_and_kind(store: LanceStore) -> None:
    experience = store.memories.experience
    experience.put(ANA, [episode("ep", "build")])
    with pytest.raises(InvalidInputError, match="the id and kind of the episode 'ep' cannot change"):
        experience.update(ANA, ["ep"], lambda _: episode("other", "build"))


def test_experience_that_always_changes_is_a_conflict(store: LanceStore) -> None:
    experience = store.memories.experience
    experience.put(ANA, [episode("ep", "build")])

    def change(memory: Experience) -> Experience:
        experience.put(ANA, [episode("ep", "build")])
        return memory

    with pytest.raises(ConflictError, match="50 times"):
        experience.update(ANA, ["ep"], change)


def test_the_clock_is_asked_each_time(store: LanceStore) -> None:
    moments = iter([NOW, NOW + timedelta(days=365)])
    store.memories.experience.put(ANA, [episode("ep", "build the parser", days=0)])
    aging = ExperienceSource("experience", store.memories.experience, clock=lambda: next(moments))
    young, old = ask(aging, "build the parser")[0], ask(aging, "build the parser")[0]
    assert young.metadata["score"] > old.metadata["score"]


@pytest.mark.parametrize("statement", [repository._NAMED, repository._LINKING], ids=["by id", "by link"])
def test_lookups_begin_with_what_is_looked_for(store: LanceStore, statement: str) -> None:
    """Over an owner's whole experience a recall would slow down with every episode."""
    with store.database.reading() as session:
        asked = Statement("EXPLAIN QUERY PLAN " + statement.format(listed="'a', 'b'"))
        steps = [row[3] for row in session.all(asked, owner="o", now=1)]
    assert not [step for step in steps if step.startswith("SCAN") or step.endswith("(owner=?)")]
