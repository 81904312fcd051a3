"""Words that take back what was just said: a joke, a slip, a change of mind."""

from __future__ import annotations

import re

__all__ = ["forgets", "takes_back"]

_BACK = re.compile(
    r"\b(?:just\s+|only\s+|totally\s+|i'?m\s+|i\s+was\s+|was\s+|we\s+were\s+){0,3}(?:kidding|joking"
    r"|messing with you|pulling your leg)\b(?!\s+(?:with|around with)\s+my)"
    r"|^\W{0,6}(?:jk|j/k|jks|lol jk|haha jk)\b|\bjk\W{0,6}$|\b(?:that|it|this) was (?:just )?(?:a|my) joke\b"
    r"|\bi made (?:that|it|this|all of that) up\b|\bnot (?:really|true),? (?:lol|haha|just)\b"
    r"|\b(?:forget|ignore|disregard|scrap|scratch) (?:what|everything|all|the things?) i (?:just )?(?:said"
    r"|told you|wrote|mentioned)\b|\bforget (?:about )?that last (?:bit|message|part)\b"
    r"|\bscratch that\b|\b(?:ignore|disregard) (?:that|my last message|my previous message|the last message)\b"
    r"|\bforget (?:it|that) ?,? i (?:was|made|lied)\b|\bi (?:lied|was lying|take (?:that|it) back)\b"
    r"|开(?:个|了个)?玩笑(?:的|啦|呢|哈)?|闹着玩|逗你(?:的|玩)|骗你(?:的|呢|玩)|我?瞎(?:说|编)的|乱说的|随口(?:说"
    r"|一说)|当我没说|(?:刚才|刚刚|上面|前面)说的(?:都)?(?:不算|不作数|是假的|作废)"
    r"|别当真|不要当真|忽略(?:我)?(?:刚才|刚刚|上面|上一条|前面)|忘(?:了|掉|记)(?:我)?(?:刚才|刚刚|上面|之前)(?:说"
    r"|讲)的|我编的|收回(?:我)?(?:刚才|刚刚|上面|这句|那句)",
    re.IGNORECASE,
)
_DENIED = re.compile(
    r"\b(?:not|no|isn't|wasn't|never|don't|stop|love|like|always|he|she|they|you)\s+(?:just\s+|only\s+){0,7}(?:kidding"
    r"|joking)\b|\bjoking aside\b|\bkidding aside\b|没(?:在|有)?开玩笑|不是开玩笑|[喜爱]欢?开玩笑|别开玩笑"
    r"|不要开玩笑|他开玩笑|她开玩笑",
    re.IGNORECASE,
)
_FORGET = re.compile(
    r"^\W{0,6}(?:(?:please|pls|and|also|you can|oh)\s+){0,7}(?:forget|delete"
    r"|remove)\s+(?:the fact\s+)?(?:that\s+)(?P<rest>.+)|^\W{0,6}(?:请|麻烦)?(?:把)?(?:忘记|忘掉|忘了|删掉"
    r"|别记)(?P<zh>我.+)",
    re.IGNORECASE,
)


def takes_back(text: str) -> re.Match[str] | None:
    """Find words that take back what was said before them."""
    found = _BACK.search(text)
    return found if found and not _DENIED.search(text) else None


def forgets(text: str) -> int | None:
    """Give the place of the statement that is to be forgotten, as in ``forget that I live in Rome``."""
    found = _FORGET.match(text)
    if not found:
        return None
    return found.start("rest") if found["rest"] else found.start("zh")
