"""Recorded behaviour of the folder of notes, and where it is better."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from memory_middleware.errors import NoteError
from memory_middleware.sources.notes_dir import MemoryDir
from tests.sources.notes_support import by_hand
from tests.support import brief, cases


@pytest.fixture
def notes(tmp_path: Path) -> MemoryDir:
    return MemoryDir(tmp_path / "notes")


SAVES = cases("004_memorydir/save")
ONE_LINE = "- [x](x.md) — line1 line2"


@pytest.mark.parametrize("case", [case for case in SAVES if case.get("saved_as", ".md") != ".md"], ids=brief)
def test_recorded_saves_are_done_alike(notes: MemoryDir, case: dict[str, Any]) -> None:
    path = notes.save_memory(*(case[key] for key in ("filename", "type", "name", "description", "content")))
    assert Path(path) == notes.path / case["saved_as"]
    assert Path(path).read_bytes().decode() == case["file_text"]
    index = ONE_LINE if "\n" in case["description"] else case["index_text"]
    assert notes.index_path.read_bytes().decode() == index
    seen = [[note.filename, note.name, note.description, note.mem_type, note.content] for note in notes.scan().entries]
    assert seen == (
        case["scan"] or [[case["saved_as"], *(case[k] for k in ("name", "description", "type", "content"))]]
    )
    assert sorted(os.listdir(notes.path)) == sorted(["MEMORY.md", case["saved_as"]])


def test_a_description_of_several_lines_makes_one_line_of_the_index(notes: MemoryDir) -> None:
    notes.save_memory("x", "user", "n", "line1\nline2", "b")
    notes.save_memory("x", "user", "n", "line1\r\nline2", "b")
    assert notes.load_index() == ONE_LINE


@pytest.mark.parametrize("name", ["MEMORY", "MEMORY.md", "sub/MEMORY.md", "..\\MEMORY"])
def test_the_index_is_never_saved_over_nor_deleted(notes: MemoryDir, name: str) -> None:
    notes.save_memory("a", "user", "A", "d", "b")
    with pytest.raises(ValueError, match=r"is reserved for the index MEMORY\.md"):
        notes.save_memory(name, "user", "n", "d", "b")
    with pytest.raises(NoteError, match="is reserved for the index"):
        notes.delete_memory(name)
    assert notes.load_index() == "- [a](a.md) — d"


@pytest.mark.parametrize("case", cases("004_memorydir/index_maintenance"), ids=brief)
def test_recorded_index_changes_are_done_alike(notes: MemoryDir, case: dict[str, Any]) -> None:
    first, last, expected, results = case["initial"], case["index"], case["index"], []
    if isinstance(first, dict):
        first = "\n".join(["# header", *(f"- [m{at}](m{at}.md) — d" for at in range(199))])
        expected = f"{first}\n{last['last']}"  # the original drops the header; we drop nothing
    elif first == "":
        expected = "- [a](a.md) — d"  # the original writes a blank line first
    if first is not None:
        notes.index_path.write_text(first, encoding="utf-8")
    for op, name, *rest in case["ops"]:
        if op == "save":
            notes.save_memory(name, "user", "n", rest[0], "b")
        elif name != "MEMORY.md":  # the original deletes its index; see above
            results.append(notes.delete_memory(name))
    if ["delete", "MEMORY.md"] not in case["ops"]:
        assert results == case["delete_results"]
        assert sorted(os.listdir(notes.path)) == case["files"]
        assert (notes.index_path.read_text(encoding="utf-8") if notes.index_path.exists() else None) == expected


def test_a_full_index_loses_no_line_when_written(notes: MemoryDir) -> None:
    lines = ["# header", *(f"- [m{at}](m{at}.md) — d" for at in range(250))]
    notes.index_path.write_text("\n".join(lines), encoding="utf-8")
    notes.save_memory("new", "user", "n", "d", "b")
    assert notes.index_path.read_text(encoding="utf-8").split("\n") == [*lines, "- [new](new.md) — d"]
    manifest = notes.scan()
    assert manifest.index_truncated
    assert manifest.index_lines == lines[:200]


def test_an_empty_index_gains_no_blank_line(notes: MemoryDir) -> None:
    notes.index_path.touch()
    notes.save_memory("a", "user", "n", "d", "b")
    assert notes.load_index() == "- [a](a.md) — d"


def test_a_final_line_end_stays_final(notes: MemoryDir) -> None:
    notes.index_path.write_bytes(b"# Mine\r\n")
    notes.save_memory("a", "user", "n", "d", "b")
    notes.save_memory("b", "user", "n", "d", "b")
    notes.save_memory("a", "user", "n", "e", "b")
    assert notes.index_path.read_bytes().decode() == "# Mine\r\n- [a](a.md) — e\r\n- [b](b.md) — d\r\n"


def test_recorded_scan_is_done_alike(notes: MemoryDir) -> None:
    by_hand(notes, "new_note.md", "---\nname: N\ndescription: D\ntype: project\n---\nbody")
    by_hand(notes, "no_desc.md", "---\nname:\ntype: reference\n---\nx", age=500)
    by_hand(notes, "old_note.md", "---\ntype: user\n---\nx", age=1000)
    by_hand(notes, "no_type.md", "---\nname: x\n---\nx")
    by_hand(notes, "plain.md", "x")
    (notes.path / "sub").mkdir()
    by_hand(notes, "sub/nested.md")
    recorded, empty = cases("004_memorydir/scan")
    manifest = notes.scan()
    keys = ("filename", "name", "description", "type", "content")
    assert [
        dict(zip(keys, (e.filename, e.name, e.description, e.mem_type, e.content), strict=True))
        for e in manifest.entries
    ] == recorded["entries"]
    assert manifest.total_files == recorded["total_files"]
    assert MemoryDir(notes.path / "none", "zh").format_manifest() == empty["expected"]


@pytest.mark.parametrize("case", cases("004_memorydir/truncation"), ids=lambda case: str(case["label"]))
def test_recorded_indexes_are_cut_by_one_measure(notes: MemoryDir, case: dict[str, Any]) -> None:
    char = "字" if "chinese" in case["label"] else "x"
    text = f"{'x' * 10}\n" * 200 if "200" in case["label"] else char * case["chars"]
    notes.index_path.write_text(text, encoding="utf-8")
    assert (len(text), len(text.encode())) == (case["chars"], case["bytes"])
    loaded = MemoryDir(notes.path, "zh").load_index()
    cut = case["bytes"] > 25_000  # the original counts characters here, bytes there, and a final line end as a line
    notice = "\n\n<!-- MEMORY.md 已截断(>200 行或 >25KB) -->"
    assert loaded == (text.encode()[:25_000].decode(errors="ignore") + notice if cut else text)
    manifest = notes.scan()
    assert manifest.index_truncated is cut
    assert len(manifest.index_lines) == len(text.splitlines())


def test_what_is_cut_is_told_in_the_language_of_the_folder(notes: MemoryDir) -> None:
    notes.index_path.write_text("\n".join(f"line {at}" for at in range(201)), encoding="utf-8")
    english, chinese = notes.load_index(), MemoryDir(notes.path, "zh").load_index()
    assert english.split("\n")[199:] == [
        "line 199",
        "",
        "<!-- MEMORY.md is cut here (over 200 lines or 25 kB); merge or delete notes to see all -->",
    ]
    assert chinese.endswith("<!-- MEMORY.md 已截断(>200 行或 >25KB) -->")


def test_an_index_is_cut_between_lines(notes: MemoryDir) -> None:
    notes.index_path.write_bytes(b"\xef\xbb\xbf" + b"\n".join([b"a" * 9_999] * 3))
    assert [len(line) for line in notes.scan().index_lines] == [9_999, 9_999]
    assert notes.load_index().startswith("aaa")
