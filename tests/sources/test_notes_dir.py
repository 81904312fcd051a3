"""Reading the folder of notes, and how its index follows the files."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from memory_middleware.errors import InvalidInputError
from memory_middleware.schemas import NoteType
from memory_middleware.sources import notes_dir, notes_reader
from memory_middleware.sources.notes_dir import MemoryDir
from tests.sources.notes_support import NOTE, by_hand


@pytest.fixture
def notes(tmp_path: Path) -> MemoryDir:
    return MemoryDir(tmp_path / "notes")


def test_what_is_no_note_is_told(notes: MemoryDir, tmp_path: Path) -> None:
    by_hand(notes, "good.md")
    by_hand(notes, "plain.md", "just text")
    (notes.path / "latin.md").write_bytes(b"---\ntype: user\n---\ncaf\xe9")
    by_hand(notes, "huge.md", "x" * (notes_reader.MAX_NOTE_BYTES + 1))
    outside = tmp_path / "outside.md"
    outside.write_text(NOTE, encoding="utf-8")
    (notes.path / "escape.md").symlink_to(outside)
    (notes.path / "nowhere.md").symlink_to(tmp_path / "missing.md")
    (notes.path / "dir.md").mkdir()
    os.mkfifo(notes.path / "pipe.md")
    by_hand(notes, ".hidden.md")
    by_hand(notes, "other.txt")
    manifest = notes.scan()
    assert [entry.filename for entry in manifest.entries] == ["good.md"]
    told = {problem.filename: problem.message for problem in manifest.problems}
    assert sorted(told) == ["escape.md", "huge.md", "latin.md", "nowhere.md", "pipe.md", "plain.md"]
    assert told["plain.md"].startswith("no front matter; begin the file with '---'")
    assert told["latin.md"] == "it is not UTF-8 at byte 22; save it as UTF-8"
    assert told["huge.md"].endswith("split the note")
    assert told["escape.md"].startswith("it is a link out of the folder")
    assert told["nowhere.md"] == "it is a link to a file that does not exist"
    assert told["pipe.md"] == "it is no regular file"


def test_a_file_that_cannot_be_opened_is_told(notes: MemoryDir) -> None:
    by_hand(notes, "good.md")
    (notes.path / "round.md").symlink_to(notes.path / "round.md")
    manifest = notes.scan()
    assert [entry.filename for entry in manifest.entries] == ["good.md"]
    assert manifest.problems[0].message == "cannot be read: Too many levels of symbolic links"


def test_files_beyond_the_limit_are_told(notes: MemoryDir, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(notes_dir, "MAX_SCAN_FILES", 2)
    for at in range(4):
        by_hand(notes, f"n{at}.md", age=100 + at)
    manifest = notes.scan()
    assert [entry.filename for entry in manifest.entries] == ["n0.md", "n1.md"]
    assert [(problem.filename, problem.message) for problem in manifest.problems] == [
        ("n2.md", "left out with 1 others: only the newest 2 files are read; delete or merge notes")
    ]
    assert notes.repair().added == ("n0.md", "n1.md", "n2.md", "n3.md")


def test_hand_edits_are_seen_at_the_next_call(notes: MemoryDir) -> None:
    path = by_hand(notes, "a.md", NOTE.format(about="one"), age=100)
    assert [entry.description for entry in notes.scan().entries] == ["one"]
    assert [entry.description for entry in notes.scan().entries] == ["one"]  # from the cache
    for word in ("two", "six", "ten"):  # of one size, perhaps within one tick of the clock
        path.write_text(NOTE.format(about=word), encoding="utf-8")
        assert [entry.description for entry in notes.scan().entries] == [word]
    path.unlink()
    assert notes.scan().entries == []
    notes.index_path.write_text("mine", encoding="utf-8")
    assert notes.load_index() == "mine"


def test_unchanged_files_are_read_once(notes: MemoryDir, monkeypatch: pytest.MonkeyPatch) -> None:
    by_hand(notes, "a.md", age=100)
    monkeypatch.setattr(notes_reader, "_SETTLED_SECONDS", -1.0)
    notes.scan()
    monkeypatch.setattr(notes_reader, "parse_note", None)
    entry = notes.scan().entries[0]
    entry.name = "changed by the caller"
    assert notes.scan().entries[0].name == "N"
    assert notes.scan(load_content=False).entries[0].content == ""


def test_entries_speak_the_language_of_the_folder(notes: MemoryDir) -> None:
    by_hand(notes, "a.md", age=3 * 86_400 + 60)
    assert notes.scan().entries[0].age_text == "3 days ago"
    entry = MemoryDir(notes.path, "zh").scan().entries[0]
    assert entry.age_text == "3 天前"
    assert "3 天前" in str(entry.staleness_note)


def test_the_manifest_lists_one_line_a_note(notes: MemoryDir) -> None:
    assert notes.format_manifest() == "(no notes yet)"
    by_hand(notes, "b.md", NOTE.format(about="''"), age=100)
    notes.save_memory("a", NoteType.FEEDBACK, "A", "one\ntwo", "x")
    stamp = r"\(\d{4}-\d\d-\d\d \d\d:\d\d\)"
    assert re.fullmatch(
        rf"- \[feedback\] a\.md {stamp}: one two\n- \[user\] b\.md {stamp}: \(no description\)", notes.format_manifest()
    )
    assert "(无描述)" in MemoryDir(notes.path, "zh").format_manifest(notes.scan())


@pytest.mark.parametrize(("language", "heading"), [("en", "## Index (MEMORY.md)"), ("zh", "## 索引（MEMORY.md）")])
def test_the_system_prompt_shows_the_index(notes: MemoryDir, language: str, heading: str) -> None:
    spoken = MemoryDir(notes.path, language)
    assert heading not in spoken.build_system_prompt()
    notes.save_memory("a", "user", "A", "what {{it}} says", "x")
    prompt = spoken.build_system_prompt()
    assert prompt.endswith(f"{heading}\n- [a](a.md) — what {{{{it}}}} says\n")
    assert f"`{notes.path}`" in prompt


def test_an_unknown_language_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InvalidInputError, match="unknown language 'fr' of notes; use one of: en, zh"):
        MemoryDir(tmp_path / "x", "fr")
    assert not (tmp_path / "x").exists()


def test_delete_takes_names_with_and_without_their_ending(notes: MemoryDir) -> None:
    for name in ("a", "ba"):
        notes.save_memory(name, "user", "n", "d", "b")
    assert notes.delete_memory("a")
    assert notes.delete_memory("ba.md")
    assert not notes.delete_memory("ba")
    assert notes.load_index() == ""
    assert os.listdir(notes.path) == ["MEMORY.md"]


def test_lines_that_only_mention_a_note_stay(notes: MemoryDir) -> None:
    own = [
        "# Notes",
        "See [a](a.md) first.",
        "- [ ] write [a](a.md)",
        "- [Docs](https://example.org/x.md) and [a](a.md)",
        "- [Deep](sub/a.md)",
        "- [Deep](sub%2Fa.md)",
        "- [Index](MEMORY.md)",
        "- [List](todo.txt), then [a](a.md)",
        "- [Part](a.md#part)",
        "- [Hidden](.draft.md)",
        "",
    ]
    notes.index_path.write_text("\n".join(own), encoding="utf-8")
    notes.save_memory("a", "user", "n", "d", "b")
    assert notes.index_path.read_text(encoding="utf-8") == "\n".join([*own[:-1], "- [a](a.md) — d", ""])
    notes.delete_memory("a")
    assert notes.repair() == notes_dir.RepairReport()
    assert notes.index_path.read_text(encoding="utf-8") == "\n".join(own)


@pytest.mark.parametrize(
    "line",
    ["* [My title](a.md)", "  + [t](./a.md) text", '- [t [1]](a.md "tip") — x', "- [t](<a.md>)", "\ufeff- [t](a.md)"],
)
def test_lines_in_other_styles_list_a_note(notes: MemoryDir, line: str) -> None:
    by_hand(notes, "a.md")
    notes.index_path.write_text(f"{line}\n", encoding="utf-8")
    assert notes.repair().added == ()
    (notes.path / "a.md").unlink()
    assert notes.repair().removed == (line,)
    assert notes.load_index() == ""


def test_an_indented_line_stays_indented(notes: MemoryDir) -> None:
    notes.index_path.write_text("- Group\n  * [A](a.md) — old\n", encoding="utf-8")
    notes.save_memory("a", "user", "n", "new", "b")
    assert notes.load_index() == "- Group\n  - [a](a.md) — new\n"


def test_repair_adds_what_is_missing_and_removes_what_is_dead(notes: MemoryDir) -> None:
    notes.save_memory("kept", "user", "n", "d", "b")
    by_hand(notes, "new.md", NOTE.format(about="by hand"))
    by_hand(notes, "readme.md", "no note")
    text = "# Mine\n- [My words](kept.md) — my words\n- [x](gone.md) — x\n- [r](readme.md)\n"
    notes.index_path.write_bytes(text.encode() + b"caf\xe9\n")
    (notes.path / ".memory-dead.tmp").touch()
    report = notes.repair()
    assert (report.added, report.removed) == (("new.md",), ("- [x](gone.md) — x",))
    assert [problem.filename for problem in report.problems] == ["readme.md"]
    expected = "# Mine\n- [My words](kept.md) — my words\n- [r](readme.md)\n".encode() + b"caf\xe9\n"
    assert notes.index_path.read_bytes() == expected + "- [new](new.md) — by hand\n".encode()
    assert not (notes.path / ".memory-dead.tmp").exists()
    before = notes.index_path.stat().st_mtime_ns
    assert notes.repair().added == ()
    assert notes.index_path.stat().st_mtime_ns == before


def test_a_description_that_no_file_can_hold_does_not_stop_a_repair(notes: MemoryDir) -> None:
    by_hand(notes, "a.md", '---\ndescription: "x \\uD800 y"\ntype: user\n---\n')
    notes.repair()
    assert notes.load_index() == "- [a](a.md) — x ? y"


def test_names_in_decomposed_letters_are_the_same_names(notes: MemoryDir) -> None:
    by_hand(notes, "cafe\u0301.md")
    assert notes.repair().added == ("cafe\u0301.md",)
    assert notes.repair() == notes_dir.RepairReport()
    assert notes.delete_memory("caf\u00e9")
    assert notes.load_index() == ""
