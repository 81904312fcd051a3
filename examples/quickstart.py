"""A graph with a memory, in a few lines. Runs offline, with no key: python examples/quickstart.py."""

import tempfile

from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import START, MessagesState, StateGraph

from memory_middleware import Memory
from memory_middleware.testing import ScriptedChatModel

with tempfile.TemporaryDirectory() as folder, Memory.open(folder) as memory:
    model = ScriptedChatModel()  # no key, so it quotes what memory tells it; put your chat model here
    builder = StateGraph(MessagesState).add_node("router", memory.router(model)).add_edge(START, "router")
    graph = builder.compile(checkpointer=InMemorySaver())

    def say(text: str, thread: str) -> None:
        """Say something in a thread, and print the answer."""
        config = {"configurable": {"thread_id": thread, "user_id": "ana"}}
        print("ana:", text, "\n  →", graph.invoke({"messages": [("user", text)]}, config)["messages"][-1].text)

    say("My dog is called Bruno and I live in Lisbon.", "monday")
    memory.flush("ana")  # by itself this happens in the background
    say("Good morning!", "friday")
    say("What is my dog called?", "friday")
