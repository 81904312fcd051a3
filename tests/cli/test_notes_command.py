"""``notes list``, ``show``, ``add``, ``delete`` and ``repair``."""

from __future__ import annotations

from pathlib import Path

from tests.cli.conftest import Shell


def test_notes_are_written_listed_shown_and_deleted(shell: Shell) -> None:
    told = shell(
        "notes", "add", "style", "--type", "feedback", "--description", "怎样写作", "--content", "写得短一些。"
    )
    assert told == "written: style.md\n"
    assert "怎样写作" in shell("notes", "list")
    assert "写得短一些。" in shell("notes", "show", "STYLE.md")
    data = shell.json("notes", "show", "style")
    assert (data["mem_type"], data["content"].strip(), data["name"]) == ("feedback", "写得短一些。", "style")
    assert [note["filename"] for note in shell.json("notes", "list")["notes"]] == ["style.md"]
    assert shell.json("notes", "delete", "style") == {"deleted": "style"}
    assert shell("notes", "list") == "no notes\n"
    assert "style.md" not in (shell.folder / "notes" / "MEMORY.md").read_text("utf-8")


def test_the_body_of_a_note_may_be_piped_in(shell: Shell) -> None:
    told = shell.json("notes", "add", "tea", "--description", "about tea", "--title", "Tea", piped="Green, please.\n")
    assert told == {"written": "tea.md"}
    assert "Green, please." in shell("notes", "show", "tea")
    assert shell("notes", "delete", "tea.md") == "deleted: tea.md\n"


def test_what_is_not_there_is_told(shell: Shell) -> None:
    assert "there is no folder of notes" in shell("notes", "list", code=2)
    shell("notes", "add", "tea", "--description", "about tea", "--content", "Green.")
    assert "there is no note 'milk'" in shell("notes", "show", "milk", code=2)
    assert "there is no note 'milk'" in shell("notes", "delete", "milk", code=2)


def test_an_index_is_mended_and_files_that_are_no_notes_are_told(shell: Shell) -> None:
    shell("notes", "add", "tea", "--description", "about tea", "--content", "Green.")
    index = shell.folder / "notes" / "MEMORY.md"
    index.write_text("- [gone](gone.md): not there\n", encoding="utf-8")
    assert shell("notes", "repair") == "listed now: tea.md\ntaken off: - [gone](gone.md): not there\n"
    assert shell("notes", "repair") == "nothing to mend\n"
    (shell.folder / "notes" / "odd.md").write_text("no front matter", encoding="utf-8")
    assert "no note: odd.md" in shell("notes", "repair", code=1)
    assert shell.json("notes", "repair", code=1)["problems"][0]["filename"] == "odd.md"
    assert "odd.md" in shell("notes", "list")


def test_the_folder_is_that_of_the_configuration_or_the_one_named(shell: Shell, tmp_path: Path) -> None:
    file = tmp_path / "memory.yaml"
    file.write_text("memory: [{name: mine, type: notes, config: {path: written}}]\n", encoding="utf-8")
    words = ("--description", "about tea", "--content", "Green.")
    shell("notes", "add", "tea", *words, "--config", str(file))
    assert (shell.folder / "written" / "tea.md").is_file()
    shell("notes", "add", "tea", *words, "--dir", str(tmp_path / "other"))
    assert (tmp_path / "other" / "tea.md").is_file()
