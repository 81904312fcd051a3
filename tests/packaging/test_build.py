"""What is built can be installed and used from anywhere."""

from __future__ import annotations

import json
import subprocess
import sys
import tarfile
import venv
import zipfile
from pathlib import Path

import pytest

from tests.support import ROOT

CHECK = """
import importlib, json, sys
import memory_middleware, memory_middleware.schemas
for package in (memory_middleware, memory_middleware.schemas):
    for name in package.__all__:
        getattr(package, name)
from memory_middleware import PromptLibrary, TokenCounter
prompts = {lang: [PromptLibrary(language=lang).load(n).name for n in PromptLibrary().names()] for lang in ("en", "zh")}
print(json.dumps({
    "home": memory_middleware.__file__,
    "prompts": prompts,
    "tokens": [TokenCounter(name).count("hello world") for name in ("o200k_base", "cl100k_base")],
}))
"""


def run(*command: str | Path, cwd: Path) -> str:
    done = subprocess.run([str(part) for part in command], cwd=cwd, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the sdist from the checkout, and the wheel from the sdist."""
    folder = tmp_path_factory.mktemp("dist")
    run(sys.executable, "-m", "build", "--no-isolation", "--outdir", folder, ROOT, cwd=folder)
    return folder


def test_the_wheel_carries_code_prompts_and_data_under_our_names_only(built: Path) -> None:
    (wheel,) = built.glob("*.whl")
    names = zipfile.ZipFile(wheel).namelist()
    tops = {name.split("/")[0] for name in names}
    hosts = {f"memory_middleware_{host}" for host in ("cli", "langchain", "mcp", "rest")}
    assert {top for top in tops if not top.endswith(".dist-info")} == {"memory_middleware", *hosts}
    sources = [path.relative_to(ROOT).as_posix() for path in (ROOT / "memory_middleware").rglob("*.py")]
    home = ROOT / "integrations"
    page = home / "memory_middleware_rest" / "page" / "static"
    sources += [path.relative_to(home).as_posix() for path in page.rglob("*") if path.is_file()]
    assert len(sources) > 300
    prompts = [f"memory_middleware/prompts/{path.name}" for path in (ROOT / "prompts").glob("*.md")]
    data = [
        f"memory_middleware/tokens/data/{name}"
        for name in ("NOTICE", "o200k_base.tiktoken.xz", "cl100k_base.tiktoken.xz")
    ]
    demo = [f"memory_middleware_cli/demo/{path.name}" for path in (ROOT / "examples" / "demo").iterdir()]
    typed = [f"{package}/py.typed" for package in ("memory_middleware", *hosts)]
    assert {*sources, *prompts, *data, *demo, *typed} <= set(names)


def test_the_sdist_carries_what_a_packager_needs(built: Path) -> None:
    (sdist,) = built.glob("*.tar.gz")
    with tarfile.open(sdist) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    assert {"pyproject.toml", "LICENSE", "prompts/router.md", "tests/conftest.py", "constraints.txt"} <= names


def test_wheel_sdist_and_editable_work_in_an_empty_environment_from_another_folder(built: Path, tmp_path: Path) -> None:
    (wheel,) = built.glob("*.whl")
    venv.create(tmp_path / "env", with_pip=True)
    python = tmp_path / "env" / "bin" / "python"
    run(python, "-m", "pip", "install", "--quiet", "-c", ROOT / "constraints.txt", wheel, cwd=tmp_path)
    told = json.loads(run(python, "-I", "-c", CHECK, cwd=tmp_path))
    assert str(tmp_path / "env") in told["home"]
    assert set(told["prompts"]["en"]) == {"router", "worker", "extractor", "summarizer", "notes", "consolidate"}
    assert told["tokens"] == [2, 2]
    assert "What I know about you, and why" in run(tmp_path / "env" / "bin" / "memory", "demo", cwd=tmp_path)
    (sdist,) = built.glob("*.tar.gz")
    for source in (sdist, ROOT):
        editable = ["-e"] if source == ROOT else []
        run(
            python, "-m", "pip", "install", "--quiet", "--no-deps", "--force-reinstall", *editable, source, cwd=tmp_path
        )
        again = json.loads(run(python, "-I", "-c", CHECK, cwd=tmp_path))
        assert again["prompts"] == told["prompts"]
        assert (str(ROOT) in again["home"]) is (source == ROOT)
