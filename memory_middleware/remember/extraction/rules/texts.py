"""What of a message its author says in their own name: no code, no quotations, no pasted text, no fiction."""

from __future__ import annotations

import re

from memory_middleware.remember.extraction.rules.script import simplified

__all__ = ["LONGEST", "MASK", "own_words"]

LONGEST = 20_000
MASK = "\ufffc"
_CODE = re.compile(r"```.*?(?:```|\Z)|~~~.*?(?:~~~|\Z)|`[^`\n]*`|^[ \t]*>[^\n]*$", re.DOTALL | re.MULTILINE)
_LINKS = re.compile(r"https?://\S+")
_QUOTED = re.compile(
    r'"[^"\n]{1,600}"|「[^」]{1,600}」|『[^』]{1,600}』|《[^》\n]{1,200}》'
    r"|(?<![\w'])'(?:[^'\n]|(?<=\w)'(?=\w)){1,300}'(?!\w)"
)
_SPEAKER = re.compile(r"\b(?:I|I'm|im|my|me|we|our|you|am|is|are)\b|[我你他她咱俺]|说", re.IGNORECASE)

# A text is handed over to be worked on: what follows the colon is not said, it is shown.
_HANDED = re.compile(
    r"\b(?:translat|proofread|rewrit|re-?write|rephras|paraphras|correct(?:ing)?\b|fix|edit|polish|improv|summar|writ"
    r"|draft|compos|reply\s+to|grammar|analy[sz]|explain|spell|lyric|caption|bio\b|headline|example|e\.g|story"
    r"|scene|dialogue"
    r"|prompt|character|script|cover\s+letter|essay|paragraph|sentence|phrase|poem|song|tweet|quote|says?\b|said|goes\b"
    r"|read(?:s|ing)\b|wrote|joke|template|log|output|input|error)[^.!?\n:]{0,80}:(?!\d)"
    r"|(?:翻译|翻成|译成|译一下|改写|润色|修改|改一下|校对|改成(?:英文|中文|书面)|写[一个篇封段首份]|总结|概括"
    r"|仿写|续写|朗读|分析|解释|例如|比如"
    r"|例句|歌词|台词|小说|故事|主角|角色|剧本|这句|这段|这首|开头是|文案|造句|说道|说过|说|写道|写着|问我|回答道"
    r"|病句|语法)[^。!?\n:]{0,60}:",
    re.IGNORECASE,
)
_ALLOWED = re.compile(r"\b(?:remember|note|memori[sz]e)\b|记住|记一下|记下|记得|自我介绍一下|关于我", re.IGNORECASE)

# The head of a mail or a letter that was pasted, and a request about a text that stands above or below it.
_LETTER_HEAD = re.compile(
    r"^[ \t]*(?:(?:subject|from|betreff|fwd?|re|cc):[ \t]*\S[^\n]*"
    r"|dear\s+(?!assistant|ai\b|chat)[^\n]{1,40}[,:!]?[ \t]*)\n",
    re.IGNORECASE | re.MULTILINE,
)
_TEXT_WORK = (
    r"(?:draft|write|compose|reply|respond|answer|summari[sz]e|rewrite|re-write|rephrase|proofread|fix|improve|polish"
    r"|translate|edit|shorten|review|check|correct|react|reword|analy[sz]e|explain|help|tl;?dr)\b"
)
_ABOUT_TEXT = re.compile(
    rf"\b{_TEXT_WORK}[^.!?\n]{{0,50}}?\b(?:this|that|the\s+following|the)\s+(?:\w+\s+){{0,2}}?(?:e-?mail|mail|message|text"
    r"|letter|post|paragraph|bio|intro|introduction|dm|tweet|article|thread|note|statement|profile|comment|testimonial)\b"
    rf"|\b{_TEXT_WORK}\s+(?:this|it|the\s+(?:above|below|following))\s*(?:for\s+me|please|pls)?\s*[?.!:]*\s*$"
    r"|\bmake\s+(?:this|it)\s+(?:sound|better|shorter|longer|more|less|nicer|formal|polite)\b"
    r"|\bhow\s+does\s+(?:this|it)\s+(?:sound|look|read)\b|\bis\s+this\s+(?:ok|okay|good|correct|fine|too\s+\w+)\s*\?",
    re.IGNORECASE | re.MULTILINE,
)

