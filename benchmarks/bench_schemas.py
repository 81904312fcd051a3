"""Schemas: episode round trips, profile validation and patches, and what importing costs."""

from __future__ import annotations

import json
import resource
import subprocess
import sys

from rich.progress import track
from timing import cpu_seconds, show

from memory_middleware import EpisodeTrace, MemoryRecord, UserMemoryContent, merge_patch
from memory_middleware.schemas import ActionEntry, ErrorEntry

COUNT = 10_000


def episode() -> EpisodeTrace:
    trace = EpisodeTrace.create("task-1", "worker", "Fix the type errors in the booking module")
    trace.action_log = [ActionEntry("read_file", f"src/{at}.ts", "read", at) for at in range(8)]
    trace.errors_encountered = [ErrorEntry("compile", "Property 'user' does not exist", "declared it")]
    trace.files_read, trace.files_modified = [f"src/{at}.ts" for at in range(8)], ["src/1.ts", "src/2.ts"]
    return trace


def round_trips() -> None:
    made = [episode() for _ in track(range(COUNT), "making episodes")]
    plain = [trace.to_dict() for trace in made]
    bare = cpu_seconds(lambda: [json.loads(json.dumps(data)) for data in plain], repeat=3)
    full = cpu_seconds(
        lambda: [EpisodeTrace.from_dict(json.loads(json.dumps(trace.to_dict()))) for trace in made], repeat=3
    )
    check = cpu_seconds(lambda: [trace.validate() for trace in made], repeat=3)
    show(
        f"{COUNT:,} episodes of 8 actions, relative to json.dumps and json.loads of the same data",
        ("work", "total", "each", "ratio"),
        [
            ("json alone", f"{bare:.2f} s", f"{bare / COUNT * 1e6:.0f} µs", "1.00x"),
            ("to_dict, json, from_dict", f"{full:.2f} s", f"{full / COUNT * 1e6:.0f} µs", f"{full / bare:.2f}x"),
            ("validate", f"{check:.2f} s", f"{check / COUNT * 1e6:.0f} µs", f"{check / bare:.2f}x"),
        ],
    )


def models() -> None:
    profile = UserMemoryContent.model_validate(
        {"people": [{"name": f"P{at}", "notes": "n"} for at in range(20)], "interests": ["a", "b"]}
    )
    data, record = profile.model_dump(mode="json"), MemoryRecord.create("owner", "likes tea").to_dict()
    text = json.dumps(data)
    bare = cpu_seconds(lambda: [json.loads(text) for _ in range(1000)]) / 1000
    rows = [
        ("json.loads of a profile of 20 people", bare),
        (
            "validate that profile",
            cpu_seconds(lambda: [UserMemoryContent.model_validate(data) for _ in range(300)]) / 300,
        ),
        (
            "merge_patch on it",
            cpu_seconds(lambda: [merge_patch(profile, {"occupation": "x"}) for _ in range(300)]) / 300,
        ),
        ("read a MemoryRecord", cpu_seconds(lambda: [MemoryRecord.from_dict(record) for _ in range(1000)]) / 1000),
    ]
    show(
        "Models",
        ("work", "each", "ratio"),
        [(name, f"{cost * 1e6:.0f} µs", f"{cost / bare:.2f}x") for name, cost in rows],
    )


def cpu_of(code: str, runs: int = 5) -> float:
    best = float("inf")
    for _ in range(runs):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run([sys.executable, "-c", code], check=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        best = min(best, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    return best


def imports() -> None:
    bare = cpu_of("pass")
    rows = [
        (code, f"{(cpu_of(code) - bare) * 1e3:.0f} ms")
        for code in track(
            (
                "import memory_middleware",
                "import memory_middleware.schemas",
                "from memory_middleware.schemas import EpisodeTrace",
                "from memory_middleware import MemoryConfig",
                "import pydantic",
                "import langgraph.graph",
                "import lancedb",
            ),
            "importing",
        )
    ]
    show(f"CPU time beyond a bare Python ({bare * 1e3:.0f} ms)", ("import", "cost"), rows)


if __name__ == "__main__":
    round_trips()
    models()
    imports()
