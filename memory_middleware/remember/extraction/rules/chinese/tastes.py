"""Chinese clauses about what somebody likes, avoids and must not eat, and about languages, tools and skills."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial

from memory_middleware.remember.extraction.rules.chinese.values import thing_of, things_of
from memory_middleware.remember.extraction.rules.findings import Finding
from memory_middleware.remember.extraction.rules.lexicon import LANGUAGE_ZH, LANGUAGES, looks_like_tool
from memory_middleware.remember.extraction.rules.reading import Reading, Rule

__all__ = ["FREE", "NOUN", "PREDICATE"]

_HOBBY = re.compile(
    r"^(?:看|听|玩|打|踢|跑|游|爬|滑|骑|弹|唱|跳|拍|写|画|做|读|钓|养|逛|旅|摄|徒步|健身|露营|编程|烘焙|瑜伽|冥想"
    r"|攀岩|冲浪|潜水|下棋|练)"
)
_LANGUAGE = re.compile(LANGUAGE_ZH)
_HAN_TOOLS = re.compile(
    r"微信|微博|抖音|快手|知乎|豆瓣|小红书|淘宝|闲鱼|拼多多|B站|b站|网易云|企微|腾讯文档|金山文档|夸克|钉钉"
    r"|飞书|企业微信|腾讯会议|石墨|语雀|印象笔记|支付宝|有道|滴答清单|苹果电脑|安卓|鸿蒙|小米|华为|剪映"
    r"|通义|文心|豆包|高德|百度网盘"
)


def _taste(found: re.Match[str], reading: Reading, *, variant: str = "", hobby: bool = False) -> Iterator[Finding]:
    denied = reading.negated or reading.ended
    if denied and variant:
        return
    variant = "dislike" if denied else variant
    for thing in things_of(reading.clause.said(found)):
        interest = (hobby or bool(_HOBBY.match(thing))) and not variant
        yield reading.find("taste", thing, variant=variant, extra={"interest": interest})


def _prefers(found: re.Match[str], reading: Reading) -> Iterator[Finding]:
    if not reading.negated and (thing := thing_of(reading.clause.said(found))):
        yield reading.find("taste", thing, variant="prefer")


def _refuses(found: re.Match[str], reading: Reading, *, denied: bool = False) -> Iterator[Finding]:
    if not (denied or reading.negated):
        return
    variant = "no_drink" if found["verb"] == "喝" else "no_food"
    said = re.split(r"[,\s]*[也更]?不[吃喝碰]", reading.clause.said(found))
    for thing in (thing for part in said for thing in things_of(part)):
        if not re.match(r"(?:早饭|午饭|晚饭|早餐|晚餐|饭$|下|到|饱|胖|惯|消|准|香(?:$|的)|亏|完)", thing):
            yield reading.find("taste", thing, variant=variant)


def _quits(found: re.Match[str], reading: Reading) -> Iterator[Finding]:
    if not reading.negated:
        yield reading.find("taste", reading.clause.said(found), variant="quit")


# What people say they are allergic to when they only dislike it.
_NO_ALLERGEN = re.compile(
    r"数学|英语|语文|物理|考试|作业|学习|上课|上班|加班|工作|开会|会议|代码|早起|起床|周一|星期一|老板|领导|运动|跑步|健身"
    r"|人类|男人|女人|男生|女生|爱情|恋爱|贫穷|没钱|鸡汤|废话|手机|^班$"
)


def _allergy(found: re.Match[str], reading: Reading) -> Iterator[Finding]:
    denied = reading.negated or bool(found["none"])
    for thing in things_of(reading.clause.said(found)):
        if not _NO_ALLERGEN.search(thing):
            yield reading.find("allergy", thing, variant="none" if denied else "")


def _diet(found: re.Match[str], reading: Reading) -> Iterator[Finding]:
    if reading.negated and reading.ended:
        yield reading.find("diet", found["v"], ended=True)
    elif not reading.negated:
        yield reading.find("diet", _DIETS.get(found["v"], found["v"]))


_DIETS = {
    "素食主义者": "素食",
    "吃素": "素食",
    "素食者": "素食",
    "纯素": "纯素食",
    "纯素食主义者": "纯素食",
    "吃清真": "清真",
}


def _favorite(found: re.Match[str], reading: Reading) -> Iterator[Finding]:
    value = thing_of(reading.clause.said(found))
    if value and not reading.negated:
        yield reading.find("favorite", value, key=found["kind"], extra={"kind": found["kind"]})


def _speaks(found: re.Match[str], reading: Reading) -> Iterator[Finding]:
    if reading.negated or reading.ended:
        return
    for language in _LANGUAGE.finditer(found["v"]):
        yield reading.find("speaks", language[0], key=LANGUAGES.get(language[0], language[0]))


def _native(found: re.Match[str], reading: Reading) -> Iterator[Finding]:
    said = found["v"]
    yield reading.find("native_language", said)
    yield reading.find("speaks", said, key=LANGUAGES.get(said, said))


def _learns(found: re.Match[str], reading: Reading, *, over: bool = False) -> Iterator[Finding]:
    ended = over or reading.ended
    if reading.negated and not ended:
        return
    for thing in things_of(reading.clause.said(found)):
        if not re.search(r"^(?:习|校|会|到|着|生|完|好|院|期|费|历|术)|怎么|如何", thing):
            yield reading.find("learning", thing, key=LANGUAGES.get(thing, thing), ended=ended)


def _tools(said: str) -> list[str]:
    cut = re.split(
        r"(?<=[A-Za-z0-9\u4e00-\u9fff])\s*(?:来|写|做|画|记|开发|办公|管理|编程|聊天|沟通|剪|看|搞|跑|处理|上网"
        r"|工作|的(?!$))",
        said,
        maxsplit=1,
    )[0]
    return [thing for thing in things_of(cut) if _is_tool(thing)]


def _is_tool(thing: str) -> bool:
    if _HAN_TOOLS.search(thing):
        return True
    return thing.isascii() and looks_like_tool(thing)


def _uses(found: re.Match[str], reading: Reading, *, over: bool = False) -> Iterator[Finding]:
    ended = over or reading.ended
    if re.search(r"[他她]|说|别人|客户", found[0][: found.start("v") - found.start()]):
        return
    if re.search(r"的?时候?[,\s]|的?时候?$|的时候", found[0]):
        return
    if reading.negated and not ended:
        return
    for tool in _tools(reading.clause.said(found)):
        yield reading.find("uses", tool, ended=ended)


def _switches(found: re.Match[str], reading: Reading) -> Iterator[Finding]:
    if reading.negated or not (new := _tools(reading.clause.said(found))):
        return
    old = found["old"] if "old" in found.re.groupindex else None
    for tool in _tools(old or ""):
        yield reading.find("uses", tool, ended=True)
    yield from (reading.find("uses", tool) for tool in new)


def _knows(found: re.Match[str], reading: Reading) -> Iterator[Finding]:
    if not reading.negated:
        yield from (reading.find("knows", skill) for skill in things_of(reading.clause.said(found)))


def _frequents(found: re.Match[str], reading: Reading) -> Iterator[Finding]:
    place = thing_of(re.sub(r"(?:喝|吃|买|玩|逛|看|跑|健身|打球|散步).*$", "", reading.clause.said(found)))
    if place and not reading.negated and len(place) > 1:
        yield reading.find("place", place)


def _car(found: re.Match[str], reading: Reading) -> Iterator[Finding]:
    if not reading.negated:
        car = thing_of(reading.clause.said(found))
        if car:
            yield reading.find("car", car)


_T = r"(?P<v>[^。;!?]{1,30})"
_CARS = (
    r"特斯拉|比亚迪|丰田|本田|宝马|奔驰|奥迪|大众|沃尔沃|理想|蔚来|小鹏|日产|马自达|吉利|别克|福特|现代|起亚"
    r"|雷克萨斯|Model [3YSX]|保时捷|斯巴鲁"
)
PREDICATE: tuple[Rule, ...] = (
    (
        re.compile(
            r"对\s*(?P<v>[^,。;!?]{1,16}?)\s*(?:有点|有些|严重|轻微|重度|都|会|也|比较|特别|很|有){0,7}(?P<none>不"
            r"|没有)?过敏"
        ),
        _allergy,
    ),
    (re.compile(r"(?:有|是)\s*(?P<v>[^,。;!?]{1,10}?)过敏(?P<none>)"), _allergy),
    (
        re.compile(r"(?P<v>(?!有点|会|容易|皮肤|很|也|都|经常|药物?$)[^,。;!?对]{1,6}?)过敏(?P<none>)(?=$|[,\s了])"),
        _allergy,
    ),
    (
        re.compile(
            r"(?:是(?:一个|个|一名)?)?(?P<v>纯素食主义者|素食主义者|素食者|吃素|纯素|吃清真)(?!的|了?[一两三四五六七八九十几\d]+(?:天|周|个?月))"
        ),
        _diet,
    ),
    (re.compile(rf"(?P<verb>吃|喝)不(?:了|惯|来)\s*{_T}"), partial(_refuses, denied=True)),
    (re.compile(rf"(?:能|能够|可以|敢|碰)?(?P<verb>吃|喝|碰){_T}"), _refuses),
    (re.compile(r"戒(?:掉)?了?\s*(?P<v>烟|酒|咖啡|糖|奶茶|可乐|碳水)了?(?!失败|不掉|不了|没)"), _quits),
    (re.compile(rf"更(?:喜欢|爱|偏爱)\s*{_T}|(?!)"), _prefers),
    (re.compile(rf"(?:偏爱|偏好|更倾向于?)\s*{_T}"), _prefers),
    (
        re.compile(rf"(?:喜欢|热爱|钟爱|酷爱|痴迷|迷上了?|爱上了?|沉迷于?|爱(?!人|好|情|心|国|你|上))(?!过|不)\s*{_T}"),
        _taste,
    ),
    (
        re.compile(rf"(?:讨厌|反感|受不了|厌恶|恨(?!不)|烦(?!恼|死了$|躁|人)|忍受不了|无法接受)\s*{_T}"),
        partial(_taste, variant="dislike"),
    ),
    (
        re.compile(r"对\s*(?P<v>[^,。;!?]{1,12}?)\s*(?:很|非常|特别|超|挺|比较|蛮|十分)?(?:感兴趣|有兴趣|着迷|上瘾)"),
        partial(_taste, hobby=True),
    ),
    (
        re.compile(
            rf"(?:会|能)?(?:说|讲)(?:流利的|一点点?|一些|一口流利的|点)?\s*(?P<v>{LANGUAGE_ZH}[^。;!?]{{0,24}})"
        ),
        _speaks,
    ),
    (re.compile(rf"(?:会|懂|精通|能用)(?:一点点?|一些|点)?\s*(?P<v>{LANGUAGE_ZH}[^。;!?]{{0,24}})"), _speaks),
    (
        re.compile(r"(?:放弃|停止|中断|停)了?(?:继续)?(?:学习?|自学|练习?)了?\s*(?P<v>[^,。;!?]{1,14})"),
        partial(_learns, over=True),
    ),
    (
        re.compile(
            r"(?:开始|在|正在|正|报班|自学|继续)?(?:学习?|自学|练习?)(?!校|生|会|到|着|历|费|院|长|的|不|完"
            r"|过)了?(?:一点|点)?\s*(?P<v>[^,。;!?]{1,14})"
        ),
        _learns,
    ),
    (
        re.compile(
            rf"(?:[\u4e00-\u9fff]{{2,5}})?从\s*(?P<old>[^,。;]{{1,16}}?)\s*(?:换|转|切|迁移|切换)(?:成|到|去|用"
            rf"|向)了?\s*{_T}"
        ),
        _switches,
    ),
    (re.compile(rf"把\s*(?P<old>[^,。;]{{1,16}}?)\s*换成了?\s*{_T}"), _switches),
    (
        re.compile(
            rf"(?:改用|换成|换用|换了|转用|换到|换(?=[A-Za-z])|切换到|切到|迁移到|改成用|开始用|入手)了?\s*{_T}"
        ),
        _switches,
    ),
    (re.compile(rf"(?:弃用|卸载|放弃|删)了?\s*{_T}"), partial(_uses, over=True)),
    (re.compile(rf"(?:在|习惯|主力|工作)?(?:用的是?|使用|用)(?!户|心|途|完|力)\s*{_T}"), _uses),
    (
        re.compile(
            rf"[\u4e00-\u9fffA-Za-z]{{1,7}}?(?<![不没费信引通副公利说们])(?<!(?<!协)作)(?:都|一般|主要|就|现在"
            rf"|平时){{0,7}}用(?:的是?)?\s*{_T}"
        ),
        _uses,
    ),
    (re.compile(r"(?<=[常总老])去\s*(?P<v>[^,。;!?]{2,12})"), _frequents),
    (re.compile(r"(?:写|搞)\s*(?P<v>[A-Za-z][^。;!?]{0,24})"), _uses),
    (re.compile(rf"(?:擅长|精通|熟悉|拿手|专攻|专长是)\s*{_T}"), _knows),
    (
        re.compile(r"有\s*(?:\d+|[一二三四五六七八九十]+)\s*年(?:的|多的?)?\s*(?P<v>[^,。;!?]{2,14}?)(?:的)?经验"),
        _knows,
    ),
    (re.compile(rf"(?:开的?是?|买了|提了|换了)(?:一?辆|一?台|的)?\s*(?P<v>(?:{_CARS})[^,。;!?]{{0,10}})"), _car),
)
NOUN: tuple[Rule, ...] = (
    (re.compile(r"(?:兴趣爱好|爱好|兴趣)(?:是|有|包括|:)?\s*(?P<v>[^。;!?]{1,30})"), partial(_taste, hobby=True)),
    (re.compile(r"最?(?:喜欢|爱)的(?P<kind>[\u4e00-\u9fff]{1,6})(?<!不)(?:就)?是\s*(?P<v>[^,。;!?]{1,16})"), _favorite),
    (re.compile(rf"母语(?:是|:)?\s*(?P<v>{LANGUAGE_ZH})"), _native),
    (
        re.compile(
            rf"(?P<v>{LANGUAGE_ZH})(?:也|都|还|说得|水平|讲得){{0,7}}\s*(?:很|挺|还|比较|特别)?(?:流利|不错|还行|还可以"
            r"|很好|可以|行|溜|熟练|没问题)"
        ),
        _speaks,
    ),
    (
        re.compile(rf"(?:编辑器|浏览器|手机|电脑|主力机|IDE|笔记软件|操作系统|系统)(?:是|用的是|换成了?|:)\s*{_T}"),
        _uses,
    ),
    (re.compile(rf"(?:车)(?:是|:)\s*(?:一?辆)?(?P<v>(?:{_CARS})[^,。;!?]{{0,10}})"), _car),
)
FREE: tuple[Rule, ...] = (
    (
        re.compile(
            rf"(?:编辑器|浏览器|手机|电脑|笔记|画图|写代码|办公|剪视频|数据库|框架|后端|前端|服务器|系统|做图"
            rf"|记账|聊天|写文档|记笔记"
            rf"|做笔记|设计|开会)我?们?(?:只|都|一般|主要|一直|就){{0,7}}用(?:的是?)?\s*{_T}"
        ),
        _uses,
    ),
    (
        re.compile(
            r"我?们?(?:的)?(?:后端|前端|数据库|框架|服务端|客户端)(?:都|全|主要|基本){0,3}(?:是"
            r"|用)?\s*(?P<v>[A-Za-z][A-Za-z0-9+#.]{0,15})(?:写|做|搭|开发)?的?$"
        ),
        _uses,
    ),
    (
        re.compile(
            r"(?P<v>[A-Za-z][A-Za-z0-9+#. ]{1,15}|[\u4e00-\u9fff]{2,6})我们?(?:早就?|已经|后来"
            r"|现在){0,3}(?:弃|卸|卸载|删|不用|不再用)了$"
        ),
        partial(_uses, over=True),
    ),
    (
        re.compile(
            rf"(?:我)?(?:的)?(?P<v>{LANGUAGE_ZH})(?:水平)?\s*(?:是|过了?|有|考过了?)?\s*(?:四级|六级|专八|专四"
            r"|N[1-5]|[ABC][12]|母语|雅思|托福|二级|一级)"
        ),
        _speaks,
    ),
    (
        re.compile(
            rf"(?P<v>{LANGUAGE_ZH})也\s*(?:还|很|挺|比较|算)?(?:流利|不错|还行|还可以|可以|行|凑合|会一点|能说|没问题)"
        ),
        _speaks,
    ),
)
