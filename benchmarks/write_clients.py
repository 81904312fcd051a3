"""What remembers a conversation through a chat model: ours, LangMem and mem0, each in a process of its own.

``python benchmarks/write_clients.py SYSTEM URL TURNS BATCH FOLDER`` is started by ``bench_write.py``, with an
environment in which nobody sends statistics anywhere.
"""

from __future__ import annotations

import argparse
import importlib
import json
import time
import warnings
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from langchain_core.messages import AIMessage, BaseMessage, HumanMessage
from langchain_openai import ChatOpenAI, OpenAIEmbeddings
from langgraph.store.memory import InMemoryStore
from recording_provider import DIMS
from scripted_turns import ScriptedTurn, conversation

from memory_middleware import MemoryConfig, Scope
from memory_middleware.memory import Memory
from memory_middleware.schemas.record import RecordKind

MODEL = "gpt-4o-mini"
WARM = 10
Turns = Sequence[ScriptedTurn]
Steps = Iterator[int]
"""How many turns are remembered after each step."""
Client = tuple[Steps, Callable[[], int]]


def model(url: str) -> ChatOpenAI:
    return ChatOpenAI(model=MODEL, base_url=url, api_key="none", max_retries=0)


def messages(turns: Turns, at: int = 0) -> list[BaseMessage]:
    return [
        message
        for number, turn in enumerate(turns, at)
        for message in (HumanMessage(turn.question, id=f"h{number}"), AIMessage(turn.answer, id=f"a{number}"))
    ]


def batches(turns: Turns, size: int) -> list[Turns]:
    return [turns[at : at + size] for at in range(0, len(turns), size)]


def ours(url: str, turns: Turns, batch: int, folder: Path) -> Client:
    config = MemoryConfig.from_dict({"extract": {"mode": "inline", "batch_size": batch}})
    memory = Memory.open(folder, config=config, model=model(url) if url else None)
    scope = Scope("ana", "thread", "agent")

    def run() -> Steps:
        for at, turn in enumerate(turns):
            memory.observe(scope, messages([turn], at))
            yield 1

    def kept() -> int:
        found = memory.store.memories.records.newest(scope, limit=1000)
        return sum(record.kind is not RecordKind.DIALOGUE for record in found)

    return run(), kept


def langmem_store(url: str) -> InMemoryStore:
    embed = OpenAIEmbeddings(
        model="text-embedding-3-small", base_url=url, api_key="none", dimensions=DIMS, check_embedding_ctx_length=False
    )
    return InMemoryStore(index={"dims": DIMS, "embed": embed, "fields": ["$"]})


def langmem(url: str, turns: Turns, batch: int, _folder: Path) -> Client:
    """Let LangMem's store manager read what was said."""
    store = langmem_store(url)
    manager = importlib.import_module("langmem").create_memory_store_manager(model(url), store=store)
    config: Any = {"configurable": {"langgraph_user_id": "ana"}}

    def run() -> Steps:
        for part in batches(turns, batch):
            manager.invoke({"messages": messages(part)}, config)
            yield len(part)

    return run(), lambda: len(store.search(("memories",), limit=1000))


def langmem_tool(url: str, turns: Turns, _batch: int, _folder: Path) -> Client:
    """Let an agent use LangMem's tool in its own turns."""
    store = langmem_store(url)
    tool = importlib.import_module("langmem").create_manage_memory_tool(("memories", "ana"), store=store)
    agent = importlib.import_module("langchain.agents").create_agent(model(url), tools=[tool], store=store)

    def run() -> Steps:
        for turn in turns:
            agent.invoke({"messages": [HumanMessage(turn.question)]})
            yield 1

    return run(), lambda: len(store.search(("memories",), limit=1000))


def mem0(url: str, turns: Turns, batch: int, folder: Path) -> Client:
    place = {"openai_base_url": url, "api_key": "none"}
    memory = importlib.import_module("mem0").Memory.from_config(
        {
            "llm": {"provider": "openai", "config": {"model": MODEL, **place}},
            "embedder": {
                "provider": "openai",
                "config": {"model": "text-embedding-3-small", "embedding_dims": DIMS, **place},
            },
            "vector_store": {
                "provider": "qdrant",
                "config": {"path": str(folder / "qdrant"), "embedding_model_dims": DIMS, "on_disk": True},
            },
            "history_db_path": str(folder / "history.db"),
        }
    )

    def run() -> Steps:
        for part in batches(turns, batch):
            said = [{"role": _role(message), "content": message.content} for message in messages(part)]
            memory.add(said, user_id="ana")
            yield len(part)

    return run(), lambda: len(memory.get_all(filters={"user_id": "ana"}, top_k=1000)["results"])


def _role(message: BaseMessage) -> str:
    return "user" if isinstance(message, HumanMessage) else "assistant"


SYSTEMS = {"ours": ours, "langmem": langmem, "langmem tool": langmem_tool, "mem0": mem0}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("system", choices=SYSTEMS)
    parser.add_argument("url")
    parser.add_argument("turns", type=int)
    parser.add_argument("batch", type=int)
    parser.add_argument("folder", type=Path)
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    turns = conversation(options.turns)
    steps, kept = SYSTEMS[options.system](options.url, turns, options.batch, options.folder)
    print(json.dumps({"ms": milliseconds(steps), "kept": kept()}))


def milliseconds(steps: Steps) -> float:
    """Give the time of a turn, those left out in which everything is loaded."""
    done, start = 0, 0.0
    for step in steps:
        done += step
        if done <= WARM:
            start = time.perf_counter()
    return (time.perf_counter() - start) * 1e3 / (done - WARM)


if __name__ == "__main__":
    main()
