"""Notes that people and agents write together: Markdown files, listed in MEMORY.md, recalled by words.

Run with ``python examples/notes_directory.py``. It needs no key: the chat model is scripted, and says so.
"""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

from langgraph.graph import START, MessagesState, StateGraph

from memory_middleware import Memory, MemoryConfig, MemoryDir
from memory_middleware.testing import ScriptedChatModel

CONFIG = """
storage: {path: "${FOLDER}"}
inject: {first_round_empty: false}
memory: [{name: notes, type: notes, config: {path: notes}}]
agents:
  worker: {role: worker, memories: [{name: notes, top_k: 2}]}
"""


def main() -> None:
    """Write two notes, one of them by hand, and ask about them."""
    model = ScriptedChatModel()
    print("No key is set: the chat model quotes what memory tells it.\n")
    with tempfile.TemporaryDirectory() as folder:
        notes = MemoryDir(Path(folder) / "notes")
        notes.save_memory("deploy", "reference", "Deploy", "how we deploy", "Deploys need two approvals, on Thursdays.")
        by_hand = (
            "---\nname: Tone\ndescription: how to write reports\ntype: feedback\n---\nReports have three sentences.\n"
        )
        (notes.path / "tone.md").write_text(by_hand, encoding="utf-8")
        notes.repair()
        print(notes.load_index())
        with Memory.open(MemoryConfig.from_yaml(CONFIG, env={"FOLDER": folder})) as memory:
            builder = StateGraph(MessagesState).add_node("worker", memory.worker(model)).add_edge(START, "worker")
            graph = builder.compile()
            for text in ("How many approvals do deploys need?", "How many sentences do reports have?"):
                run: Any = {"configurable": {"user_id": "ana"}}
                answer = graph.invoke({"messages": [("user", text)]}, run)["messages"][-1]
                print(f"ana: {text}\n  → {answer.text}\n")


if __name__ == "__main__":
    main()
