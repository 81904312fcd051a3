"""Whether to inject memory at all, and which: rules only, no model is asked."""

from __future__ import annotations

import functools
import re

from memory_middleware.config import InjectConfig
from memory_middleware.storage.terms import has_cjk

__all__ = ["meaningful_length", "should_inject", "wants_long_term"]

_TECHNICAL = (
    "api", "architecture", "bug", "build", "class", "code", "commit", "compile", "config", "database", "debug",
    "deploy", "docker", "error", "exception", "framework", "function", "git", "implement", "install", "library",
    "merge", "migrate", "module", "performance", "project", "python", "query", "refactor", "release",
    "repository", "schema", "script",
    "server", "service", "sql", "stack", "test", "version",
)  # fmt: skip
_PERSONAL = (
    "again", "before", "called", "earlier", "forget", "forgot", "i", "i'd", "i'm", "i've", "last", "me", "mine", "my",
    "name", "our", "prefer", "preference", "previous", "previously", "recall", "remember", "remind", "usual", "usually",
    "we", "when", "who", "whose",
)  # fmt: skip
_CHINESE = (
    "代码", "项目", "部署", "数据库", "接口", "报错", "错误", "异常", "函数", "测试", "版本", "配置", "服务", "框架",
    "架构", "编译", "调试", "脚本", "重构", "性能", "我", "咱", "记得", "记住", "上次", "之前", "以前", "刚才",
    "还记", "偏好",
    "喜欢", "习惯", "名字", "什么时候", "谁",
)  # fmt: skip
_WORD = re.compile(r"[a-z0-9']+")


def meaningful_length(query: str) -> int:
    """Count what carries meaning: a letter or digit is one, a Chinese, Japanese or Korean character two."""
    return sum(2 if has_cjk(char) else 1 for char in query if char.isalnum())


def should_inject(query: str, message_count: int, rules: InjectConfig | None = None) -> bool:
    """Tell whether memory is injected for a query.

    Args:
        query: What is asked.
        message_count: How many messages the thread had before it.
        rules: The injection rules; none uses the defaults.
    """
    chosen = rules or InjectConfig()
    if chosen.first_round_empty and message_count <= 0:
        return False
    return meaningful_length(query) >= chosen.min_query_length


def wants_long_term(query: str, rules: InjectConfig | None = None) -> bool:
    """Tell whether a query may recall long-term records.

    ``always`` lets every query; ``semantic`` too, and leaves it to a floor of relevance; ``keywords`` only one
    that speaks of technical things, of the past or of the speaker.
    """
    chosen = rules or InjectConfig()
    if chosen.long_term_trigger != "keywords":
        return True
    lowered = query.casefold()
    if chosen.keywords:
        return any(_holds(lowered, keyword.casefold()) for keyword in chosen.keywords)
    return bool(_words().intersection(_WORD.findall(lowered))) or any(word in lowered for word in _CHINESE)


def _holds(text: str, keyword: str) -> bool:
    if not keyword.isascii():
        return keyword in text
    return re.search(rf"(?<![a-z0-9]){re.escape(keyword)}(?![a-z0-9])", text) is not None


@functools.cache
def _words() -> frozenset[str]:
    plurals = {f"{word}s" for word in _TECHNICAL}
    return frozenset({*_TECHNICAL, *plurals, *_PERSONAL})
