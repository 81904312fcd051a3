"""Properties of names and of the index: it lists what there is, and foreign lines stay."""

from __future__ import annotations

import tempfile
import unicodedata
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule, run_state_machine_as_test

from memory_middleware.errors import NoteError
from memory_middleware.sources.notes_dir import MemoryDir
from memory_middleware.sources.notes_index import cut_index, drop_line, entry_file, index_line, put_line, sync_lines
from memory_middleware.sources.notes_names import check_portable, is_note_name, note_filename

ODD = st.text(st.sampled_from('ab.md[]()<>%\\ "!#*_-—字é\u0301\n\r\t\x85\u2028'), min_size=1, max_size=12)
ANY = st.text(st.characters(exclude_characters="/\x00"), min_size=1, max_size=20)
STEMS = (ODD | ANY).filter(lambda stem: not stem.startswith("."))
LINES = st.lists(st.text(st.characters(exclude_characters="\n\r\ufeff"), max_size=30), max_size=6)


@given(STEMS, st.text(max_size=300))
def test_any_name_is_read_back_from_its_line(stem: str, description: str) -> None:
    line = index_line(f"{stem}.md", description)
    assert "\n" not in line
    assert entry_file(line) == unicodedata.normalize("NFC", f"{stem}.md")


@given(LINES, st.sampled_from(["\n", "\r\n"]), STEMS, st.text(max_size=50))
def test_listing_and_dropping_a_note_leaves_the_text_as_it_was(
    lines: list[str], end: str, stem: str, about: str
) -> None:
    text, name = end.join(line for line in lines if entry_file(line) is None), f"{stem}.md"
    listed = put_line(text, name, about)
    assert put_line(listed, name, about) == listed
    assert sync_lines(listed, {name: "other"}, [name]) == (listed, [], [])
    assert drop_line(listed, name) == text
    assert sync_lines(listed, {}, [])[::2] == (text, [index_line(name, about)])


@given(st.text(max_size=40))
def test_any_name_stays_in_its_folder_or_is_refused(raw: str) -> None:
    try:
        name = note_filename(raw)
        check_portable(name)
    except NoteError:
        return
    assert Path(name).name == name
    assert is_note_name(name)
    assert note_filename(name) == name
    assert len(name.encode()) <= 255


@given(st.binary(max_size=400) | st.text(max_size=400).map(str.encode), st.integers(0, 400), st.integers(1, 9))
def test_no_index_passes_its_limits(data: bytes, most_bytes: int, most_lines: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("memory_middleware.sources.notes_index.MAX_INDEX_BYTES", most_bytes)
        patch.setattr("memory_middleware.sources.notes_index.MAX_INDEX_LINES", most_lines)
        text, lines, cut = cut_index(data)
    assert len(lines) <= most_lines
    whole = data.removeprefix(b"\xef\xbb\xbf")
    count = len(whole.removesuffix(b"\n").split(b"\n")) if whole else 0
    assert cut is (len(whole) > most_bytes or count > most_lines)
    assert whole.decode(errors="replace").replace("\r\n", "\n").startswith(text)


NAMES = st.sampled_from(["a", "b c", "d(1)", "e]", "f.md)x", "字", "100%", "g%20h"])
FOREIGN = st.sampled_from(
    [
        "# Mine",
        "",
        "See [a](a.md).",
        "- [ ] task",
        "* plain",
        "- [w](https://example.org/a.md)",
        "- [t](todo.txt), see [a](a.md)",
    ]
)


class Folder(RuleBasedStateMachine):
    """Saves, deletes and hand edits in any order, each followed by what a user would do next."""

    def __init__(self) -> None:
        super().__init__()
        self.folder = tempfile.TemporaryDirectory()
        self.notes = MemoryDir(self.folder.name)
        self.files: set[str] = set()
        self.foreign: list[str] = []
        self.drifted = False

    def teardown(self) -> None:
        self.folder.cleanup()

    def index(self) -> list[str]:
        path = self.notes.index_path
        return path.read_text(encoding="utf-8").split("\n") if path.exists() else []

    @rule(name=NAMES, about=st.sampled_from(["x", "two\nlines", "](a.md)", ""]))
    def save(self, name: str, about: str) -> None:
        self.notes.save_memory(name, "user", name, about, "body")
        self.files.add(f"{name}.md")

    @rule(name=NAMES)
    def delete(self, name: str) -> None:
        assert self.notes.delete_memory(name) is (f"{name}.md" in self.files)
        self.files.discard(f"{name}.md")

    @rule(name=NAMES)
    def write_by_hand(self, name: str) -> None:
        (self.notes.path / f"{name}.md").write_text("---\ntype: project\n---\nby hand", encoding="utf-8")
        self.files.add(f"{name}.md")
        self.drifted = True

    @rule(name=NAMES)
    def remove_by_hand(self, name: str) -> None:
        (self.notes.path / f"{name}.md").unlink(missing_ok=True)
        self.files.discard(f"{name}.md")
        self.drifted = True

    @rule(line=FOREIGN)
    def add_foreign_line(self, line: str) -> None:
        self.notes.index_path.write_text("\n".join([line, *self.index()]), encoding="utf-8")
        self.foreign.insert(0, line)

    @rule()
    def lose_the_entries(self) -> None:
        self.notes.index_path.write_text("\n".join(self.foreign), encoding="utf-8")
        self.drifted = True

    @rule()
    def repair(self) -> None:
        self.notes.repair()
        self.drifted = False

    @invariant()
    def files_are_the_notes(self) -> None:
        manifest = self.notes.scan()
        assert {entry.filename for entry in manifest.entries} == self.files
        assert manifest.problems == []

    @invariant()
    def foreign_lines_stay(self) -> None:
        kept = [line for line in self.index() if entry_file(line) is None]
        assert [line for line in kept if line] == [line for line in self.foreign if line]

    @invariant()
    def the_index_lists_the_files(self) -> None:
        if not self.drifted:
            listed = [name for line in self.index() if (name := entry_file(line))]
            assert sorted(listed) == sorted(self.files)


def test_the_index_follows_any_sequence_of_changes() -> None:
    run_state_machine_as_test(Folder, settings=settings(max_examples=30, stateful_step_count=25))
