"""Chinese clauses about routines, appointments and when to meet."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial

from memory_middleware.remember.extraction.rules.chinese.spans import EVERY_ZH, SPAN_ZH, read_span_zh
from memory_middleware.remember.extraction.rules.chinese.values import place_of
from memory_middleware.remember.extraction.rules.clock import PARTS_ZH
from memory_middleware.remember.extraction.rules.dates_zh import DAY_ZH
from memory_middleware.remember.extraction.rules.findings import Finding, Who
from memory_middleware.remember.extraction.rules.reading import Reading, Rule
from memory_middleware.remember.extraction.rules.texts import MASK

__all__ = ["FREE", "TO_ZH"]

_CLOCK = r"(?:\d{1,2}(?::\d{2})?|[一二两三四五六七八九十]{1,3})(?:点(?:半|一刻|钟)?|:\d{2})"
_EVENT = (
    r"(?:面试|考试|会议|体检|手术|航班|飞机|火车|高铁|婚礼|聚会|聚餐|讲座|答辩|发布会|演示|演讲|汇报|评审|复诊"
    r"|看牙|牙医|约会|比赛|演唱会|音乐会|培训|家长会|毕业典礼|生日会|年会|团建|例会|周会|签证面试|搬家|入职|出发"
    r"|直播|路演|讲课|开庭|预约|体测|笔试|复试|上线|开题|路考|胃镜|肠镜|核磁|B超|产检|洗牙|拔牙|饭局|饭约|酒局|应酬|课)"
)


def _routine(found: re.Match[str], reading: Reading) -> Iterator[Finding]:
    deed = re.sub(
        r"^(?:都会?|会|要|我们?都?|就|一般|通常|固定|经常|总是|得|雷打不动地?|必须?)+",
        "",
        reading.clause.said(found).strip(),
    )
    deed = re.sub(r"(?:了|的|哈+|呢|啊|吧|一次|[一二两三四\d]次)+$", "", deed)
    when = reading.clause.said(found, "when")
    if (
        not 0 < len(deed) <= 20
        or MASK in deed
        or re.search(r"没空|不[开看想能]|[我你]", deed)
        or re.match(
            r"(?:觉得|想|是|不|没|有[人点]|很|都|说|被|能|可以|别|请|给我|在想|忙|累|困|加班|提醒|帮我|发我|推送)",
            deed,
        )
    ):
        return
    if reading.negated or reading.ended:
        return
    extra: dict[str, object] = {"cadence": when, "name": deed}
    span = read_span_zh(when)
    if span and span.start:
        extra["window"] = span.window
    yield reading.find("routine", f"{when}{deed}", key=deed, plain=deed, extra=extra)


def _meetings(found: re.Match[str], reading: Reading, *, attribute: str) -> Iterator[Finding]:
    said = reading.clause.said(found).strip("的 ")
    if span := read_span_zh(said):
        yield reading.find(attribute, said, key=span.key, who=Who(), extra={"window": span.window})


def _event(found: re.Match[str], reading: Reading, *, variant: str) -> Iterator[Finding]:
    when = reading.day(found["when"])
    noun = re.sub(
        r"^(?:有|要|去|还有|一个|一场|一次|个|场|次|参加|我的?|那个|这个|的)+", "", reading.clause.said(found).strip()
    )
    noun = re.sub(r"(?:了|的|哈|呢|啊|吧)+$", "", noun)
    if not when or reading.negated or when.day < reading.moments.today or not 1 < len(noun) <= 16 or noun == "上线":
        return
    yield reading.find("event", noun, variant=variant, day=when.phrase(reading.language), event_time=reading.when(when))


def _travel(found: re.Match[str], reading: Reading) -> Iterator[Finding]:
    when, place = reading.day(found["when"]), place_of(reading.clause.said(found))
    if when and place and not reading.negated and when.day >= reading.moments.today:
        verb = "moves" if "搬" in found["verb"] else "goes"
        key = f"{'trip' if verb == 'goes' else 'move'} to {place}"
        yield reading.find(
            "event", place, key=key, variant=verb, day=when.phrase(reading.language), event_time=reading.when(when)
        )


def _due(found: re.Match[str], reading: Reading) -> Iterator[Finding]:
    """Read ``标书周一截止``, of something that has no name of its own."""
    when = reading.day(found["when"])
    if when and not reading.negated and when.day >= reading.moments.today:
        what = f"{reading.clause.said(found)}截止"
        yield reading.find("event", what, day=when.phrase(reading.language), event_time=reading.when(when))


TO_ZH = r"(?:就?是|定在|改到了?|改成了?|推迟到了?|延期到了?|延到了?|提前到了?|挪到了?|在|:|为|调整到了?)"
_SPAN = rf"(?P<v>{SPAN_ZH}(?<=[\u4e00-\u9fff\d]))"
_WHEN = rf"(?P<when>{DAY_ZH}\s*的?(?:{PARTS_ZH})?(?:{_CLOCK})?)"
_TASK = (
    r"[\u4e00-\u9fff]{0,4}(?:论文|报告|标书|方案|作业|初稿|终稿|稿子|材料|PPT|ppt|周报|月报|合同|申请表?|提案"
    r"|课题|毕设|总结"
    r"|设计稿|项目书|文档|预算|问卷|申报书|材料|代码)"
)
_HAND_IN = r"(?:交付?|提交|上交|截止|到期|交稿|ddl|DDL|deadline)"

# When to meet, and what of it a sentence tells.
_MEETING_FORMS = (
    (
        "no_meetings",
        rf"(?:请|我|以后|尽量|麻烦){{0,7}}{_SPAN}(?:全天|整天|一整天)?(?:的时间|期间|这段时间)?[,\s]*"
        r"(?:请|我|都|尽量|一律|就|最好|千万|一般){0,7}(?:不要|别|不|不想|拒绝|避免|不能|不方便|没空|勿|不接受)(?:再)?"
        r"(?:给我|帮我|跟我|为我)?(?:安排|开|约|排|接|订)?(?:任何|什么)?(?:会议|开会|电话会|会(?!员|计|议)"
        r"|视频会|电话)",
    ),
    (
        "no_meetings",
        rf"(?:请|我|以后|尽量|麻烦){{0,7}}{_SPAN}[,\s]*(?:请|都|尽量|一律|就|最好|千万){{0,5}}(?:不要|别|勿|莫)(?:再)?"
        r"(?:找我|打扰我?|扰|约我|叫我|联系我)",
    ),
    (
        "no_meetings",
        r"(?:请|以后|我|都|尽量|千万|麻烦){0,7}(?:不要|别|不想|避免|不喜欢|不能)(?:再)?(?:给我|帮我)?"
        rf"(?:在|把会议?(?:安排|放|约|排)?在)?{_SPAN}(?:给我|帮我)?(?:安排|开|约|排)?(?:任何)?(?:会议?|开会)?",
    ),
    ("meetings", rf"{_SPAN}(?:开会|约会议?|安排会议|约我)(?:比较|最|更|都)?(?:好|合适|方便|可以)"),
    (
        "meetings",
        r"(?:请|以后|我的?|尽量|麻烦|把){0,7}(?:会议?|开会|约会议?|例会)(?:尽量|最好|请|都|可以|统一|帮我|一般){0,7}"
        rf"(?:安排|放|约|定|排)?(?:(?<=[排放约定])|在|到)(?:在|到)?\s*{_SPAN}",
    ),
    (
        "deep_work",
        rf"(?:我)?{_SPAN}(?:是我|我|是)?(?:的)?(?:要|需要|一般|都)?(?:专注|深度)(?:工作|写代码"
        rf"|写作)?(?:的)?(?:时间|时段)?$",
    ),
)
MEETINGS: tuple[Rule, ...] = tuple(
    (re.compile(form), partial(_meetings, attribute=attribute)) for attribute, form in _MEETING_FORMS
)
_US = r"(?:我们?|咱们?)?"
FREE: tuple[Rule, ...] = (
    (
        re.compile(
            rf"{_US}(?:坐|订了|买了)?{_WHEN}\s*的?(?:飞机|高铁|火车|航班|动车)(?P<verb>去|到|飞"
            rf"|回)\s*(?P<v>[^,。;!?]{{2,8}})$"
        ),
        _travel,
    ),
    (
        re.compile(
            rf"{_US}(?:一般|通常|固定|习惯|都|平时){{0,7}}(?P<when>{EVERY_ZH}(?:的)?\s*(?:{PARTS_ZH})?"
            rf"(?:{_CLOCK}(?:(?:到|-|至){_CLOCK})?)?)\s*(?P<v>[^,。;!?]{{2,24}})"
        ),
        _routine,
    ),
    (
        re.compile(
            rf"{_US}(?P<when>(?:早上|晚上|中午|晚饭后|午饭后)?(?:一般|都|通常|基本|差不多){{1,2}}(?:都|要"
            rf"|得)?{_CLOCK}(?:左右)?)"
            r"(?:才|就)?(?P<v>睡觉?|起床?|上床|上班|下班|吃饭)$"
        ),
        _routine,
    ),
    (
        re.compile(
            rf"{_US}(?P<when>(?:早上|晚上|中午|晚饭后|午饭后|睡前))(?:一般|习惯|总|都习惯)(?:会"
            rf"|要)?(?P<v>[^,。;!?]{{2,12}})"
        ),
        _routine,
    ),
    (
        re.compile(
            rf"{_US}(?:平时|一般|都)?(?:习惯|固定|坚持)(?:在|每天)?(?P<when>睡前|饭后|早起|下班后?|起床后"
            rf"|午休时?|通勤路上)"
            r"(?P<v>[^,。;!?]{2,16})"
        ),
        _routine,
    ),
    (
        re.compile(
            rf"{_US}(?:打算|准备|要|会|将|预计)?(?:在|于)?{_WHEN}\s*{_US}(?:打算|准备|要|会|就|将)?(?:坐飞机|坐高铁)?"
            r"(?P<verb>飞往?|去|出发去|前往|搬去|搬到|到)\s*(?P<v>[^,。;!?]{2,8}?)"
            r"(?:出差|旅游|旅行|玩|开会|度假|参会|看[^,。]{1,6}|了|去?$)"
        ),
        _travel,
    ),
    (
        re.compile(
            rf"{_US}{_WHEN}\s*{_US}(?:要|就要|就|将|会){{0,7}}(?P<v>结婚|办婚礼|领证|订婚|做手术|手术|考试"
            rf"|搬家|入职|开学"
            r"|毕业|答辩|体检|面试|复查|出院|搬新家)"
        ),
        partial(_event, variant="does"),
    ),
    (
        re.compile(
            rf"{_US}(?:在)?{_WHEN}\s*{_US}(?P<v>(?:有|要|还有|要去|去|得去|参加)(?:一个|一场|一次|个|场|次)?"
            rf"[^,。;!?]{{0,10}}?{_EVENT})"
        ),
        partial(_event, variant="has"),
    ),
    (
        re.compile(rf"{_US}(?:的)?(?P<v>[^,。;!?\s]{{0,8}}?{_EVENT})\s*(?:时间)?{TO_ZH}\s*(?P<when>{DAY_ZH}.*)"),
        partial(_event, variant=""),
    ),
    (
        re.compile(
            rf"{_US}的?(?P<v>{_TASK})(?P<when>{DAY_ZH})(?:之?前|以前)?(?:就|要|得|必须|需要){{0,3}}{_HAND_IN}(?!了)"
        ),
        _due,
    ),
    (
        re.compile(
            rf"{_US}(?P<when>{DAY_ZH})(?:之?前|以前)?{_US}(?:就|还|要|得|必须|需要|一定){{1,3}}(?:把)?(?P<v>{_TASK})"
            r"(?:给)?(?:交|写完|做完|搞定|提交|弄完|改完|发)"
        ),
        _due,
    ),
    (re.compile(rf"{_US}(?P<when>{DAY_ZH})(?:之?前|以前)?(?:就|要|得|必须|需要){{1,3}}交(?P<v>{_TASK})"), _due),
)
