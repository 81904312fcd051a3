"""Counting tokens: throughput by kind of text, a growing window, and first use, beside tiktoken and LangChain."""

from __future__ import annotations

import json
import random
import subprocess
import sys
import time

from langchain_core.messages import HumanMessage
from langchain_core.messages.utils import count_tokens_approximately
from rich.progress import track
from timing import cpu_seconds, show

from memory_middleware import TokenCounter
from memory_middleware.tokens.ranks import load_encoding

CHOICE = random.Random(7)
SENTENCE = "the meeting about our ferry project moved to Thursday because Ines asked for two more usability rounds"
WORDS = SENTENCE.split()
HAN = "记忆系统会在对话之前检索相关内容并且把它们放进提示词里让回答更贴近用户的习惯与偏好"


def texts_of(kind: str) -> list[str]:
    if kind == "English":
        return [" ".join(CHOICE.choices(WORDS, k=60)) + "." for _ in range(400)]
    if kind == "Chinese":
        return ["".join(CHOICE.choices(HAN, k=120)) + "。" for _ in range(400)]
    if kind == "code":
        body = "def total_{0}(items: list[int]) -> int:\n    return sum(item * {0} for item in items if item > {1})\n"
        return [body.format(CHOICE.randrange(99), CHOICE.randrange(999)) * 3 for _ in range(400)]
    return [json.dumps({"id": CHOICE.getrandbits(64), "score": CHOICE.random(), "tags": WORDS[:4]}) for _ in range(400)]


def throughput() -> None:
    rows = []
    encoding = load_encoding("o200k_base")
    for kind in track(("English", "Chinese", "code", "JSON"), "counting"):
        texts = texts_of(kind)
        messages = [[HumanMessage(text)] for text in texts]
        fresh = TokenCounter(cache_size=0)
        warm = TokenCounter()
        tokens = fresh.count_all(texts)
        ours = cpu_seconds(lambda: fresh.count_all(texts))  # noqa: B023 - run at once
        cached = cpu_seconds(lambda: warm.count_all(texts))  # noqa: B023 - run at once
        theirs = cpu_seconds(lambda: [len(encoding.encode(text, disallowed_special=())) for text in texts])  # noqa: B023
        rough = cpu_seconds(lambda: [count_tokens_approximately(message) for message in messages])  # noqa: B023
        error = sum(count_tokens_approximately(message) for message in messages) / tokens
        rows.append(
            (
                kind,
                f"{tokens / ours / 1e6:.2f} M/s",
                f"{ours / theirs:.2f}x",
                f"{cached / theirs:.3f}x",
                f"{rough / theirs:.2f}x",
                f"{error:.2f}",
            )
        )
    show(
        "Counting, time relative to tiktoken's encode (lower is better)",
        ("text", "ours, tokens", "ours, cold", "ours, cached", "LangChain approx.", "its count / true"),
        rows,
    )


def window() -> None:
    turns = texts_of("English")[:300]
    encoding = load_encoding("o200k_base")

    def grow(count: object) -> int:
        return sum(sum(count(turn) for turn in turns[:end]) for end in range(1, len(turns) + 1))  # type: ignore[operator]

    start = time.process_time()
    grow(TokenCounter().count)
    ours = time.process_time() - start
    theirs = cpu_seconds(lambda: grow(lambda text: len(encoding.encode(text))), repeat=1)
    show(
        "Re-counting a window that grows to 300 turns",
        ("ours", "tiktoken without a cache", "ratio"),
        [(f"{ours * 1e3:.1f} ms", f"{theirs * 1e3:.0f} ms", f"{ours / theirs:.3f}x")],
    )


def first_use() -> None:
    script = (
        "import time; s = time.process_time()\nfrom memory_middleware import TokenCounter\nc = TokenCounter({!r})\n"
        "a = time.process_time(); c.count('x'); b = time.process_time(); print(a - s, b - a)"
    )
    rows = []
    for name in ("o200k_base", "cl100k_base"):
        made, counted = subprocess.check_output([sys.executable, "-c", script.format(name)], text=True).split()
        rows.append((name, f"{float(made) * 1e3:.0f} ms", f"{float(counted) * 1e3:.0f} ms"))
    show("First use, in a new process", ("encoding", "import and build", "first count"), rows)


if __name__ == "__main__":
    throughput()
    window()
    first_use()
