"""Helpers shared by the tests."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
VECTORS = ROOT / "tests" / "vectors"


def vectors(name: str) -> dict[str, Any]:
    """Load a file of recorded behaviour."""
    data: dict[str, Any] = json.loads((VECTORS / f"{name}.json").read_text(encoding="utf-8"))
    return data


def cases(name: str, **fixed: Any) -> list[Any]:
    """List the recorded cases that have the fixed values."""
    return [case for case in vectors(name)["cases"] if all(case.get(key) == value for key, value in fixed.items())]


def brief(case: Any) -> str:
    """Name a case for the test report."""
    return json.dumps(case.get("input", case) if isinstance(case, dict) else case, ensure_ascii=True)[:70]


def contains(whole: Any, part: Any) -> bool:
    """Tell whether every key and value of ``part`` stands in ``whole``."""
    if isinstance(whole, dict) and isinstance(part, dict):
        return all(key in whole and contains(whole[key], value) for key, value in part.items())
    return bool(whole == part)
