"""The MCP server, used with the SDK's own client: in process, over stdio, and over HTTP with tokens."""

from __future__ import annotations

import asyncio
import contextlib
import json
import socket
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import httpx
import httpx2
import pytest
from mcp import Client, StdioServerParameters, stdio_client
from mcp.client.streamable_http import streamable_http_client

from memory_middleware import InvalidInputError, Memory, MemoryDir, MemoryMiddlewareError
from memory_middleware_mcp import HashedTokens, create_server, hash_token
from memory_middleware_mcp.__main__ import main
from tests.support import ROOT


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Memory]:
    with Memory.open(tmp_path / "memory") as opened:
        opened.remember("ana", "The user lives in Lisbon.")
        opened.remember("bob", "The user lives in Rome.")
        yield opened


def told(result: Any) -> Any:
    assert not result.is_error, result.content
    found = result.structured_content
    return found["result"] if set(found) == {"result"} else found


async def call(client: Client, name: str, **arguments: Any) -> Any:
    return told(await client.call_tool(name, arguments))


def test_tools_and_resources_of_one_owner(memory: Memory, tmp_path: Path) -> None:
    notes = MemoryDir(tmp_path / "notes")
    notes.save_memory("tea", "reference", "Tea", "How to make tea", "Boil water.")
    server = create_server(memory, owner="ana", notes=notes)

    async def go() -> None:
        async with Client(server) as client:
            names = {tool.name for tool in (await client.list_tools()).tools}
            assert names == {"search_memory", "remember", "forget", "get_profile", "update_profile"}
            [hit] = await call(client, "search_memory", query="where do I live?")
            assert hit["content"] == "The user lives in Lisbon."
            kept = await call(client, "remember", content="The user likes tea.", kind="preference")
            assert kept["state"] == "active"
            assert (await call(client, "forget", memory_id=kept["id"]))["forgotten"] == 1
            assert (await call(client, "update_profile", profile="user", changes={"occupation": "nurse"}))[
                "version"
            ] == 2
            assert await call(client, "get_profile") == {"occupation": "nurse"}
            wrong = await client.call_tool("update_profile", {"profile": "user", "changes": {"timezone": "Mars"}})
            assert wrong.is_error
            assert "IANA" in str(wrong.content)
            missing = await client.call_tool("forget", {"memory_id": "mem_x"})
            assert "there is no memory 'mem_x'" in str(missing.content)
            profile = await client.read_resource("memory://profile/user")
            assert json.loads(profile.contents[0].text) == {"occupation": "nurse"}  # type: ignore[union-attr]
            index = await client.read_resource("memory://notes")
            assert "tea" in str(index.contents[0])
            note = await client.read_resource("memory://notes/tea")
            assert "Boil water." in str(note.contents[0])
            with pytest.raises(Exception, match="no note|not found|Error"):
                await client.read_resource("memory://notes/coffee")

    asyncio.run(go())


def test_over_stdio(memory: Memory, tmp_path: Path) -> None:
    memory.close()
    command = StdioServerParameters(
        command=sys.executable,
        args=["-m", "memory_middleware_mcp", "--path", str(tmp_path / "memory"), "--owner", "ana"],
        cwd=str(ROOT),
        env={"PYTHONPATH": f"{ROOT}:{ROOT / 'integrations'}"},
    )

    async def go() -> None:
        async with Client(stdio_client(command)) as client:
            [hit] = await call(client, "search_memory", query="where do I live?")
            assert hit["content"] == "The user lives in Lisbon."

    asyncio.run(go())


def free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


@pytest.fixture
def served(memory: Memory, tmp_path: Path) -> Iterator[str]:
    memory.close()
    tokens = tmp_path / "tokens.json"
    tokens.write_text(json.dumps({hash_token("for-ana"): "ana", hash_token("for-bob"): "bob"}), encoding="utf-8")
    port = free_port()
    command = [sys.executable, "-m", "memory_middleware_mcp", "--http", "--port", str(port), "--tokens", str(tokens)]
    process = subprocess.Popen(
        [*command, "--path", str(tmp_path / "memory")],
        cwd=ROOT,
        env={"PYTHONPATH": f"{ROOT}:{ROOT / 'integrations'}"},
    )
    deadline = time.monotonic() + 60
    while True:
        try:
            httpx.get(f"http://127.0.0.1:{port}/mcp")
            break
        except httpx.TransportError:
            assert time.monotonic() < deadline
            time.sleep(0.1)
    yield f"http://127.0.0.1:{port}/mcp"
    process.terminate()
    process.wait(20)


