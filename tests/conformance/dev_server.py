"""Starts ``langgraph dev`` with our store, then with its own, and uses it over HTTP.

Its guard refuses whatever blocks the loop.
"""

from __future__ import annotations

import json
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

HOME = Path(__file__).parent / "server"


def call(port: int, method: str, path: str, body: Any = None, user: str = "ana") -> Any:
    """Send a request and give what is answered."""
    request = urllib.request.Request(
        f"http://127.0.0.1:{port}{path}",
        method=method,
        data=None if body is None else json.dumps(body).encode(),
        headers={"Content-Type": "application/json", "Authorization": f"Bearer {user}"},
    )
    with urllib.request.urlopen(request, timeout=60) as answer:
        told = answer.read()
    return json.loads(told) if told else None


def use(port: int) -> None:
    """Run graphs and use the store through the server."""
    done = call(port, "POST", "/runs/wait", {"assistant_id": "graph", "input": {"text": "green tea", "found": []}})
    assert done["found"] == ["green tea"], done
    refused = call(port, "POST", "/runs/wait", {"assistant_id": "careless", "input": {"text": "", "found": []}})
    assert "BlockingError" in json.dumps(refused), f"the server's guard is off: {refused}"
    other = {"namespace": ["notes", "bob"], "key": "k", "value": {"text": "black tea", "owner": "bob", "tags": ["x"]}}
    call(port, "PUT", "/store/items", other)
    for user, key in (("ana", "green tea"), ("bob", "k"), ("eve", None)):
        asked = {"namespace_prefix": ["notes"], "query": "tea", "filter": {"text": {"$exists": True}}}
        found = [item["key"] for item in call(port, "POST", "/store/items/search", asked, user)["items"]]
        assert found == ([key] if key else []), (user, found)
    spaces = call(port, "POST", "/store/namespaces", {})["namespaces"]
    assert spaces == [["notes", "ana"], ["notes", "bob"]], spaces
    call(port, "DELETE", "/store/items", {"namespace": ["notes", "bob"], "key": "k"})
    assert call(port, "POST", "/store/items/search", {"namespace_prefix": ["notes"]}, "bob")["items"] == []


def talk(port: int) -> None:
    """Let two people talk to an agent with a memory; each is told what is their own."""
    for user, city in (("ana", "Lisbon"), ("bob", "Rome")):
        said = [{"role": "user", "content": f"I live in {city}, by the way."}]
        call(port, "POST", "/runs/wait", {"assistant_id": "assistant", "input": {"messages": said}}, user)
    for user, city, other in (("ana", "Lisbon", "Rome"), ("bob", "Rome", "Lisbon")):
        asked = {"messages": [{"role": "user", "content": "Where do I live, do you remember?"}]}
        thread = call(port, "POST", "/threads", {}, user)["thread_id"]
        body = {"assistant_id": "assistant", "input": asked}
        done = call(port, "POST", f"/threads/{thread}/runs/wait", body, user)
        answer = done["messages"][-1]["content"]
        assert city in answer, (user, done)
        assert other not in answer, (user, done)
        state = json.dumps(call(port, "GET", f"/threads/{thread}/state", user=user))
        assert "MEMORY_START" not in state, state


def check(python: Path) -> str:
    """Start servers with an interpreter's packages, use them, and tell what was wrong, if anything."""
    served = (("langgraph.json", (use, talk)), ("own_store.json", (talk,)))
    return "".join(_problem(python, config, steps) for config, steps in served)


def _problem(python: Path, config: str, steps: Sequence[Callable[[int], None]]) -> str:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name) / "server"
        shutil.copytree(HOME, folder, ignore=shutil.ignore_patterns("__pycache__"))
        log = folder / "log.txt"
        options = ("--no-browser", "--no-reload", "--port", str(port), "--config", config)
        with log.open("w") as out:
            command = [str(python.parent / "langgraph"), "dev", *options]
            server = subprocess.Popen(command, cwd=folder, stdout=out, stderr=subprocess.STDOUT)
            try:
                _await(port, server)
                for step in steps:
                    step(port)
            except (AssertionError, OSError, KeyError) as error:
                return f"{config}: {error!r}\n{log.read_text()[-4000:]}\n"
            finally:
                server.terminate()
                server.wait(30)
    return ""


def _await(port: int, server: subprocess.Popen[bytes]) -> None:
    for _ in range(240):
        assert server.poll() is None, "the server did not start"
        try:
            call(port, "GET", "/ok")
        except (urllib.error.URLError, ConnectionError):
            time.sleep(0.5)
        else:
            return
    raise AssertionError("the server does not answer")


if __name__ == "__main__":
    print(check(Path(sys.argv[1])))
