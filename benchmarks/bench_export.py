"""Moving a large memory with the ``memory`` command: how fast, and how much memory it takes.

``python benchmarks/bench_export.py --records 100000 1000000`` writes an export of so many records of one owner, lets
``memory import`` take it in, and lets ``memory export`` write it out again, each in a process of its own. *Own* is the
peak of the memory it holds by itself; the peak of all that is resident counts pages of the database too, of which
SQLite maps up to a gigabyte and which the system takes back when others need the room. What is written must be what was
read, entry by entry. The peer is a plain cursor over the same rows of the same database, each written with
``json.dumps``. More than ``--import-up-to`` records are put into the database as rows (``export_rows.py``), since an
import also builds the index, which takes the better part of an hour for a million. ``--commands`` also runs ``list``
and ``stats``, and with an index ``fsck``, ``reindex`` and ``maintain``. A million records take 6 GB below ``--folder``
while it runs. Only where there is a ``/proc``.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from timing import show

ROOT = Path(__file__).resolve().parent.parent
THINGS = ("tea", "coffee", "bread", "boats", "trains", "gardens", "letters", "maps", "songs", "films", "cats", "rivers")
PLACES = ("Lisbon", "Oslo", "Kyoto", "Quito", "Dakar", "Lima", "Turin", "Porto", "Leeds", "Perth")
KINDS = ("fact", "preference", "project", "reference")
COMMANDS = (("list", "--sort", "weight"), ("stats",), ("fsck", "--no-repair"), ("reindex",), ("maintain",))
DUMP = """
import json, sqlite3, sys
rows = sqlite3.connect(f"file:{sys.argv[1]}?mode=ro", uri=True).execute(
    "SELECT r.*, w.*, i.key, i.value, i.created_at, i.updated_at FROM memory_records r"
    " JOIN store_items i ON i.id = r.id JOIN memory_weights w ON w.id = r.id")
names = [column[0] for column in rows.description]
with open(sys.argv[2], "w", encoding="utf-8") as file:
    for row in rows:
        file.write(json.dumps(dict(zip(names, row)), ensure_ascii=False) + "\\n")
