"""The OpenAPI description tells everything, and the server does what it tells."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from memory_middleware import Memory, MemoryDir
from memory_middleware_rest import create_app
from tests.rest.live import live, token_of, tokens
from tests.rest.seeded import fill
from tests.support import ROOT

SUBJECTS = {
    "profiles",
    "records",
    "review",
    "forgetting",
    "experience",
    "notes",
    "journal",
    "upkeep",
    "moving",
    "health",
}


@pytest.fixture(scope="module")
def described(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    with Memory.open(tmp_path_factory.mktemp("memory")) as memory:
        return create_app(memory, auth=tokens()).openapi()


def operations(described: dict[str, Any]) -> list[tuple[str, dict[str, Any]]]:
    return [
        (f"{method} {path}", told) for path, methods in described["paths"].items() for method, told in methods.items()
    ]


def test_every_operation_is_told_completely(described: dict[str, Any]) -> None:
    found = operations(described)
    assert len(found) >= 55
    names = [told["operationId"] for _, told in found]
    assert len(set(names)) == len(names)
    assert {tag for _, told in found for tag in told["tags"]} == SUBJECTS
    for name, told in found:
        assert told["description"], name
        answers = told["responses"]
        good = next(answer for status, answer in answers.items() if status.startswith("2"))
        for media in good.get("content", {}).values():
            assert "example" in media, name
        assert "422" in answers, name
        public = told["tags"] == ["health"]
        assert public or "401" in answers, name
        assert public or told["security"] == [{"bearer": []}], name
        for status, answer in answers.items():
            if status[0] in "45":
                assert "application/problem+json" in answer["content"], (name, status)


def test_every_reference_leads_somewhere(described: dict[str, Any]) -> None:
    known = {f"#/components/schemas/{name}" for name in described["components"]["schemas"]}

    def references(part: Any) -> set[str]:
        if isinstance(part, dict):
            own = {part["$ref"]} if isinstance(part.get("$ref"), str) else set()
            return own.union(*map(references, part.values()))
        return set().union(*map(references, part)) if isinstance(part, list) else set()

    assert references(described) <= known


def test_no_request_names_an_owner(described: dict[str, Any]) -> None:
    for name, told in operations(described):
        for parameter in told.get("parameters", []):
            assert "owner" not in parameter["name"], name
    for name, schema in described["components"]["schemas"].items():
        if name in ("NewRecord", "RecordChanges", "ForgetRequest", "NoteBody", "StatusChange"):
            assert not any("owner" in field for field in schema["properties"]), name
            assert schema["additionalProperties"] is False


def test_schemathesis_finds_nothing(tmp_path: Path) -> None:
    with live(tmp_path / "memory", notes=MemoryDir(tmp_path / "notes")) as served:
        fill(served.memory, "ana")
        done = subprocess.run(
            [
                sys.executable,
                "-m",
                "schemathesis.cli",
                "--config-file",
                str(ROOT / "tests" / "rest" / "schemathesis.toml"),
                "run",
                f"{served.url}/api/v1/openapi.json",
                "--header",
                f"Authorization: Bearer {token_of('ana')}",
                "--max-examples=4",
                "--generation-deterministic",
                "--no-color",
            ],
            cwd=ROOT,
            capture_output=True,
            text=True,
            check=False,
        )
    assert done.returncode == 0, done.stdout[-20_000:] + done.stderr[-2_000:]
    assert "57 total" in done.stdout
