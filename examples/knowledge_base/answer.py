"""A folder of Markdown files as the knowledge of a worker.

Run with ``python examples/knowledge_base/answer.py``. It needs no key: the chat model is scripted, and says so.
"""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

from langgraph.graph import START, MessagesState, StateGraph

from memory_middleware import Memory, MemoryConfig
from memory_middleware.testing import ScriptedChatModel

HANDBOOK = Path(__file__).parent / "handbook"
CONFIG = """
storage: {path: "${FOLDER}"}
inject: {first_round_empty: false}
memory:
  - name: handbook
    type: file
    config:
      index_path: handbook.json
      file_sources: [{path: "${HANDBOOK}", file_types: [".md"]}]
      embedding: {provider: local, model: wordllama}
agents:
  worker:
    role: worker
    memories: [{name: handbook, top_k: 2, write: false}]
"""


def main() -> None:
    """Ask the handbook."""
    model = ScriptedChatModel()
    print("No key is set: the chat model quotes what memory tells it.\n")
    with tempfile.TemporaryDirectory() as folder:
        config = MemoryConfig.from_yaml(CONFIG, env={"FOLDER": folder, "HANDBOOK": str(HANDBOOK)})
        with Memory.open(config) as memory:
            builder = StateGraph(MessagesState).add_node("worker", memory.worker(model)).add_edge(START, "worker")
            graph = builder.compile()
            for text in ("What does a bicycle cost on the night ferry?", "Until when can tickets be returned?"):
                run: Any = {"configurable": {"user_id": "ana"}}
                answer = graph.invoke({"messages": [("user", text)]}, run)["messages"][-1]
                print(f"ana: {text}\n  → {answer.text}\n")


if __name__ == "__main__":
    main()
