"""Every block of the documents that is not Python does what the page says; ``tests/test_examples.py`` runs Python."""

from __future__ import annotations

import importlib
import json
import re
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
import yaml

from memory_middleware import MemoryConfig
from memory_middleware_mcp import HashedTokens, hash_token
from memory_middleware_rest import ServerConfig
from memory_middleware_rest import hash_token as rest_hash
from tests.docs.blocks import Block, blocks, reader, run

CHECKED = {"python", "bash", "sh", "yaml", "json", "text"}
INSTALLED = ("README.md",)  # what a clean checkout does first; the gate runs it to the letter
VARIABLES = ("OPENAI_API_KEY", "DATABASE_URL", "MINIO_KEY", "MINIO_SECRET")
SERVES = re.compile(r"^memory serve .*|^memory-mcp --http.*", re.MULTILINE)


def named(*languages: str) -> list[Any]:
    return [pytest.param(block, id=block.name) for block in blocks(*languages) if block.page not in INSTALLED]


def test_every_block_is_in_a_language_that_is_checked() -> None:
    assert {block.name: block.language for block in blocks() if block.language not in CHECKED} == {}
    assert {block.language for block in blocks()} == CHECKED


@pytest.mark.parametrize("block", named("bash"))
def test_a_shell_block_runs(block: Block, tmp_path: Path) -> None:
    environment = reader(tmp_path)
    (tmp_path / "tokens.json").write_text(json.dumps({hash_token("a token"): "ana"}), encoding="utf-8")
    run(SERVES.sub("", block.text), tmp_path, environment, said="a token\n")
    for command in SERVES.findall(block.text):
        with served(command.partition("#")[0], tmp_path, environment):
            pass


@pytest.mark.parametrize("block", named("sh"))
def test_requests_of_a_page_are_answered(block: Block, tmp_path: Path) -> None:
    environment = {**reader(tmp_path), "TOKEN": "a token of ana"}
    settings = {"tokens": [{"owner": "ana", "hash": rest_hash("a token of ana")}]}
    (tmp_path / "server.yaml").write_text(yaml.safe_dump(settings), encoding="utf-8")
    with served("memory serve --server server.yaml", tmp_path, environment) as port:
        told = run(block.text.replace(":8420", f":{port}"), tmp_path, environment)
    assert (tmp_path / "memory.jsonl").read_text(encoding="utf-8").startswith('{"format"')
    problems = re.findall(r'"status": ?(\d+)', told)
    assert [status for status in problems if status != "412"] == [], told


@pytest.mark.parametrize("block", named("yaml"))
def test_a_yaml_block_is_a_configuration(block: Block, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in VARIABLES:
        monkeypatch.setenv(name, "something")
    file = tmp_path / "file.yaml"
    file.write_text(block.text, encoding="utf-8")
    if "port" in yaml.safe_load(block.text):
        assert ServerConfig.from_yaml(file).tokens
    else:
        assert MemoryConfig.from_yaml(file) != MemoryConfig()


@pytest.mark.parametrize("block", named("json"))
def test_a_json_block_names_what_there_is(block: Block) -> None:
    told = json.loads(block.text)
    if "store" in told:
        module, _, name = told["store"]["path"].rpartition(".")
        assert callable(getattr(importlib.import_module(module), name))
    elif "mcpServers" in told:
        started = told["mcpServers"]["memory"]
        assert started["command"] == "memory-mcp"
        parser = importlib.import_module("memory_middleware_mcp.__main__")._parser()
        assert parser.parse_args(started["args"]).owner == "ana"
    else:
        HashedTokens({hash_token(hashed): owner for hashed, owner in told.items()})


@contextmanager
def served(command: str, folder: Path, environment: dict[str, str]) -> Iterator[int]:
    """Serve at a free port until the block is done."""
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        port = int(found.getsockname()[1])
    process = subprocess.Popen(
        ["bash", "-c", f"exec {command} --port {port}"],
        cwd=folder,
        env=environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        _wait(process, port)
        yield port
    finally:
        process.terminate()
        process.wait(30)


def _wait(process: subprocess.Popen[bytes], port: int) -> None:
    deadline = time.monotonic() + 60
    while True:
        assert process.poll() is None
        try:
            httpx.get(f"http://127.0.0.1:{port}/")
        except httpx.TransportError:
            assert time.monotonic() < deadline
            time.sleep(0.1)
        else:
            return
