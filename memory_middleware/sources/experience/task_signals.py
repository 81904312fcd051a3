"""The words by which tasks are told apart, in English and Chinese."""

from __future__ import annotations

import functools
import re
from typing import NamedTuple

__all__ = ["SIGNALS", "Signals", "TaskType", "begins_word", "mentions"]


class Signals(NamedTuple):
    """What hints at a type of task.

    Attributes:
        keywords: English words of the goal; their usual endings count too.
        words: Chinese words of the goal.
        actions: Names of tools.
        phases: Names of phases of work.
        cycle: The phases of an episode that are typical of it.
        categories: The categories of patterns that help with it.
    """

    keywords: tuple[str, ...]
    words: tuple[str, ...]
    actions: tuple[str, ...]
    phases: tuple[str, ...]
    cycle: tuple[str, ...]
    categories: tuple[str, ...]


TaskType = str

# The order matters: of two types with equal hints the first is taken.
SIGNALS: dict[TaskType, Signals] = {
    "exploration": Signals(
        keywords=(
            *("explore", "understand", "research", "investigate", "analyze", "analysis", "discover", "find"),
            *("what is", "how does", "architecture", "structure", "overview"),
        ),
        words=(
            *("探索", "了解", "理解", "研究", "调研", "调查", "分析", "查找", "寻找", "弄清"),
            *("是什么", "什么是", "如何工作", "怎么工作", "概览", "概述"),
        ),
        actions=("read_file", "search", "list_files"),
        phases=("planning", "discovery", "research", "规划", "探索", "调研"),
        cycle=("REASON",),
        categories=("exploration", "architecture", "design", "research", "探索", "架构", "设计"),
    ),
    "implementation": Signals(
        keywords=("implement", "create", "build", "add", "write", "develop", "make", "construct", "new feature"),
        words=(
            *("实现", "创建", "新建", "构建", "搭建", "添加", "新增", "增加"),
            *("编写", "写一个", "开发", "制作", "新功能"),
        ),
        actions=("write_file", "create_file", "edit_file"),
        phases=("development", "implementation", "coding", "开发", "实现", "编码"),
        cycle=("ACT",),
        categories=("implementation", "development", "feature", "实现", "开发", "功能"),
    ),
    "debugging": Signals(
        keywords=(
            *("fix", "debug", "error", "bug", "issue", "broken", "failing", "crash", "exception"),
            "investigate error",
        ),
        words=(
            *("修复", "修正", "调试", "错误", "报错", "故障", "缺陷", "异常", "崩溃", "失败", "排查"),
            *("分析错误", "分析报错", "查找错误", "错误原因", "报错原因", "失败原因", "解决问题"),
        ),
        actions=("run_test", "check_logs", "trace"),
        phases=("debugging", "troubleshooting", "fixing", "调试", "排错", "修复"),
        cycle=("VERIFY",),
        categories=("debugging", "testing", "error", "bug", "anti-pattern", "调试", "测试", "错误", "反模式"),
    ),
    "review": Signals(
        keywords=("review", "check", "validate", "verify", "audit", "inspect", "quality", "standards", "lint"),
        words=("审查", "评审", "检查", "验证", "校验", "核对", "审计", "复查", "质量", "规范"),
        actions=("diff", "review_pr", "check_style"),
        phases=("review", "qa", "validation", "评审", "审查", "验收"),
        cycle=("REFLECT", "VERIFY"),
        categories=("review", "quality", "standard", "style", "security", "评审", "质量", "规范", "安全"),
    ),
    "refactoring": Signals(
        keywords=(
            *("refactor", "restructure", "reorganize", "clean up", "improve structure"),
            *("extract", "rename", "move"),
        ),
        words=(
            *("重构", "重组", "重写", "整理", "清理", "改进结构", "优化结构"),
            *("提取", "抽取", "重命名", "改名", "移到", "拆分"),
        ),
        actions=("rename", "move_file", "extract_function"),
        phases=("refactoring", "cleanup", "optimization", "重构", "清理", "优化"),
        cycle=("ACT",),
        categories=("refactoring", "cleanup", "structure", "重构", "清理", "结构"),
    ),
}

_ENDINGS = "s|es|ed|d|ing|er|ers|or|y|al|ment|ion|ions|ation|ations"


@functools.cache
def _pattern(keyword: str) -> re.Pattern[str]:
    """Match a keyword with its usual endings: build, building; create, creation; bug, buggy; verify, verified."""
    root = keyword[:-1] if keyword[-1] in "ey" else keyword
    last = {"e": "e|", "y": "y|ies|ied|ying|ication|"}.get(keyword[-1], "|")
    # "Debug" holds the word "bug" and counts for both.
    start = "(?:de)?" if keyword == "bug" else ""
    return re.compile(rf"(?<![a-z]){start}{re.escape(root)}(?:{last}{root[-1]}?(?:{_ENDINGS}))(?![a-z])")


def mentions(text: str, keyword: str) -> bool:
    """Tell whether a lower-case text has an English keyword as a word, not as a part of another."""
    return _pattern(keyword).search(text) is not None


def begins_word(text: str, start: str) -> bool:
    """Tell whether a word of a lower-case text begins so; Chinese words stand anywhere."""
    found = text.find(start)
    while found > 0 and start[0].isascii() and text[found - 1].isalpha() and text[found - 1].isascii():
        found = text.find(start, found + 1)
    return found >= 0
