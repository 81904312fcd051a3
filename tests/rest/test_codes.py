"""Every problem has a code that stays, and the page has words for it in both languages."""

from __future__ import annotations

import ast
import json
import re
from pathlib import Path
from typing import Any

import pytest
from starlette.exceptions import HTTPException

import memory_middleware_rest
from memory_middleware_rest.codes import CODES, code_of
from memory_middleware_rest.faults import answer_to
from memory_middleware_rest.problems import ProblemError
from tests.rest.live import Live

PACKAGE = Path(str(memory_middleware_rest.__file__)).parent


def words(language: str) -> dict[str, str]:
    """Read the words of the page; each stands in quotes, as JSON would write it."""
    text = (PACKAGE / "page" / "static" / "words" / f"{language}.js").read_text(encoding="utf-8")
    return dict(re.findall(r'"((?:problem|fault)\.[^"]+)": "((?:[^"\\]|\\.)*)"', text))


def calls() -> list[ast.Call]:
    trees = [ast.parse(path.read_text(encoding="utf-8")) for path in PACKAGE.rglob("*.py")]
    return [node for tree in trees for node in ast.walk(tree) if isinstance(node, ast.Call)]


def test_every_code_that_is_given_is_known_and_of_its_status() -> None:
    given: set[str] = set()
    for call in calls():
        status = call.args[0].value if call.args and isinstance(call.args[0], ast.Constant) else None
        for keyword in call.keywords:
            if keyword.arg == "code" and isinstance(keyword.value, ast.Constant) and keyword.value.value:
                code = str(keyword.value.value)
                given.add(code)
                assert not isinstance(status, int) or CODES[code] == status
    named = {
        call.args[2].value
        for call in calls()
        if getattr(call.func, "id", "") == "missing" and isinstance(call.args[2], ast.Constant)
    }
    usual = {code_of(status) for status in {*CODES.values(), 418}}
    assert given | named | usual == set(CODES)


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("code", CODES)
def test_every_code_has_words(code: str, language: str) -> None:
    found = words(language)[f"problem.{code}"]
    assert bool(re.search("[\u4e00-\u9fff]", found)) == (language == "zh")


def test_no_words_are_left_over() -> None:
    for language in ("en", "zh"):
        assert {name for name in words(language) if name.startswith("problem.")} == {f"problem.{one}" for one in CODES}


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (ProblemError(409, "no"), "wrong-state"),
        (ProblemError(409, "no", code="nothing-to-undo"), "nothing-to-undo"),
        (HTTPException(418, "a teapot of the host"), "refused"),
        (RuntimeError("inside"), "failure"),
    ],
    ids=["usual", "named", "foreign", "unexpected"],
)
def test_an_error_tells_its_code(error: Exception, code: str) -> None:
    assert json.loads(bytes(answer_to(error).body))["code"] == code


@pytest.mark.parametrize(
    ("method", "path", "body", "code"),
    [
        ("GET", "/records/none", None, "no-record"),
        ("GET", "/skills/none", None, "no-experience"),
        ("GET", "/notes", None, "no-notes"),
        ("POST", "/runs/none/retry", None, "no-run"),
        ("POST", "/forget", {"ids": ["none"]}, "no-memory"),
        ("GET", "/records?cursor=x", None, "unfit-cursor"),
        ("GET", "/records?colour=red", None, "unknown-parameter"),
        ("POST", "/records", {"content": ""}, "unfit-request"),
        ("POST", "/import", {}, "unfit-export"),
        ("GET", "/nowhere", None, "not-found"),
        ("PUT", "/records", None, "no-such-method"),
    ],
    ids=lambda value: str(value),
)
def test_a_problem_tells_its_code(method: str, path: str, body: Any, code: str, shared: Live) -> None:
    answer = shared.ana.request(method, path, json=body)
    assert answer.json()["code"] == code
    assert answer.status_code == CODES[code]
