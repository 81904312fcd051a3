"""Short answers to what the assistant asked: a bare value, or a yes."""

from __future__ import annotations

import re
from dataclasses import replace

from memory_middleware.remember.extraction.rules import chinese, english
from memory_middleware.remember.extraction.rules.calendar_days import Moments
from memory_middleware.remember.extraction.rules.findings import IMPLIED, Finding
from memory_middleware.remember.extraction.rules.guards import asks, holds_secret
from memory_middleware.remember.extraction.rules.people import People
from memory_middleware.remember.extraction.rules.reading import Reading
from memory_middleware.remember.extraction.rules.script import has_han, simplified
from memory_middleware.remember.extraction.rules.sentences import Clause
from memory_middleware.remember.extraction.rules.texts import own_words

__all__ = ["answered"]

_LONGEST = 60
_QUESTION = re.compile(r"([^.!?。\n]{2,160})\?\s*$")
_YES = re.compile(
    r"\W{0,6}(?:yes|yep|yeah|yup|exactly|correct|right|that'?s (?:right|correct|it)|indeed|sure is|you got it"
    r"|absolutely|affirmative"
    r"|对+|是的?|没错|嗯+|对的|正确|是这样)(?:[\s,!.。]*(?:yes|exactly|correct|right|that'?s right|indeed|thanks"
    r"|please|it is|i do|i am|对|是的|没错|就是这样|谢谢)){0,9}\W{0,6}",
    re.IGNORECASE,
)
# What the assistant asks, and the sentence that a bare value answers it with.
_ASKED_EN = (
    (
        re.compile(
            r"where (?:do you live|are you (?:based|living))|(?:what|which) city (?:do you live|are you)", re.IGNORECASE
        ),
        "I live in {v}",
    ),
    (
        re.compile(r"what(?:'s| is) your name|who am i (?:talking|speaking) (?:to|with)", re.IGNORECASE),
        "my name is {v}",
    ),
    (re.compile(r"what (?:should|can|may) i call you|how should i address you", re.IGNORECASE), "call me {v}"),
    (re.compile(r"how old are you|what(?:'s| is) your age", re.IGNORECASE), "I'm {v} years old"),
    (
        re.compile(r"when(?:'s| is) your birthday|what(?:'s| is) your (?:birthday|date of birth)", re.IGNORECASE),
        "my birthday is {v}",
    ),
    (
        re.compile(
            r"what do you do(?: for (?:a living|work))?\s*$|what(?:'s| is) your (?:job|occupation|profession)",
            re.IGNORECASE,
        ),
        "I work as {v}",
    ),
    (
        re.compile(r"where do you work|(?:which|what) company do you work|who do you work for", re.IGNORECASE),
        "I work at {v}",
    ),
    (
        re.compile(r"where are you from|where did you grow up|what(?:'s| is) your home\s?town", re.IGNORECASE),
        "I'm from {v}",
    ),
    (re.compile(r"(?:what|which)(?:'s| is)? (?:your )?time\s?zone", re.IGNORECASE), "my time zone is {v}"),
    (re.compile(r"what(?:'s| is) your (?:e-?mail)", re.IGNORECASE), "my email is {v}"),
    (re.compile(r"what(?:'s| is) your (?:phone|mobile|number)", re.IGNORECASE), "my phone number is {v}"),
    (re.compile(r"(?:any|have|do you have).{0,20} allerg|what are you allergic", re.IGNORECASE), "I'm allergic to {v}"),
    (re.compile(r"(?:what|which) (?:language|languages) do you speak", re.IGNORECASE), "I speak {v}"),
    (
        re.compile(
            r"(?:what|which) (?:language) (?:should|shall|do you want).{0,30}(?:answer|reply|respond|use|speak)",
            re.IGNORECASE,
        ),
        "always answer in {v}",
    ),
)
_ASKED_ZH = (
    (re.compile(r"住在?哪|哪个城市|在哪(?:座|个)城市"), "我住在{v}"),
    (re.compile(r"叫什么(?:名字)?|(?:你|您)的?名字"), "我叫{v}"),
    (re.compile(r"怎么称呼|如何称呼"), "叫我{v}"),
    (re.compile(r"多大(?:了|年纪)?|几岁|年龄"), "我今年{v}"),
    (re.compile(r"生日是?(?:什么时候|哪天|几月几号|几号)"), "我的生日是{v}"),
    (re.compile(r"做什么(?:工作|职业)|职业是什么|什么工作|从事什么"), "我是一名{v}"),
    (re.compile(r"在哪(?:里|儿|家公司)?(?:工作|上班)"), "我在{v}上班"),
    (re.compile(r"哪里人|老家(?:在|是)哪|来自哪"), "我老家在{v}"),
    (re.compile(r"时区"), "我的时区是{v}"),
    (re.compile(r"邮箱(?:是|地址)"), "我的邮箱是{v}"),
    (re.compile(r"(?:手机|电话)(?:号码?)?是"), "我的电话是{v}"),
    (re.compile(r"对什么.{0,4}过敏|什么.{0,6}过敏|有.{0,4}过敏"), "我对{v}过敏"),
    (re.compile(r"会说?(?:哪些|什么)语言"), "我会说{v}"),
    (re.compile(r"用(?:什么|哪种)语言(?:回答|回复|交流)"), "请用{v}回答"),
)
_NOT_A_VALUE = re.compile(
    r"\b(?:i|i'm|my|no|none|nope|not|why|what|dunno|idk|nothing|secret|guess|later|skip|never mind|don't)\b|我"
    r"|没有|不|保密|你猜|随便|算了|再说",
    re.IGNORECASE,
)
_OPENING = re.compile(
    r"^\W{0,6}(?:(?:so|just to (?:confirm|check|be sure)|to confirm|ok|okay|got it|that means|and|then"
    r"|if i understand (?:correctly|right))\b\W{0,6}|(?:所以|也就是说|那么|那|确认一下|就是说)\W{0,6})+",
    re.IGNORECASE,
)
_TURNED = (
    (re.compile(r"\byou're\b|\byou are\b", re.IGNORECASE), "I'm"),
    (re.compile(r"\byou've\b", re.IGNORECASE), "I've"),
    (re.compile(r"\byours\b", re.IGNORECASE), "mine"),
    (re.compile(r"\byour\b", re.IGNORECASE), "my"),
    (re.compile(r"\byou\b", re.IGNORECASE), "I"),
    (re.compile(r"您|你"), "我"),
    (re.compile(r"(?:对吗|是吗|吗|对吧|是吧|,?\s*(?:right|correct|is that right))$", re.IGNORECASE), ""),
)


