"""The words around experience, in English and Chinese."""

from __future__ import annotations

__all__ = ["words"]

_WORDS: dict[str, tuple[str, str]] = {
    "episode": ("episode {day}, {outcome}: {goal}", "过程 {day}，{outcome}：{goal}"),
    "pattern": ("pattern, {category}: {pattern}", "模式，{category}：{pattern}"),
    "skill": ("skill: {name}", "技能：{name}"),
    "success": ("success", "成功"),
    "failure": ("failure", "失败"),
    "partial": ("partial", "部分成功"),
    "happened": ("{day} {agent}: {goal}", "{day} {agent}：{goal}"),
    "known": ("{name}: {description}", "{name}：{description}"),
    "actions": ("actions: {0}", "操作：{0}"),
    "errors": ("errors: {0}", "错误：{0}"),
    "files": ("files changed: {0}", "改动文件：{0}"),
    "do": ("do: {0}", "应：{0}"),
    "avoid": ("avoid: {0}", "忌：{0}"),
    "steps": ("steps: {0}", "步骤：{0}"),
    "whole_episode": ("Episode of {when}: {goal}", "{when} 的过程：{goal}"),
    "by": ("By {agent}{phase}; {outcome} after {seconds} s", "执行者：{agent}{phase}；{seconds} 秒后{outcome}"),
    "phase": (", phase {0}", "，阶段 {0}"),
    "whole_pattern": ("Pattern ({category}): {pattern}", "模式（{category}）：{pattern}"),
    "sure": ("Confidence: {confidence:g}, used: {used}", "置信度：{confidence:g}，使用次数：{used}"),
    "whole_skill": ("Skill: {name}", "技能：{name}"),
    "When": ("When", "条件"),
    "Do": ("Do", "应"),
    "Avoid": ("Avoid", "忌"),
    "Needs": ("Needs", "前提"),
    "Steps": ("Steps", "步骤"),
    "Errors": ("Errors", "错误"),
    "Done when": ("Done when", "完成标准"),
    "Example": ("Example", "示例"),
    "Actions": ("Actions", "操作"),
    "Files changed": ("Files changed", "改动文件"),
    "Files read": ("Files read", "读取文件"),
    "Made": ("Made", "产物"),
    "Commit": ("Commit", "提交"),
    "open": ("open", "未解决"),
    "colon": (": ", "："),
    "semicolon": ("; ", "；"),
}


def words(key: str, language: str) -> str:
    """Give a word or form in a language; another than Chinese is given in English, an unknown word as it is."""
    return _WORDS.get(key, (key, key))[1 if language == "zh" else 0]
