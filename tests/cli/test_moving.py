"""``export`` and ``import`` of our own files."""

from __future__ import annotations

import json
import tracemalloc
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from memory_middleware import InvalidInputError, Memory, MemoryConfig, MemoryRecord, Scope
from memory_middleware.schemas import RecordLink
from memory_middleware_cli.commands.opening import opened
from tests.cli.conftest import Shell


@pytest.fixture
def full(shell: Shell) -> Shell:
    """A memory of two owners with links, history, use, profiles and waiting rounds."""
    manual = MemoryConfig.from_dict({"storage": {"path": str(shell.folder)}, "extract": {"mode": "manual"}})
    with Memory.open(manual) as memory:
        for owner, words in (("ana", "The user lives in {}."), ("李雷", "用户住在{}。")):
            kept = [
                memory.remember(owner, words.format(city), subject="user", attribute="city")
                for city in ("Oslo", "上海")
            ]
            memory.edit_record(owner, kept[0].id, links=(RecordLink(to_id=kept[1].id, relation="related_to"),))
            memory.update_profile(owner, "user", {"interests": ["茶"]})
            memory.journal.record_memory_usage(Scope(owner, "chat"), kept[1].id, "where?", True)
            memory.journal.buffer_dialogue(Scope(owner, "chat"), "I like tea.", "Noted.")
    return shell


def entries(shell: Shell, *words: str) -> list[dict[str, Any]]:
    lines = shell("export", "--jsonl", *words).splitlines()
    return [json.loads(line) for line in lines[1:]]


@pytest.mark.parametrize("form", [(), ("--jsonl",)], ids=["document", "lines"])
def test_what_was_exported_comes_back_exactly_and_once(full: Shell, tmp_path: Path, form: tuple[str, ...]) -> None:
    backup = full("export", *form)
    other = Shell(tmp_path / "other")
    report = other.json("import", piped=backup)
    assert report["added"]["record"] == 4
    assert report["owners"] == ["ana", "李雷"]
    assert entries(other) == entries(full)
    again = other.json("import", piped=backup)
    assert set(again["added"].values()) == {0}
    assert entries(other) == entries(full)


def test_a_document_is_one_json_value_with_a_line_for_each_entry(full: Shell) -> None:
    text = full("export")
    document = json.loads(text)
    assert document["format"] == "memory_middleware"
    assert document["entries"][-1] == {"type": "end", "count": len(document["entries"]) - 1}
    assert len(text.splitlines()) == len(document["entries"]) + 1


def test_a_document_of_any_layout_is_read(full: Shell, tmp_path: Path) -> None:
    pretty = json.dumps(json.loads(full("export")), indent=2)
    other = Shell(tmp_path / "other")
    told = other("import", piped="\ufeff" + pretty)
    assert "record" in told
    assert "owners: ana, 李雷" in told
    assert entries(other) == entries(full)


def test_one_owner_is_exported_by_name(full: Shell) -> None:
    assert {one["owner_id"] for one in entries(full, "--owner", "李雷")[:-1]} == {"李雷"}
    assert "there is no owner 'zoe'" in full("export", "--owner", "zoe", code=2)


def test_an_export_goes_to_a_file_and_comes_from_one(full: Shell, tmp_path: Path) -> None:
    file = tmp_path / "backup.json"
    assert full("export", "--output", str(file)).endswith(" entries\n")
    count = len(json.loads(file.read_text("utf-8"))["entries"]) - 1
    assert full.json("export", "--output", str(file))["entries"] == count
    assert full.json("import", str(file))["added"]["record"] == 0
    assert full.json("import", "-", piped=file.read_bytes())["known"]["record"] == 4


def test_an_empty_memory_can_be_moved_too(shell: Shell, tmp_path: Path) -> None:
    shell.open().close()
    backup = shell("export")
    assert json.loads(backup)["entries"] == [{"type": "end", "count": 0}]
    assert "it holds nothing" in Shell(tmp_path / "other")("import", piped=backup)


BROKEN = {
    "empty": ("", "this is neither JSON nor lines of JSON"),
    "no JSON": ("hello\nworld\n", "this is neither JSON nor lines of JSON"),
    "of somebody else": ('{"memories": []}\n', "this is no export of memory_middleware"),
    "newer": ('{"format": "memory_middleware", "version": 99}\n{"type": "end", "count": 0}\n', "update it"),
    "no UTF-8": (b'{"format"\xff\n', "is no UTF-8"),
}


@pytest.mark.parametrize(("text", "message"), BROKEN.values(), ids=BROKEN)
def test_a_file_that_is_no_export_is_told(shell: Shell, text: str | bytes, message: str) -> None:
    assert message in shell("import", piped=text, code=2)
    assert not shell.folder.exists()


@pytest.mark.parametrize("words", [("import",), ("import", "--from", "mem0"), ("add", "", "--owner", "ana")], ids=str)
def test_a_command_that_fails_in_a_new_place_makes_nothing(tmp_path: Path, words: tuple[str, ...]) -> None:
    new = Shell(tmp_path / "deep" / "memory")
    assert "memory: " in new(*words, piped="[", code=2)
    assert list(tmp_path.iterdir()) == []


