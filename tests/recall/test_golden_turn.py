"""What an agent with every kind of memory is told, as golden files in both languages."""

from __future__ import annotations

import os
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from memory_middleware import (
    EpisodeTrace,
    Exchange,
    LanceStore,
    MemoryConfig,
    MemoryContentSnapshot,
    MemoryManager,
    MemoryRecord,
    MemoryType,
    ProceduralSkill,
    Provenance,
    Scope,
    SemanticPattern,
    ShortTermItem,
    TrustTier,
    compose_turn,
)
from memory_middleware.sources.experience import ExperienceSource
from memory_middleware.sources.notes import NotesSource
from tests.recall.test_compose import profiles

GOLDEN = Path(__file__).parent / "golden"
NOW = datetime(2026, 11, 16, 12, tzinfo=UTC)
ANA = Scope("ana", "t1", "worker")

SAID: dict[str, dict[str, Any]] = {
    "en": {
        "query": "How do I deploy the ferry ticketing service with the release checklist?",
        "facts": [
            ("fact", "The ferry ticketing service is deployed from the main branch", 0.9),
            ("preference", "Prefers to deploy the ferry service in the morning", 0.4),
            ("project", "The release checklist of the ferry service has nine steps", 1.0),
            ("feedback", "Never deploy the ferry service on a Friday", 1.0),
            ("reference", "The deploy dashboard of the ferry service is on port 8443", 1.0),
        ],
        "turns": [("Ana", "How was the last deploy of the ferry service?"), ("Tomás", "It took twenty minutes.")],
        "rounds": ["Asked for the deploy window; answered Thursday 10:00.", "Wanted the checklist; gave nine steps."],
        "episode": "Deploy the ferry ticketing service",
        "pattern": ("Deploy the service behind a flag", "start with one ferry", "switch all at once"),
        "skill": ("Deploy checklist", "deploy the ferry service step by step", ["tag", "build", "deploy", "watch"]),
        "notes": [
            ("reference", "Deploy", "how the service is deployed", "Deploys of the ferry service need two approvals."),
            ("feedback", "Tone", "about deploy reports", "Report a deploy in three sentences."),
        ],
        "board": "The router handed over: deploy the ferry service today.",
    },
    "zh": {
        "query": "轮渡购票服务怎么部署？发布清单在哪里？",
        "facts": [
            ("fact", "轮渡购票服务从主分支部署", 0.9),
            ("preference", "喜欢在上午部署轮渡服务", 0.4),
            ("project", "轮渡服务的发布清单共有九步", 1.0),
            ("feedback", "周五不要部署轮渡服务", 1.0),
            ("reference", "轮渡服务的部署看板在 8443 端口", 1.0),
        ],
        "turns": [("小安", "上次轮渡服务部署得怎么样？"), ("陈涛", "用了二十分钟。")],
        "rounds": ["询问部署时间；回答周四 10:00。", "索要发布清单；给出九步。"],
        "episode": "部署轮渡购票服务",
        "pattern": ("用开关部署服务", "先在一条航线上试", "一次全部切换"),
        "skill": ("部署清单", "一步一步部署轮渡服务", ["打标签", "构建", "部署", "观察"]),
        "notes": [
            ("reference", "部署", "服务怎么部署", "轮渡服务的部署需要两人批准。"),
            ("feedback", "语气", "关于部署报告", "部署报告只写三句话。"),
        ],
        "board": "路由智能体交办：今天部署轮渡服务。",
    },
}
KINDS = ("long_term", "experience", "diary", "board", "short_term")
CONFIG = {
    "memory": [
        {"name": "diary", "type": "notes", "config": {"path": "notes"}},
        {"name": "board", "type": "blackboard", "config": {}},
    ],
    "agents": {"worker": {"role": "worker", "memories": [{"name": name, "top_k": 8} for name in KINDS]}},
    "inject": {"long_term_trigger": "always", "budget": {"total_tokens": 2000}},
}


def remember(store: LanceStore, said: dict[str, Any]) -> None:
    records = [
        MemoryRecord.create("ana", text, kind=kind, confidence=sure, now=NOW, id=f"r{at}", importance=0.9 - at / 10)
        for at, (kind, text, sure) in enumerate(said["facts"])
    ]
    records += [
        MemoryRecord.create(
            "ana",
            text,
            kind="dialogue",
            subject=who,
            provenance=Provenance(thread_id="t0", turn=at),
            valid_from=NOW - timedelta(days=40),
            trust=TrustTier.USER if at == 0 else TrustTier.ASSISTANT,
            now=NOW,
        )
        for at, (who, text) in enumerate(said["turns"])
    ]
    store.memories.records.put(ANA, records)
    for at, text in enumerate(said["rounds"]):
        moment = NOW - timedelta(minutes=9 - at)
        store.memories.short_term.append(ANA, ShortTermItem(id=f"s{at}", content=text, turn=at, created_at=moment))


def experience(store: LanceStore, said: dict[str, Any], language: str) -> ExperienceSource:
    episode = EpisodeTrace.create("deploy", "worker", said["episode"])
    episode.id, episode.timestamp, episode.files_modified = "e1", NOW - timedelta(days=3), ["deploy.yaml"]
    text, good, bad = said["pattern"]
    pattern = SemanticPattern.create(text, "deployment", [], good, bad)
    pattern.id = "p1"
    skill = ProceduralSkill.create(*said["skill"])
    skill.id = "k1"
    store.memories.experience.put(ANA, [episode, pattern, skill])
    return ExperienceSource("experience", store.memories.experience, language=language, clock=lambda: NOW)


def managed(store: LanceStore, folder: Path, config: MemoryConfig, said: dict[str, Any]) -> MemoryManager:
    manager = MemoryManager(config, folder, store, sources={"experience": experience(store, said, config.language)})
    notes = manager.sources["diary"]
    assert isinstance(notes, NotesSource)
    for at, (kind, name, about, text) in enumerate(said["notes"]):
        path = notes.notes.save_memory(f"note{at}", kind, name, about, text)
        os.utime(path, times=(time.time() - at * 5.5 * 86_400,) * 2)
    manager.sources["board"].update(Exchange("router", "", None, MemoryContentSnapshot(said["board"])), ANA)
    return manager


@pytest.mark.parametrize("language", ["en", "zh"])
def test_a_turn_is_the_golden_one(language: str, tmp_path: Path, request: pytest.FixtureRequest) -> None:
    said = SAID[language]
    config = MemoryConfig.from_dict({**CONFIG, "language": language})
    with LanceStore.open(tmp_path / "store", embedding=None) as store:
        remember(store, said)
        store.memories.profiles.put(ANA, MemoryType.WORK, profiles(language)[1])
        manager = managed(store, tmp_path, config, said)
        turn = compose_turn(store, ANA, said["query"], config=config, manager=manager, now=NOW)
        again = compose_turn(store, ANA, said["query"], config=config, manager=manager, now=NOW)
    assert turn.text == again.text
    assert turn.stats.problems == ()
    assert turn.block.dropped == 0
    golden = GOLDEN / f"turn.{language}.txt"
    if request.config.getoption("--update-golden"):
        golden.write_text(turn.block.text + "\n", encoding="utf-8")
    assert turn.block.text + "\n" == golden.read_text(encoding="utf-8")
