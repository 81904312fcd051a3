"""A chat and embeddings provider on loopback that answers at once, and counts what it was asked.

It speaks OpenAI's protocol. Being told what follows from which sentence, it answers as a careful model would: it writes
each fact down once, in the shape that the caller asks for (a JSON schema, a JSON object, or tool calls).
"""

from __future__ import annotations

import json
import re
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from memory_middleware import TokenCounter
from memory_middleware.testing import HashEmbeddings

__all__ = ["DIMS", "Counts", "RecordingProvider", "recording_provider"]

DIMS = 256
_ROUND = re.compile(r"\[(t\d+)\]")


@dataclass(slots=True)
class Counts:
    """What a provider was asked.

    Attributes:
        chats: Calls of the chat model.
        embeddings: Calls of the embedder.
        tokens_in: Tokens of all prompts, with the schemas of tools and answers as they were sent.
        tokens_out: Tokens of all answers.
        seconds: How long the provider itself took.
    """

    chats: int = 0
    embeddings: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    seconds: float = 0.0


class RecordingProvider(ThreadingHTTPServer):
    """The server.

    Args:
        facts: What follows from which sentence.
    """

    daemon_threads = True

    def __init__(self, facts: Mapping[str, str]) -> None:
        self._facts = facts
        self._lock = threading.Lock()
        self._counter = TokenCounter()
        self._counter.count("load")
        self._embed = HashEmbeddings(DIMS)
        self.start_over()
        super().__init__(("127.0.0.1", 0), _Handler)

    @property
    def url(self) -> str:
        """Where it is."""
        return f"http://127.0.0.1:{self.server_port}/v1"

    def start_over(self) -> None:
        """Forget what was asked."""
        self.counts = Counts()
        self._told: set[str] = set()

    def embed(self, asked: dict[str, Any]) -> dict[str, Any]:
        """Answer a call of the embedder."""
        texts = [asked["input"]] if isinstance(asked["input"], str) else asked["input"]
        self.counts.embeddings += 1
        data = [
            {"object": "embedding", "index": at, "embedding": self._embed.embed_query(str(text))}
            for at, text in enumerate(texts)
        ]
        return {"object": "list", "data": data, "model": asked["model"], "usage": {}}

    def chat(self, asked: dict[str, Any]) -> dict[str, Any]:
        """Answer a call of the chat model."""
        prompt = "\n".join(_text(message) for message in asked["messages"])
        message = self._answer(asked, prompt)
        told = message["content"] or json.dumps(message["tool_calls"], ensure_ascii=False)
        schemas = json.dumps([asked.get("tools"), asked.get("response_format")])
        used = {
            "prompt_tokens": self._counter.count(prompt) + self._counter.count(schemas),
            "completion_tokens": self._counter.count(told),
        }
        with self._lock:
            self.counts.chats += 1
            self.counts.tokens_in += used["prompt_tokens"]
            self.counts.tokens_out += used["completion_tokens"]
        reason = "tool_calls" if message.get("tool_calls") else "stop"
        return {
            "id": "chat",
            "object": "chat.completion",
            "created": 0,
            "model": asked["model"],
            "choices": [{"index": 0, "message": message, "finish_reason": reason}],
            "usage": {**used, "total_tokens": sum(used.values())},
        }

    def _answer(self, asked: dict[str, Any], prompt: str) -> dict[str, Any]:
        tools = {tool["function"]["name"] for tool in asked.get("tools", ())}
        kind = asked.get("response_format", {}).get("type")
        if "manage_memory" in tools:
            if asked["messages"][-1]["role"] == "tool":
                return _said("Noted.")
            created = [
                {"action": "create", "content": fact} for fact, _ in self._new_facts(_text(asked["messages"][-1]))
            ]
            return _called("manage_memory", created)
        found = self._new_facts(prompt)
        if kind == "json_schema":
            facts = [
                {"content": fact, "type": "fact", "confidence": 0.95, "subject": "user", "evidence": [round_]}
                for fact, round_ in found
            ]
            return _said(json.dumps({"facts": facts, "retractions": [], "profile_patch": "{}"}, ensure_ascii=False))
        if kind == "json_object":
            memories = [{"id": str(at), "text": fact, "attributed_to": "user"} for at, (fact, _) in enumerate(found)]
            return _said(json.dumps({"memory": memories}, ensure_ascii=False))
        if "Memory" in tools:
            return _called("Memory", [{"content": fact} for fact, _ in found])
        return _said("I see.")

    def _new_facts(self, prompt: str) -> list[tuple[str, str]]:
        """Give what follows from the sentences of a prompt and was not told before, and in which round it was said."""
        found = []
        for said, fact in self._facts.items():
            at = prompt.find(said) if said not in self._told else -1
            if at >= 0:
                self._told.add(said)
                rounds = _ROUND.findall(prompt, 0, at)
                found.append((fact, rounds[-1] if rounds else ""))
        return found


class _Handler(BaseHTTPRequestHandler):
    server: RecordingProvider
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def do_POST(self) -> None:
        """Answer."""
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        start = time.perf_counter()
        answer = self.server.embed(asked) if self.path.endswith("embeddings") else self.server.chat(asked)
        told = json.dumps(answer).encode()
        self.server.counts.seconds += time.perf_counter() - start
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(told)))
        self.end_headers()
        self.wfile.write(told)

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""


def _text(message: dict[str, Any]) -> str:
    content = message.get("content") or ""
    return content if isinstance(content, str) else "\n".join(str(part.get("text", "")) for part in content)


def _said(text: str) -> dict[str, Any]:
    return {"role": "assistant", "content": text}


def _called(tool: str, calls: list[dict[str, Any]]) -> dict[str, Any]:
    if not calls:
        return _said("I see.")
    made = [
        {"id": f"call{at}", "type": "function", "function": {"name": tool, "arguments": json.dumps(call)}}
        for at, call in enumerate(calls)
    ]
    return {"role": "assistant", "content": None, "tool_calls": made}


@contextmanager
def recording_provider(facts: Mapping[str, str]) -> Iterator[RecordingProvider]:
    """Run a provider for a while."""
    with RecordingProvider(facts) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        yield server
        server.shutdown()
        thread.join()
