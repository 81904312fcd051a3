"""Requests per second and p99 of the REST API at 64 connections, beside a bare FastAPI endpoint over one SQLite row.

``python benchmarks/bench_rest.py --seconds 10`` starts each server as a process of its own, with uvicorn on this
machine, and asks it with 64 ``httpx.AsyncClient``s of one connection each from here. Both are measured with the same
clients, whose own work is a good part of every number, so compare the ratios. In the mix, 70 % of the requests read
(profile, page of records, search, one record), 20 % make a record, and 10 % change the profile with ``If-Match``,
reading again when somebody was faster. Afterwards everything that was acknowledged is looked for.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import socket
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
import uvicorn
from fastapi import FastAPI
from rich.progress import Progress
from timing import show

from memory_middleware import Memory
from memory_middleware_rest import BearerTokens, Limits, create_app, hash_token

CONNECTIONS = 64
OWNERS = 8
RECORDS = 200
THINGS = ("tea", "coffee", "bread", "boats", "trains", "gardens", "letters", "maps", "songs", "films", "cats", "rivers")
Ask = Callable[[httpx.AsyncClient, int, random.Random], Awaitable[None]]


@dataclass
class Tally:
    """What came of the requests of one case."""

    times: list[float] = field(default_factory=list)
    errors: Counter[str] = field(default_factory=Counter)
    refused: int = 0
    made: dict[int, set[str]] = field(default_factory=dict)
    rules: dict[int, set[str]] = field(default_factory=dict)
    seconds: float = 0.0

    def p(self, share: float) -> float:
        """Give a percentile in milliseconds."""
        ordered = sorted(self.times)
        return ordered[int(share * (len(ordered) - 1))] * 1e3

    @property
    def rate(self) -> float:
        """Requests per second."""
        return len(self.times) / self.seconds


def bare_app(folder: Path) -> FastAPI:
    """An endpoint that reads one row."""
    app, local, path = FastAPI(), threading.local(), folder / "bare.db"
    with sqlite3.connect(path) as database:
        database.execute("PRAGMA journal_mode=WAL")
        database.execute("CREATE TABLE IF NOT EXISTS rows (id INTEGER PRIMARY KEY, text TEXT)")
        database.execute("INSERT OR IGNORE INTO rows VALUES (1, 'a row')")

    @app.get("/row")
    def row() -> dict[str, str]:
        if not hasattr(local, "database"):
            local.database = sqlite3.connect(path)
        return {"text": local.database.execute("SELECT text FROM rows WHERE id = ?", (1,)).fetchone()[0]}

    return app


def memory_app(folder: Path) -> FastAPI:
    """A memory of eight owners with two hundred records each."""
    memory = Memory.open(folder / "memory")
    for owner in range(OWNERS):
        for at in range(RECORDS):
            thing, other = THINGS[at % len(THINGS)], THINGS[(at * 7 + 3) % len(THINGS)]
            memory.remember(str(owner), f"note {at}: we talked about {thing} and decided on plan {at * 31} for {other}")
    tokens = BearerTokens({hash_token(f"token {owner}"): str(owner) for owner in range(OWNERS)})
    return create_app(memory, auth=tokens, limits=Limits(rate=None))


@contextmanager
def serving(kind: str, folder: Path) -> Iterator[str]:
    """Run a server as a process of its own, and give its address."""
    with socket.socket() as place:
        place.bind(("127.0.0.1", 0))
        port = place.getsockname()[1]
    command = [sys.executable, __file__, "--serve", kind, "--folder", str(folder), "--port", str(port)]
    process = subprocess.Popen(command)
    url = f"http://127.0.0.1:{port}"
    try:
        while True:
            try:
                httpx.get(f"{url}/openapi.json" if kind == "bare" else f"{url}/api/v1/health")
                break
            except httpx.TransportError:
                time.sleep(0.05)
        yield url
    finally:
        process.terminate()
        process.wait()


def headers(worker: int) -> dict[str, str]:
    return {"Authorization": f"Bearer token {worker % OWNERS}"}


async def timed(tally: Tally, request: Awaitable[httpx.Response]) -> httpx.Response:
    start = time.perf_counter()
    answer = await request
    tally.times.append(time.perf_counter() - start)
    if answer.status_code == 412:
        tally.refused += 1
    elif answer.status_code >= 400:
        tally.errors[f"{answer.status_code} {answer.request.method} {answer.request.url.path}"] += 1
    return answer


async def load(url: str, seconds: float, make: Callable[[Tally], Ask]) -> Tally:
    """Ask for some seconds over 64 connections."""
    tally = Tally()
    ask = make(tally)
    # One client for each connection: a pool of 64 costs httpx more than the request itself.
    clients = [httpx.AsyncClient(base_url=url, timeout=60, verify=False) for _ in range(CONNECTIONS)]
    start = time.perf_counter()

    async def work(worker: int) -> None:
        chance = random.Random(worker)
        async with clients[worker] as client:
            while time.perf_counter() - start < seconds:
                await ask(client, worker, chance)

    await asyncio.gather(*(work(worker) for worker in range(CONNECTIONS)))
    tally.seconds = time.perf_counter() - start
    return tally


def reading(path: str) -> Callable[[Tally], Ask]:
    def make(tally: Tally) -> Ask:
        async def ask(client: httpx.AsyncClient, worker: int, chance: random.Random) -> None:
            await timed(tally, client.get(path.format(thing=chance.choice(THINGS)), headers=headers(worker)))

        return ask

    return make


class Mix:
    """Makes one request of the mix after the other."""

    def __init__(self, tally: Tally) -> None:
        self._tally = tally
        self._counts: Counter[int] = Counter()

    async def __call__(self, client: httpx.AsyncClient, worker: int, chance: random.Random) -> None:
        """Make a request."""
        dice = chance.random()
        if dice < 0.2:
            await self._create(client, worker)
        elif dice < 0.3:
            await self._change(client, worker)
        else:
            await self._read(client, worker, chance)

    async def _read(self, client: httpx.AsyncClient, worker: int, chance: random.Random) -> None:
        known = sorted(self._tally.made.get(worker % OWNERS, ()))[-1:]
        paths = ["memories/user", "records?limit=20", f"search?q={chance.choice(THINGS)}&limit=5"]
        paths += [f"records/{name}" for name in known]
        await timed(self._tally, client.get(f"/api/v1/{chance.choice(paths)}", headers=headers(worker)))

    async def _create(self, client: httpx.AsyncClient, worker: int) -> None:
        self._counts[worker] += 1
        count = self._counts[worker]
        body = {"content": f"worker {worker} noted thing {count} of {count * 977 + worker}"}
        answer = await timed(self._tally, client.post("/api/v1/records", json=body, headers=headers(worker)))
        if answer.is_success:
            self._tally.made.setdefault(worker % OWNERS, set()).add(answer.json()["id"])

    async def _change(self, client: httpx.AsyncClient, worker: int) -> None:
        self._counts[worker] += 1
        rule = f"rule {worker}.{self._counts[worker]}"
        while True:
            found = await timed(self._tally, client.get("/api/v1/memories/work", headers=headers(worker)))
            body = {"content": {"work_rules": [*found.json()["work_rules"], rule]}}
            sent = {**headers(worker), "If-Match": found.headers["ETag"]}
            answer = await timed(self._tally, client.patch("/api/v1/memories/work", json=body, headers=sent))
            if answer.is_success:
                self._tally.rules.setdefault(worker % OWNERS, set()).add(rule)
            if answer.status_code != 412:
                return


def lost(url: str, tally: Tally) -> int:
    """Count what was acknowledged and is not there."""
    missing = 0
    with httpx.Client(base_url=f"{url}/api/v1", timeout=60) as client:
        for owner in range(OWNERS):
            states = "&".join(f"state={state}" for state in ("active", "superseded", "archived", "quarantined"))
            there: set[str] = set()
            cursor: str | None = ""
            while cursor is not None:
                more = f"&cursor={cursor}" if cursor else ""
                page = client.get(f"/records?limit=200&sort=created&{states}{more}", headers=headers(owner)).json()
                there |= {record["id"] for record in page["records"]}
                cursor = page["next"]
            rules = set(client.get("/memories/work", headers=headers(owner)).json()["work_rules"])
            missing += len(tally.made.get(owner, set()) - there) + len(tally.rules.get(owner, set()) - rules)
    return missing


CASES: dict[str, Callable[[Tally], Ask]] = {
    "profile": reading("/api/v1/memories/user"),
    "page of 20 records": reading("/api/v1/records?limit=20"),
    "search, 5 of 200 records": reading("/api/v1/search?q={thing}&limit=5"),
    "mix, 30 % writes": Mix,
}


def measure(seconds: float) -> list[tuple[str, ...]]:
    rows: list[tuple[str, ...]] = []
    with tempfile.TemporaryDirectory() as name, Progress() as progress:
        task = progress.add_task("cases", total=len(CASES) + 1)
        with serving("bare", Path(name)) as url:
            asyncio.run(load(url, 1.0, reading("/row")))
            bare = asyncio.run(load(url, seconds, reading("/row")))
            rows.append(row_of("bare endpoint, one SQLite row", bare, bare, "–"))
            progress.advance(task)
        with serving("memory", Path(name)) as url:
            for label, make in CASES.items():
                if make is not Mix:
                    asyncio.run(load(url, 1.0, make))
                tally = asyncio.run(load(url, seconds, make))
                rows.append(row_of(label, tally, bare, str(lost(url, tally)) if make is Mix else "–"))
                progress.advance(task)
    return rows


def row_of(label: str, tally: Tally, bare: Tally, missing: str) -> tuple[str, ...]:
    for what, count in tally.errors.items():
        print(f"{label}: {count} times {what}")
    return (
        label,
        f"{tally.rate:,.0f}",
        f"{tally.p(0.5):.0f} / {tally.p(0.99):.0f}",
        f"{tally.rate / bare.rate:.2f}",
        str(sum(tally.errors.values())),
        str(tally.refused),
        missing,
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=10.0, help="for each case")
    parser.add_argument("--serve", choices=("bare", "memory"), help=argparse.SUPPRESS)
    parser.add_argument("--folder", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--port", type=int, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.serve:
        made: Any = {"bare": bare_app, "memory": memory_app}[options.serve](options.folder)
        uvicorn.run(made, port=options.port, log_level="warning", ws="none")
        return
    headings = ("64 connections", "requests/s", "p50 / p99 ms", "of bare", "errors", "retried (412)", "lost writes")
    show("REST", headings, measure(options.seconds))


if __name__ == "__main__":
    main()