def test_what_lay_in_the_folder_before_stays_when_an_import_fails(shell: Shell) -> None:
    note = shell.folder / "notes" / "tea.md"
    note.parent.mkdir(parents=True)
    note.write_text("Boil water.", encoding="utf-8")
    assert "memory: " in shell("import", piped="", code=2)
    assert [path.name for path in shell.folder.rglob("*")] == ["notes", "tea.md"]


def test_an_index_of_somebody_else_stays_when_an_import_fails(shell: Shell) -> None:
    mine = shell.folder / "index" / "mine.txt"
    mine.parent.mkdir(parents=True)
    mine.write_text("mine", encoding="utf-8")
    assert "memory: " in shell("import", piped="", code=2)
    assert mine.read_text("utf-8") == "mine"
    assert [path.name for path in shell.folder.iterdir()] == ["index"]


def test_a_memory_that_somebody_filled_meanwhile_stays(shell: Shell) -> None:
    with pytest.raises(InvalidInputError), opened(str(shell.folder), None, makes=True) as memory:
        memory.remember("ana", "The user lives in Oslo.")
        raise InvalidInputError("this went wrong")
    assert "The user lives in Oslo." in shell("list")


@pytest.mark.parametrize("form", [(), ("--jsonl",)], ids=["document", "lines"])
@pytest.mark.parametrize("how", ["cut off", "cut in a line", "changed"])
def test_a_broken_export_changes_nothing(full: Shell, tmp_path: Path, form: tuple[str, ...], how: str) -> None:
    lines = full("export", *form).splitlines(keepends=True)
    broken = {
        "cut off": lines[:-2],
        "cut in a line": [*lines[:-2], lines[-2][:20]],
        "changed": [line.replace('"kind":"fact"', '"kind":"thing"') for line in lines],
    }[how]
    other = Shell(tmp_path / "other")
    other.add("The user prefers tea.", owner="eva")
    before = entries(other)
    assert "memory: " in other("import", piped="".join(broken), code=2)
    assert entries(other) == before


def test_wrong_files_and_options_are_told(full: Shell, tmp_path: Path) -> None:
    assert "cannot read" in full("import", str(tmp_path / "none.json"), code=2)
    assert "cannot write" in full("export", "--output", str(tmp_path / "none" / "backup.json"), code=2)
    assert "leave out --owner" in full("import", "--owner", "ana", piped="", code=2)


def test_a_large_export_needs_no_more_memory_than_a_small_one(shell: Shell, tmp_path: Path) -> None:
    rules = tmp_path / "memory.yaml"
    rules.write_text("embedding: null\n", encoding="utf-8")
    fill(shell, {"small": 5_000, "large": 15_000})  # both more than the repositories remember
    file = tmp_path / "backup.json"
    words = ("export", "--config", str(rules), "--output", str(file))
    shell(*words, "--owner", "small")  # what is loaded once is not counted
    peaks = []
    for owner, count in ((("--owner", "small"), 5_000), ((), 20_000)):
        tracemalloc.start()
        shell(*words, *owner)
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
        with file.open(encoding="utf-8") as lines:
            assert sum('"type":"record"' in line for line in lines) == count
    assert peaks[1] < 1.2 * peaks[0], peaks


def fill(shell: Shell, counts: dict[str, int]) -> None:
    rules = {"embedding": None, "storage": {"path": str(shell.folder)}}
    with Memory.open(MemoryConfig.from_dict(rules)) as memory:
        for owner, count in counts.items():
            memory.profile(owner)
            for start in range(0, count, 1000):
                made = [MemoryRecord.create(owner, f"The user owns book {start + at}.") for at in range(1000)]
                memory.store.memories.records.put(Scope(owner), made)
        memory.store.flush()


def test_a_memory_that_moved_has_the_same_statistics_and_the_same_order(shell: Shell, tmp_path: Path) -> None:
    days = {"in March": 3, "in January": 1, "in February": 2}
    with shell.open() as memory:
        memory.store.memories.profiles.ensure(Scope("ana"))
        for said, month in days.items():
            made = datetime(2025, month, 9, 12, tzinfo=UTC)
            record = MemoryRecord.create("ana", f"The user moved {said}.", created_at=made, updated_at=made)
            memory.store.memories.records.put(Scope("ana"), [record])
    other = Shell(tmp_path / "other")
    other("import", piped=shell("export"))
    here, there = shell.json("stats"), other.json("stats")
    assert here["growth"] == {"2025-01-09": 1, "2025-02-09": 1, "2025-03-09": 1}
    for varying in ("disk_bytes", "cache_hit_rate"):
        del here[varying], there[varying]
    assert there == here
    for one in (shell, other):
        listed = [record["content"] for record in one.json("list", "--sort", "created")["records"]]
        assert [content.split()[-1] for content in listed] == ["March.", "February.", "January."]


def test_an_owner_whose_profiles_were_left_out_is_known_afterwards(full: Shell, tmp_path: Path) -> None:
    head, *lines = full("export", "--jsonl", "--owner", "ana").splitlines()
    kept = [line for line in lines if json.loads(line)["type"] == "record"]
    end = json.dumps({"type": "end", "count": len(kept)})
    other = Shell(tmp_path / "other")
    other("import", piped="\n".join([head, *kept, end]))
    assert [one["type"] for one in entries(other)] == ["profile", "profile", "record", "record", "end"]
