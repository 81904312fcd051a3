"""The profile routes: the original protocol, versions, and many writers at once."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import httpx
import pytest

from memory_middleware import MemoryStatus, MemoryType, Scope
from tests.rest.live import Live, live, token_of
from tests.support import cases, contains

KINDS = ("user", "work")


@pytest.mark.parametrize(
    "case", cases("001_memory_protocol/http_error_envelope"), ids=lambda case: str(case["request"])
)
def test_answers_look_as_recorded(case: Any, shared: Live) -> None:
    method, kind, body = case["request"]
    content = body if isinstance(body, str) else None if body is None else json.dumps(body)
    answer = shared.ana.request(
        method, f"/memories/{kind}", content=content, headers={"Content-Type": "application/json"}
    )
    assert answer.status_code == case["status"]
    assert contains(answer.json(), case["body"]), answer.json()


def test_both_profiles_exist_from_the_first_contact_with_their_defaults(served: Live) -> None:
    both = served.ana.get("/memories").json()
    assert set(both) == {"user_memory", "work_memory"}
    assert both["user_memory"]["people"] == []
    assert both["user_memory"] == served.ana.get("/memories/user").json()
    assert both["work_memory"] == served.ana.get("/memories/work").json()
    assert served.ana.get("/memories/").json() == both


def test_put_replaces_and_patch_merges(served: Live) -> None:
    put = served.ana.put("/memories/user", json={"content": {"occupation": "designer", "interests": ["tea", "boats"]}})
    assert put.json()["occupation"] == "designer"
    patch = {"content": {"interests": ["cats"], "preferences": {"communication_style": "brief"}, "occupation": None}}
    patched = served.ana.patch("/memories/user", json=patch).json()
    assert patched["interests"] == ["cats"]
    assert patched["preferences"]["communication_style"] == "brief"
    assert patched["occupation"] is None
    again = served.ana.put("/memories/user", json={"content": {"timezone": "Asia/Shanghai"}}).json()
    assert again["interests"] == []
    assert served.ana.get("/memories/user").json() == again


def test_work_is_put_and_patched_too(served: Live) -> None:
    served.ana.put("/memories/work", json={"content": {"expertise": ["typography"]}})
    patched = served.ana.patch("/memories/work", json={"content": {"team_context": "two of us"}}).json()
    assert (patched["expertise"], patched["team_context"]) == (["typography"], "two of us")


@pytest.mark.parametrize("kind", KINDS)
def test_a_disabled_profile_is_null(kind: str, served: Live) -> None:
    told = served.ana.put(f"/memories/{kind}/status", json={"status": "disabled"}).json()
    assert told["status"] == "disabled"
    answer = served.ana.get(f"/memories/{kind}")
    assert (answer.status_code, answer.json()) == (200, None)
    assert served.ana.get("/memories").json()[f"{kind}_memory"] is None
    assert served.ana.get(f"/memories/{kind}/status").json() == told
    profile = served.memory.store.memories.profiles.load(Scope("ana"), MemoryType(kind))
    assert profile.status is MemoryStatus.DISABLED


@pytest.mark.parametrize(
    ("patch", "field"),
    [
        ({"timezone": "Mars"}, "body.content.timezone"),
        ({"people": [{"name": "Marta", "age": 3}]}, "body.content.people[0].age"),
        ({"colour": "red"}, "body.content.colour"),
        ({"preferences": 3}, "body.content.preferences"),
    ],
    ids=["time zone", "unknown inside", "unknown", "no object"],
)
def test_a_patch_that_does_not_fit_names_the_field(patch: Any, field: str, shared: Live) -> None:
    answer = shared.ana.patch("/memories/user", json={"content": patch})
    assert answer.status_code == 422
    assert answer.headers["content-type"] == "application/problem+json"
    assert answer.json()["errors"][0]["field"] == field
    assert answer.json()["detail"][0]["loc"][:2] == ["body", "content"]


def test_a_version_is_told_and_not_sent_twice(served: Live) -> None:
    for path in ("/memories", "/memories/user", "/memories/work"):
        first = served.ana.get(path)
        again = served.ana.get(path, headers={"If-None-Match": f'W/{first.headers["ETag"]}, "other"'})
        assert (again.status_code, again.content) == (304, b"")
        assert again.headers["ETag"] == first.headers["ETag"]
        assert served.ana.get(path, headers={"If-None-Match": '"other"'}).status_code == 200


def test_a_change_of_an_old_version_is_refused(served: Live) -> None:
    tag = served.ana.get("/memories/user").headers["ETag"]
    done = served.ana.patch("/memories/user", json={"content": {"occupation": "cook"}}, headers={"If-Match": tag})
    assert done.status_code == 200
    assert done.headers["ETag"] != tag
    for method in ("PUT", "PATCH"):
        late = served.ana.request(method, "/memories/user", json={"content": {}}, headers={"If-Match": tag})
        assert late.status_code == 412
        assert late.headers["content-type"] == "application/problem+json"
    weak = served.ana.put("/memories/user", json={"content": {}}, headers={"If-Match": f"W/{done.headers['ETag']}"})
    assert weak.status_code == 412
    assert served.ana.get("/memories/user").json()["occupation"] == "cook"
    whatever = served.ana.put("/memories/user", json={"content": {}}, headers={"If-Match": "*"})
    assert whatever.status_code == 200


def test_a_server_may_ask_for_the_version(tmp_path: Any) -> None:
    with live(tmp_path, require_match=True) as served:
        assert served.ana.put("/memories/user", json={"content": {}}).status_code == 428
        tag = served.ana.get("/memories/user").headers["ETag"]
        assert served.ana.put("/memories/user", json={"content": {}}, headers={"If-Match": tag}).status_code == 200
        made = served.ana.post("/records", json={"content": "Ana likes tea"}).json()
        assert served.ana.patch(f"/records/{made['id']}", json={"importance": 1.0}).status_code == 428


def test_earlier_versions_can_be_looked_up_and_put_back(served: Live) -> None:
    for job in ("cook", "pilot"):
        served.ana.patch("/memories/user", json={"content": {"occupation": job}})
    versions = served.ana.get("/memories/user/history", params={"limit": 2}).json()["versions"]
    assert [one["content"]["occupation"] for one in versions] == ["pilot", "cook"]
    assert versions[0]["source"] == "user"
    served.ana.put("/memories/user", json={"content": versions[1]["content"]})
    assert served.ana.get("/memories/user").json()["occupation"] == "cook"


async def _append(client: httpx.AsyncClient, name: str) -> int:
    """Add an interest, reading again whenever somebody else was faster; tell how often that was."""
    refused = 0
    while True:
        found = await client.get("/memories/user")
        content = {"interests": [*found.json()["interests"], name]}
        answer = await client.patch(
            "/memories/user", json={"content": content}, headers={"If-Match": found.headers["ETag"]}
        )
        if answer.status_code == 200:
            return refused
        assert answer.status_code == 412, answer.text
        refused += 1


def test_no_update_is_lost_among_many_writers(served: Live) -> None:
    names = [f"interest {at}" for at in range(40)]

    async def run() -> list[int]:
        headers = {"Authorization": f"Bearer {token_of('ana')}"}
        async with httpx.AsyncClient(base_url=f"{served.url}/api/v1", headers=headers, timeout=60) as client:
            return await asyncio.gather(*(_append(client, name) for name in names))

    refused = asyncio.run(run())
    assert sorted(served.ana.get("/memories/user").json()["interests"]) == sorted(names)
    assert sum(refused) > 0, "nobody met anybody, so nothing was tried"


def test_patches_of_different_fields_all_hold_without_versions(served: Live) -> None:
    fields = ("occupation", "timezone", "primary_language")
    values = ("cook", "Asia/Shanghai", "中文")

    async def run() -> None:
        headers = {"Authorization": f"Bearer {token_of('ana')}"}
        async with httpx.AsyncClient(base_url=f"{served.url}/api/v1", headers=headers, timeout=60) as client:
            await asyncio.gather(
                *(
                    client.patch("/memories/user", json={"content": {field: value}})
                    for _ in range(8)
                    for field, value in zip(fields, values, strict=True)
                )
            )

    asyncio.run(run())
    found = served.ana.get("/memories/user").json()
    assert tuple(found[field] for field in fields) == values
