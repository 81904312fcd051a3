"""Notes and their front matter."""

from __future__ import annotations

import time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory_middleware.errors import NoteError
from memory_middleware.schemas import (
    MemoryEntry,
    MemoryManifest,
    NoteType,
    format_frontmatter,
    format_note,
    parse_frontmatter,
    parse_memory_type,
    parse_note,
)
from tests.support import brief, cases

DASHES_IN_VALUE = "---\nname: x---y\ntype: user\n---\nbody"


@pytest.mark.parametrize("case", cases("004_memorydir/parse_frontmatter"), ids=brief)
def test_recorded_front_matter_is_read_alike(case: dict[str, Any]) -> None:
    if case["input"] == DASHES_IN_VALUE:  # the original cuts the value; we read it whole
        assert parse_frontmatter(case["input"]) == ({"name": "x---y", "type": "user"}, "body")
    else:
        assert parse_frontmatter(case["input"]) == (case["frontmatter"], case["body"])


@pytest.mark.parametrize("case", cases("004_memorydir/parse_memory_type"), ids=brief)
def test_recorded_types_are_read_alike(case: dict[str, Any]) -> None:
    assert parse_memory_type(case["input"]) == case["expected"]


@pytest.mark.parametrize("case", cases("004_memorydir/staleness"), ids=lambda case: str(case["age_seconds"]))
def test_recorded_staleness_is_told_alike(case: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(time, "time", lambda: 1_000_000_000.0)
    entry = MemoryEntry("a.md", "a.md", "A", "", NoteType.USER, 1_000_000_000.0 - case["age_seconds"], language="zh")
    assert entry.age_days == case["age_days"]
    assert entry.age_text == case["age_text"]
    assert entry.is_stale is case["is_stale"]
    assert entry.staleness_note == case["staleness_note"]


def test_staleness_is_told_in_english_by_default(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(time, "time", lambda: 864_000.0)
    entry = MemoryEntry("a.md", "a.md", "A", "", NoteType.USER, 0.0)
    assert entry.age_text == "10 days ago"
    assert str(entry.staleness_note).startswith("⚠️ This note was saved 10 days ago.")


@pytest.mark.parametrize("case", [case for case in cases("004_memorydir/save") if "file_text" in case], ids=brief)
def test_recorded_notes_are_written_alike_and_read_back(case: dict[str, Any]) -> None:
    text = format_note(case["name"], case["description"], case["type"], case["content"])
    assert text == case["file_text"]
    entry = parse_note(text, filename=case["saved_as"])  # the original loses '---' in a value; we do not
    read = (entry.name, entry.description, entry.mem_type, entry.content)
    assert read == (case["name"], case["description"], case["type"], case["content"])


SAFE = st.text(st.characters(codec="utf-8", exclude_categories=("Cc", "Cs")), max_size=80)


@given(SAFE, SAFE, st.sampled_from(NoteType), st.text(max_size=200))
def test_any_note_is_read_back(name: str, description: str, kind: NoteType, content: str) -> None:
    entry = parse_note(format_note(name, description, kind, content), filename="n.md")
    assert (entry.name, entry.description, entry.mem_type) == (name, description, kind)
    assert content.endswith(entry.content)
    assert content[: len(content) - len(entry.content)].strip(" \t\r\n") == ""


def test_indentation_of_the_body_is_kept() -> None:
    assert parse_frontmatter("---\ntype: user\n---\n\n\n    code\n")[1] == "    code\n"


def test_windows_line_ends_and_a_byte_order_mark_are_read() -> None:
    text = "\ufeff---\r\nname: a\r\ntype: user\r\n---\r\n\r\nbody\r\n"
    assert parse_frontmatter(text) == ({"name": "a", "type": "user"}, "body\r\n")


def test_a_closing_fence_may_end_the_file() -> None:
    assert parse_frontmatter("---\ntype: user\n---") == ({"type": "user"}, "")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("just text", "n.md: no front matter; begin the file with '---'"),
        ("---\n- a\n---\n", "n.md: its front matter must be lines of 'key: value', not ['a']"),
        (
            "---\ntype: user\ntype: project\n---\n",
            "n.md: the front matter is not valid YAML: key 'type' is written twice",
        ),
        ("---\nmade: 2026-02-30\ntype: user\n---\n", "n.md: the front matter is not valid YAML: day"),
        (f"---\na: {'[' * 3000}\n---\n", "n.md: the front matter is not valid YAML: it is nested too deeply"),
        ("---\nname: a\n---\n", "n.md: no 'type' in its front matter"),
        ("---\ntype: usr\n---\n", "n.md: unknown type 'usr'; did you mean 'user'?"),
        ("---\ntype: user\n", "n.md: the front matter is opened with '---' but never closed"),
        ("---\ntype: [user\n---\n", "n.md: the front matter is not valid YAML"),
    ],
)
def test_what_is_no_note_is_refused_by_name(text: str, message: str) -> None:
    with pytest.raises(NoteError) as caught:
        parse_note(text, filename="n.md")
    assert str(caught.value).startswith(message)


def test_long_front_matter_is_read_but_not_written() -> None:
    entry = parse_note(f"---\ndescription: {'x' * 5000}\ntype: user\n---\nbody", filename="n.md")
    assert len(entry.description) == 5000
    with pytest.raises(NoteError, match="passes the limit of 4096"):
        format_note("n", "x" * 5000, NoteType.USER, "")


def test_an_unknown_type_is_not_written() -> None:
    with pytest.raises(NoteError, match="note type 'diary' is none of: user"):
        format_note("n", "d", "diary", "")


@pytest.mark.parametrize("written", ["no", "007", "12:30:45", "1.10", "2026-01-02", "0"])
def test_titles_and_descriptions_stay_as_they_were_written(written: str) -> None:
    entry = parse_note(f"---\nname: {written}\ndescription: {written}\ntype: user\n---\n", filename="n.md")
    assert (entry.name, entry.description) == (written, written)


def test_front_matter_that_cannot_be_read_stays_in_the_body() -> None:
    text = "---\ncreated: 2026-02-30\n---\nbody"
    assert parse_frontmatter(text) == ({}, text)


def test_front_matter_is_written_so_that_it_can_be_read() -> None:
    assert parse_frontmatter(format_frontmatter({"type": NoteType.USER, "n": [1, "二"]}))[0] == {
        "type": "user",
        "n": [1, "二"],
    }
    with pytest.raises(NoteError, match="front matter takes text"):
        format_frontmatter({"a": object()})


def test_absent_and_null_names() -> None:
    assert parse_note("---\ntype: user\n---\n", filename="old_note.md").name == "Old Note"
    assert parse_note("---\nname:\ntype: user\n---\n", filename="x.md").name is None


def test_a_manifest_starts_empty() -> None:
    assert MemoryManifest() == MemoryManifest(
        entries=[], index_lines=[], total_files=0, index_truncated=False, problems=[]
    )
