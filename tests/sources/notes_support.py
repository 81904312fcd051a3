"""What the tests of notes share, and what their processes do."""

from __future__ import annotations

import os
import re
import time
from pathlib import Path

from memory_middleware.sources.notes_dir import MemoryDir

NOTE = "---\ndescription: {about}\nname: N\ntype: user\n---\n\nbody"


def listed(notes: MemoryDir) -> list[str]:
    """List the files in the index."""
    return re.findall(r"^- \[.*?\]\((.*?)\)", notes.index_path.read_text(encoding="utf-8"), re.MULTILINE)


def by_hand(notes: MemoryDir, name: str, text: str = NOTE, age: float = 0.0) -> Path:
    """Write a file as an editor would, perhaps some seconds ago."""
    path = notes.path / name
    path.write_text(text, encoding="utf-8")
    if age:
        then = time.time() - age
        os.utime(path, (then, then))
    return path


def save_and_delete(folder: str, worker: int, count: int) -> None:
    """Save notes of its own and one that all processes share; delete every third of its own."""
    notes = MemoryDir(folder)
    for at in range(count):
        notes.save_memory(f"w{worker}_{at}", "project", f"Note {at}", f"of {worker}", "body " * 50)
        notes.save_memory("shared", "user", f"By {worker}", f"{worker}/{at}", f"{worker} " * 500)
        if at % 3 == 0:
            notes.delete_memory(f"w{worker}_{at}")