@contextlib.asynccontextmanager
async def connected(url: str, token: str) -> AsyncIterator[Client]:
    async with (
        httpx2.AsyncClient(headers={"Authorization": f"Bearer {token}"}) as http,
        Client(streamable_http_client(url, http_client=http)) as client,
    ):
        yield client


def test_over_http_the_token_tells_the_owner(served: str) -> None:
    async def home(token: str) -> str:
        async with connected(served, token) as client:
            [hit] = await call(client, "search_memory", query="where do I live?")
            return str(hit["content"])

    assert asyncio.run(home("for-ana")) == "The user lives in Lisbon."
    assert asyncio.run(home("for-bob")) == "The user lives in Rome."
    assert httpx.post(served, json={}).status_code == 401
    assert httpx.post(served, json={}, headers={"Authorization": "Bearer wrong"}).status_code == 401


def test_whose_memory_must_be_told(memory: Memory) -> None:
    tokens = HashedTokens({hash_token("x"): "ana"})
    for wrong in ({}, {"owner": "ana", "tokens": tokens}):
        with pytest.raises(InvalidInputError, match="give owner= or tokens="):
            create_server(memory, **wrong)  # type: ignore[arg-type]
    with pytest.raises(InvalidInputError, match="give url="):
        create_server(memory, tokens=tokens)
    with pytest.raises(InvalidInputError, match="SHA-256"):
        HashedTokens({"secret": "ana"})
    with pytest.raises(MemoryMiddlewareError):
        HashedTokens({hash_token("x"): ""})


