"""Chinese clauses about who somebody is: name, age, birthday, origin, family state, contact, time zone."""

from __future__ import annotations

import re
from collections.abc import Iterator

from memory_middleware.remember.extraction.rules.chinese.values import NAME_ZH, full_name_of, is_city, name_of, place_of
from memory_middleware.remember.extraction.rules.dates_zh import DAY_ZH
from memory_middleware.remember.extraction.rules.findings import Finding, Who
from memory_middleware.remember.extraction.rules.lexicon import zone_named
from memory_middleware.remember.extraction.rules.numerals import HAN_NUMBER, read_number
from memory_middleware.remember.extraction.rules.people import parted_findings, relation_finding
from memory_middleware.remember.extraction.rules.reading import Reading, Rule
from memory_middleware.remember.extraction.rules.relations import ANIMALS, RELATION_ZH, relation_named

__all__ = ["FREE", "NOUN", "PREDICATE", "SOMEBODY", "meet"]

_COUNTRIES = (
    r"中国|美国|英国|日本|韩国|德国|法国|俄罗斯|加拿大|澳大利亚|澳洲|新西兰|印度|巴西|意大利|西班牙|葡萄牙|荷兰"
    r"|瑞士|瑞典|挪威|丹麦|芬兰|波兰|奥地利|比利时|希腊|土耳其|泰国|越南|马来西亚|新加坡|菲律宾|印尼|印度尼西亚"
    r"|墨西哥|阿根廷"
    r"|智利|埃及|南非|尼日利亚|肯尼亚|以色列|伊朗|乌克兰|捷克|匈牙利|爱尔兰|台湾|香港"
)


def meet(reading: Reading, who: Who) -> Finding:
    """Take note of somebody with a name, and say who they are."""
    reading.people.meet(who)
    return relation_finding(who, "zh", reading.confidence)


def _name(found: re.Match[str], reading: Reading) -> Iterator[Finding]:
    name = name_of(reading.clause.said(found))
    if not name or reading.negated:
        return
    if reading.who.is_user:
        yield reading.find("name", name)
    elif reading.who.relation:
        yield meet(reading, Who(name, reading.who.relation, reading.who.word))


def _somebody(found: re.Match[str], reading: Reading) -> Iterator[Finding]:
    """Read ``我老板是周凯``, of somebody with a relation, and ``我是王芳``."""
    if reading.who.is_user:
        name = None if "们" in reading.clause.text[: found.start()] else full_name_of(reading.clause.said(found))
        if name and not (reading.negated or reading.implied or reading.hedged):
            yield reading.find("name", name)
    elif reading.who.relation and not reading.negated:
        yield meet(reading, Who(reading.clause.said(found), reading.who.relation, reading.who.word))


def _surname(found: re.Match[str], reading: Reading) -> Iterator[Finding]:
    if not reading.negated:
        yield reading.find("surname", reading.clause.said(found))


def _health(found: re.Match[str], reading: Reading) -> Iterator[Finding]:
    if not reading.negated:
        yield reading.find("health", reading.clause.said(found))


def _is_my(found: re.Match[str], reading: Reading) -> Iterator[Finding]:
    """Read ``张三是我老板``."""
    word = found["relation"]
    yield meet(reading, Who(reading.clause.said(found, "name"), relation_named(word), word))


def _nickname(found: re.Match[str], reading: Reading) -> Iterator[Finding]:
    if name := name_of(reading.clause.said(found)):
        yield reading.find("nickname", name, who=Who())


def _age(found: re.Match[str], reading: Reading) -> Iterator[Finding]:
    years = read_number(found["v"])
    soon = re.search(r"下个?月|明年|快要?|马上|即将|过完年|后年", reading.clause.text)
    if years is not None and 0 < years < 120 and not reading.negated and not soon:
        yield reading.find("age", reading.clause.said(found))


def _age_after_all(found: re.Match[str], reading: Reading) -> Iterator[Finding]:
    """Read ``我是27`` where it corrects another number; else it may number anything."""
    if reading.correction:
        yield from _age(found, reading)


def _birthday(found: re.Match[str], reading: Reading) -> Iterator[Finding]:
    month, day = read_number(found["month"]), read_number(found["day"].removeprefix("初"))
    if month is None or day is None or not (1 <= month <= 12 and 1 <= day <= 31):
        return
    yield reading.find("birthday", reading.clause.said(found), plain=f"{month:02d}-{day:02d}")


def _born_year(found: re.Match[str], reading: Reading) -> Iterator[Finding]:
    if not reading.negated:
        yield reading.find("birthday", found["v"], variant="year")


