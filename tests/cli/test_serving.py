"""``serve``, ``mcp`` and ``doctor``."""

from __future__ import annotations

import json
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path

import pytest

from memory_middleware_cli.commands import doctor
from tests.cli.conftest import Shell


def free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


def test_a_memory_is_served_over_http(shell: Shell) -> None:
    shell.add("The user lives in Oslo.")
    port = free_port()
    words = ["serve", "--insecure-single-user", "--port", str(port), "--path", str(shell.folder)]
    command = [sys.executable, "-m", "memory_middleware_cli", *words]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as server:
        try:
            address = f"http://127.0.0.1:{port}/api/v1/memories"
            assert json.loads(asked(address)) is not None
        finally:
            server.terminate()
            told = server.communicate(timeout=30)[1]
    assert f"serving at http://127.0.0.1:{port}" in told


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost"])
def test_a_port_in_use_is_told_in_one_line(shell: Shell, host: str) -> None:
    shell.add("The user lives in Oslo.")
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        words = ("serve", "--insecure-single-user", "--host", host, "--port", port, "--path", str(shell.folder))
        done = shell.run(*words)
    assert done.exit_code == 1
    assert done.output == f"memory: cannot listen on {host}:{port}: address in use; choose another with --port\n"


def asked(address: str) -> str:
    for _ in range(200):
        try:
            with urllib.request.urlopen(address, timeout=5) as answer:
                return str(answer.read().decode())
        except urllib.error.URLError:
            time.sleep(0.1)
    raise AssertionError(f"nobody answers at {address}")


def test_serving_asks_who_may_ask(shell: Shell, tmp_path: Path) -> None:
    shell.add("The user lives in Oslo.")
    assert "say who may ask" in shell("serve", code=2)
    settings = tmp_path / "server.yaml"
    settings.write_text("port: 99999\n", encoding="utf-8")
    assert "port" in shell("serve", "--server", str(settings), code=2)
    told = shell("serve", "--insecure-single-user", "--host", "0.0.0.0", code=2)
    assert "without authentication" in told
    assert "serving at" not in told


@pytest.mark.parametrize(
    ("words", "module", "extra"),
    [
        (("serve", "--insecure-single-user"), "memory_middleware_rest", "rest"),
        (("mcp",), "memory_middleware_mcp.__main__", "mcp"),
    ],
    ids=["rest", "mcp"],
)
def test_an_extra_that_is_missing_is_named(
    shell: Shell, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...], module: str, extra: str
) -> None:
    shell.add("The user lives in Oslo.")
    monkeypatch.setitem(sys.modules, module, None)
    assert f"pip install 'langgraph-memory-middleware[{extra}]'" in shell(*words, code=2)


def test_the_mcp_server_answers_over_its_pipe(shell: Shell) -> None:
    shell.add("The user lives in Oslo.")
    hello = {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "initialize",
        "params": {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}},
    }
    words = ["mcp", "--owner", "ana", "--path", str(shell.folder)]
    done = subprocess.run(
        [sys.executable, "-m", "memory_middleware_cli", *words],
        input=json.dumps(hello) + "\n",
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert json.loads(done.stdout.splitlines()[0])["result"]["serverInfo"]["name"] == "memory"


def test_the_mcp_server_says_what_is_wrong(shell: Shell) -> None:
    assert shell.run("mcp", "--http", "--host", "0.0.0.0", "--path", str(shell.folder)).exit_code == 2


def test_the_doctor_finds_a_memory_healthy(shell: Shell) -> None:
    shell.add("The user lives in Oslo.")
    told = shell("doctor")
    for part in ("versions", "token ranks", "o200k_base, exact", "embedder", "256 dimensions", "parked batches"):
        assert part in told
    data = shell.json("doctor")
    assert data["ok"] is True
    assert all(one["ok"] for one in data["findings"])


def test_the_doctor_names_a_remedy_for_what_is_wrong(shell: Shell, tmp_path: Path) -> None:
    told = shell("doctor", code=1)
    assert "there is no memory in" in told
    assert "→" in told
    assert not shell.folder.exists()
    broken = tmp_path / "memory.yaml"
    broken.write_text("storage: {paht: x}\n", encoding="utf-8")
    found = shell.json("doctor", "--config", str(broken), code=1)["findings"][-1]
    assert (found["name"], found["ok"]) == ("config", False)
    assert found["remedy"]


def test_the_doctor_looks_at_a_memory_without_an_embedder(shell: Shell, tmp_path: Path) -> None:
    rules = tmp_path / "memory.yaml"
    rules.write_text("embedding: null\n", encoding="utf-8")
    shell("add", "The user lives in Oslo.", "--owner", "ana", "--config", str(rules))
    assert "records are found by their words" in shell("doctor", "--config", str(rules))


def test_the_doctor_tells_of_a_model(shell: Shell, tmp_path: Path) -> None:
    shell.add("The user lives in Oslo.")
    rules = tmp_path / "memory.yaml"
    agent = "{enabled: true, provider: openai, model: gpt-4o-mini, api_key: k}"
    rules.write_text(f"memory_agent: {agent}\n", encoding="utf-8")
    assert "openai:gpt-4o-mini, not called" in shell("doctor", "--config", str(rules))
    rules.write_text("memory_agent: {enabled: true, model: 'nobody:nothing'}\n", encoding="utf-8")
    assert "cannot build the chat model" in shell("doctor", "--config", str(rules), code=1)


def test_the_doctor_tells_of_a_model_that_is_named_and_not_used(shell: Shell, tmp_path: Path) -> None:
    shell.add("The user lives in Oslo.")
    rules = tmp_path / "memory.yaml"
    rules.write_text("memory_agent: {provider: openai, model: gpt-4o-mini}\n", encoding="utf-8")
    told = shell("doctor", "--config", str(rules), code=1)
    assert "openai:gpt-4o-mini is named but not enabled; rules extract" in told
    assert "→ add `enabled: true` below memory_agent" in told
    rules.write_text("memory_agent: {enabled: false, provider: openai, model: gpt-4o-mini}\n", encoding="utf-8")
    assert "openai:gpt-4o-mini is switched off; rules extract" in shell("doctor", "--config", str(rules))


def test_the_doctor_tells_of_an_embedder_that_does_not_answer(shell: Shell, tmp_path: Path) -> None:
    rules = tmp_path / "memory.yaml"
    nobody = "{provider: openai, model: m, base_url: 'http://127.0.0.1:9/v1', params: {max_retries: 0}}"
    rules.write_text(f"embedding: {nobody}\n", encoding="utf-8")
    shell("profile", "patch", "user", "{}", "--owner", "ana", "--config", str(rules))
    found = {one["name"]: one for one in shell.json("doctor", "--config", str(rules), code=1)["findings"]}
    assert found["embedder"]["ok"] is False
    assert "key" in found["embedder"]["remedy"]
    assert found["index"]["ok"] is True


def test_the_doctor_tells_of_a_full_disk(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    shell.add("The user lives in Oslo.")
    monkeypatch.setattr(doctor, "_LEAST_FREE", 10**18)
    assert "free some room on the disk" in shell("doctor", code=1)


def test_packages_that_are_not_installed_are_told() -> None:
    assert doctor._version("no-such-package") == "no-such-package from source"
