"""Memory and checkpoints on your PostgreSQL.

    MEMORY_EXAMPLE_POSTGRES=postgresql://me@localhost/app python examples/bring_your_own_postgres.py

Memory keeps its rows there and its index in a folder (or on S3); LangGraph's saver keeps the checkpoints. Without the
variable the example says so and ends. It needs the extra ``postgres`` and ``langgraph-checkpoint-postgres``.
"""

from __future__ import annotations

import os
import tempfile
from typing import Any

from langgraph.graph import START, MessagesState, StateGraph

from memory_middleware import Memory, MemoryConfig
from memory_middleware.testing import ScriptedChatModel


def main() -> None:
    """Tell something, end the process's memory, and ask for it with a new one."""
    url = os.environ.get("MEMORY_EXAMPLE_POSTGRES")  # noqa: TID251 - an example may, the package does not
    if not url:
        print("MEMORY_EXAMPLE_POSTGRES is not set; give it the URL of a PostgreSQL database to try this.")
        return
    from langgraph.checkpoint.postgres import PostgresSaver  # noqa: PLC0415 - only needed with a server

    model = ScriptedChatModel()
    print("No key is set: the chat model quotes what memory tells it.\n")
    with tempfile.TemporaryDirectory() as index, PostgresSaver.from_conn_string(url) as saver:
        saver.setup()
        config = MemoryConfig.from_dict({"storage": {"sql_url": url, "lance_uri": index}})
        for texts in (["My dog is called Bruno.", "I live in Lisbon."], ["Good morning!", "What is my dog called?"]):
            with Memory.open(config) as memory:  # a new one each time, as after a restart
                builder = StateGraph(MessagesState).add_node("router", memory.router(model)).add_edge(START, "router")
                graph = builder.compile(checkpointer=saver, store=memory.store)
                for text in texts:
                    run: Any = {"configurable": {"thread_id": texts[0], "user_id": "ana"}}
                    answer = graph.invoke({"messages": [("user", text)]}, run)["messages"][-1]
                    print(f"ana: {text}\n  → {answer.text}")


if __name__ == "__main__":
    main()
