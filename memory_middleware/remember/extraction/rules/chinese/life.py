"""Chinese clauses about where somebody works and studies, and as what."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial

from memory_middleware.remember.extraction.rules.chinese.values import (
    city_and_company,
    is_city,
    job_of,
    organisation_of,
    place_of,
    thing_of,
)
from memory_middleware.remember.extraction.rules.findings import Finding
from memory_middleware.remember.extraction.rules.numerals import HAN_NUMBER, read_number
from memory_middleware.remember.extraction.rules.reading import Reading, Rule

__all__ = ["JOBS", "NOUN", "PREDICATE"]


def _works(found: re.Match[str], reading: Reading, *, change: bool = False, over: bool = False) -> Iterator[Finding]:
    said = reading.clause.said(found)
    job = found["job"] if "job" in found.re.groupindex else None
    role = job_of(reading.clause.said(found, "job")) if job and not reading.negated else None
    if reading.clause.text.startswith("过", found.end()):
        return
    if not (place := organisation_of(said)):
        if role:
            yield reading.find("occupation", role, change=change)
        return
    town, place = _town_first(place) or ("", place)
    attribute = "workplace" if is_city(place) else "employer"
    if reading.negated or over:
        yield reading.find(attribute, place, ended=True, extra={"only_if": not (reading.ended or over)})
        return
    if town:
        yield reading.find("workplace", town)
    yield reading.find(attribute, place, change=change)
    if role:
        yield reading.find("occupation", role, change=change)


def _town_first(place: str) -> tuple[str, str] | None:
    """Cut ``上海的一家医院`` and ``杭州阿里巴巴`` into the town and the employer."""
    split = re.match(r"(?P<city>[\u4e00-\u9fff]{2,4}?)的(?P<org>.+)", place)
    if split and is_city(split["city"]):
        return split["city"], split["org"]
    return city_and_company(place)


def _left(found: re.Match[str], reading: Reading) -> Iterator[Finding]:
    """Read ``我不在成都了``: the end of a stay that was told, or of work there."""
    if (place := place_of(reading.clause.said(found))) and is_city(place):
        for attribute in ("location", "workplace", "city"):
            yield reading.find(attribute, place, ended=True, extra={"only_if": True})
    else:
        yield from _works(found, reading)


def _job(found: re.Match[str], reading: Reading, *, change: bool = False) -> Iterator[Finding]:
    said = reading.clause.said(found)
    org: str | None = None
    if (split := re.match(r"(?P<org>[^的]{2,12})的(?P<job>.+)", said)) and job_of(split["job"]):
        org, said = organisation_of(split["org"]), split["job"]
        if org is None:
            return
    if not (job := job_of(said)):
        return
    if reading.negated:
        yield reading.find("occupation", job, ended=True, extra={"only_if": not reading.ended})
        return
    yield reading.find("occupation", job, change=change)
    if org and not re.search(
        r"年|优秀|普通|专业|资深|全职|兼职|合格|小|新|快乐|孤独|自由|独立|叛逆|苦逼|可怜|勤劳|业余|初级|高级"
        r"|中级|专职|乡村|人民|老",
        org,
    ):
        yield reading.find("workplace" if is_city(org) else "employer", org)


def _keeps(found: re.Match[str], reading: Reading) -> Iterator[Finding]:
    """Read ``开了个花店``."""
    if not reading.negated:
        yield reading.find("occupation", f"开{reading.clause.said(found)}", extra={"weak": True})


def _trade(found: re.Match[str], reading: Reading) -> Iterator[Finding]:
    """Read ``是做跨境电商的``."""
    if not reading.negated and (trade := thing_of(reading.clause.said(found))):
        yield reading.find("occupation", trade)


def _mode(found: re.Match[str], reading: Reading) -> Iterator[Finding]:
    if not reading.negated:
        yield reading.find("work_mode", found["v"])


def _graduated(found: re.Match[str], reading: Reading) -> Iterator[Finding]:
    if school := organisation_of(reading.clause.said(found)):
        yield reading.find("alma_mater", school)


def _jobless(found: re.Match[str], reading: Reading) -> Iterator[Finding]:
    if not reading.negated:
        yield reading.find("employer", "", ended=True)


def _state(found: re.Match[str], reading: Reading) -> Iterator[Finding]:
    if not reading.negated:
        yield reading.find("occupation", found["v"])


def _studies(found: re.Match[str], reading: Reading) -> Iterator[Finding]:
    groups = found.groupdict()
    if reading.negated:
        return
    if (
        groups.get("school")
        and (school := organisation_of(reading.clause.said(found, "school")))
        and not is_city(school)
        and not re.search(r"国$|美国|英国|日本|国外|海外|老家", school)
    ):
        yield reading.find("school", school)
    if (
        groups.get("major")
        and (major := thing_of(reading.clause.said(found, "major")))
        and not re.search("书|研|博|大[一二三四]|高[一二三]", major)
    ):
        yield reading.find("field_of_study", major)


def _hours(found: re.Match[str], reading: Reading) -> Iterator[Finding]:
    start, stop = read_number(found["start"]) or 0, read_number(found["stop"]) or 0
    stop += 12 if stop <= start and stop < 12 else 0
    if start < stop <= 23 and not reading.negated:
        window = {"start": f"{start:02d}:00", "end": f"{stop:02d}:00"}
        yield reading.find("working_hours", f"{start:02d}:00 到 {stop:02d}:00", extra={"window": window})


_ORG = r"(?P<v>[^,。;!?做当任]{2,20}?)"
PREDICATE: tuple[Rule, ...] = (
    (
        re.compile(rf"在\s*{_ORG}\s*(?:上班|工作|任职|供职|就职|打工|实习|搬砖)(?!过|室|服|日|量|经验|的|时间|很|太)"),
        _works,
    ),
    (re.compile(rf"在\s*{_ORG}\s*(?:做|当|担任|任|搞|干)\s*(?P<job>[^,。;!?]{{2,16}})"), _works),
    (
        re.compile(
            r"(?:入职|加入了?|跳槽(?:到|去)了?|换到了?|去了(?=[^,。]{2,14}(?:上班|工作|任职))|转到了?"
            r"|换工作到了?)\s*(?P<v>[^,。;!?\s]{2,14}?)(?:上班|工作|公司|了|担任|做|当|$)(?P<job>[^,。;]{2,12})?"
        ),
        partial(_works, change=True),
    ),
    (
        re.compile(r"从\s*(?P<old>[^,。;!?]{2,14}?)(?:跳槽|跳)(?:到|去)了?\s*(?P<v>[^,。;!?\s]{2,14}?)了?$"),
        partial(_works, change=True),
    ),
    (
        re.compile(
            r"(?P<v>)刚?(?:离职|辞职|裸辞|失业|被裁|被优化)(?:了|员了|掉了)$|(?<=刚)(?:离职|辞职|裸辞|失业|被裁)$"
        ),
        _jobless,
    ),
    (
        re.compile(r"从\s*(?P<v>[^,。;!?]{2,14}?)(?:离职|辞职|裸辞|跳槽|退休|毕业离开|走人|跑路|出来)"),
        partial(_works, over=True),
    ),
    (re.compile(r"(?:离开了?|辞掉了?)\s*(?P<v>[^,。;!?的]{2,14}?)(?:的工作)?了?$"), partial(_works, over=True)),
    (
        re.compile(
            r"在\s*(?P<school>[^,。;!?]{2,14}?(?:大学|学院|中学|高中|小学|附中|一中|[A-Z]{3,5}))\s*(?:读|念|上|学"
            r"|攻读)(?P<major>[^,。;!?]{0,12}?)(?:专业|系)?$"
        ),
        _studies,
    ),
    (re.compile(r"在\s*(?P<school>[^,。;!?]{2,10}?)(?:读博|读研|读书|上学|念书|读大学|读本科)"), _studies),
    (re.compile(r"(?:学的是|主修|专业是?)\s*(?P<major>[^,。;!?]{2,12})"), _studies),
    (
        re.compile(
            r"(?:升职(?:为|成|当)了?|升任|晋升(?:为|成)|转岗(?:做|到|为)|转行(?:做|当)了?|成为了?|当上了?"
            r"|当了)\s*(?:一名|一个|个|名)?(?P<v>[^,。;!?]{2,14})"
        ),
        partial(_job, change=True),
    ),
)
JOBS: tuple[Rule, ...] = (
    (re.compile(r"(?<=不)在\s*(?P<v>[^,。;!?\s]{2,8})了$"), _left),
    (re.compile(r"是(?:做|搞|干|(?=[卖教送跑拍画修]))\s*(?P<v>[^,。;!?的]{2,10})的"), _trade),
    (re.compile(r"是?学\s*(?P<major>[\u4e00-\u9fff]{2,8})的$"), _studies),
    (re.compile(r"(?P<v>[^,。;!?\s]{2,10}?)一枚"), _job),
    (re.compile(r"(?<=本人)(?P<v>[^,。;!?\s]{2,8})$"), _job),
    (
        re.compile(
            r"(?:自己)?开(?:了|着)?(?:一)?(?:家|个|间)?(?P<v>[^,。;!?\s开了]{1,6}(?:店|馆|公司|工作室|餐厅"
            r"|民宿|厂|诊所|超市|酒吧))(?!吃|买|玩|逛)"
        ),
        _keeps,
    ),
    (re.compile(r"(?:都|全部|长期|基本)?(?P<v>在家办公|居家办公|远程办公|远程工作|兼职|上夜班|倒班)"), _mode),
    (
        re.compile(r"(?:毕业于|是从?)\s*(?P<v>[^,。;!?]{2,14}?(?:大学|学院|中学|高中|[A-Z]{3,5}))(?:毕业)?的?$"),
        _graduated,
    ),
    (re.compile(r"从\s*(?P<v>[^,。;!?]{2,14}?(?:大学|学院|中学|高中|[A-Z]{3,5}))毕业"), _graduated),
    (re.compile(r"是\s*(?:一|在)?(?:名|个|位)?(?:做)?(?P<v>[^,。;!?]{2,18})"), _job),
    (
        re.compile(
            r"(?:做|当|从事|担任)(?!饭|梦|完|好|了|过|不|爱|错|主|然|到|得)\s*(?:的是)?(?:一名|一个|个"
            r"|名)?(?P<v>[^,。;!?]{2,12})"
        ),
        _job,
    ),
    (re.compile(r"(?P<v>退休)了?(?=$|[,\s])|(?:已经|早就)退休"), _state),
    (
        re.compile(
            r"(?:的)?工作时间(?:是)?\s*(?:早上|上午)?(?P<start>\d{1,2})\s*点?\s*(?:-|到|至|~)\s*(?:晚上"
            r"|下午)?(?P<stop>\d{1,2})\s*点?"
        ),
        _hours,
    ),
)
NOUN: tuple[Rule, ...] = (
    (re.compile(r"(?:公司|单位|东家)(?:是|叫)\s*(?P<v>[^,。;!?]{2,14})"), _works),
    (re.compile(r"(?:职业|工作|岗位|职位|职务)(?:是|:)\s*(?:一名|一个|个|名)?(?P<v>[^,。;!?]{2,14})"), _job),
    (re.compile(r"(?:专业)(?:是|:)\s*(?P<major>[^,。;!?]{2,12})"), _studies),
    (
        re.compile(
            rf"工作时间(?:是|:)?\s*(?:早上|上午|早)?(?P<start>{HAN_NUMBER})\s*点?\s*(?:-|到|至|~|(?=晚))\s*(?:晚上"
            rf"|下午|晚)?(?P<stop>{HAN_NUMBER})\s*点?"
        ),
        _hours,
    ),
)
