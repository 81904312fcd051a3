"""用中文聊天：记住、改正、再想起来。A conversation in Chinese, with Chinese prompts and rules.

运行：``python examples/chinese_chat.py``。不需要密钥：这里的聊天模型只引用记忆告诉它的内容。
"""

from __future__ import annotations

import tempfile
from typing import Any

from langchain_core.messages import SystemMessage
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import START, MessagesState, StateGraph

from memory_middleware import Memory, MemoryConfig, PromptLibrary
from memory_middleware.testing import ScriptedChatModel

SAID = (
    ("周一", "你好，我叫小安，我住在青岛。"),
    ("周一", "我对花生过敏，我喜欢喝茉莉花茶。"),
    ("周三", "告诉你一个消息，我搬到上海了。"),
    ("周五", "又见面了。"),
    ("周五", "我对花生过敏吗？"),
    ("周五", "我搬到哪里了？"),
)


def main() -> None:
    """Talk on three days, and tell what is known in the end."""
    model = ScriptedChatModel()
    prompt = SystemMessage(PromptLibrary(language="zh").render("router"))
    print("没有设置密钥：聊天模型只引用记忆。\n")
    config = MemoryConfig.from_dict({"language": "zh", "extract": {"mode": "inline", "batch_size": 1}})
    with tempfile.TemporaryDirectory() as folder, Memory.open(folder, config=config) as memory:

        def talk(state: MessagesState) -> dict[str, Any]:
            return {"messages": [model.invoke([prompt, *state["messages"]])]}

        builder = StateGraph(MessagesState).add_node("router", memory.router(talk)).add_edge(START, "router")
        graph = builder.compile(checkpointer=InMemorySaver())
        for thread, text in SAID:
            run: Any = {"configurable": {"thread_id": thread, "user_id": "xiaoan"}}
            answer = graph.invoke({"messages": [("user", text)]}, run)["messages"][-1]
            print(f"[{thread}] 小安：{text}\n  → {answer.text}")
        known = memory.recall("xiaoan", "小安住在哪里，对什么过敏", kinds=["fact"])
        print("\n记住了：", *(hit.record.content for hit in known), sep="\n- ")


if __name__ == "__main__":
    main()