def answered(text: str, asked: str, moments: Moments, people: People) -> list[Finding]:
    """Read a short message as the answer to the last question of the assistant; nothing if it is none."""
    if not asked or not text or len(text) > _LONGEST:
        return []
    question = _QUESTION.search(simplified(asked[-400:]))
    if not question or holds_secret(question[1]):
        return []
    statement = _confirmed(text, question[1]) if _YES.fullmatch(simplified(text)) else _completed(text, question[1])
    if not statement:
        return []
    language = "zh" if has_han(statement) else "en"
    clause = Clause(simplified(statement), statement)
    reading = Reading(clause, moments, people, language)
    module = chinese if language == "zh" else english
    found = module.read_orders(reading) or module.read_clause(reading, None)[0]
    return [replace(finding, confidence=min(finding.confidence, IMPLIED)) for finding in found]


def _confirmed(text: str, question: str) -> str | None:
    statement = _OPENING.sub("", question).strip()
    for pattern, instead in _TURNED:
        statement = pattern.sub(instead, statement)
    language = "zh" if has_han(statement) else "en"
    return None if asks(statement, language) else statement


def _completed(text: str, question: str) -> str | None:
    value = text.strip(" \t\n.,!。~")
    if _NOT_A_VALUE.search(simplified(value)) or own_words(value) != simplified(value) or "?" in simplified(value):
        return None
    value = (
        re.sub(r"^(?:in|at|it'?s|an?|from|on|在|是)\s*(?=\S)", "", value, flags=re.IGNORECASE)
        if len(value) > 3
        else value
    )
    for pattern, sentence in _ASKED_ZH if has_han(question) else _ASKED_EN:
        if pattern.search(question):
            return sentence.format(v=value)
    return None
