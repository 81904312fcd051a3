"""Whose memory a command works on, where it is, and how it fails."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from memory_middleware import Memory, MemoryConfig, MemoryRecord, Scope
from memory_middleware_cli.commands.opening import config_of, folder_of
from tests.cli.conftest import Shell

LOOKING = [
    ("list",),
    ("search", "city"),
    ("show", "mem_1"),
    ("stats",),
    ("buffer",),
    ("episodes",),
    ("patterns",),
    ("skills",),
    ("profile", "show"),
    ("profile", "history", "user"),
    ("extract",),
    ("clean",),
    ("weights", "rebuild"),
]


@pytest.mark.parametrize("words", LOOKING, ids=" ".join)
def test_the_owner_must_be_named_where_there_are_several(shell: Shell, words: tuple[str, ...]) -> None:
    shell.add("The user lives in Oslo.", owner="ana")
    shell.add("用户住在上海。", owner="李雷")
    told = shell(*words, code=2)
    assert "there are several owners; name one with --owner: 'ana', '李雷'" in told


def test_owners_do_not_see_each_other(shell: Shell) -> None:
    kept = shell.add("The user lives in Oslo.", owner="ana")
    shell.add("用户住在上海。", owner="李雷")
    assert "上海" in shell("list", "--owner", "李雷")
    assert "Oslo" not in shell("list", "--owner", "李雷")
    assert "there is no record" in shell("show", kept, "--owner", "李雷", code=2)
    assert "there is no memory" in shell("forget", "--id", kept, "--owner", "李雷", "--yes", code=2)


def test_an_owner_who_is_not_there_is_told_and_not_made(shell: Shell) -> None:
    shell.add("The user lives in Oslo.")
    assert "there is no owner 'zoe' here; known: 'ana'" in shell("profile", "show", "--owner", "zoe", code=2)
    with shell.open() as memory:
        assert list(memory.owners()) == ["ana"]


def test_an_owner_with_records_alone_is_known(shell: Shell) -> None:
    with shell.open() as memory:
        memory.store.memories.records.put(Scope("ana"), [MemoryRecord.create("ana", "The user lives in Oslo.")])
    assert "Oslo" in shell("list", "--owner", "ana")
    assert "known: none" in shell("list", "--owner", "zoe", code=2)


def test_many_owners_are_not_all_named(shell: Shell) -> None:
    for number in range(7):
        shell("profile", "patch", "user", "{}", "--owner", f"owner-{number}")
    assert ", …" in shell("list", code=2)


def test_the_first_record_needs_an_owner(shell: Shell) -> None:
    assert "there is no owner yet; name one with --owner" in shell("add", "The user lives in Oslo.", code=2)


@pytest.mark.parametrize("words", [*LOOKING, ("fsck",), ("maintain",), ("export",)], ids=" ".join)
def test_looking_makes_no_memory(shell: Shell, words: tuple[str, ...]) -> None:
    assert "there is no memory in" in shell(*words, code=2)
    assert not shell.folder.exists()


def test_errors_are_one_line_without_a_traceback(shell: Shell) -> None:
    told = shell("list", code=2)
    assert told.startswith("memory: ")
    assert told.count("\n") == 1


def test_a_store_that_fails_ends_with_1(shell: Shell, tmp_path: Path) -> None:
    shell.add("The user lives in Oslo.")
    (shell.folder / "memory.db").write_bytes(b"this is no database" * 100)
    told = shell("list", code=1)
    assert told.startswith("memory: ")
    assert "Traceback" not in told


def test_a_configuration_names_the_place_and_a_path_overrules_it(shell: Shell, tmp_path: Path) -> None:
    file = tmp_path / "memory.yaml"
    file.write_text(f"storage: {{path: {tmp_path / 'there'}}}\n", encoding="utf-8")
    assert shell.run("add", "The user lives in Oslo.", "--owner", "ana", "--config", str(file)).exit_code == 0
    assert "Oslo" in shell.run("list", "--config", str(file)).stdout
    assert "there is no memory in" in shell("list", "--config", str(file), code=2)
    file.write_text("storage: {paht: x}\n", encoding="utf-8")
    told = shell("list", "--config", str(file), code=2)
    assert "storage.paht" in told


def test_a_path_may_be_a_database() -> None:
    rules = config_of("postgresql://host/name", None)
    assert rules.storage.sql_url == "postgresql://host/name"
    assert folder_of(rules) is None
    assert folder_of(config_of(None, None)) == Path("memory")


def test_a_command_leaves_what_waits_for_the_extractor_alone(shell: Shell) -> None:
    manual = MemoryConfig.from_dict({"storage": {"path": str(shell.folder)}, "extract": {"mode": "manual"}})
    with Memory.open(manual) as memory:
        memory.profile("ana")
        memory.journal.buffer_dialogue(Scope("ana", "chat"), "I live in Oslo.", "Noted.")
    assert shell.json("stats")["rounds"] == 1
    assert shell.json("stats")["rounds"] == 1


def ran(*words: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "memory_middleware_cli", *words],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, **environment},  # noqa: TID251 - the child needs the path of this process
    )


def test_colours_are_left_out_where_nobody_wants_them(shell: Shell) -> None:
    shell.add("The user lives in Oslo.")
    place = ("--path", str(shell.folder))
    assert "\x1b[" in ran("list", *place, FORCE_COLOR="1", TERM="xterm-256color").stdout
    assert "\x1b[3" not in ran("list", *place, FORCE_COLOR="1", NO_COLOR="1", TERM="xterm-256color").stdout
    assert "\x1b[" not in ran("list", *place).stdout


def test_a_process_ends_with_the_code_of_its_command(shell: Shell) -> None:
    done = ran("list", "--path", str(shell.folder))
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("memory: there is no memory in")


def test_the_shell_can_complete_commands() -> None:
    words = {"_MEMORY_COMPLETE": "complete_bash", "COMP_WORDS": "memory pro", "COMP_CWORD": "1"}
    done = subprocess.run(
        [str(Path(sys.executable).with_name("memory"))],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, **words},  # noqa: TID251 - the child needs the path of this process
    )
    assert done.stdout.split() == ["profile"]
