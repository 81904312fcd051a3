"""The address a model gives a fact, brought to the spelling that rules use, so that both meet at one address."""

from __future__ import annotations

import re

from memory_middleware.remember.extraction.rules.vocabulary import ATTRIBUTES, normalise

__all__ = ["attribute_of", "subject_of"]

_LONGEST = 80
_OWNER = frozenset({"user", "the user", "me", "i", "myself", "owner", "用户", "我", "本人", "该用户"})
_OTHER_WORDS = {
    word: name
    for name, words in {
        "city": "residence home home_city lives_in current_city city_of_residence 城市 居住地 住址",
        "occupation": "job job_title profession role position 职业 职位",
        "employer": "company workplace_name works_at works_for organization 雇主 公司",
        "timezone": "time_zone tz 时区",
        "phone": "phone_number telephone mobile 电话 手机 手机号",
        "email": "e_mail email_address mail 邮箱",
        "birthday": "date_of_birth birth_date birthdate 生日",
        "name": "full_name 姓名 名字",
        "speaks": "language languages spoken_language 语言",
        "taste": "like likes dislike dislikes preference prefers hates loves 喜好 偏好",
        "allergy": "allergies allergic_to allergic 过敏",
        "uses": "tool tools preferred_tool 工具",
        "knows": "skill skills expertise 技能",
        "project": "projects current_project 项目",
        "routine": "habit habits 习惯",
        "learning": "learns studying",
    }.items()
    for word in words.split()
}


def subject_of(told: str | None) -> str | None:
    """Give the subject of an address; every word for the owner becomes ``user``."""
    if told is None or len(told) > _LONGEST:
        return None
    return "user" if told.lower() in _OWNER else told


def attribute_of(told: str | None) -> str | None:
    """Give the attribute of an address, as ``city`` or ``taste:coffee``.

    Values that hold beside each other need a key: without one they would replace each other, so there is no address.
    A value at a single-valued attribute is left out, since the next one must come to the same address.
    """
    if told is None or len(told) > _LONGEST:
        return None
    word, _, key = re.sub("[：/=]", ":", told).partition(":")
    name = re.sub(r"[\s_-]+", "_", word.strip().lower()).strip("_")
    name = _OTHER_WORDS.get(name, name)
    key = normalise(key)
    known = ATTRIBUTES.get(name)
    if known is not None and not known.keyed and name != "relation":
        return name
    if not name or (known is not None and not key):
        return None
    return f"{name}:{key}" if key else name
