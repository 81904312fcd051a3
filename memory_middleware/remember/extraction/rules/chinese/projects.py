"""Chinese clauses about projects: what they are called, how they stand, when they are due."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial

from memory_middleware.remember.extraction.rules.calendar_days import When
from memory_middleware.remember.extraction.rules.chinese.schedule import TO_ZH
from memory_middleware.remember.extraction.rules.dates_zh import DAY_ZH
from memory_middleware.remember.extraction.rules.findings import Finding, Who
from memory_middleware.remember.extraction.rules.reading import Reading, Rule
from memory_middleware.remember.extraction.rules.vocabulary import STATUS_ZH, normalise

__all__ = ["FREE", "NAMED", "mention"]


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


def _due(reading: Reading, project: Who, when: When) -> Iterator[Finding]:
    known = {"deadline": when.day.isoformat()}
    yield reading.find("project", project.name, who=Who(), extra=known)
    yield reading.find("deadline", known["deadline"], who=project, extra=known)


def _known(found: re.Match[str], reading: Reading) -> Iterator[Finding]:
    """Read ``港湾延期到六月一日`` of a project that is known; its bare name is enough then."""
    someone, when = reading.people.named(reading.clause.said(found, "name")), reading.day(found["when"])
    if someone and someone.relation == "project" and when:
        yield from _due(reading, someone, when)


def _dropped(found: re.Match[str], reading: Reading) -> Iterator[Finding]:
    if name := _project_name(found, reading):
        yield reading.find("project", name, who=Who(), ended=True)


def _its_deadline(found: re.Match[str], reading: Reading) -> Iterator[Finding]:
    """Read ``预计六月底上线`` after a project was named."""
    project, when = reading.people.project, reading.day(found["when"])
    if project and when and not reading.negated:
        yield from _due(reading, project, when)


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
_NAMED = re.compile(rf"{_ME}(?:负责|在做|做)?{_P}")
_MUST = r"(?:要|必须|得|需要)"
_DONE = r"(?:交付?|完成|上线|提交|结项|发布|截止|到期)"
_DUE_DAY = rf"(?P<when>{DAY_ZH}[^,。]{{0,6}}?)(?:之?前|以前)?\s*"

# When a project is due.
_DUE_FORMS = (
    rf"{_ME}{_P}的?\s*(?:截止(?:日期|时间)?|(?i:deadline|ddl)|交付(?:日期|时间|日)|上线(?:日期|时间)|最后期限|期限)"
    rf"\s*{TO_ZH}?\s*(?P<when>{DAY_ZH}.*)",
    rf"{_ME}{_P}(?:的[\u4e00-\u9fff]{{2,6}})?\s*(?:要|必须|得|需要|计划|预计|将){{0,7}}(?:在"
    rf"|于)?\s*{_DUE_DAY}{_MUST}?{_DONE}",
    rf"(?:我们?)?{_MUST}?在?{_DUE_DAY}(?:我们?)?(?:要|必须|得|需要|把){{0,7}}(?:交付?|完成|提交|上线|做完|搞定"
    rf"|发布)\s*{_P}",
    rf"{_ME}{_P}\s*(?:又|已经|要|得){{0,7}}(?:延期|推迟|提前|改|延|拖)(?:到|至)了?\s*(?P<when>{DAY_ZH}.*)",
)
# How a project stands.
_THINGS = r"(?:小程序|app|APP|App|网站|工具|产品|平台|系统|游戏|公众号|播客|插件|项目)"
_STATE_FORMS = (
    (
        "completed",
        rf"{_ME}{_P}\s*(?:已经|刚刚?|终于|总算|正式|全部|都|顺利){{0,7}}(?:完成|上线|结项|交付|搞定|做完|收尾"
        rf"|发布|结束)了",
    ),
    ("paused", rf"{_ME}{_P}\s*(?:已经|刚刚?|暂时|又|被|先|就){{0,7}}(?:暂停|搁置|停了|停一停|冻结|叫停|中止)"),
    ("active", rf"{_ME}{_P}\s*(?:已经|刚刚?|正式|又){{0,7}}(?:启动|开始|重启|进行中|在进行|立项)"),
    ("completed", rf"{_ME}(?:完成|做完|搞定|交付)了\s*{_P}"),
    (
        "active",
        rf"{_ME}的?(?:新|当前|这个)?项目(?:的?名字)?(?:叫做?|名叫"
        rf"|名为)\s*(?P<plain>[A-Za-z0-9\u4e00-\u9fff-]{{2,14}})(?=$|[,\s])",
    ),
    (
        "active",
        rf"{_ME}(?:在做|在负责|负责|在跟|在忙|参与|在开发|主导|接手了?|做|开发|推进|带)\s*(?:一个)?(?:叫做?"
        rf"|名为)?\s*{_P}",
    ),
)
# A thing of one's own that has a name: ``在做一个小程序叫饭搭子``.
_MAKING = rf"{_ME}(?:在|正)?(?:做|搞|弄|写|开发|跟|折腾)了?(?:一)?个"
_BEGUN_FORMS = (
    rf"{_MAKING}{_THINGS}(?:名?叫做?|名为)\s*(?P<plain>[A-Za-z0-9\u4e00-\u9fff-]{{2,14}})(?=$|[,\s])",
    rf"{_MAKING}(?:名?叫做?|名为)\s*(?P<plain>[A-Za-z0-9\u4e00-\u9fff-]{{2,14}}?)的{_THINGS}",
)
_OTHER: tuple[Rule, ...] = (
    (
        re.compile(
            rf"{_ME}(?:把)?{_P}(?:的名字)?\s*(?:已经)?(?:改名|更名|改叫|改名叫|重命名|现在叫|改成)(?:为|成|叫"
            rf"|作)?了?\s*"
            r"(?P<new>[^,。;\s]{1,16})"
        ),
        _renamed,
    ),
    (re.compile(rf"{_ME}{_P}\s*(?:已经|被|刚|还是){{0,3}}(?:黄了|取消了|砍了|砍掉了|停掉了|下马了)"), _dropped),
)
_ITS: tuple[Rule, ...] = (
    (
        re.compile(
            rf"(?:预计|计划|要|得|必须|需要|争取|目标){{0,7}}(?:在|是)?{_DUE_DAY}{_MUST}?(?:上线|交付|完成"
            rf"|提交|结项|发布|截止"
            r"|交稿|交)(?!初稿|论文|报告|作业|材料)"
        ),
        _its_deadline,
    ),
    (
        re.compile(rf"(?:截止(?:日期|时间)?|(?i:deadline|ddl)|期限)\s*{TO_ZH}?\s*(?P<when>{DAY_ZH}.*)"),
        _its_deadline,
    ),
)
_BEGUN: tuple[Rule, ...] = tuple((re.compile(form), partial(_project, status="active")) for form in _BEGUN_FORMS)
# A name that only counts if it is one of a project that is known.
_BARE: tuple[Rule, ...] = (
    (
        re.compile(
            r"(?P<name>[A-Za-z0-9\u4e00-\u9fff-]{2,14}?)\s*(?:的?(?:截止(?:日期|时间)?|(?i:deadline|ddl)|上线时间|交付时间))?"
            rf"\s*(?:又|已经|要|得|被|现在){{0,4}}(?:延期|推迟|提前|改|延|拖)(?:到|至)了?\s*(?P<when>{DAY_ZH}.*)"
        ),
        _known,
    ),
)
FREE: tuple[Rule, ...] = (*_BEGUN, *_ITS, *_BARE)
# These can match only where the word 项目 stands.
NAMED: tuple[Rule, ...] = (
    *((re.compile(form), partial(_project, attribute="deadline")) for form in _DUE_FORMS),
    *_OTHER,
    *((re.compile(form), partial(_project, status=status)) for status, form in _STATE_FORMS),
)
