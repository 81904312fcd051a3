"""Memory and checkpoints in the PostgreSQL stores that your LangGraph app has already.

    MEMORY_EXAMPLE_POSTGRES=postgresql://me@localhost/app python examples/bring_your_own_postgres.py

Memory is kept in LangGraph's ``PostgresStore``, as items beside those of your own; LangGraph's saver keeps the
checkpoints. ``Memory.in_graph()`` takes whichever store the graph was compiled with; ``Memory.over(store)`` is the same
memory outside of a graph. Memory can also have tables of its own in that database, which suits many processes better:
``Memory.open(MemoryConfig.from_dict({"storage": {"sql_url": url, "lance_uri": folder}}))``.

Without the variable the example says so and ends. It needs ``langgraph-checkpoint-postgres``.
"""

from __future__ import annotations

import os
from typing import Any

from langgraph.graph import START, MessagesState, StateGraph

from memory_middleware import Memory
from memory_middleware.testing import ScriptedChatModel


def main() -> None:
    """Tell something, end the process's memory, and ask for it with a new one."""
    url = os.environ.get("MEMORY_EXAMPLE_POSTGRES")  # noqa: TID251 - an example may, the package does not
    if not url:
        print("MEMORY_EXAMPLE_POSTGRES is not set; give it the URL of a PostgreSQL database to try this.")
        return
    from langgraph.checkpoint.postgres import PostgresSaver  # noqa: PLC0415 - only needed with a server
    from langgraph.store.postgres import PostgresStore  # noqa: PLC0415 - only needed with a server

    model = ScriptedChatModel()
    print("No key is set: the chat model quotes what memory tells it.\n")
    with PostgresStore.from_conn_string(url) as store, PostgresSaver.from_conn_string(url) as saver:
        store.setup()
        saver.setup()
        for texts in (["My dog is called Bruno.", "I live in Lisbon."], ["Good morning!", "What is my dog called?"]):
            with Memory.in_graph() as memory:  # a new one each time, as after a restart
                builder = StateGraph(MessagesState).add_node("router", memory.router(model)).add_edge(START, "router")
                graph = builder.compile(checkpointer=saver, store=store)
                for text in texts:
                    run: Any = {"configurable": {"thread_id": texts[0], "user_id": "ana"}}
                    answer = graph.invoke({"messages": [("user", text)]}, run)["messages"][-1]
                    print(f"ana: {text}\n  → {answer.text}")
        with Memory.over(store) as memory:
            print("\nWhat the store knows of ana:")
            for record in memory.list_records("ana", kinds=["fact"]).records:
                print(f"- {record.content}")


if __name__ == "__main__":
    main()
