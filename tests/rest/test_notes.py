"""Notes over HTTP."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from memory_middleware import MemoryDir
from tests.rest.live import Live, live

NOTE = {"type": "project", "name": "Launch", "description": "When and how", "content": "On 1 May.\n五月一日。\n"}


@pytest.fixture
def noted(tmp_path: Path) -> Iterator[Live]:
    with live(tmp_path / "memory", notes=lambda owner: MemoryDir(tmp_path / owner)) as served:
        yield served


def test_a_note_is_written_read_and_deleted(noted: Live, tmp_path: Path) -> None:
    written = noted.ana.put("/notes/launch", json=NOTE).json()
    assert (written["filename"], written["content"]) == ("launch.md", NOTE["content"])
    assert noted.ana.get("/notes/launch.md").json() == written
    assert noted.ana.get("/notes").json() == {"notes": [written], "problems": []}
    assert "launch.md" in (tmp_path / "ana" / "MEMORY.md").read_text(encoding="utf-8")
    assert str(tmp_path) not in noted.ana.get("/notes").text
    assert noted.ana.delete("/notes/launch").status_code == 204
    assert noted.ana.delete("/notes/launch").status_code == 404
    assert noted.ana.get("/notes/launch").status_code == 404


def test_a_file_that_is_no_note_is_told(noted: Live, tmp_path: Path) -> None:
    noted.ana.get("/notes")
    (tmp_path / "ana" / "odd.md").write_text("no front matter", encoding="utf-8")
    assert noted.ana.get("/notes").json()["problems"][0]["filename"] == "odd.md"


def test_notes_of_another_are_out_of_reach(noted: Live) -> None:
    noted.ana.put("/notes/launch", json=NOTE)
    assert noted.bob.get("/notes/launch").status_code == 404
    assert noted.bob.get("/notes").json()["notes"] == []


@pytest.mark.parametrize(
    "name", ["..%2Fana%2Fx", "a%2Fb", "a%5Cb", "MEMORY", ".hidden", "%00", "nul", "x" * 300, "%20"]
)
def test_a_name_that_no_folder_should_hold_is_refused(name: str, noted: Live, tmp_path: Path) -> None:
    answer = noted.ana.put(f"/notes/{name}", json=NOTE)
    assert answer.status_code == 422
    assert answer.json()["errors"][0]["field"] == "path.filename"
    assert not list(tmp_path.glob("*/*.md")) or {path.name for path in tmp_path.glob("*/*.md")} <= {"MEMORY.md"}


def test_a_note_that_does_not_fit_names_the_field(noted: Live) -> None:
    answer = noted.ana.put("/notes/launch", json={**NOTE, "type": "poem"})
    assert answer.json()["errors"][0]["field"] == "body.type"


def test_a_folder_can_be_shared(tmp_path: Path) -> None:
    with live(tmp_path / "memory", notes=MemoryDir(tmp_path / "notes")) as served:
        served.ana.put("/notes/launch", json=NOTE)
        assert served.bob.get("/notes/launch").json()["name"] == "Launch"


def test_without_notes_there_are_none(served: Live) -> None:
    assert served.ana.get("/notes").status_code == 404
    assert served.ana.put("/notes/launch", json=NOTE).status_code == 404
