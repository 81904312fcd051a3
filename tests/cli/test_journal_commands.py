"""``buffer``, ``extract``, ``episodes``, ``patterns`` and ``skills``."""

from __future__ import annotations

from pathlib import Path

from memory_middleware import (
    EpisodeTrace,
    ExtractionBatch,
    ExtractionError,
    Memory,
    MemoryConfig,
    ProceduralSkill,
    Scope,
    SemanticPattern,
)
from tests.cli.conftest import Shell


class Failing:
    """An extractor that always fails."""

    name = "failing"

    def extract(self, batch: ExtractionBatch) -> None:
        """Fail."""
        raise ExtractionError("the model is away", permanent=True)

    async def aextract(self, batch: ExtractionBatch) -> None:
        """Fail."""
        raise ExtractionError("the model is away", permanent=True)


def waiting(shell: Shell, owner: str = "ana", thread: str = "chat", said: str = "I live in Oslo.") -> None:
    manual = MemoryConfig.from_dict({"storage": {"path": str(shell.folder)}, "extract": {"mode": "manual"}})
    with Memory.open(manual) as memory:
        memory.profile(owner)
        memory.journal.buffer_dialogue(Scope(owner, thread), said, "Noted.")


def parked(shell: Shell) -> None:
    waiting(shell)
    manual = MemoryConfig.from_dict({"storage": {"path": str(shell.folder)}, "extract": {"mode": "manual"}})
    with Memory.open(manual, extractor=Failing()) as memory:  # type: ignore[arg-type]
        for _ in range(5):
            memory.flush("ana")


def test_what_waits_is_shown_by_thread(shell: Shell) -> None:
    waiting(shell)
    waiting(shell, thread="工作", said="我在上海工作。")
    told = shell("buffer")
    assert "I live in Oslo." in told
    assert "我在上海工作。" in told
    data = shell.json("buffer", "--thread", "工作")
    assert [(one["thread"], one["waiting"]) for one in data["threads"]] == [("工作", 1)]
    assert data["threads"][0]["rounds"][0]["user_query"] == "我在上海工作。"


def test_a_long_buffer_is_cut_and_says_so(shell: Shell) -> None:
    for number in range(3):
        waiting(shell, said=f"I own book {number}.")
    assert "and 2 more" in shell("buffer", "--limit", "1")


def test_what_waits_is_extracted_now(shell: Shell) -> None:
    waiting(shell)
    waiting(shell, thread="other", said="I like green tea.")
    batches = shell.json("extract", "--thread", "chat")["batches"]
    assert [(one["rounds"], len(one["added"])) for one in batches] == [(1, 1)]
    assert "confirmed" in shell("extract")
    assert shell("extract") == "nothing waits\n"
    assert shell("buffer") == "nothing waits\n"


def test_everybodys_rounds_can_be_extracted_at_once(shell: Shell) -> None:
    waiting(shell)
    waiting(shell, owner="李雷", said="我住在上海。")
    assert "several owners" in shell("extract", code=2)
    assert len(shell.json("extract", "--everyone")["batches"]) == 2


def test_parked_batches_are_told_and_tried_again(shell: Shell) -> None:
    parked(shell)
    told = shell("buffer")
    assert "parked: run_" in told
    assert "the model is away" in told
    assert "memory extract --retry" in told
    assert "1 of ana" in shell("doctor", code=1)
    assert shell("doctor", "--owner", "eva")
    assert shell("extract") == "nothing waits\n"
    assert shell.json("extract", "--retry")["batches"][0]["added"]
    assert shell.json("buffer")["parked"] == []


def test_a_batch_that_fails_ends_with_1(shell: Shell, tmp_path: Path) -> None:
    waiting(shell)
    rules = tmp_path / "memory.yaml"
    nobody = "{enabled: true, provider: openai, model: m, api_key: k, base_url: 'http://127.0.0.1:9/v1', timeout: 1}"
    rules.write_text(f"memory_agent: {nobody}\n", encoding="utf-8")
    assert "failed: run_" in shell("extract", "--config", str(rules), code=1)


def test_experience_is_listed_and_shown(shell: Shell) -> None:
    episode = EpisodeTrace.create("t1", "worker", "部署服务")
    pattern = SemanticPattern.create("Build before you push", "workflow", ["deploying"], "build first")
    skill = ProceduralSkill.create("deploy", "how to deploy", ["build", "push"])
    with shell.open() as memory:
        memory.profile("ana")
        memory.store.memories.experience.put(Scope("ana"), [episode, pattern, skill])
    for name, one, about in (
        ("episodes", episode, "部署服务"),
        ("patterns", pattern, "Build before you push"),
        ("skills", skill, "deploy: how to deploy"),
    ):
        told = shell(name)
        assert one.id in told
        assert about in told
        assert shell.json(name)[name][0]["id"] == one.id
        assert shell.json(name, one.id)["id"] == one.id
        assert one.id in shell(name, one.id)
    assert "push" in shell("skills", skill.id)


def test_experience_that_is_not_there_is_told(shell: Shell) -> None:
    shell.add("The user lives in Oslo.")
    assert shell("patterns") == "no patterns\n"
    assert "there is no skill 'x' of 'ana'" in shell("skills", "x", code=2)
