"""Chinese standing instructions: how to answer, what always or never to do, what not to talk about."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from functools import partial

from memory_middleware.remember.extraction.rules.chinese.spans import read_span_zh
from memory_middleware.remember.extraction.rules.chinese.values import name_of, thing_of
from memory_middleware.remember.extraction.rules.findings import ORDERED, Finding
from memory_middleware.remember.extraction.rules.lexicon import LANGUAGE_ZH
from memory_middleware.remember.extraction.rules.reading import Reading, Rule
from memory_middleware.remember.extraction.rules.texts import MASK

__all__ = ["RULES", "about_meetings", "follows", "note_of"]

_LASTING = r"(?:从?今后|以后|从现在(?:开始|起)|从今天(?:开始|起)|往后|今后|从此(?:以后)?|之后(?=请|都|不要|别))"
_PLEASE = r"(?:[说讲]人话[,\s]*|请|麻烦|拜托|希望你?|我希望你?|我想让你|你|那|对了|另外|还有|嗯|好|ok|,|\s){0,7}"
_ALWAYS = (
    r"(?:一直|始终|总是|永远|一律|务必|都|每次|尽量|只|要|请|全部|统一|最好|直接|能|必须|在以后|就|给我|跟我|对我"
    r"|和我){0,7}"
)
_DEED = (
    r"(?:用|回答|回复|说|写|给|叫|称呼|加|提|问|发|推荐|解释|列|引用|附|标注|总结|翻译|保持|遵守|先|按|以|使用"
    r"|输出|道歉|重复|客套|啰嗦|废话|省略|跳过|带|放|讲|聊|举例|展开|检查|确认|提醒|提交|部署|推送|合并|抄送)"
)
_FOLLOWS = re.compile(
    r"\s*(?:所以|因此|因而|故)[,\s]*(?P<v>(?:请|麻烦|以后|你|千万|绝对|一定|都){0,4}(?:不要|别|不许|不能|总是"
    r"|一律|务必|每次|永远))"
    r"|\s*(?P<v2>(?:请|麻烦)(?:你)?(?:以后|千万|绝对|一定|永远|一律|务必|每次))"
)
_PASSING = re.compile(r"今天|今晚|明天|这次|这一次|现在(?!起|开始)|暂时|目前|先别")
_WORK = re.compile(
    r"代码|提交|测试|报告|周报|邮件|客户|会议|部署|分支|文档|工单|PPT|幻灯片|发票|合同|方案|注释|函数|变量|接口"
    r"|需求|数据库|Python|TypeScript|SQL|PR\b|commit",
    re.IGNORECASE,
)
_END = re.compile(r"(?:[,\s]*(?:谢谢|好吗|可以吗|行吗|哈|哦|啊|吧|呀|啦|了|拜托了?|ok)){0,7}[\s。!]*$", re.IGNORECASE)
_TRIGGER = re.compile(
    rf"^(?:{_LASTING}|请|麻烦|拜托|希望你?|我希望你?|不要|别再?|不许|不准|一直|始终|总是|永远|一律|务必|都|每次"
    r"|尽量|你|再|[,\s])+"
)


def _order(found: re.Match[str], reading: Reading) -> Iterator[Finding]:
    text = _END.sub("", reading.clause.raw[found.start("v") :]).strip(" ,。:;!")
    key = _TRIGGER.sub("", text.replace("\uff0c", ",")).strip()
    if MASK in reading.clause.text[found.start("v") :] or len(key) < 2 or len(text) > 150:
        return
    shown = f"{text}。"
    extra = {"work": bool(_WORK.search(text))}
    yield replace(reading.find("rule", shown, key=key[:60], plain=shown, extra=extra), confidence=ORDERED)


def _language(found: re.Match[str], reading: Reading) -> Iterator[Finding]:
    yield replace(reading.find("answer_language", found["language"]), confidence=ORDERED)


def _style(found: re.Match[str], reading: Reading, *, attribute: str) -> Iterator[Finding]:
    yield replace(reading.find(attribute, found["style"], plain=f"回答{found['style']}"), confidence=ORDERED)


def _nickname(found: re.Match[str], reading: Reading) -> Iterator[Finding]:
    if name := name_of(reading.clause.said(found)):
        yield replace(reading.find("nickname", name), confidence=ORDERED)


def _topic(found: re.Match[str], reading: Reading) -> Iterator[Finding]:
    if topic := thing_of(reading.clause.said(found)):
        yield replace(reading.find("topic", topic), confidence=ORDERED)


_ANSWER = r"(?:回(?=我)|回答|回复|答复|说话|交流|沟通|聊天|对话|跟我说|和我说|讲|说|作答|答)"
_LENGTH = r"(?P<style>简短|简洁|简单|精简|简明|短|详细|具体|长|深入|言简意赅|精炼)"
_TONE = r"(?P<style>正式|随意|轻松|幽默|友好|专业|直接|委婉|客气|严肃|活泼|亲切)"
RULES: tuple[Rule, ...] = (
    (
        re.compile(
            rf"{_PLEASE}(?P<v>(?:写|用|发|生成|处理|输出|翻译|总结)(?!了|过|着)[^,。我]{{1,10}}?(?:的时候"
            rf"|时)[,\s]*[^,。我]{{0,10}}?(?:一律|都|必须|统一|不要|别|请)[^。!?]{{1,}})"
        ),
        _order,
    ),
    (
        re.compile(
            rf"{_PLEASE}(?:{_LASTING})?[,\s]*(?:请|你|可以|就|都){{0,7}}(?:叫|喊"
            rf"|称呼)我(?:为)?\s*(?P<v>[^,。\s别不]{{1,8}}?)(?:就行|就好|吧|即可|就可以了?|好了)[。!\s]*$"
        ),
        _nickname,
    ),
    (
        re.compile(
            rf"{_PLEASE}(?P<v>(?:回答|回复)(?:我|问题|我的问题)?(?:的时候|时)?[,\s]*(?:请|要|先|都|一定|必须|别"
            rf"|不要)[^。!?]{{3,}})"
        ),
        _order,
    ),
    (
        re.compile(
            rf"{_PLEASE}(?P<v>(?:提交|发布|上线|部署|合并|写代码|发邮件|回答)[^,。]{{0,8}}(?:之?前|的时候|时"
            rf"|后)[,\s]*(?:一定|必须|务必|都|请)(?:要|得)?(?:先)?[^。!?]{{2,}})"
        ),
        _order,
    ),
    (
        re.compile(
            rf"{_PLEASE}(?:{_LASTING})?[,\s]*{_PLEASE}{_ALWAYS}用\s*(?P<language>{LANGUAGE_ZH})\s*(?:来|跟我|和我"
            rf"|给我|进行)?{_ANSWER}(?!一下|这|下面|以下|:|:)(?:我|问题|就好|吧|就行|即可|,|\s|。|谢谢|哦|哈){{0,7}}"
        ),
        _language,
    ),
    (
        re.compile(
            rf"{_PLEASE}(?:{_LASTING})?[,\s]*{_PLEASE}{_ALWAYS}{_ANSWER}(?:我|问题|时|的时候|内容"
            rf"|都){{0,7}}[,\s]*{_ALWAYS}(?:用|使用)\s*(?P<language>{LANGUAGE_ZH})"
        ),
        _language,
    ),
    (
        re.compile(
            rf"{_PLEASE}(?:{_LASTING})?[,\s]*{_PLEASE}{_ALWAYS}(?:回答|回复|答案|解释|说明|答复)(?:我|问题|内容|时"
            rf"|的时候|请|得|要|尽量|都|一定|更|可以|能|能不能|再|稍微|,|\s){{0,7}}{_LENGTH}(?:一点|一些|点|些)?"
        ),
        partial(_style, attribute="answer_length"),
    ),
    (
        re.compile(rf"(?:我)?(?:更)?(?:喜欢|希望|想要|偏好){_LENGTH}(?:一点|一些|点)?的(?:回答|回复|答案|解释)"),
        partial(_style, attribute="answer_length"),
    ),
    (
        re.compile(
            rf"{_PLEASE}(?:{_LASTING})?[,\s]*{_PLEASE}{_ALWAYS}(?:语气|口吻|风格)(?:请|要|尽量|都|更|可以|能|再"
            rf"|稍微){{0,7}}{_TONE}(?:一点|一些|点|些)?"
        ),
        partial(_style, attribute="answer_tone"),
    ),
    (
        re.compile(
            rf"{_PLEASE}(?:{_LASTING})?[,\s]*{_PLEASE}(?:不要|别|不想)(?:再)?(?:跟我|和我|对我)(?:聊|提|说|谈"
            rf"|讲)(?:起|到)?\s*(?P<v>[^,。;!?]{{2,12}})"
        ),
        _topic,
    ),
    (
        re.compile(
            rf"{_PLEASE}(?P<v>{_LASTING}[,\s]*(?:请|你|都|要|别|不要|不许|回答|回复|用|叫|先|每次|尽量|一律|只|在"
            r"|所有|凡是|遇到|写|给我|我(?:问|让|发|给|要|说)|不用|不必|统一|默认|直接|代码|邮件|周报|报告"
            rf"|提交)[^。!?]{{2,}})"
        ),
        _order,
    ),
    (
        re.compile(
            rf"{_PLEASE}(?P<v>(?:请|麻烦)?(?:一直|始终|总是|永远|一律|务必"
            rf"|每次(?:都)?)[^,。]{{0,6}}?{_DEED}[^。!?]{{2,}})"
        ),
        _order,
    ),
    (
        re.compile(
            rf"{_PLEASE}(?P<v>(?:请|麻烦)?(?:不要|别|不许|不准)(?:再|总是?|老是?|每次都?)?(?:给我|跟我|对我)?(?:用"
            rf"|整|扯|搞|写|加|说|叫|发|道歉|提|问|推荐|解释|重复|客套|啰嗦|废话|引用|带|放|举例|展开"
            rf"|称呼)[^。!?]{{1,}})"
        ),
        _order,
    ),
    (
        re.compile(
            rf"{_PLEASE}(?P<v>(?:{_LASTING})?(?:绝对|千万|永远|任何时候都?|无论如何都?|一律)(?:不要|别|不能"
            rf"|不许|不可以|不得|不准)"
            r"[^,。!?]{0,16}?(?:分享|透露|泄露|泄漏|公开|外传|推荐|转发|编造|(?<!千万别)(?<!千万不要)告诉"
            r"|发给|提供)[^。!?]*)"
        ),
        _order,
    ),
    (
        re.compile(
            rf"{_PLEASE}(?P<v>(?:请)?(?:所有|凡是)[^,。]{{1,12}}(?:都|一律)(?:要|用|请|不要|得|必须|不得|别"
            rf"|使用)[^。!?]{{2,}})"
        ),
        _order,
    ),
    (
        re.compile(
            rf"{_PLEASE}(?P<v>(?:每次|每当|只要)我(?:问|让|发|给|要|说|贴)[^,。]{{1,20}}[,\s]*(?:你)?(?:请|都|就"
            rf"|要){{0,7}}{_DEED}[^。!?]{{1,}})"
        ),
        _order,
    ),
)
_MEETINGS = re.compile(r"会议|开会|约会|约我|电话会")


def about_meetings(text: str) -> bool:
    """Tell whether an instruction names a span for meetings; then it is a window and no rule."""
    return _MEETINGS.search(text) is not None and read_span_zh(text) is not None


def follows(text: str) -> int | None:
    """Give where an instruction begins that follows from what was said before it: ``所以别推荐海鲜``."""
    found = None if _PASSING.search(text) else _FOLLOWS.match(text)
    return max(found.start("v"), found.start("v2")) if found else None


_NOTE_BAD = re.compile(r"^(?:提醒|要|去|带|帮|叫|明天|买|吃|不要|别|这|那|了|我说|我跟)")


def note_of(reading: Reading, at: int) -> Finding | None:
    """Keep what somebody asks to remember in their own words, if no rule reads it."""
    said = reading.clause.raw[at:].strip(" ,。:;!\uff0c\uff1a\uff01")
    if _NOTE_BAD.match(said) or MASK in reading.clause.text[at:] or not 4 <= len(said) <= 100:
        return None
    shown = re.sub(r"我们", "用户一方", said)
    shown = re.sub(r"我", "用户", shown)
    return reading.find("note", f"{shown}。", key=said[:60])
