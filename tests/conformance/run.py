"""Runs LangGraph's own store tests on our store: ``python tests/conformance/run.py``.

The tests come in the source distributions of LangGraph's packages. They are fetched from the package
registry into a temporary folder, and run in an environment of their own.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tarfile
import tempfile
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent

SUITES: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("langgraph-checkpoint-sqlite", ("tests/test_store.py", "tests/test_async_store.py", "tests/test_ttl.py")),
    ("langgraph-checkpoint", ("tests/test_store.py",)),
    ("langgraph", ("tests/test_pregel.py", "tests/test_pregel_async.py", "-k", "store_injected")),
)
# Each is explained in docs/compatibility.md.
EXPECTED = {
    "langgraph-checkpoint-sqlite": {
        "test_no_running_loop",
        "test_nonnull_migrations",
        "test_sql_injection_vulnerability",
        "test_ttl_override_default",
        "test_vector_store_initialization",
    },
    "langgraph-checkpoint": {"test_embed_with_path"},
    "langgraph": set(),
}
NEEDED = (
    "pytest",
    "pytest-asyncio",
    "pytest-mock",
    "pytest-retry",
    "redis",
    "langgraph-checkpoint-sqlite",
    "langgraph-checkpoint-postgres",
    "psycopg[binary,pool]",
    "pycryptodome",
    "syrupy",
)


def call(*command: str | Path, cwd: Path) -> str:
    """Run a command and give what it prints, whatever its outcome."""
    environment = {**os.environ, "NO_DOCKER": "true"}  # noqa: TID251 - for the tests, not for us
    done = subprocess.run(
        [str(part) for part in command], cwd=cwd, env=environment, capture_output=True, text=True, check=False
    )
    return done.stdout + done.stderr


def fetch(python: Path, package: str, folder: Path) -> Path:
    """Fetch and unpack the source distribution of the installed version of a package."""
    asked = f"import importlib.metadata as m; print(m.version({package!r}))"
    wanted = f"{package}=={call(python, '-c', asked, cwd=folder).strip()}"
    options = ("--no-deps", "--no-binary", ":all:", "--no-build-isolation")
    told = call(python, "-m", "pip", "download", "-q", *options, wanted, cwd=folder)
    archive = next(folder.glob(f"{package.replace('-', '_')}-[0-9]*.tar.gz"), None)
    if archive is None:
        raise SystemExit(f"cannot fetch {wanted}:\n{told}")
    with tarfile.open(archive) as packed:
        packed.extractall(folder, filter="data")
    return folder / archive.name.removesuffix(".tar.gz")


def main() -> None:
    """Run all suites and compare the failures with those that are explained."""
    wrong = False
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        venv.create(folder / "env", with_pip=True)
        python = folder / "env" / "bin" / "python"
        call(
            python, "-m", "pip", "install", "-q", "-c", ROOT / "constraints.txt", "hatchling", *NEEDED, ROOT, cwd=folder
        )
        for package, files in SUITES:
            home = fetch(python, package, folder)
            plugin = ("-p", "tests_conformance_plugin")
            (home / "tests_conformance_plugin.py").write_text((ROOT / "tests/conformance/plugin.py").read_text())
            told = call(
                python, "-m", "pytest", *plugin, *files, "-o", "addopts=", "-q", "--no-header", "-rfE", cwd=home
            )
            failed = set(re.findall(r"^(?:FAILED|ERROR) [^:]+::(\w+)", told, re.MULTILINE))
            summary = re.findall(r"^.*\b\d+ passed.*$", told, re.MULTILINE)
            print(f"{home.name}: {summary[-1] if summary else 'did not run'}")
            unexpected, mended = failed - EXPECTED[package], EXPECTED[package] - failed
            if unexpected or mended or "passed" not in told:
                wrong = True
                print(told[-6000:])
                print(f"not explained: {sorted(unexpected)}; explained but passing: {sorted(mended)}")
        # The server pins packages of its own, so it gets an environment of its own.
        pins = [line for line in (ROOT / "constraints.txt").read_text().splitlines() if line.startswith("lang")]
        (folder / "pins.txt").write_text("\n".join(pins))
        venv.create(folder / "server", with_pip=True)
        python = folder / "server" / "bin" / "python"
        call(python, "-m", "pip", "install", "-q", "-c", "pins.txt", "langgraph-cli[inmem]", ROOT, cwd=folder)
        told = call(sys.executable, Path(__file__).with_name("dev_server.py"), python, cwd=folder)
        problem = told.strip()
        print(f"langgraph dev: {problem or 'works'}")
    sys.exit(1 if wrong or problem else 0)


if __name__ == "__main__":
    main()
