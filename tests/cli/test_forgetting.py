"""What ``forget`` and ``delete`` tell: the words that go, in lines that fit the terminal, before they ask."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from langchain_core.messages import AIMessage, HumanMessage
from rich.cells import cell_len

from memory_middleware import ProceduralSkill, RecordKind, Scope
from memory_middleware.schemas import RecordLink
from tests.cli.conftest import Shell

LONG = "The user's cat is called Minka, sleeps on the piano all day, and eats nothing but the very best of fish."
CHINESE = "用户的猫叫咪咪，整天睡在钢琴上，只吃最好的鱼，喜欢在窗边看鸟，也喜欢在深夜跑来跑去，从不理会客人。"


def lines_about(told: str, word: str) -> list[str]:
    return [line for line in told.splitlines() if word in line]


@pytest.fixture
def talked(shell: Shell) -> Iterator[Shell]:
    """A memory that learned from a conversation."""
    scope = Scope("ana", "chat")
    with shell.open() as memory:
        words = [HumanMessage("I work as a nurse.", id="h1"), AIMessage("Noted.", id="a1")]
        memory.observe(scope, words)
        memory.flush(scope)
    yield shell


@pytest.mark.parametrize("content", [LONG, CHINESE], ids=["English", "Chinese"])
def test_each_record_is_one_line_with_its_words_before_the_question(shell: Shell, content: str) -> None:
    kept = shell.add(content)
    told = shell("forget", "--id", kept, piped="n\n", code=1, width=80)
    before, _, _ = told.partition("forget this? [y/N]")
    [line] = lines_about(before, content[:10])
    assert line.split()[:2] == ["records", "fact"]
    assert line.rstrip().endswith(kept[:12])
    assert "…" in line
    assert all(cell_len(one.rstrip()) <= 80 for one in told.splitlines())


def test_what_was_forgotten_is_told_with_its_words_too(shell: Shell) -> None:
    kept = shell.add("The user's cat is called Minka.")
    for words, heading in ((("--dry-run",), "would be forgotten"), (("--yes",), "forgotten")):
        told = shell("forget", "--query", "the user's cat Minka", *words, width=80)
        assert told.splitlines()[0] == heading
        [line] = lines_about(told, "The user's cat is called Minka.")
        assert kept[:12] in line


def test_what_was_derived_is_told_apart(shell: Shell) -> None:
    first = shell.add("The user's cat is called Minka.")
    second = shell.add("The user buys fish every Friday.")
    with shell.open() as memory:
        memory.edit_record("ana", second, links=(RecordLink(to_id=first, relation="derived_from"),))
    told = shell("delete", first, "--dry-run", width=80)
    assert [line.split()[0] for line in told.splitlines() if "mem_" in line and "asked" not in line] == [
        "records",
        "derived",
    ]
    assert "The user buys fish every Friday." in told


def test_profiles_words_cut_and_what_stays_are_told(talked: Shell) -> None:
    with talked.open() as memory:
        fact = next(one for one in memory.list_records("ana").records if one.kind is RecordKind.FACT)
    told = talked("forget", "--id", fact.id, "--dry-run", width=80)
    [profile] = lines_about(told, "user.occupation = nurse")
    assert profile.startswith("profile")
    [saying] = lines_about(told, "I work as a nurse.")
    assert saying.split()[:2] == ["said_in", "dialogue"]
    assert "cut out of: turns (1), short-term items (1)" in told.splitlines()
    assert all(cell_len(one.rstrip()) <= 80 for one in told.splitlines())


def test_what_was_set_by_hand_is_told_as_kept(shell: Shell) -> None:
    shell("profile", "patch", "user", '{"interests": ["sailing"]}', "--owner", "ana")
    kept = shell.add("The user likes sailing.")
    told = shell("forget", "--id", kept, "--dry-run", width=80)
    [line] = lines_about(told, "user.interests:sailing")
    assert line.startswith("kept")
    assert "--with-profile forgets" in told


def test_experience_is_told_with_its_words(shell: Shell) -> None:
    skill = ProceduralSkill.create("deploy", "how to deploy on a quiet day", ["build", "push"])
    with shell.open() as memory:
        memory.profile("ana")
        memory.store.memories.experience.put(Scope("ana"), [skill])
    [line] = lines_about(shell("forget", "--id", skill.id, "--dry-run", width=80), "how to deploy on a quiet day")
    assert line.split()[:2] == ["experience", "skill"]


def test_of_very_many_the_first_are_told_and_the_others_counted(shell: Shell) -> None:
    with shell.open() as memory:
        for number in range(25):
            memory.remember("ana", f"The user owns book number {number}.")
    told = shell("forget", "--everything", "--dry-run", width=80)
    assert len(lines_about(told, "The user owns book")) == 20
    assert "5 more" in told


def test_nothing_to_forget_is_said(shell: Shell) -> None:
    shell.add("The user lives in Oslo.")
    assert "nothing fits, so nothing goes" in shell("forget", "--source", "nobody", "--dry-run", width=80)