def _born_short(found: re.Match[str], reading: Reading) -> Iterator[Finding]:
    """Read ``95年的``."""
    if not reading.negated:
        century = "19" if int(found["v"]) >= 30 else "20"
        yield reading.find("birthday", century + found["v"], variant="year")


def _born_today(found: re.Match[str], reading: Reading) -> Iterator[Finding]:
    """Read ``下周五是我生日``."""
    if when := reading.day(found["when"]):
        day = when.day
        yield reading.find("birthday", f"{day.month}月{day.day}日", plain=f"{day:%m-%d}", who=Who())


def _parted(found: re.Match[str], reading: Reading) -> Iterator[Finding]:
    word = found["relation"]
    relation = relation_named(word)
    name = reading.people.related(Who("", relation)).name
    extra = {"address": relation, "relation": relation, "word": word}
    yield reading.find("relation", name, ended=True, who=Who(), extra=extra)


def _parted_from(found: re.Match[str], reading: Reading) -> Iterator[Finding]:
    """Read ``我分手了`` of a partner who is known."""
    if not reading.negated:
        yield from parted_findings(reading.people, "", "zh")


def _origin(found: re.Match[str], reading: Reading) -> Iterator[Finding]:
    if reading.negated:
        return
    said = reading.clause.said(found)
    if re.fullmatch(_COUNTRIES, found["v"]):
        yield reading.find("nationality", f"{said}人")
    elif (place := place_of(said)) and (is_city(place) or len(place) <= 6):
        yield reading.find("hometown", place)


def _marital(found: re.Match[str], reading: Reading) -> Iterator[Finding]:
    if not reading.negated:
        yield reading.find("marital_status", _STATES[found["v"][:2]])


_STATES = {
    "结婚": "已婚",
    "已婚": "已婚",
    "单身": "单身",
    "离婚": "离异",
    "离异": "离异",
    "订婚": "已订婚",
    "未婚": "未婚",
    "领证": "已婚",
}


def _contact(found: re.Match[str], reading: Reading) -> Iterator[Finding]:
    for group, attribute in (("phone", "phone"), ("mail", "email"), ("wechat", "wechat")):
        if group in found.re.groupindex and found[group]:
            yield reading.find(attribute, found[group].strip(" -."))


def _zone(found: re.Match[str], reading: Reading) -> Iterator[Finding]:
    if not reading.negated and (zone := zone_named(found["v"])):
        yield reading.find("timezone", zone)


def _pet(found: re.Match[str], reading: Reading) -> Iterator[Finding]:
    word = found["relation"]
    relation = relation_named(word)
    if not reading.who.is_user or reading.negated:
        return
    name = name_of(reading.clause.said(found, "name")) if found["name"] else None
    if name:
        yield meet(reading, Who(name, relation, word))
        return
    reading.people.meet(Who("", relation, word))
    if relation in ANIMALS:
        address = {"address": f"pet:{relation}", "relation": relation, "word": word}
        count = found["count"] or "一只"
        yield reading.find("children", f"{count}{word}", extra=address)


def _each(found: re.Match[str], reading: Reading) -> Iterator[Finding]:
    """Read ``一只叫奥利奥一只叫年糕`` after animals without names."""
    someone = reading.people.nameless()
    if someone and someone.relation in ANIMALS:
        for group in ("v", "v2"):
            if found[group] and (name := name_of(reading.clause.said(found, group))):
                yield meet(reading, Who(name, someone.relation, someone.word))


def _family(found: re.Match[str], reading: Reading) -> Iterator[Finding]:
    if not reading.negated:
        kind = "siblings" if re.search("[哥姐弟妹]", found["v"]) else "children"
        yield reading.find("children", reading.clause.said(found), extra={"address": f"family:{kind}"})


_ZONE = (
    r"(?P<v>[A-Z][A-Za-z]+/[A-Z][A-Za-z_]+|[东西][一二三四五六七八九十]{1,2}(?:时)?区|(?:UTC|GMT)\s*[+-]\s*\d{1,2}"
    r"|(?:北京|中国|东京|伦敦|纽约|柏林|新加坡|美东|美西|太平洋|中欧)时间|美东|美西|[A-Z]{3,4}\b)"
)
_LUNAR = rf"(?P<v>(?:农历|阴历|阳历|公历)?(?:\d{{4}}年)?(?P<month>{HAN_NUMBER}|正|腊)月(?P<day>初?{HAN_NUMBER})[日号]?)"
_PHONE = r"(?P<phone>\+?\d[\d -]{5,18}\d)"
_MAIL = r"(?P<mail>[\w.+-]{1,64}@[A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{1,63}){1,4})"
_IS = r"\s*(?:现在|目前|已经)?(?:就?是|为|叫|换成了?|改成了?|变成了?|:|=)?\s*(?:了|:)?\s*"