def test_without_tokens_only_this_machine_is_served(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    given = ["--path", str(tmp_path), "--owner", "ana", "--http", "--host", "0.0.0.0"]
    assert main(given) == 2
    assert "only at a loopback address" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("given", "told"),
    [
        (["--owner", ""], "needs the id of its owner"),
        ([], "say whose memory"),
        (["--tokens", "tokens.json"], "give --http"),
        (["--http", "--tokens", "missing.json"], "cannot read the tokens 'missing.json'"),
        (["--http", "--tokens", "broken.json"], "cannot read the tokens 'broken.json'"),
        (["--http", "--tokens", "list.json"], "must hold an object"),
        (["--http", "--tokens", "number.json"], "SHA-256"),
        (["--owner", "ana", "--config", "missing.yaml"], "cannot read the configuration file"),
    ],
    ids=["empty", "nobody", "tokens over stdio", "no file", "no JSON", "no object", "no owner", "no configuration"],
)
def test_what_is_wrong_is_told_in_one_line_and_nothing_is_made(
    given: list[str], told: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    files = {"tokens": {hash_token("x"): "ana"}, "list": [], "number": {hash_token("x"): 7}}
    for name, content in files.items():
        Path(f"{name}.json").write_text(json.dumps(content), encoding="utf-8")
    Path("broken.json").write_text("{", encoding="utf-8")
    assert main(given) == 2
    error = capsys.readouterr().err
    assert error.startswith("memory-mcp: ")
    assert error.count("\n") == 1
    assert told in error
    assert not Path("memory").exists()


def test_a_place_that_cannot_be_opened_ends_with_one(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    assert main(["--owner", "ana", "--path", str(tmp_path / "file")]) == 1
    assert capsys.readouterr().err.startswith("memory-mcp: cannot make the folder")


def test_arguments_that_do_not_fit_are_told_to_the_model_and_change_nothing(memory: Memory) -> None:
    wrong: list[tuple[str, dict[str, Any]]] = [
        ("search_memory", {}),
        ("search_memory", {"query": ""}),
        ("search_memory", {"query": "tea", "limit": 0}),
        ("search_memory", {"query": "tea", "limit": "many"}),
        ("search_memory", {"query": "tea", "owner": "bob"}),
        ("remember", {"content": "The user naps.", "kind": "rumour"}),
        ("remember", {"content": "The user naps.", "owner_id": "bob"}),
        ("remember", {"content": "half \ud83d character"}),
        ("update_profile", {"profile": "home", "changes": {}}),
        ("update_profile", {"profile": "user", "changes": {"colour": "red"}}),
        ("update_profile", {"profile": "user", "changes": []}),
        ("forget", {"memory_id": ["mem_1"]}),
    ]
    before = list(memory.export())[1:]

    async def go() -> None:
        async with Client(create_server(memory, owner="ana")) as client:
            for name, arguments in wrong:
                answer = await client.call_tool(name, arguments)
                assert answer.is_error, (name, arguments)
                assert "Traceback" not in str(answer.content)

    asyncio.run(go())
    assert list(memory.export())[1:] == before


@pytest.mark.parametrize(
    ("name", "arguments", "sentence"),
    [
        ("search_memory", {}, "'query' is missing; it is what to look for, in the user's words"),
        ("search_memory", {"query": ""}, "'query' must not be empty; it is what to look for, in the user's words"),
        (
            "search_memory",
            {"query": "tea", "limit": 0},
            "'limit' must be at least 1, not 0; it is the most memories to give",
        ),
        ("search_memory", {"query": "tea", "owner": "bob"}, "there is no argument 'owner'; known: query, limit"),
        (
            "update_profile",
            {"profile": "home", "changes": {}},
            "'profile' should be 'user' or 'work', not 'home'; it is the person, or the person's work",
        ),
        (
            "forget",
            {"memory_id": ["mem_1"]},
            "'memory_id' should be a valid string, not ['mem_1']; it is the id of a memory, as search_memory tells it",
        ),
    ],
    ids=["missing", "empty", "too small", "unknown", "no such value", "of another type"],
)
def test_a_wrong_argument_is_one_plain_sentence(
    memory: Memory, name: str, arguments: dict[str, Any], sentence: str
) -> None:
    async def go() -> None:
        async with Client(create_server(memory, owner="ana")) as client:
            answer = await client.call_tool(name, arguments)
            assert answer.is_error
            assert [part.text for part in answer.content] == [f"{name}: {sentence}"]  # type: ignore[union-attr]

    asyncio.run(go())


def test_several_wrong_arguments_are_told_at_once_and_long_ones_are_cut(memory: Memory) -> None:
    async def go() -> None:
        async with Client(create_server(memory, owner="ana")) as client:
            answer = await client.call_tool("search_memory", {"query": ["tea"] * 5000, "limit": 99})
            told = str(answer.content[0])
            assert "'query' should be a valid string" in told
            assert "'limit' must be at most 50, not 99" in told
            assert "pydantic" not in told
            assert len(told) < 600

    asyncio.run(go())


def test_chinese_and_very_long_words_are_taken(memory: Memory) -> None:
    long = "用户喜欢茶。" * 20_000

    async def go() -> None:
        async with Client(create_server(memory, owner="李雷")) as client:
            kept = await call(client, "remember", content="用户对花生过敏。", kind="preference")
            hits = await call(client, "search_memory", query=f"花生过敏 {long}")
            assert hits[0]["id"] == kept["id"]
            await call(client, "update_profile", profile="user", changes={"interests": ["围棋", long]})
            assert (await call(client, "get_profile"))["interests"] == ["围棋", long]
            profile = await client.read_resource("memory://profile/user")
            assert "围棋" in str(profile.contents[0])

    asyncio.run(go())


def test_two_clients_at_once_keep_what_each_was_told(served: str) -> None:
    async def talk(token: str, words: str) -> list[str]:
        async with connected(served, token) as client:
            for at in range(10):
                await call(client, "remember", content=f"{words} {at}.", kind="fact")
            hits = await call(client, "search_memory", query=words, limit=50)
            return [hit["content"] for hit in hits]

    async def go() -> list[list[str]]:
        talks = (talk("for-ana", "The user owns boat"), talk("for-bob", "The user owns house"))
        return list(await asyncio.gather(*talks))

    ana, bob = asyncio.run(go())
    assert {f"The user owns boat {at}." for at in range(10)} <= set(ana)
    assert {f"The user owns house {at}." for at in range(10)} <= set(bob)
    assert not any("house" in content for content in ana)
    assert not any("boat" in content for content in bob)
