"""A conversation of any length in English and Chinese, with what a careful reader would remember of it."""

from __future__ import annotations

import random
from dataclasses import dataclass

__all__ = ["ScriptedTurn", "conversation"]

PLACES = {
    "en": ("Porto", "Oslo", "Kyoto", "Quito", "Dakar", "Lima", "Turin", "Leeds", "Perth", "Ghent"),
    "zh": ("杭州", "成都", "厦门", "西安", "昆明", "青岛", "苏州", "长沙", "大理", "桂林"),
}
NAMES = {
    "en": ("Marta", "Idris", "Noor", "Tomas", "Yuki", "Leila", "Hugo", "Ingrid", "Pavel", "Rosa"),
    "zh": ("小林", "阿梅", "老周", "子涵", "思远", "晓雯", "建国", "雨桐", "志明", "佳怡"),
}
THINGS = {
    "en": ("green tea", "dark bread", "night trains", "paper maps", "old films", "river walks", "hot soup", "jazz"),
    "zh": ("绿茶", "面条", "夜车", "纸质地图", "老电影", "河边散步", "热汤", "爵士乐"),
}
# What is said, what is answered, and what follows from it; the last is empty where nothing does.
LINES = {
    "en": (
        ("I have just moved to {place}.", "Welcome to {place}!", "The user lives in {place}."),
        ("My sister {name} visits next month.", "How nice of {name}.", "The user has a sister named {name}."),
        ("I really like {thing}.", "Good to know.", "The user likes {thing}."),
        ("I work as an editor at a press in {place}.", "That sounds busy.", "The user is an editor in {place}."),
        ("What is the weather in {place} like in spring?", "Mild, with some rain.", ""),
        ("Can you shorten this paragraph for me?", "Here is a shorter one.", ""),
        ("Thanks, that was helpful.", "You are welcome.", ""),
        ("How long does the train to {place} take?", "About three hours.", ""),
        ("Why do people like {thing} so much?", "It is a matter of habit.", ""),
        ("Give me a synonym for quick.", "Rapid.", ""),
    ),
    "zh": (
        ("我刚搬到{place}。", "欢迎来到{place}！", "用户住在{place}。"),
        ("我妹妹{name}下个月来看我。", "真好。", "用户有一个妹妹叫{name}。"),
        ("我特别喜欢{thing}。", "记住了。", "用户喜欢{thing}。"),
        ("我在{place}一家出版社做编辑。", "听起来很忙。", "用户在{place}做编辑。"),
        ("{place}春天天气怎么样？", "温和，有点雨。", ""),
        ("帮我把这段话缩短一点好吗？", "这是短一些的版本。", ""),
        ("谢谢，很有用。", "不客气。", ""),
        ("去{place}的火车要多久？", "大约三个小时。", ""),
        ("为什么大家那么喜欢{thing}？", "习惯而已。", ""),
        ("“快”有哪些近义词？", "迅速。", ""),
    ),
}


@dataclass(frozen=True, slots=True)
class ScriptedTurn:
    """One round: the question, the answer, and what is worth remembering of it, if anything."""

    question: str
    answer: str
    fact: str


def conversation(rounds: int, seed: int = 11) -> list[ScriptedTurn]:
    """Make so many rounds, every other one in Chinese; no two questions are the same."""
    chance = random.Random(seed)
    made: list[ScriptedTurn] = []
    for at in range(rounds):
        lang = ("en", "zh")[at % 2]
        values = {
            "place": chance.choice(PLACES[lang]),
            "name": chance.choice(NAMES[lang]),
            "thing": chance.choice(THINGS[lang]),
        }
        said, answered, fact = (part.format(**values) for part in chance.choice(LINES[lang]))
        note = f" (note {at})" if lang == "en" else f"（第{at}条）"
        made.append(ScriptedTurn(said + note, answered, fact))
    return made