_CONDITION = (
    r"(?:[一二12]型)?糖尿病|哮喘|高血压|低血糖|偏头痛|癫痫|色盲|色弱|左撇子|鼻炎|胃病|失眠|湿疹|颈椎病"
    r"|腰椎间盘突出|抑郁症|焦虑症|乳糖不耐(?:受)?|怀孕"
)
SOMEBODY: tuple[Rule, ...] = ((re.compile(rf"(?:现在)?(?:换成了?|是)\s*(?P<v>{NAME_ZH}[哥姐总]?)$"), _somebody),)
PREDICATE: tuple[Rule, ...] = (
    (re.compile(rf"(?:有|得了|患有|是|患)?(?:个|一点|轻微的?|严重的?)?(?P<v>{_CONDITION})(?!的)"), _health),
    (re.compile(r"姓(?!名)(?P<v>[\u4e00-\u9fff]{1,2})(?=$|[,\s]|,)"), _surname),
    (re.compile(r"(?:名叫|叫做?|名字叫做?|名字是|大名叫?)\s*(?P<v>.+)"), _name),
    (re.compile(rf"(?:是\s*)?(?P<v>{HAN_NUMBER})\s*(?:周?岁)(?!的|时|以|前|多|就|才|那|起|开始)"), _age),
    (re.compile(r"(?:满|刚满|快)?(?P<v>\d{2})(?:了)?\s*$"), _age),
    (re.compile(r"是(?P<v>\d{2})$"), _age_after_all),
    (re.compile(r"(?:满|刚满|快)?(?P<v>[二三四五六七八九]?十[一二三四五六七八九]?)了$"), _age),
    (re.compile(r"(?:是)?\s*(?P<v>[0-9]{2})年(?:的|出生|生)"), _born_short),
    (re.compile(r"(?:是|生于|出生于?|出生在)?\s*(?P<v>(?:19|20)\d\d)年?(?:出生|生|的)"), _born_year),
    (re.compile(rf"(?:是)?\s*{_LUNAR}(?:出生|生日?|过生日)"), _birthday),
    (
        re.compile(r"是(?:土生土长的?|地道的?)?\s*(?P<v>[\u4e00-\u9fff]{2,10}?)人(?!类|员|事|民|们|才|的|格|物|士|家)"),
        _origin,
    ),
    (
        re.compile(
            r"(?P<v>(?:结婚|离婚|订婚|领证)(?=了|\d|[一二三四五六七八九十两]年|好几年|很久|$)|已婚|单身|离异"
            r"|未婚)(?!证|对象|典礼|人|吗|照|日|纪念|的人)"
        ),
        _marital,
    ),
    (re.compile(r"是(?P<v>单身|已婚|未婚|离异)"), _marital),
    (re.compile(rf"(?:人)?在\s*{_ZONE}"), _zone),
    (
        re.compile(
            r"(?:这边|这里|所在地|用的?)?是?\s*(?P<v>(?:北京|中国|东京|伦敦|纽约|柏林|新加坡|美东|美西|太平洋"
            r"|中欧)时间)"
        ),
        _zone,
    ),
    (
        re.compile(
            r"(?:家里|家|还|新|刚|又){0,7}(?:养了?|领养了?|收养了?|有"
            r"|买了|(?<=家里)(?=[两三四五\d]+[只条]))\s*(?P<count>[一两三四五\d]*[只条个匹])?(?:可爱的"
            rf"|小)?{RELATION_ZH}(?:[,\s]*(?:它)?(?:名?叫做?|名字叫做?|名字是)\s*(?P<name>[^,。\s]{{1,8}}))?"
        ),
        _pet,
    ),
    (
        re.compile(
            r"(?:家里有?|有)\s*(?P<v>一儿一女|一双儿女|[一两三四五1-5]\s*个(?:儿子"
            r"|女儿)(?:[和、]?[一两三四五1-5]个(?:儿子|女儿))|[两三四五2-5]\s*个?(?:孩子|小孩|娃|儿子|女儿|姐姐"
            r"|妹妹|哥哥|弟弟|兄弟|姐妹))"
        ),
        _family,
    ),
)
NOUN: tuple[Rule, ...] = (
    (re.compile(r"(?:有|家里有?)?(?P<v>(?:俩|仨)(?:孩子|小孩|娃娃?|儿子|女儿|闺女))$"), _family),
    (re.compile(rf"(?:名字|姓名|大名|全名|本名){_IS}(?!写错|打错|弄错|填错|错)(?P<v>.+)"), _name),
    (re.compile(rf"(?:生日|出生日期)(?:是|在|就在|:)?\s*{_LUNAR}"), _birthday),
    (re.compile(rf"(?:年龄|年纪){_IS}(?P<v>{HAN_NUMBER})"), _age),
    (
        re.compile(
            rf"(?:新的?|工作|公司|个人|常用)?(?:手机号码?|电话号码?|手机|电话|号码|联系电话|联系方式){_IS}{_PHONE}"
        ),
        _contact,
    ),
    (
        re.compile(
            rf"(?:新的?|工作|公司|个人|常用)?(?:邮箱(?:地址)?|邮件(?:地址)?|电子邮件|电邮|e-?mail){_IS}{_MAIL}",
            re.IGNORECASE,
        ),
        _contact,
    ),
    (re.compile(rf"微信号?{_IS}(?P<wechat>[A-Za-z][\w-]{{5,19}})"), _contact),
    (re.compile(rf"(?:所在)?时区{_IS}{_ZONE}"), _zone),
    (re.compile(r"(?:国籍|籍贯)(?:是|:)?\s*(?P<v>[\u4e00-\u9fff]{2,10})"), _origin),
)
FREE: tuple[Rule, ...] = (
    (
        re.compile(
            r"(?:我们?|咱们?|俺)(?:俩|两个?)?(?:已经|刚刚?|前几天|上周|上个月|昨天|最近|还是"
            r"|终于){0,3}(?:分手|离婚|分开)了"
        ),
        _parted_from,
    ),
    (
        re.compile(
            r"我(?:就|叫)?是(?P<v>(?:小(?![白号编弟妹孩朋透女男学仙气伙众姐哥辈组领老公市人])"
            r"|阿(?![姨飘拉]))[\u4e00-\u9fff]{1,2})$"
        ),
        _name,
    ),
    (
        re.compile(
            r"(?:有|其中)?[一另]+[只条个]叫\s*(?P<v>[^,。一\s]{1,6}?)(?:[,、和]?(?:还有)?[一另]+[只条个]叫\s*(?P<v2>[^,。\s]{1,6}))?$"
        ),
        _each,
    ),
    (re.compile(rf"(?:跟|和|与)我(?:一起|一块儿?|同组)?[^,。]{{0,8}}的{RELATION_ZH}叫\s*(?P<name>{NAME_ZH})$"), _is_my),
    (
        re.compile(
            rf"(?:我的?)?新(?:的|(?=号|手|电|邮|邮))(?:号码|手机号码?|电话号码?|电话|号|邮箱(?:地址)?"
            rf"|邮件地址)?(?:是|:)?\s*(?:(?P<phone>1\d{{10}}|0\d{{2,3}}-?\d{{7,8}})(?!\d)|{_MAIL})"
        ),
        _contact,
    ),
    (re.compile(rf"(?P<when>{DAY_ZH})(?:就)?是我(?:的)?生日"), _born_today),
    (
        re.compile(rf"(?:我)?(?:跟|和|与)(?:我)?(?:的)?{RELATION_ZH}[^,。]{{0,4}}?(?:(?:分手|离婚|分开)了?|[分掰]了$)"),
        _parted,
    ),
    (
        re.compile(
            rf"(?P<name>{NAME_ZH})(?:现在)?是我们?(?:家|公司|组)?的?(?:新|大学|高中|好|亲)?{RELATION_ZH}(?=$"
            r"|[,\s了啦哦呀])"
        ),
        _is_my,
    ),
    (
        re.compile(
            r"(?:请|你?可以|以后|就|大家都?|朋友们?都?|同事们?都?|你){0,7}(?:叫|喊|称呼)我(?!妈|爸|们|的|去|来|起|吃"
            r"|上|下|做|带|回|帮|自己)(?:为|作)?\s*(?P<v>[^,。\s]{1,10}?(?=就|吧|即可|好了|$|[,。\s]))"
        ),
        _nickname,
    ),
    (
        re.compile(
            r"(?:请|可以|你){0,7}(?:打我?的?电话|打给我|联系我|发邮件给我|发到?我的?邮箱|有事发我的?邮箱|联系方式)(?:是"
            rf"|:|可以|请){{0,7}}\s*(?:{_PHONE}|{_MAIL})"
        ),
        _contact,
    ),
)
