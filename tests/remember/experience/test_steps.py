"""Steps that runs have in common."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory_middleware.remember.experience.steps import Step, common_steps, steps_of, subject_of
from memory_middleware.schemas.experience_parts import ActionEntry


def action(tool: str, target: str = "", result: str = "ok") -> ActionEntry:
    return ActionEntry(tool, target, result, 0)


def test_actions_become_steps_that_compare() -> None:
    done = [
        action("read_file", "src/auth.py"),
        action("read_file", "src/login.py"),
        action("edit_file", "src/auth.py", "error: edit_file failed: no match"),
        action("edit_file", "src/auth.py"),
        action("edit_file", "README.md"),
        action("bash", "cd repo && pytest -q"),
        action("ask", '{"a": 1}'),
        action(""),
    ]
    assert steps_of(done) == (
        Step("read_file", "*.py"),
        Step("edit_file", ""),
        Step("bash pytest", ""),
        Step("ask", ""),
    )


@pytest.mark.parametrize(
    ("command", "subject"),
    [
        ("pytest -q", "pytest"),
        ("cd x && sudo /usr/bin/git commit -m 'y'", "git commit"),
        ("A=1 B=2 python -m pytest tests", "python -m pytest"),
        ("python manage.py migrate", "python migrate"),
        ("npm", "npm"),
        ("export X=1; cat a | grep b", "cat"),
        ("echo hi", ""),
        ("$(evil)", ""),
        ("", ""),
    ],
)
def test_a_shell_step_is_named_by_its_command(command: str, subject: str) -> None:
    assert subject_of("bash", command) == subject


def test_the_subject_of_other_tools_is_their_target() -> None:
    assert subject_of("read", "a.py") == "a.py"
    assert subject_of("divide", '{"a": 1}') == ""


def test_common_steps_leave_out_what_only_some_runs_did() -> None:
    runs = ["read edit test commit", "read search edit test commit", "read edit lint test", "read edit test commit"]
    found = common_steps([run.split() for run in runs])
    assert found is not None
    assert found.names == ("read", "edit", "test")
    assert found.support == {0, 1, 2, 3}


def test_a_run_that_went_quite_another_way_is_left_aside() -> None:
    runs = ["read edit test commit", "read edit test commit", "read edit test commit push", "ask answer"]
    found = common_steps([run.split() for run in runs])
    assert found is not None
    assert found.names == ("read", "edit", "test", "commit")
    assert found.support == {0, 1, 2}


@pytest.mark.parametrize("runs", [[], [[]], [["read", "edit"]], [["a"], ["a"]], [["a", "b"], ["c", "d"]]])
def test_too_little_in_common_is_nothing(runs: list[list[str]]) -> None:
    assert common_steps(runs) is None


def is_part(part: Sequence[str], whole: Sequence[str]) -> bool:
    rest = iter(whole)
    return all(name in rest for name in part)


runs_strategy = st.lists(st.lists(st.sampled_from("abcdef"), max_size=8), max_size=7)


@given(runs_strategy, st.randoms(use_true_random=False))
def test_common_steps_are_in_every_run_that_supports_them_in_any_order_of_runs(
    runs: list[list[str]], random: object
) -> None:
    found = common_steps(runs)
    shuffled = list(runs)
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    again = common_steps(shuffled)
    assert (found and found.names) == (again and again.names)
    if found is not None:
        assert len(found.names) >= 2
        assert len(found.support) >= 2
        assert all(is_part(found.names, runs[at]) for at in found.support)
