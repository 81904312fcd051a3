"""Traces, and replays of them that several tests look at."""

from __future__ import annotations

import functools
import json
from pathlib import Path
from typing import Any

from memory_middleware_cli.replay import Replay, read_trace, replay
from tests.support import ROOT

TRACES = sorted((ROOT / "examples" / "traces").glob("*.jsonl"))


@functools.cache
def replayed(name: str) -> Replay:
    """Replay one of the shipped traces with the defaults, once."""
    return replay(read_trace(ROOT / "examples" / "traces" / f"{name}.jsonl"))


def write_lines(path: Path, *rows: dict[str, Any]) -> Path:
    """Write objects as JSONL."""
    path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), encoding="utf-8")
    return path


def said(role: str, content: Any, **more: Any) -> dict[str, Any]:
    """Make a message."""
    return {"role": role, "content": content, **more}
