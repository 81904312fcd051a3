"""The same graph with a real provider, by setting one variable.

    MEMORY_EXAMPLE_MODEL=openai:gpt-4o-mini python examples/real_provider.py

The model then answers and extracts; its key is read by its own package. Without the variable a scripted model answers
and rules extract, and the example says so.
"""

from __future__ import annotations

import os
import tempfile
from typing import Any

from langchain_core.language_models import BaseChatModel
from langchain_core.messages import SystemMessage
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import START, MessagesState, StateGraph

from memory_middleware import Memory, PromptLibrary
from memory_middleware.testing import ScriptedChatModel


def chosen_model() -> BaseChatModel | None:
    """Give the model that the variable names, or none."""
    name = os.environ.get("MEMORY_EXAMPLE_MODEL")  # noqa: TID251 - an example may, the package does not
    if not name:
        return None
    from langchain.chat_models import init_chat_model  # noqa: PLC0415 - only needed with a provider

    print(f"Answering and extracting with {name}.\n")
    return init_chat_model(name)


def main() -> None:
    """Tell something in one thread, and ask for it in another."""
    real = chosen_model()
    if real is None:
        print("MEMORY_EXAMPLE_MODEL is not set: a scripted model answers, and rules extract.\n")
    model = real or ScriptedChatModel()
    prompt = SystemMessage(PromptLibrary().render("router"))
    with tempfile.TemporaryDirectory() as folder, Memory.open(folder, model=real) as memory:

        def talk(state: MessagesState) -> dict[str, Any]:
            return {"messages": [model.invoke([prompt, *state["messages"]])]}

        builder = StateGraph(MessagesState).add_node("router", memory.router(talk)).add_edge(START, "router")
        graph = builder.compile(checkpointer=InMemorySaver())
        for thread, text in (
            ("monday", "I'm allergic to nuts, and my sister Teresa is a vet."),
            ("friday", "Hello again!"),
            ("friday", "What am I allergic to?"),
        ):
            run: Any = {"configurable": {"thread_id": thread, "user_id": "ana"}}
            answer = graph.invoke({"messages": [("user", text)]}, run)["messages"][-1]
            print(f"ana: {text}\n  → {answer.text}")
            memory.flush("ana")
        known = memory.recall("ana", "allergic", limit=3)
        print("\nRemembered:", *(hit.record.content for hit in known), sep="\n- ")


if __name__ == "__main__":
    main()
