"""What counts as an error of a tool, and how a run ended."""

from __future__ import annotations

from typing import Any

import pytest
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage

from memory_middleware.remember.experience import episode_from_run
from tests.remember.experience.runs import calls, one_call, told

TRACEBACK = """Traceback (most recent call last):
  File "a.py", line 1, in <module>
    import tea
ModuleNotFoundError: No module named 'tea'"""


@pytest.mark.parametrize(
    ("name", "answer", "kind", "message"),
    [
        ("run", TRACEBACK, "ModuleNotFoundError", "ModuleNotFoundError: No module named 'tea'"),
        ("run", "Error: ValueError('bad')\n Please fix.", "ValueError", "Error: ValueError('bad') Please fix."),
        ("api", "requests.exceptions.ReadTimeout: slow", "ReadTimeout", None),
        ("api", "Error: requests.exceptions.ReadTimeout: slow", "ReadTimeout", None),
        ("api", '{"error": {"message": "no such user"}}', "api failed", "no such user"),
        ("api", '{"error": {"code": 5}}', "api failed", '{"code": 5}'),
        ("api", '{"success": false, "reason": "HTTP 503"}', "HTTP 503", "HTTP 503"),
        ("api", '{"ok": false}', "api failed", "no message"),
        ("api", '{"error": null, "items": []}', None, None),
        ("api", "{not json", None, None),
        ("api", '{"a":' * 3000, None, None),
        ("api", "Failed to connect, status code: 502", "HTTP 502", None),
        ("bash", "compiling…\nexit code: 2", "bash exit code 2", None),
        ("bash", "sh: tea: command not found", "bash failed", None),
        ("bash", "exit code: 0", None, None),
        ("pytest", "...\n=== 2 failed, 3 passed in 1s ===", "pytest failed", None),
        ("pytest", "=== 5 passed in 1s ===", None, None),
        ("查询", "错误：没有权限", "查询 failed", "错误：没有权限"),
        ("查询", "错误处理指南", None, None),
        ("lint", "error-free", None, None),
        ("write", "0 errors", None, None),
        ("read_file", "Error: no such file", "read_file failed", None),
        ("read_file", "ERROR 12:00 disk slow\n" * 40, None, None),
        ("read_file", '{"error": "x", "pad": "' + "y" * 500 + '"}', None, None),
        ("read_file", "docs say\nexit code 3", None, None),
    ],
)
def test_an_answer_that_tells_an_error_is_one(name: str, answer: str, kind: str | None, message: str | None) -> None:
    errors = episode_from_run(one_call(name, {}, answer)).errors_encountered
    assert [error.error_type for error in errors] == ([kind] if kind else [])
    if message:
        assert errors[0].message == message


def test_the_status_of_an_answer_decides() -> None:
    made = episode_from_run(one_call("read_file", {"path": "a"}, "", status="error"))
    assert [(error.error_type, error.message) for error in made.errors_encountered] == [
        ("read_file failed", "no message")
    ]
    assert made.action_log[0].output == "error: read_file failed: no message"


def flow(*steps: tuple[str, dict[str, Any], str], last: str = "Done.") -> list[BaseMessage]:
    made: list[BaseMessage] = [HumanMessage("Do it")]
    for at, (name, args, answer) in enumerate(steps):
        made += [calls((name, args), start=at), told(at, answer)]
    return [*made, AIMessage(last)]


@pytest.mark.parametrize(
    ("steps", "resolution"),
    [
        ([("read", {"path": "a"}, "Error: x"), ("read", {"path": "a"}, "text")], "retry → read a"),
        ([("read", {"path": "a"}, "Error: x"), ("read", {"path": "b"}, "text")], ""),
        (
            [
                ("bash", {"command": "pytest -q"}, "1 failed"),
                ("read_file", {"path": "a.py"}, "text"),
                ("bash", {"command": "pip install tea"}, "Error: offline"),
                ("edit", {"path": "a.py"}, "ok"),
                ("bash", {"command": "cd x; pytest"}, "1 passed"),
            ],
            "edit a.py → bash cd x; pytest",
        ),
        (
            [("divide", {"a": 1, "b": 0}, "Error: zero"), ("divide", {"a": 1, "b": 2}, "0.5")],
            'retry → divide {"a": 1, "b": 2}',
        ),
        ([("search", {"query": "x"}, "Error: slow"), ("search", {"query": "y"}, "found")], ""),
    ],
    ids=["again", "another file", "a command", "no target", "another query"],
)
def test_an_error_is_resolved_when_the_same_call_goes_well_later(
    steps: list[tuple[str, dict[str, Any], str]], resolution: str
) -> None:
    assert episode_from_run(flow(*steps)).errors_encountered[0].resolution == resolution


Told = tuple[str, dict[str, Any], str]
GOOD: Told = ("write_file", {"path": "a"}, "ok")
BAD: Told = ("run_test", {}, "Error: x")
LOOK: Told = ("read_file", {"path": "a"}, "text")


@pytest.mark.parametrize(
    ("steps", "last", "outcome"),
    [
        ([], "Here is the poem.", "success"),
        ([GOOD], "Done.", "success"),
        ([BAD, GOOD], "Done another way.", "success"),
        ([GOOD, BAD], "Done.", "partial"),
        ([BAD, BAD], "Done.", "failure"),
        ([LOOK], "I could not find the cause.", "failure"),
        ([LOOK], "I couldn't complete this, sorry.", "failure"),
        ([LOOK], "Unfortunately, I was unable to log in.", "failure"),
        ([LOOK], "Failed to deploy.", "failure"),
        ([GOOD], "I was unable to run the tests.", "partial"),
        ([LOOK], "I could not find any problems.", "success"),
        ([LOOK], "Users cannot log in twice now.", "success"),
        ([GOOD], "The migration is partially done.", "partial"),
        ([LOOK], "抱歉，我无法完成这个任务。", "failure"),
        ([LOOK], "很遗憾，未能找到原因。", "failure"),
        ([GOOD], "目前无法运行测试。", "partial"),
        ([LOOK], "现在未授权的用户无法访问该页面。", "success"),
        ([LOOK], "检查完毕，没有发现任何问题。", "success"),
        ([LOOK], "部分完成，还剩两个文件。", "partial"),
    ],
)
def test_the_outcome_follows_from_calls_and_last_words(
    steps: list[tuple[str, dict[str, Any], str]], last: str, outcome: str
) -> None:
    assert episode_from_run(flow(*steps, last=last)).outcome == outcome


def test_a_run_that_was_cut_off_succeeded_in_part() -> None:
    assert episode_from_run(flow(LOOK)[:-1]).outcome == "partial"
    assert episode_from_run([HumanMessage("Do it")]).outcome == "partial"
    assert episode_from_run([HumanMessage("Do it"), calls(("work", {}))]).outcome == "partial"
