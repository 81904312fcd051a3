"""Whether the time of an answer tells a record of somebody else from none.

``python benchmarks/bench_isolation.py --rounds 400`` serves two owners on this machine, and lets Bob ask for records of
Ana and for as many that nobody has, in random order, at every address that names a record. Of both the median is told,
and how often the slower of two answers is about another's record: 0.5 means that time tells nothing. The share comes
from the ranks of all times, so a few slow answers do not hide a difference.
"""

from __future__ import annotations

import argparse
import logging
import random
import socket
import statistics
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import uvicorn
from fastapi import FastAPI
from rich.progress import track
from timing import show

from memory_middleware import Memory
from memory_middleware_rest import BearerTokens, Limits, create_app, hash_token

PATHS = (
    ("GET", "/records/{}"),
    ("PATCH", "/records/{}"),
    ("GET", "/records/{}/history"),
    ("GET", "/records/{}/usage"),
    ("GET", "/records/{}/edits"),
    ("POST", "/records/{}/undo"),
    ("POST", "/records/{}/undo?edit=1"),
    ("POST", "/records/{}/archive"),
    ("POST", "/review/{}/accept"),
    ("DELETE", "/records/{}"),
)
RECORDS = 50


@contextmanager
def serving(app: FastAPI) -> Iterator[str]:
    """Serve an app in a thread while this lasts, and give its address."""
    with socket.create_server(("127.0.0.1", 0)) as place:
        server = uvicorn.Server(uvicorn.Config(app, log_level="warning", ws="none", lifespan="off"))
        thread = threading.Thread(target=server.run, kwargs={"sockets": [place]})
        thread.start()
        try:
            while not server.started:
                time.sleep(0.01)
            yield f"http://127.0.0.1:{place.getsockname()[1]}"
        finally:
            server.should_exit = True
            thread.join()


def asked(client: httpx.Client, method: str, path: str) -> float:
    """Ask once, and tell how many milliseconds it took."""
    body = {"importance": 0.1} if method == "PATCH" else None
    began = time.perf_counter()
    answer = client.request(method, path, json=body)
    took = (time.perf_counter() - began) * 1e3
    assert answer.status_code == 404, answer.text
    return took


def slower(one: list[float], other: list[float]) -> float:
    """Tell how often the larger of two times is of the second kind: 0.5 when nothing can be told."""
    ranked = sorted([(time, 0) for time in one] + [(time, 1) for time in other])
    ranks = sum(place for place, (_, kind) in enumerate(ranked, start=1) if kind)
    return (ranks - len(other) * (len(other) + 1) / 2) / (len(one) * len(other))


def measured(client: httpx.Client, there: list[str], rounds: int, seed: int) -> list[tuple[str, ...]]:
    """Ask at every address, and tell a row for each."""
    chance = random.Random(seed)
    nowhere = [f"{name[:-4]}{chance.randrange(16**4):04x}" for name in there]
    rows: list[tuple[str, ...]] = []
    for method, path in track(PATHS, "asking"):
        times: dict[bool, list[float]] = {True: [], False: []}
        for at in range(2 * rounds + 20):
            of_ana = chance.random() < 0.5
            took = asked(client, method, path.format(chance.choice(there if of_ana else nowhere)))
            if at >= 20:
                times[of_ana].append(took)
        another, missing = (statistics.median(times[of_ana]) for of_ana in (True, False))
        share = slower(times[False], times[True])
        rows.append((f"{method} {path}", f"{missing:.3f}", f"{another:.3f}", f"{share:.3f}"))
    return rows


def main() -> None:
    asking = argparse.ArgumentParser(description=__doc__)
    asking.add_argument("--rounds", type=int, default=400)
    asking.add_argument("--seed", type=int, default=7)
    told = asking.parse_args()
    logging.disable(logging.INFO)
    with tempfile.TemporaryDirectory() as folder, Memory.open(Path(folder)) as memory:
        there = [memory.remember("ana", f"Ana keeps thing number {at} in drawer {at * 7}").id for at in range(RECORDS)]
        for name in there:
            memory.edit_record("ana", name, tags=["kept"])
            memory.remember("bob", f"Bob keeps {name} to himself")
        auth = BearerTokens({hash_token("token"): "bob"})
        with (
            serving(create_app(memory, auth=auth, limits=Limits(rate=None))) as url,
            httpx.Client(base_url=f"{url}/api/v1", headers={"Authorization": "Bearer token"}) as client,
        ):
            rows = measured(client, there, told.rounds, told.seed)
    show("missing and another's, medians in ms", ("request", "missing", "another's", "slower"), rows)


if __name__ == "__main__":
    main()
