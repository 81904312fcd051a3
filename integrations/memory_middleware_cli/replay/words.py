"""The words of a replay's views, in English and Chinese."""

from __future__ import annotations

__all__ = ["CHANGES", "words"]

CHANGES = {
    "added": "learned",
    "superseded": "holds no more",
    "confirmed": "heard again",
    "quarantined": "set aside",
    "archived": "archived",
    "ended": "its time is over",
}
"""What can become of a record, and how that is told."""

_CHINESE = {
    "learned": "学到",
    "holds no more": "不再成立",
    "heard again": "再次提到",
    "set aside": "搁置待查",
    "archived": "已归档",
    "its time is over": "已到期",
    "refused": "未采纳",
    "failed": "失败",
    "used": "用到",
    "told": "告知",
    "you": "你",
    "tokens": "词元",
    "profile and last rounds": "画像与最近几轮",
    "lines found no room": "行放不下",
    "What is known, and why": "知道什么，以及为什么",
    "known": "知道",
    "because it was said": "因为说过",
    "when": "时间",
    "weight": "权重",
    "Totals": "合计",
    "turns": "轮次",
    "{} in {} threads over {} days": "{} 轮，{} 个会话，{} 天",
    "memory told": "记忆告知",
    "{} tokens, {:.0f} a turn, at most {} of {}": "共 {} 个词元，每轮 {:.0f} 个，最多 {} / {}",
    "records told": "告知的记录",
    "{}, of which answers used {:.0%}": "{} 条，回答用到 {:.0%}",
    "{} facts; {} hold no more; {} heard again": "{} 条；{} 条不再成立；{} 条再次提到",
    "put aside": "搁置",
    "{} quarantined, {} refused": "隔离 {} 条，未采纳 {} 条",
    "upkeep": "维护",
    "{} archived, {} ended": "归档 {} 条，到期 {} 条",
    "memory failed {} times": "记忆失败 {} 次",
    "fullest prompt": "最满的提示词",
    "Weights over time": "权重变化",
    "Budget use": "预算使用",
    "Records that hold": "成立的记录",
    "Timeline": "时间线",
    "Two configurations": "两份配置",
    "Nothing.": "没有。",
    "nothing: {}": "无：{}",
    "what {} was told": "{} 得知的内容",
    "A replayed conversation": "一段重放的对话",
    "turns in {} threads": "轮，{} 个会话",
    "days": "天",
    "tokens of memory a turn": "每轮记忆词元",
    "most of {} tokens": "最多，预算 {} 个词元",
    "of {} records told were used": "告知的 {} 条记录被用到",
    "facts learned": "学到的事实",
    "hold no more": "不再成立",
    "set aside or refused": "搁置或未采纳",
    "No record was learned.": "没有学到记录。",
    "budget of one agent: {} tokens; fullest prompt: {}": "每个智能体的预算：{} 个词元；最满的提示词：{}",
}


def words(text: str, language: str) -> str:
    """Say a text of the views in a language; what has no translation is said in English."""
    return _CHINESE.get(text, text) if language == "zh" else text
