"""A real server in a thread, on a free port of this machine."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import uvicorn
from fastapi import FastAPI

from memory_middleware import Memory, MemoryConfig
from memory_middleware_rest import BearerTokens, Limits, create_app, hash_token

OWNERS = ("ana", "bob")
QUICK = Limits(rate=None)


def token_of(owner: str) -> str:
    return f"token-of-{owner}"


def tokens(*owners: str) -> BearerTokens:
    return BearerTokens({hash_token(token_of(owner)): owner for owner in owners or OWNERS})


@contextmanager
def listening(app: FastAPI) -> Iterator[str]:
    """Serve an app while this lasts, and give its address."""
    place = socket.socket()
    place.bind(("127.0.0.1", 0))
    server = uvicorn.Server(uvicorn.Config(app, log_level="critical", ws="none", lifespan="off"))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [place]})
    thread.start()
    try:
        while not server.started:
            threading.Event().wait(0.005)
        yield f"http://127.0.0.1:{place.getsockname()[1]}"
    finally:
        server.should_exit = True
        thread.join()
        place.close()


class Live:
    """A served memory."""

    def __init__(self, url: str, memory: Memory) -> None:
        self.url = url
        self.memory = memory
        self.ana = self.client("ana")
        self.bob = self.client("bob")

    def __enter__(self) -> Live:
        return self

    def __exit__(self, *_error: object) -> None:
        self.ana.close()
        self.bob.close()

    def client(self, owner: str, **more: Any) -> httpx.Client:
        headers = {"Authorization": f"Bearer {token_of(owner)}"}
        return httpx.Client(base_url=f"{self.url}/api/v1", headers=headers, timeout=30, verify=False, **more)


@contextmanager
def live(folder: Path, *, limits: Limits = QUICK, config: MemoryConfig | None = None, **options: Any) -> Iterator[Live]:
    """Serve a new memory to Ana and Bob."""
    rules = config or MemoryConfig.from_dict({"extract": {"mode": "manual"}})
    with Memory.open(folder, config=rules) as memory:
        options.setdefault("auth", tokens())
        with listening(create_app(memory, limits=limits, **options)) as url, Live(url, memory) as served:
            yield served
