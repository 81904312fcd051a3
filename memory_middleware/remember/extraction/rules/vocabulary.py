"""The addresses of what rules find: every attribute, its sentences in both languages, its kind and its tags.

At one address (subject, attribute) one value holds at a time. A keyed attribute has one address per value, such as
``taste:coffee`` beside ``taste:tea``; likes and dislikes of one thing share theirs, so a change of taste supersedes.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass

from memory_middleware.schemas.record import RecordKind

__all__ = ["ATTRIBUTES", "STATUS_ZH", "Attribute", "address_of", "normalise"]


@dataclass(frozen=True, slots=True)
class Attribute:
    """What is known of one attribute.

    Attributes:
        sentences: English and Chinese sentences by variant; ``who`` and ``v`` are filled in, ``d`` is a date.
        tags: What a fact of this attribute is tagged with.
        kind: The kind of record it becomes.
        keyed: Whether values hold beside each other, each at an address of its own.
        rank: How useful it is; lower comes first when there is room for a few only.
    """

    sentences: dict[str, tuple[str, str]]
    tags: tuple[str, ...]
    kind: RecordKind = RecordKind.FACT
    keyed: bool = False
    rank: int = 5


def _one(english: str, chinese: str, *tags: str, rank: int = 5, kind: RecordKind = RecordKind.FACT) -> Attribute:
    return Attribute({"": (english, chinese)}, tags, kind, rank=rank)


def _many(english: str, chinese: str, *tags: str, rank: int = 5, kind: RecordKind = RecordKind.FACT) -> Attribute:
    return Attribute({"": (english, chinese)}, tags, kind, keyed=True, rank=rank)


_PREFERENCE, _FEEDBACK, _PROJECT = RecordKind.PREFERENCE, RecordKind.FEEDBACK, RecordKind.PROJECT

ATTRIBUTES: dict[str, Attribute] = {
    # Who somebody is.
    "name": _one("{whose} name is {v}.", "{who}的名字是{v}。", "identity", "name", rank=1),
    "nickname": _one("{who} wants to be called {v}.", "{who}希望被称呼为{v}。", "identity", "name", rank=1),
    "age": _one("{who} is {v} years old.", "{who}{v}岁。", "identity", "age", rank=3),
    "birthday": Attribute(
        {
            "": ("{whose} birthday is {v}.", "{who}的生日是{v}。"),
            "year": ("{who} was born in {v}.", "{who}出生于{v}年。"),
        },
        ("identity", "birthday"),
        rank=3,
    ),
    "nationality": _one("{who} is {v}.", "{who}是{v}。", "identity", "nationality", rank=3),
    "surname": _one("{whose} surname is {v}.", "{who}姓{v}。", "identity", "name", rank=2),
    "pronouns": _one("{whose} pronouns are {v}.", "{who}的人称代词是{v}。", "identity", rank=1),
    "marital_status": _one("{who} is {v}.", "{who}{v}。", "identity", "family", rank=4),
    "children": _one("{who} has {v}.", "{who}有{v}。", "family", rank=4),
    # What somebody does.
    "occupation": _one("{who} is {v}.", "{who}的职业是{v}。", "work", "occupation", rank=2),
    "employer": _one("{who} works at {v}.", "{who}在{v}工作。", "work", "employer", rank=2),
    "school": _one("{who} studies at {v}.", "{who}在{v}上学。", "study", "school", rank=4),
    "field_of_study": _one("{who} studies {v}.", "{who}的专业是{v}。", "study", rank=4),
    "alma_mater": _one("{who} graduated from {v}.", "{who}毕业于{v}。", "study", "school"),
    "work_mode": _one("{who} works {v}.", "{who}的工作方式是{v}。", "work", "schedule", kind=_PREFERENCE),
    "working_hours": _one("{who} works from {v}.", "{who}的工作时间是{v}。", "work", "schedule", rank=4),
    # Where somebody is.
    "city": _one("{who} lives in {v}.", "{who}住在{v}。", "place", "home", rank=2),
    "hometown": _one("{who} comes from {v}.", "{who}来自{v}。", "place", "hometown", rank=4),
    "workplace": _one("{whose} office is in {v}.", "{who}的办公地点在{v}。", "place", "work", rank=4),
    "location": Attribute(
        {
            "": ("{who} is in {v} at the moment.", "{who}目前在{v}。"),
            "until": ("{who} is in {v} until {d}.", "{who}在{v}，直到{d}。"),
            "trip": ("{who} is on a business trip until {d}.", "{who}正在出差，直到{d}。"),
            "holiday": ("{who} is on holiday until {d}.", "{who}正在休假，直到{d}。"),
        },
        ("place", "travel"),
        rank=3,
    ),
    "place": _many("{who} often goes to {v}.", "{who}常去{v}。", "place"),
    # How to reach somebody.
    "phone": _one("{whose} phone number is {v}.", "{who}的电话号码是{v}。", "contact", "phone", rank=3),
    "email": _one("{whose} e-mail address is {v}.", "{who}的邮箱是{v}。", "contact", "email", rank=3),
    "wechat": _one("{whose} WeChat ID is {v}.", "{who}的微信号是{v}。", "contact", "wechat", rank=3),
    "channel": _one("{who} prefers to be reached by {v}.", "{who}希望通过{v}联系。", "contact", kind=_PREFERENCE),
    "timezone": _one("{whose} time zone is {v}.", "{who}的时区是{v}。", "timezone", rank=2),
    # Languages and answers.
    "native_language": _one("{whose} native language is {v}.", "{who}的母语是{v}。", "language", rank=4),
    "answer_language": _one(
        "{who} wants answers in {v}.", "{who}希望用{v}回答。", "language", "answers", rank=0, kind=_FEEDBACK
    ),
    "answer_length": _one("{who} wants {v} answers.", "{who}希望回答{v}。", "answers", "style", rank=0, kind=_FEEDBACK),
    "answer_tone": _one(
        "{who} wants answers in a {v} tone.", "{who}希望回答的语气{v}。", "answers", "style", rank=0, kind=_FEEDBACK
    ),
    "speaks": _many("{who} speaks {v}.", "{who}会说{v}。", "language"),
    "learning": _many("{who} is learning {v}.", "{who}正在学{v}。", "learning"),
    # Tastes.
    "taste": Attribute(
        {
            "": ("{who} likes {v}.", "{who}喜欢{v}。"),
            "prefer": ("{who} prefers {v}.", "{who}更喜欢{v}。"),
            "dislike": ("{who} dislikes {v}.", "{who}不喜欢{v}。"),
            "avoid": ("{who} avoids {v}.", "{who}避免{v}。"),
            "quit": ("{who} has given up {v}.", "{who}戒了{v}。"),
            "no_food": ("{who} does not eat {v}.", "{who}不吃{v}。"),
            "no_drink": ("{who} does not drink {v}.", "{who}不喝{v}。"),
        },
        ("preference",),
        _PREFERENCE,
        keyed=True,
    ),
    "plays": _many("{who} plays {v}.", "{who}会{v}。", "preference", "hobby", kind=_PREFERENCE),
    "favorite": _many("{whose} favorite {k} is {v}.", "{who}最喜欢的{k}是{v}。", "preference", kind=_PREFERENCE),
    "allergy": Attribute(
        {
            "": ("{who} is allergic to {v}.", "{who}对{v}过敏。"),
            "none": ("{who} is not allergic to {v}.", "{who}对{v}不过敏。"),
        },
        ("health", "allergy"),
        keyed=True,
        rank=1,
    ),
    "health": _many("{who} has this condition: {v}.", "{who}的健康状况：{v}。", "health", rank=1),
    "diet": _one("{whose} diet is {v}.", "{who}的饮食习惯是{v}。", "preference", "diet", rank=1, kind=_PREFERENCE),
    "topic": _many(
        "{who} does not want to talk about {v}.", "{who}不想谈论{v}。", "preference", kind=_FEEDBACK, rank=1
    ),
    # Tools and skills.
    "uses": _many("{who} uses {v}.", "{who}使用{v}。", "tools"),
    "knows": _many("{who} knows {v} well.", "{who}擅长{v}。", "skills"),
    "car": _one("{who} drives {v}.", "{who}开{v}。", "possessions", "car"),
    # Projects; the project is the subject of its status and deadline.
    "project": _many("{who} works on the project {v}.", "{who}在做{v}项目。", "project", kind=_PROJECT, rank=2),
    "status": _one("{who} is {v}.", "{who}的状态：{v}。", "project", "status", kind=_PROJECT, rank=2),
    "deadline": _one(
        "{whose} deadline is {v}.", "{who}的截止日期是{v}。", "project", "deadline", kind=_PROJECT, rank=1
    ),
    # Time.
    "routine": _many("{who} {v}.", "{who}{v}。", "routine"),
    "event": Attribute(
        {
            "": ("{whose} {v} is {d}.", "{who}的{v}在 {d}。"),
            "has": ("{who} has {v} {d}.", "{who} {d}有{v}。"),
            "that": ("{whose} {v} {d}.", "{who}的{v} {d}。"),
            "goes": ("{who} travels to {v} {d}.", "{who} {d}去{v}。"),
            "moves": ("{who} moves to {v} {d}.", "{who} {d}搬到{v}。"),
            "does": ("{who} {v} {d}.", "{who} {d}{v}。"),
        },
        ("event",),
        keyed=True,
        rank=2,
    ),
    "no_meetings": _many(
        "{who} wants no meetings {v}.", "{who}不希望在{v}安排会议。", "schedule", "meetings", kind=_PREFERENCE, rank=1
    ),
    "meetings": _many(
        "{who} prefers meetings {v}.", "{who}希望把会议安排在{v}。", "schedule", "meetings", kind=_PREFERENCE, rank=2
    ),
    "deep_work": _one(
        "{who} does focused work {v}.", "{who}在{v}专注工作。", "schedule", "focus", kind=_PREFERENCE, rank=3
    ),
    # Orders.
    "rule": _many("{whose} standing instruction: {v}", "{who}的长期要求：{v}", "instruction", kind=_FEEDBACK, rank=0),
    "note": _many("{v}", "{v}", "note", rank=0),
    # Somebody or some animal in a person's life, as ``sister:anna``; one whom there is once only, as ``boss``.
    "relation": Attribute(
        {
            "": ("{whose} {k} is {v}.", "{who}的{k}是{v}。"),
            "pet": ("{who} has a {k} named {v}.", "{who}养了一只{k}，叫{v}。"),
        },
        ("people",),
        rank=3,
    ),
}

# The states of a project, as profiles hold them and as Chinese sentences say them.
STATUS_ZH = {"active": "进行中", "paused": "暂停", "completed": "已完成", "planned": "计划中"}

_ARTICLES = re.compile(r"^(?:the|an?|my|some|any|all|these|those)\s+")
_EDGES = " \t\n\"'“”‘’「」『』《》.,;:!?。、…~，；：！？"


def normalise(value: str) -> str:
    """Bring the value of an address to one spelling: NFKC, casefolded, without articles and outer signs."""
    folded = " ".join(unicodedata.normalize("NFKC", value).casefold().split()).strip(_EDGES)
    return _ARTICLES.sub("", folded)


def address_of(attribute: str, key: str) -> str:
    """Give the attribute of an address; a keyed one names its value too."""
    return f"{attribute}:{normalise(key)}" if ATTRIBUTES[attribute].keyed else attribute
