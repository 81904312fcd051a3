"""Notes over HTTP."""

from __future__ import annotations

import os
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from memory_middleware import MemoryDir
from memory_middleware.sources.notes_dir import MAX_SCAN_FILES
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


@pytest.mark.parametrize(
    ("name", "filename"),
    [("q%20", "q.md"), ("%20q", "q.md"), ("q.md%20", "q.md"), ("a%CC%81", "á.md"), ("q.MD", "q.MD.md"), ("Q", "Q.md")],
)
def test_a_note_is_found_by_the_name_it_was_written_under(name: str, filename: str, noted: Live) -> None:
    written = noted.ana.put(f"/notes/{name}", json=NOTE)
    assert (written.status_code, written.json().get("filename")) == (200, filename)
    assert noted.ana.get(f"/notes/{name}").json() == written.json()
    assert noted.ana.delete(f"/notes/{name}").status_code == 204


def test_a_note_older_than_the_newest_is_in_reach(noted: Live, tmp_path: Path) -> None:
    folder = MemoryDir(tmp_path / "ana")
    for at in range(MAX_SCAN_FILES + 1):
        folder.save_memory(f"n{at}", "project", "n", "d", f"note {at}")
        os.utime(folder.path / f"n{at}.md", (1e9 + at, 1e9 + at))
    assert "n0.md" not in [one["filename"] for one in noted.ana.get("/notes").json()["notes"]]
    assert noted.ana.get("/notes/n0").json()["content"].strip() == "note 0"
    assert noted.ana.put("/notes/n0", json=NOTE, headers={"If-None-Match": "*"}).status_code == 412
    assert noted.ana.delete("/notes/n0").status_code == 204
    assert noted.ana.get("/notes/n0").status_code == 404


def test_a_file_that_cannot_be_read_tells_why_and_can_be_removed(noted: Live, tmp_path: Path) -> None:
    noted.ana.get("/notes")
    file = tmp_path / "ana" / "odd.md"
    file.write_bytes(b"\xff\xfe")
    refused = noted.ana.get("/notes/odd")
    assert (refused.status_code, refused.json()["code"]) == (409, "unreadable-note")
    assert "not UTF-8" in refused.json()["detail"]
    assert noted.ana.delete("/notes/odd", headers={"If-Match": '"other"'}).status_code == 412
    assert noted.ana.delete("/notes/odd", headers={"If-Match": "*"}).status_code == 204
    assert not file.exists()


@pytest.mark.parametrize("name", ["a%2Flaunch", "a%5Claunch", "MEMORY", "%20", ".launch", "%00"])
@pytest.mark.parametrize("method", ["GET", "DELETE"])
def test_a_name_that_no_note_has_finds_none(method: str, name: str, noted: Live) -> None:
    noted.ana.put("/notes/launch", json=NOTE)
    answer = noted.ana.request(method, f"/notes/{name}")
    assert (answer.status_code, answer.json()["code"]) == (404, "no-note")
    assert noted.ana.get("/notes/launch").status_code == 200


@pytest.mark.parametrize("header", ["If-Match", "If-None-Match"])
def test_a_header_that_names_no_version_changes_no_note(header: str, noted: Live) -> None:
    for _ in range(2):
        answer = noted.ana.put("/notes/launch", json=NOTE, headers={header: "abc*"})
        assert (answer.status_code, answer.json()["code"]) == (400, "unfit-version")
        noted.ana.put("/notes/launch", json=NOTE)
    assert noted.ana.delete("/notes/launch", headers={"If-Match": "abc*"}).status_code == 400


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


def test_a_note_has_a_version_that_hand_edits_change(noted: Live, tmp_path: Path) -> None:
    first = noted.ana.put("/notes/launch", json=NOTE)
    tag = first.headers["ETag"]
    assert tag == f'"{first.json()["version"]}"'
    assert noted.ana.get("/notes/launch").headers["ETag"] == tag
    assert noted.ana.get("/notes/launch", headers={"If-None-Match": tag}).status_code == 304
    file = tmp_path / "ana" / "launch.md"
    file.write_text(file.read_text("utf-8").replace("On 1 May", "On 2 May"), encoding="utf-8")
    assert noted.ana.get("/notes/launch", headers={"If-None-Match": tag}).json()["content"].startswith("On 2 May")


def test_two_editors_of_a_note_do_not_overwrite_each_other(noted: Live, tmp_path: Path) -> None:
    seen = noted.ana.put("/notes/launch", json=NOTE).headers["ETag"]
    now = noted.ana.put("/notes/launch", json={**NOTE, "content": "In June.\n"}, headers={"If-Match": seen})
    assert now.status_code == 200
    slower = noted.ana.put("/notes/launch", json={**NOTE, "content": "In July.\n"}, headers={"If-Match": seen})
    assert (slower.status_code, slower.json()["code"]) == (412, "changed-meanwhile")
    assert noted.ana.delete("/notes/launch", headers={"If-Match": seen}).status_code == 412
    file = tmp_path / "ana" / "launch.md"
    file.write_text(file.read_text("utf-8") + "by hand\n", encoding="utf-8")
    assert noted.ana.delete("/notes/launch", headers={"If-Match": now.headers["ETag"]}).status_code == 412
    assert "by hand" in noted.ana.get("/notes/launch").json()["content"]
    assert noted.ana.delete("/notes/launch", headers={"If-Match": "*"}).status_code == 204


def test_a_new_note_does_not_replace_one_that_is_there(noted: Live) -> None:
    new = {"If-None-Match": "*"}
    assert noted.ana.put("/notes/launch", json=NOTE, headers=new).status_code == 200
    assert noted.ana.put("/notes/launch", json=NOTE, headers=new).status_code == 412
    assert noted.ana.put("/notes/other", json=NOTE, headers={"If-Match": "*"}).status_code == 412
    assert noted.ana.get("/notes/other").status_code == 404


def test_many_editors_lose_nothing(noted: Live) -> None:
    noted.ana.put("/notes/list", json={**NOTE, "content": ""})

    def append(line: str) -> None:
        while True:
            found = noted.ana.get("/notes/list")
            body = {**NOTE, "content": f"{found.json()['content']}{line}\n"}
            answer = noted.ana.put("/notes/list", json=body, headers={"If-Match": found.headers["ETag"]})
            if answer.status_code == 200:
                return
            assert answer.status_code == 412

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(append, [f"line {at}" for at in range(16)]))
    assert len(noted.ana.get("/notes/list").json()["content"].splitlines()) == 16


def test_a_server_may_want_every_change_of_a_note_to_name_a_version(tmp_path: Path) -> None:
    with live(tmp_path / "memory", notes=MemoryDir(tmp_path / "notes"), require_match=True) as served:
        assert served.ana.put("/notes/launch", json=NOTE).json()["code"] == "version-required"
        made = served.ana.put("/notes/launch", json=NOTE, headers={"If-None-Match": "*"})
        assert served.ana.delete("/notes/launch").status_code == 428
        assert served.ana.delete("/notes/launch", headers={"If-Match": made.headers["ETag"]}).status_code == 204
