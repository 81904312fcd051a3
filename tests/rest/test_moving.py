"""Export and import over HTTP: exact, repeatable, and deaf to what strangers make up."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from memory_middleware import InvalidInputError, Memory, Scope, ThreadSummary
from tests.rest.live import Live, live
from tests.rest.seeded import fill


def entries(text: str) -> list[str]:
    """Give all but the head; records are told in the order in which a store got them."""
    return sorted(text.splitlines()[1:])


def json_line(entry: Any) -> str:
    return json.dumps(entry, ensure_ascii=False, separators=(",", ":"))


def written(lines: list[Any]) -> bytes:
    return b"".join(json.dumps(line).encode() + b"\n" for line in lines)


@pytest.fixture(scope="module")
def exported(tmp_path_factory: pytest.TempPathFactory) -> list[Any]:
    """All lines of an export that has something of everything."""
    with Memory.open(tmp_path_factory.mktemp("full")) as memory:
        fill(memory, "ana")
        memory.journal.record_memory_usage(Scope("ana", "monday"), "mem-5f1c", "nuts?", True)
        memory.store.memories.summaries.put(Scope("ana", "monday"), ThreadSummary(content="we cooked", rounds=1))
        memory.edit_record("ana", "mem-5f1c", content="Ana is allergic to all nuts", tags=["health"])
        memory.store.memories.tombstones.add(Scope("ana"), ["a turn that was forgotten"])
        return [json.loads(line) for line in memory.export("ana")]


def test_an_export_is_taken_in_exactly_and_as_often_as_one_likes(tmp_path: Path) -> None:
    with live(tmp_path / "one") as one, live(tmp_path / "two") as two:
        fill(one.memory, "ana")
        sent = one.ana.get("/export")
        assert sent.headers["content-type"] == "application/x-ndjson"
        first = two.ana.post("/import", content=sent.content, headers={"Content-Type": "application/x-ndjson"})
        assert first.status_code == 200, first.text
        assert first.json()["owners"] == ["ana"]
        again = two.ana.post("/import", content=sent.content).json()
        assert sum(again["added"].values()) == 0
        assert entries(two.ana.get("/export").text) == entries(sent.text)
        assert (
            two.ana.get("/search", params={"q": "nuts"}).json() == one.ana.get("/search", params={"q": "nuts"}).json()
        )
        assert two.bob.get("/records").json()["records"] == []


@pytest.fixture(scope="module")
def empty(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Memory]:
    """A memory into which nothing of what is forged comes."""
    with Memory.open(tmp_path_factory.mktemp("empty")) as memory:
        yield memory
        assert list(memory.owners()) == []


def test_every_kind_of_line_is_taken_in(exported: list[Any], tmp_path: Path) -> None:
    kinds = {line.get("type") for line in exported[1:-1]}
    missing = {"record", "profile", "usage", "turn", "dialogue", "run", "tombstone", "short_term", "summary"} - kinds
    assert not missing
    assert kinds >= {"profile_field", "profile_version", "episode", "pattern", "skill", "edit"}
    with Memory.open(tmp_path) as memory:
        lines = [json.dumps(line).encode() for line in exported]
        assert sum(memory.import_lines(lines, owner="ana", stream=True).added.values()) == len(exported) - 2
        assert sorted(list(memory.export("ana"))[1:]) == sorted(json_line(line) for line in exported[1:])


def test_a_large_export_comes_in_chunks_and_goes_back_in(served: Live) -> None:
    for at in range(300):
        served.memory.remember("ana", f"note {at}: " + f"thing number {at * 31} " * 20)
    text = served.ana.get("/export").text
    assert len(text) > 200_000
    assert json.loads(text.splitlines()[-1])["count"] == len(text.splitlines()) - 2
    assert sum(served.ana.post("/import", content=text.encode()).json()["added"].values()) == 0


def test_anothers_export_is_refused_whole(served: Live) -> None:
    fill(served.memory, "ana")
    sent = served.ana.get("/export").content
    answer = served.bob.post("/import", content=sent)
    assert answer.status_code == 422
    assert "1 other owners" in answer.json()["detail"]
    assert answer.json()["code"] == "unfit-export"
    assert served.bob.get("/records").json()["records"] == []
    mixed = sent.splitlines()
    mixed[2:2] = [mixed[2].replace(b'"owner_id":"ana"', b'"owner_id":"bob"')]
    assert served.bob.post("/import", content=b"\n".join(mixed)).status_code == 422


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"{}",
        b"nonsense",
        b"\xff\xfe",
        b"[1]\n",
        b'{"format":"memory_middleware","version":1,"entries":[]}',
        b'{"format":"memory_middleware","version":99}\n{"type":"end","count":0}\n',
        b'{"format":"memory_middleware","version":1}\n',
        b'{"format":"memory_middleware","version":1}\n{"type":"end","count":1}\n',
        b'{"format":"memory_middleware","version":1}\n{"type":"record","owner_id":"ana","data":NaN}\n',
        b'{"format":"memory_middleware","version":1}\n{"type":"record","owner_id":"ana","data":1e999}\n',
        b'{"format":"memory_middleware","version":1}\n{"type":"record","owner_id":"ana","data":99999999999999999999}\n',
        b'{"format":"memory_middleware","version":1}\n{"type":"record","owner_id":"ana","data":"\\ud800"}\n',
        b'{"format":"memory_middleware","version":1}\n{"type":"colour","owner_id":"ana","data":{}}\n',
        b'{"format":"memory_middleware","version":1}\n{"type":"turn","owner_id":"ana","data":{}}\n',
        b"[" * 100_000,
    ],
    ids=lambda content: repr(content[:110]),
)
def test_a_broken_file_is_told_and_changes_nothing(content: bytes, shared: Live) -> None:
    answer = shared.ana.post("/import", content=content)
    assert answer.status_code == 422
    assert answer.headers["content-type"] == "application/problem+json"
    assert answer.json()["errors"][0]["field"] == "body"
    assert shared.ana.get("/records").json()["records"] == []


def _in(name: str, **changes: Any) -> Callable[[dict[str, Any]], dict[str, Any]]:
    """Change the document inside a row."""

    def change(data: dict[str, Any]) -> dict[str, Any]:
        return {**data, name: json.dumps({**json.loads(data[name]), **changes})}

    return change


def _of(**changes: Any) -> Callable[[dict[str, Any]], dict[str, Any]]:
    return lambda data: {**data, **changes}


FORGED = [
    ("edit", _of(memory="0"), "edit of something odd"),
    ("edit", _in("document", before={"owner_id": "bob"}, after={"owner_id": "ana"}), "edit of the owner"),
    ("edit", _in("document", before={}), "edit that was half something"),
    ("usage", _of(memory="0" * 40), "use of another's record"),
    ("usage", _of(was_referenced=2), "odd flag"),
    ("usage", _of(used_at="now"), "odd time"),
    ("usage", _in("document", memory_id="other"), "use of something else"),
    ("turn", _in("document", owner_id="bob"), "turn of another"),
    ("turn", _of(entry="0" * 64), "turn under another name"),
    ("turn", _of(document="{"), "unreadable turn"),
    ("dialogue", _in("document", owner_id="bob"), "round of another"),
    ("dialogue", _of(session="0" * 64), "round of another thread"),
    ("run", _of(id="run_0"), "run under another's id"),
    ("run", _in("document", owner_id="bob"), "run of another"),
    ("run", _of(state="done"), "run in another state"),
    ("short_term", _of(entry="0" * 64), "item under another name"),
    ("summary", _of(document="[]"), "unreadable summary"),
    ("tombstone", _of(mark=""), "empty mark"),
    ("profile_field", _of(place="0" * 64), "field at another place"),
    ("profile_field", _in("document", updated_at="yesterday"), "field of no time"),
    ("profile_version", _in("document", content={"colour": "red"}), "version that does not fit"),
    ("profile", _of(content={"colour": "red"}), "profile that does not fit"),
    ("profile", _of(version=0), "profile without a version"),
    ("profile", _of(colour="red"), "unknown column"),
]


@pytest.mark.parametrize(("kind", "forge"), [one[:2] for one in FORGED], ids=[f"{one[0]}: {one[2]}" for one in FORGED])
def test_a_forged_row_is_refused_before_anything_is_written(
    kind: str, forge: Callable[[dict[str, Any]], dict[str, Any]], exported: list[Any], empty: Memory
) -> None:
    at = next(at for at, line in enumerate(exported) if line.get("type") == kind)
    lines = [*exported]
    lines[at] = {**lines[at], "data": forge(lines[at]["data"])}
    with pytest.raises(InvalidInputError, match=f"line {at + 1}: "):
        empty.import_lines((json.dumps(line).encode() for line in lines), owner="ana")


def test_a_forged_row_is_refused_over_the_network(served: Live, exported: list[Any]) -> None:
    lines = [
        {**line, "data": {**line["data"], "memory": "0" * 40}} if line.get("type") == "usage" else line
        for line in exported
    ]
    assert served.ana.post("/import", content=written(lines)).status_code == 422
    assert served.ana.get("/records").json()["records"] == []
    assert served.ana.post("/import", content=written(exported)).status_code == 200


def test_blank_lines_and_a_byte_order_mark_do_no_harm(served: Live) -> None:
    text = b'\xef\xbb\xbf\n{"format":"memory_middleware","version":1}\n\n{"type":"end","count":0}\n\n'
    assert served.ana.post("/import", content=text.replace(b"\xef\xbb\xbf\n", b"\xef\xbb\xbf")).status_code == 200
    assert served.ana.post("/import", content=text[4:]).status_code == 200