# A line that begins with the name of its speaker belongs to a transcript.
_SPEAKER_LINE = re.compile(
    r"^[ \t]*(?!(?:note|notes|ps|p\.s\.|fyi|update|context|background|correction|edit|reminder|remember|btw|about me"
    r"|question|q|info|me|important|task|goal|situation|problem|hi|hello|hey|ok|so|also|typo|sorry)\b"
    r"|备注|背景|更正|补充|注意|关于|问题|说明|情况|提醒|另外|新?(?:的)?(?:邮箱|邮件|电话|手机|号码|微信)"
    r"|我)(?:(?-i:[A-Z])[\w.'-]{0,20}(?:\s(?-i:[A-Z])[\w.'-]{0,20})?|[\u4e00-\u9fff]{2,4}):"
    r"(?=\s?[^\s\d/])[^\n]*$",
    re.IGNORECASE | re.MULTILINE,
)

# From here on it is a story or a part to play.
_FICTION = re.compile(
    r"\b(?:imagine|pretend|suppose|supposing|hypothetically|role[- ]?play|let'?s\s+(?:say|pretend|imagine|play)"
    r"|act\s+(?:as|like)"
    r"|you\s+are\s+now|(?:write|tell|make\s+up)\s+(?:me\s+)?(?:a|an|some)\s+(?:\w+\s+){0,3}(?:stor(?:y|ies)|poem"
    r"|song|scene|script"
    r"|dialogue|novel|tale|monologue|bio|speech|letter|email|essay|tweet|post|review|joke)|in\s+my\s+(?:novel"
    r"|story|dream|book))\b"
    r"|假设|假装|扮演|想象|角色扮演|设想|你(?:现在|就|来|要)(?:是|当|演|扮)|你(?:演|扮|当)(?:我|一)|(?:小说|剧本|故事|游戏|剧|梦)里"
    r"|在写(?:一?[本篇部])?(?:小说|剧本|故事)|(?:(?:帮我|给我|请|替我|麻烦)[^。!?\n]{0,4}(?:写|编|讲|来)|(?:写|编|讲|来)(?:一|个|篇|首|段|封))[^。!?\n]{0,8}(?:故事|小说|诗|剧本"
    r"|台词|段子|笑话|作文|演讲稿|自我介绍|简历"
    r"|文案|情书|检讨)|我(?:做|作)了个?梦|梦见|梦到",
    re.IGNORECASE,
)


def own_words(text: str) -> str:
    """Give a message as rules read it, as long as it was: what its author does not say themselves is masked.

    The rest is in simplified characters with plain quotes. A message of more than 20,000 characters is cut at the end
    of a sentence.
    """
    plain = _without_pasted(simplified(_shortened(text)))
    plain = _SPEAKER_LINE.sub(_unless_asked, plain)
    plain = _QUOTED.sub(_unquoted, _LINKS.sub(_hidden, _CODE.sub(_hidden, plain)))
    return _without_stories(_without_handed(plain))


def _shortened(text: str) -> str:
    if len(text) <= LONGEST:
        return text
    head = text[:LONGEST]
    ends = [head.rfind(sign) for sign in ("\n", "。", ". ", "! ", "? ")]
    return head[: max(ends) + 1]


def _hidden(found: re.Match[str]) -> str:
    return re.sub(r"[^\n]", MASK, found[0])


def _unless_asked(found: re.Match[str]) -> str:
    """Hide what a speaker says, but not what somebody asks to remember."""
    return found[0] if _ALLOWED.search(found[0]) else _hidden(found)


def _unquoted(found: re.Match[str]) -> str:
    """Keep a quoted name or title, hide a quoted saying."""
    inner = found[0][1:-1]
    if len(inner) > 2 and (len(inner) > 40 or len(inner.split()) > 4 or _SPEAKER.search(inner)):
        return _hidden(found)
    return found[0]


def _without_pasted(text: str) -> str:
    """Hide a text of several lines that holds a mail or a request about one: who speaks in it cannot be told."""
    if "\n" not in text.strip() or _ALLOWED.search(text):
        return text
    return re.sub(r"[^\n]", MASK, text) if _LETTER_HEAD.search(text) or _ABOUT_TEXT.search(text) else text


def _without_handed(text: str) -> str:
    found = _HANDED.search(text)
    if not found or _ALLOWED.search(found[0]):
        return text
    start = max((text.rfind(sign, 0, found.start()) for sign in ".!?。\n"), default=-1) + 1
    if _ALLOWED.search(text, start, found.end()):
        return text
    return text[:start] + MASK * (len(text) - start)


def _without_stories(text: str) -> str:
    found = _FICTION.search(text)
    if not found:
        return text
    start = max(text.rfind(sign, 0, found.start()) for sign in ".!?。\n") + 1
    return text[:start] + MASK * (len(text) - start)
