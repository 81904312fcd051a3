"""Chinese clauses about routines, appointments, meetings and projects."""

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
from memory_middleware.remember.extraction.rules.vocabulary import STATUS_ZH, normalise

__all__ = ["FREE", "mention"]

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
        not 1 < len(deed) <= 20
        or MASK in deed
        or re.search(r"没空|不[开看想能]|[我你]", deed)
        or re.match(
            r"(?:觉得|想|是|不|没|有[人点]|很|都|说|被|能|可以|别|请|给我|在想|忙|累|困|加班到|提醒|帮我|发我|推送)",
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
    if not when or reading.negated or when.day < reading.moments.today or not 1 < len(noun) <= 16:
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


def _project_name(found: re.Match[str], reading: Reading) -> str | None:
    groups = found.groupdict()
    group = next((group for group in ("titled", "quoted", "plain") if groups.get(group)), None)
    name = reading.clause.said(found, group) if group else ""
    name = re.sub(
        r"^(?:我们?的?|公司的?|一个?叫?做?的?|这个|那个|新的?|负责的?|在做的?|做|负责|在|叫|跟|的)+", "", name
    ).strip("「」《》“”\"' 的")
    bad = re.search(r"[我你他她]|这个|那个|什么|哪|一个|几个|很多|所有|别的|其他|有|是|了", name)
    return name if 1 < len(name) <= 16 and not bad else None


def _project(found: re.Match[str], reading: Reading, *, attribute: str = "", status: str = "") -> Iterator[Finding]:
    name = _project_name(found, reading)
    if not name or reading.negated:
        return
    known = {"status": status} if status else {}
    if attribute == "deadline":
        if not (when := reading.day(found["when"])):
            return
        known = {"deadline": when.day.isoformat()}
    who = Who(name, "project")
    reading.people.meet(who)
    if status != "completed":
        yield reading.find("project", name, who=Who(), extra=dict(known))
    for part, value in known.items():
        shown = STATUS_ZH.get(value, value)
        yield reading.find(part, shown, who=who, plain=value, extra=dict(known))


def _dropped(found: re.Match[str], reading: Reading) -> Iterator[Finding]:
    if name := _project_name(found, reading):
        yield reading.find("project", name, who=Who(), ended=True)


def _its_deadline(found: re.Match[str], reading: Reading) -> Iterator[Finding]:
    """Read ``预计六月底上线`` after a project was named."""
    project, when = reading.people.project, reading.day(found["when"])
    if project and when and not reading.negated:
        known = {"deadline": when.day.isoformat()}
        yield reading.find("project", project.name, who=Who(), extra=known)
        yield reading.find("deadline", known["deadline"], who=project, extra=known)


def mention(reading: Reading, at: int) -> None:
    """Take note of a project that is named and of which nothing is said yet."""
    if (found := _NAMED.match(reading.clause.text, at)) and (name := _project_name(found, reading)):
        reading.people.meet(Who(name, "project"))


def _renamed(found: re.Match[str], reading: Reading) -> Iterator[Finding]:
    old, new = _project_name(found, reading), reading.clause.said(found, "new").strip("「」《》“”\"' 了")
    if old and new and normalise(old) != normalise(new):
        yield reading.find("project", old, ended=True, who=Who(), extra={"renamed": new})
        yield reading.find("project", new, who=Who(), extra={"former": old})


_P = (
    r"(?:(?<!的)项目(?:代号|名称?|名字)?(?:叫做?|是|为|:)?\s*[「《\"](?P<titled>[^」》\"]{1,16})[」》\"]"
    r"|(?:[「《\"](?P<quoted>[^」》\"]{1,16})[」》\"]\s*的?"
    r"|(?P<plain>[A-Za-z0-9\u4e00-\u9fff-]{1,14}?))\s*(?:这个)?项目)"
)
_ME = r"(?:我们?|咱们?|团队)?(?:手上|手头|现在|目前|最近|正|正在|一直|主要|还|已经|刚|终于|都|要|必须|得|需要){0,7}"
_TO = r"(?:就?是|定在|改到了?|改成了?|推迟到了?|延期到了?|延到了?|提前到了?|挪到了?|在|:|为|调整到了?)"
_NAMED = re.compile(rf"{_ME}(?:负责|在做|做)?{_P}")
FREE: tuple[Rule, ...] = (
    # When to meet.
    (
        re.compile(
            rf"(?:请|我|以后|尽量|麻烦){{0,7}}(?P<v>{SPAN_ZH}(?<=[\u4e00-\u9fff\d]))(?:全天|整天|一整天)?(?:的时间|期间"
            r"|这段时间)?[,\s]*(?:请|我|都|尽量|一律|就|最好|千万|一般){0,7}(?:不要|别|不|不想|拒绝|避免|不能|不方便"
            r"|没空|勿|不接受)(?:再)?(?:给我|帮我|跟我|为我)?(?:安排|开|约|排|接|订)?(?:任何|什么)?(?:会议|开会"
            r"|电话会|会(?!员|计|议)|视频会|电话)"
        ),
        partial(_meetings, attribute="no_meetings"),
    ),
    (
        re.compile(
            r"(?:请|以后|我|都|尽量|千万|麻烦){0,7}(?:不要|别|不想|避免|不喜欢|不能)(?:再)?(?:给我|帮我)?(?:在"
            rf"|把会议?(?:安排|放|约|排)?在)?(?P<v>{SPAN_ZH}(?<=[\u4e00-\u9fff\d]))(?:给我|帮我)?(?:安排|开|约"
            r"|排)?(?:任何)?(?:会议?|开会)?"
        ),
        partial(_meetings, attribute="no_meetings"),
    ),
    (
        re.compile(
            rf"(?P<v>{SPAN_ZH}(?<=[\u4e00-\u9fff\d]))(?:开会|约会议?|安排会议|约我)(?:比较|最|更|都)?(?:好|合适"
            r"|方便|可以)"
        ),
        partial(_meetings, attribute="meetings"),
    ),
    (
        re.compile(
            r"(?:请|以后|我的?|尽量|麻烦|把){0,7}(?:会议?|开会|约会议?|例会)(?:尽量|最好|请|都|可以|统一|帮我"
            r"|一般){0,7}(?:安排|放|约|定|排)?(?:(?<=[排放约定])|在|到)(?:在"
            rf"|到)?\s*(?P<v>{SPAN_ZH}(?<=[\u4e00-\u9fff\d]))"
        ),
        partial(_meetings, attribute="meetings"),
    ),
    (
        re.compile(
            rf"(?:我)?(?P<v>{SPAN_ZH}(?<=[\u4e00-\u9fff\d]))(?:是我|我|是)?(?:的)?(?:要|需要|一般|都)?(?:专注"
            r"|深度)(?:工作|写代码|写作)?(?:的)?(?:时间|时段)?$"
        ),
        partial(_meetings, attribute="deep_work"),
    ),
    # Projects.
    (
        re.compile(
            rf"{_ME}{_P}的?\s*(?:截止(?:日期|时间)?|deadline|ddl|交付(?:日期|时间|日)|上线(?:日期|时间)|最后期限"
            rf"|期限)\s*{_TO}?\s*(?P<when>{DAY_ZH}.*)",
            re.IGNORECASE,
        ),
        partial(_project, attribute="deadline"),
    ),
    (
        re.compile(
            rf"(?:{_ME}){_P}(?:的[\u4e00-\u9fff]{{2,6}})?\s*(?:要|必须|得|需要|计划|预计|将){{0,7}}(?:在"
            rf"|于)?\s*(?P<when>{DAY_ZH}[^,。]{{0,6}}?)(?:之?前|以前)?\s*(?:要|必须|得|需要)?(?:交付?|完成|上线"
            r"|提交|结项|发布|截止|到期)"
        ),
        partial(_project, attribute="deadline"),
    ),
    (
        re.compile(
            rf"(?:我们?)?(?:要|必须|得|需要)?在?(?P<when>{DAY_ZH}[^,。]{{0,4}}?)(?:之?前|以前)?\s*(?:我们?)?(?:要"
            rf"|必须|得|需要|把){{0,7}}(?:交付?|完成|提交|上线|做完|搞定|发布)\s*{_P}"
        ),
        partial(_project, attribute="deadline"),
    ),
    (
        re.compile(
            rf"{_ME}{_P}\s*(?:又|已经|要|得){{0,7}}(?:延期|推迟|提前|改|延|拖)(?:到|至)了?\s*(?P<when>{DAY_ZH}.*)"
        ),
        partial(_project, attribute="deadline"),
    ),
    (
        re.compile(
            rf"{_ME}(?:把)?{_P}(?:的名字)?\s*(?:已经)?(?:改名|更名|改叫|改名叫|重命名|现在叫|改成)(?:为|成|叫"
            rf"|作)?了?\s*(?P<new>[^,。;\s]{{1,16}})"
        ),
        _renamed,
    ),
    (
        re.compile(
            rf"{_ME}{_P}\s*(?:已经|刚刚?|终于|总算|正式|全部|都|顺利){{0,7}}(?:完成|上线|结项|交付|搞定|做完|收尾|发布"
            r"|结束)了"
        ),
        partial(_project, status="completed"),
    ),
    (
        re.compile(rf"{_ME}{_P}\s*(?:已经|刚刚?|暂时|又|被){{0,7}}(?:暂停|搁置|停了|冻结|叫停|中止)"),
        partial(_project, status="paused"),
    ),
    (
        re.compile(rf"{_ME}{_P}\s*(?:已经|刚刚?|正式|又){{0,7}}(?:启动|开始|重启|进行中|在进行|立项)"),
        partial(_project, status="active"),
    ),
    (re.compile(rf"{_ME}{_P}\s*(?:已经|被|刚|还是){{0,3}}(?:黄了|取消了|砍了|砍掉了|停掉了|下马了)"), _dropped),
    (re.compile(rf"{_ME}(?:完成|做完|搞定|交付)了\s*{_P}"), partial(_project, status="completed")),
    (
        re.compile(
            rf"{_ME}的?(?:新|当前)?项目(?:的?名字)?(?:叫做?|名叫|名为)\s*(?P<plain>[A-Za-z0-9\u4e00-\u9fff-]{{2,14}})(?=$|[,\s])"
        ),
        partial(_project, status="active"),
    ),
    (
        re.compile(
            rf"{_ME}(?:在做|在负责|负责|在跟|在忙|参与|在开发|主导|接手了?|做|开发|推进|带)\s*(?:一个)?(?:叫做?"
            rf"|名为)?\s*{_P}"
        ),
        partial(_project, status="active"),
    ),
    (
        re.compile(
            rf"(?:预计|计划|要|得|必须|需要|争取|目标){{0,7}}(?:在|是)?(?P<when>{DAY_ZH}[^,。]{{0,4}}?)(?:之?前"
            r"|以前)?(?:要|必须|得|需要)?(?:上线|交付|完成|提交|结项|发布|截止|交稿|交)"
        ),
        _its_deadline,
    ),
    (
        re.compile(rf"(?:截止(?:日期|时间)?|deadline|ddl|期限)\s*{_TO}?\s*(?P<when>{DAY_ZH}.*)", re.IGNORECASE),
        _its_deadline,
    ),
    # Routines and appointments.
    (
        re.compile(
            rf"(?:我|我们)?(?:坐|订了|买了)?(?P<when>{DAY_ZH}\s*(?:{PARTS_ZH})?(?:{_CLOCK})?)\s*的?(?:飞机|高铁|火车"
            rf"|航班|动车)(?P<verb>去|到|飞|回)\s*(?P<v>[^,。;!?]{{2,8}})$"
        ),
        _travel,
    ),
    (
        re.compile(
            r"(?:我|我们)?(?:一般|通常|固定|习惯|都"
            rf"|平时){{0,7}}(?P<when>{EVERY_ZH}(?:的)?\s*(?:{PARTS_ZH})?(?:{_CLOCK}(?:(?:到|-"
            rf"|至){_CLOCK})?)?)\s*(?P<v>[^,。;!?]{{2,24}})"
        ),
        _routine,
    ),
    (
        re.compile(
            r"(?:我|我们)?(?:打算|准备|要|会|将|预计)?(?:在"
            rf"|于)?(?P<when>{DAY_ZH}\s*(?:{PARTS_ZH})?(?:{_CLOCK})?)\s*(?:我|我们)?(?:打算|准备|要|会|就"
            r"|将)?(?:坐飞机|坐高铁)?(?P<verb>飞往?|去|出发去|前往|搬去|搬到"
            rf"|到)\s*(?P<v>[^,。;!?]{{2,8}}?)(?:出差|旅游|旅行|玩|开会|度假|参会|看[^,。]{{1,6}}|了|$)"
        ),
        _travel,
    ),
    (
        re.compile(
            rf"(?:我|我们)?(?P<when>{DAY_ZH}\s*(?:{PARTS_ZH})?(?:{_CLOCK})?)\s*(?:我|我们)?(?:要|就要|就|将"
            r"|会){0,7}(?P<v>结婚|办婚礼|领证|订婚|做手术|手术|考试|搬家|入职|开学|毕业|答辩|体检|面试|复查|出院"
            r"|搬新家)"
        ),
        partial(_event, variant="does"),
    ),
    (
        re.compile(
            rf"(?:我|我们)?(?:在)?(?P<when>{DAY_ZH}\s*(?:的)?(?:{PARTS_ZH})?(?:{_CLOCK})?)\s*(?:我"
            rf"|我们)?(?P<v>(?:有|要|还有|要去|去|得去|参加)(?:一个|一场|一次|个|场|次)?[^,。;!?]{{0,10}}?{_EVENT})"
        ),
        partial(_event, variant="has"),
    ),
    (
        re.compile(rf"(?:我|我们)?(?:的)?(?P<v>[^,。;!?\s]{{0,8}}?{_EVENT})\s*(?:时间)?{_TO}\s*(?P<when>{DAY_ZH}.*)"),
        partial(_event, variant=""),
    ),
)
