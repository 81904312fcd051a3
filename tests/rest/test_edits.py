"""Edits of records, taken back by the server."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.rest.live import Live, live

RIVER = "Ana lives in Porto, near the river"


def made(served: Live, content: str = "Ana lives in Porto", **more: Any) -> str:
    answer = served.ana.post("/records", json={"content": content, **more})
    assert answer.status_code == 201, answer.text
    return str(answer.json()["id"])


def edited(served: Live, name: str, **fields: Any) -> str:
    answer = served.ana.patch(f"/records/{name}", json=fields)
    assert answer.status_code == 200, answer.text
    return answer.headers["ETag"]


def test_an_edit_is_noted_and_taken_back_and_brought_back(served: Live) -> None:
    name = made(served)
    edited(served, name, content=RIVER, tags=["home"])
    [edit] = served.ana.get(f"/records/{name}/edits").json()["edits"]
    assert (edit["version"], edit["before"]) == (1, {"content": "Ana lives in Porto", "tags": []})
    assert edit["after"] == {"content": RIVER, "tags": ["home"]}
    undone = served.ana.post(f"/records/{name}/undo")
    assert (undone.json()["content"], undone.json()["tags"]) == ("Ana lives in Porto", [])
    view = served.ana.get(f"/records/{name}")
    assert (view.headers["ETag"], view.json()["record"]) == (undone.headers["ETag"], undone.json())
    assert [one["version"] for one in view.json()["edits"]] == [2, 1]
    assert served.ana.get("/search", params={"q": "Porto"}).json()["found"][0]["record"]["content"] == (
        "Ana lives in Porto"
    )
    assert served.ana.post(f"/records/{name}/undo").json()["content"] == RIVER


def test_all_edits_down_to_one_are_taken_back(served: Live) -> None:
    name = made(served)
    for at in range(1, 4):
        edited(served, name, content=f"Ana lives in Porto since {at}")
    edited(served, name, importance=0.9)
    undone = served.ana.post(f"/records/{name}/undo", params={"edit": 2}).json()
    assert (undone["content"], undone["importance"]) == ("Ana lives in Porto since 1", 0.5)
    back = served.ana.post(f"/records/{name}/undo").json()
    assert (back["content"], back["importance"]) == ("Ana lives in Porto since 3", 0.9)
    refused = served.ana.post(f"/records/{name}/undo", params={"edit": 99})
    assert (refused.status_code, refused.json()["code"]) == (409, "nothing-to-undo")


def test_only_what_was_edited_comes_back(served: Live) -> None:
    name = made(served, subject="user", attribute="city")
    edited(served, name, tags=["home"])
    made(served, "Ana lives in Faro", subject="user", attribute="city")
    undone = served.ana.post(f"/records/{name}/undo").json()
    assert (undone["tags"], undone["state"]) == ([], "superseded")
    assert undone["valid_to"] is not None


def test_what_something_else_changed_since_is_not_overwritten(served: Live) -> None:
    name = made(served)
    edited(served, name, pinned=True)
    served.ana.post(f"/records/{name}/unpin")
    refused = served.ana.post(f"/records/{name}/undo")
    assert (refused.status_code, refused.json()["code"]) == (409, "changed-since")
    assert "pinned" in refused.json()["detail"]


def test_without_an_edit_there_is_nothing_to_undo(served: Live) -> None:
    name = made(served)
    assert served.ana.get(f"/records/{name}/edits").json() == {"edits": []}
    refused = served.ana.post(f"/records/{name}/undo")
    assert (refused.status_code, refused.json()["code"]) == (409, "nothing-to-undo")


def test_an_edit_that_changes_nothing_is_none(served: Live) -> None:
    name = made(served)
    edited(served, name, content="Ana lives in Porto")
    assert served.ana.get(f"/records/{name}/edits").json() == {"edits": []}


def test_what_was_forgotten_stays_forgotten(served: Live) -> None:
    name = made(served)
    edited(served, name, content=RIVER)
    assert served.ana.delete(f"/records/{name}").json()["is_done"]
    refused = served.ana.post(f"/records/{name}/undo")
    assert (refused.status_code, refused.json()["code"]) == (404, "no-record")
    assert "what was forgotten cannot be brought back" in refused.json()["detail"]
    assert "river" not in "".join(served.memory.export("ana"))


def test_an_undo_is_done_to_the_version_it_means_only(served: Live) -> None:
    name = made(served)
    seen = edited(served, name, content=RIVER)
    now = edited(served, name, tags=["home"])
    stale = served.ana.post(f"/records/{name}/undo", headers={"If-Match": seen})
    assert (stale.status_code, stale.json()["code"]) == (412, "changed-meanwhile")
    assert served.ana.post(f"/records/{name}/undo", headers={"If-Match": f'"x", {now}'}).json()["tags"] == []
    assert served.ana.post(f"/records/{name}/undo", headers={"If-Match": "*"}).json()["tags"] == ["home"]


def test_a_server_may_want_every_undo_to_name_a_version(tmp_path: Path) -> None:
    with live(tmp_path, require_match=True) as served:
        name = made(served)
        assert served.ana.post(f"/records/{name}/undo").json()["code"] == "version-required"


@pytest.mark.parametrize("edit", ["0", "-1", "one", "1" * 30])
def test_the_number_of_an_edit_must_be_one(edit: str, shared: Live) -> None:
    answer = shared.ana.post("/records/mem-1/undo", params={"edit": edit})
    assert (answer.status_code, answer.json()["errors"][0]["field"]) == (422, "query.edit")