"""


class Cost(NamedTuple):
    """What a process took: seconds on the clock and of CPU, and the peaks of its own and of all its resident memory."""

    seconds: float
    cpu: float
    own: float
    resident: float


def main() -> None:
    given = _arguments()
    rows = []
    for count in given.records:
        with tempfile.TemporaryDirectory(dir=given.folder) as folder:
            rows += _measured(count, Path(folder), given.commands, given.import_up_to)
    show("Moving memory", ("", "records", "seconds", "CPU s", "records/s", "own MB", "peak MB", "file MB"), rows)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--records", type=int, nargs="+", default=[10_000, 100_000])
    parser.add_argument("--folder", help="where the memory is made; the system's folder for temporary files by default")
    parser.add_argument("--commands", action="store_true", help="also list, stats, fsck, reindex and maintain")
    parser.add_argument("--import-up-to", type=int, default=100_000, help="beyond that, rows are copied by SQL instead")
    return parser.parse_args()


def _measured(count: int, folder: Path, commands: bool, taken_in: int) -> Iterator[tuple[str, ...]]:
    given, memory, taken, plain = (folder / name for name in ("given.jsonl", "memory", "taken.jsonl", "plain.jsonl"))
    with given.open("w", encoding="utf-8") as file:
        file.writelines(f"{line}\n" for line in _export(count))
    if count <= taken_in:
        yield _row("memory import", count, _run(_memory("import", str(given)), memory), given)
    else:
        _run([sys.executable, str(Path(__file__).with_name("export_rows.py")), str(given), str(memory)])
    yield _row("memory export", count, _run(_memory("export", "--jsonl", "--output", str(taken)), memory), taken)
    if _digest(given) != _digest(taken):
        raise SystemExit("what was exported is not what was imported")
    dump = [sys.executable, "-c", DUMP, str(memory / "memory.db"), str(plain)]
    yield _row("peer: a plain cursor and json.dumps", count, _run(dump), plain)
    # Copied rows are not in the index.
    chosen = COMMANDS if count <= taken_in else COMMANDS[:2]
    for words in chosen if commands else ():
        yield _row(f"memory {' '.join(words)}", count, _run(_memory(*words), memory))


def _export(count: int) -> Iterator[str]:
    """Write an export of our own: sentences that resemble what people say, over three years."""
    chance = random.Random(5)
    yield json.dumps({"format": "memory_middleware", "version": 1, "exported_at": "2026-01-01T00:00:00Z"})
    for at in range(count):
        content = (
            f"In {chance.choice(PLACES)} we talked about {chance.choice(THINGS)} and {chance.choice(THINGS)}, "
            f"note {at}, and decided on plan {chance.randrange(count)}"
        )
        moment = f"20{23 + at % 3}-{at // 3 % 12 + 1:02}-{at // 40 % 28 + 1:02}T{at // 7 % 24:02}:00:00Z"
        weight = {"weight": 1.0, "changed_at": moment, "access_count": 0, "last_accessed": None}
        record = {
            "id": f"mem_{hashlib.md5(content.encode(), usedforsecurity=False).hexdigest()}",
            "kind": KINDS[at % len(KINDS)],
            "content": content,
            "created_at": moment,
            "updated_at": moment,
            "weight_state": {**weight, "base": 1.0, "based_at": moment},
        }
        yield json.dumps({"type": "record", "owner_id": "ana", "data": {**record, "owner_id": "ana"}})
    yield json.dumps({"type": "end", "count": count})


def _memory(*words: str) -> list[str]:
    return [sys.executable, "-m", "memory_middleware_cli", *words]


def _run(command: Sequence[str], memory: Path | None = None) -> Cost:
    """Run a command to its end, on a memory, and look at its own memory again and again meanwhile."""
    words = [*command, *(("--path", str(memory)) if memory else ())]
    place = {"PYTHONPATH": f"{ROOT}:{ROOT / 'integrations'}", "PATH": os.defpath}
    start, peak = time.perf_counter(), 0.0
    child = subprocess.Popen(words, env=place, stdout=subprocess.DEVNULL)
    while True:
        ended, status, used = os.wait4(child.pid, os.WNOHANG)
        if ended:
            break
        peak = max(peak, _own(child.pid))
        time.sleep(0.02)
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode:
        raise SystemExit(f"{' '.join(words)} ended with {child.returncode}")
    return Cost(time.perf_counter() - start, used.ru_utime + used.ru_stime, peak, used.ru_maxrss / 1024)


def _own(process: int) -> float:
    """Tell the megabytes that a process holds but for files it has mapped, which it can let go at any time."""
    told = Path(f"/proc/{process}/status").read_text(encoding="utf-8")
    return sum(int(line.split()[1]) for line in told.splitlines() if line.startswith("RssAnon:")) / 1024


def _row(name: str, count: int, cost: Cost, file: Path | None = None) -> tuple[str, ...]:
    row = (
        name,
        f"{count:,}",
        f"{cost.seconds:.1f}",
        f"{cost.cpu:.1f}",
        f"{count / cost.seconds:,.0f}",
        f"{cost.own:.0f}",
        f"{cost.resident:.0f}",
        f"{file.stat().st_size / 1e6:.0f}" if file else "",
    )
    print(*row, sep="\t", flush=True)
    return row


def _digest(path: Path) -> int:
    """Tell what an export says about its records, whatever their order: a sum over their ids, contents and times."""
    total = 0
    with path.open(encoding="utf-8") as file:
        for line in file:
            entry = json.loads(line)
            if entry.get("type") == "record":
                told = [entry["data"][name] for name in ("id", "kind", "content", "weight_state")]
                total += int.from_bytes(hashlib.sha256(json.dumps(told, sort_keys=True).encode()).digest()[:8])
    return total


if __name__ == "__main__":
    main()
