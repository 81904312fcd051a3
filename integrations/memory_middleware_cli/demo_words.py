"""The words around the story of ``memory demo``, in both languages."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["Words", "words_for"]


@dataclass(frozen=True, slots=True)
class Words:
    """What the demo says by itself."""

    title: str
    about: str
    running: str
    conversation: str
    you: str
    told: str
    used: str
    learned: str
    block: str
    known: str
    cost: str
    more: str


_WORDS = {
    "en": Words(
        title="memory demo",
        about="Five conversations, one memory. The last answers are not written down: the graph finds them in memory.",
        running="five conversations …",
        conversation="Conversation {}",
        you="you",
        told="memory told",
        used="{} used",
        learned="after this conversation",
        block="What memory told the agent in the last turn",
        known="What I know about you, and why",
        cost="at most {} of {} tokens",
        more="Nothing left this machine, and its folder is gone. Try: memory demo --budget 80 · "
        "memory demo --language zh · memory demo --json · memory replay TRACE.jsonl",
    ),
    "zh": Words(
        title="记忆演示",
        about="五次对话，一份记忆。最后的回答没有事先写好，由图从记忆中找出。",
        running="五次对话 …",
        conversation="第 {} 次对话",
        you="你",
        told="记忆告知",
        used="用到 {} 条",
        learned="这次对话之后",
        block="最后一轮里记忆告诉智能体的内容",
        known="我知道的关于你的事，以及为什么",
        cost="最多用 {} / {} 个词元",
        more="没有任何内容离开这台机器，临时文件夹已删除。试试：memory demo --budget 80 · memory demo --language en · "
        "memory demo --json · memory replay TRACE.jsonl",
    ),
}


def words_for(language: str) -> Words:
    """Give the words of a language; an unknown one is told in English."""
    return _WORDS.get(language, _WORDS["en"])
