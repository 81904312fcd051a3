"""Versions that requests name: whatever is done to a record is done to the version they mean."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory_middleware_rest.etags import is_current
from memory_middleware_rest.problems import ProblemError
from tests.rest.live import Live, live

DEEDS = [
    ("DELETE", "records/{}", None),
    ("POST", "records/{}/archive", None),
    ("POST", "records/{}/restore", "archive"),
    ("POST", "records/{}/pin", None),
    ("POST", "records/{}/unpin", "pin"),
    ("POST", "review/{}/accept", "quarantine"),
    ("POST", "review/{}/reject", None),
]
MALFORMED = ["abc*", "*, *", "", "abc", '"a', '"a" "b"', '"a", *', 'w/"a"', '"a b"', ",", '"é"x']


def made(served: Live, before: str | None = None) -> httpx.Response:
    """Make a record, and do to it what must come before."""
    answer = served.ana.post("/records", json={"content": "Ana likes green tea"})
    name = answer.json()["id"]
    if before == "quarantine":
        served.memory.edit_record("ana", name, state="quarantined")
    elif before:
        served.ana.post(f"/records/{name}/{before}", headers={"If-Match": "*"})
    return served.ana.get(f"/records/{name}")


@pytest.mark.parametrize(("method", "path", "before"), DEEDS, ids=[one[1] for one in DEEDS])
def test_what_is_done_to_a_record_means_the_version_it_names(
    method: str, path: str, before: str | None, served: Live
) -> None:
    found = made(served, before)
    place = path.format(found.json()["record"]["id"])
    late = served.ana.request(method, place, headers={"If-Match": '"stale"'})
    assert (late.status_code, late.json()["code"]) == (412, "changed-meanwhile")
    assert served.ana.get(f"/records/{found.json()['record']['id']}").headers["ETag"] == found.headers["ETag"]
    done = served.ana.request(method, place, headers={"If-Match": f'"other", {found.headers["ETag"]}'})
    assert done.status_code == 200


@pytest.mark.parametrize(("method", "path", "before"), DEEDS, ids=[one[1] for one in DEEDS])
def test_a_server_may_want_a_version_for_whatever_is_done_to_a_record(
    method: str, path: str, before: str | None, tmp_path: Path
) -> None:
    with live(tmp_path, require_match=True) as served:
        found = made(served, before)
        place = path.format(found.json()["record"]["id"])
        assert served.ana.request(method, place).json()["code"] == "version-required"
        assert served.ana.request(method, place, headers={"If-Match": found.headers["ETag"]}).status_code == 200
        missing = served.ana.request(method, path.format("none"), headers={"If-Match": "*"})
        assert missing.status_code == 404


def test_the_version_that_is_named_does_not_hide_a_wrong_state(served: Live) -> None:
    found = made(served)
    name = found.json()["record"]["id"]
    refused = served.ana.post(f"/records/{name}/restore", headers={"If-Match": found.headers["ETag"]})
    assert (refused.status_code, refused.json()["code"]) == (409, "wrong-state")


@pytest.mark.parametrize("header", MALFORMED)
def test_a_header_that_names_no_version_is_refused(header: str, served: Live) -> None:
    found = made(served)
    name = found.json()["record"]["id"]
    asked: list[tuple[str, str, Any]] = [
        ("PATCH", f"/records/{name}", {"content": "Ana likes water"}),
        ("DELETE", f"/records/{name}", None),
        ("PATCH", "/memories/user", {"content": {}}),
    ]
    for method, path, body in asked:
        answer = served.ana.request(method, path, json=body, headers={b"If-Match": header.encode("latin-1")})
        assert (answer.status_code, answer.json()["code"]) == (400, "unfit-version"), path
        assert answer.json()["type"].endswith(":unfit-version")
    read = served.ana.get("/memories/user", headers={b"If-None-Match": header.encode("latin-1")})
    assert read.status_code == 400
    assert served.ana.get(f"/records/{name}").headers["ETag"] == found.headers["ETag"]


@pytest.mark.parametrize("header", ["*", " * ", '"1"', '"0","1"', 'W/"0" ,\t"1", ', ', "1"'])
def test_a_header_that_names_the_version_fits(header: str) -> None:
    assert is_current(header, '"1"')


def test_a_weak_name_counts_where_nothing_is_changed_only() -> None:
    assert not is_current('W/"1"', '"1"')
    assert is_current('W/"1"', '"1"', weak=True)


@given(st.text(alphabet='*"W/, ab', max_size=12))
def test_only_a_lone_star_names_whatever_there_is(header: str) -> None:
    try:
        fits = is_current(header, '"of no header"')
    except ProblemError as error:
        assert error.status_code == 400
    else:
        assert fits == (header.strip() == "*")
