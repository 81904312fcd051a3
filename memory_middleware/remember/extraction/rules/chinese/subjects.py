"""The openings of Chinese clauses: what leads in, whom they are about, and whether they deny it."""

from __future__ import annotations

import re

from memory_middleware.remember.extraction.rules.chinese.values import NAME_ZH
from memory_middleware.remember.extraction.rules.clock import PARTS_ZH
from memory_middleware.remember.extraction.rules.dates_zh import DAY_ZH
from memory_middleware.remember.extraction.rules.findings import USER, Who
from memory_middleware.remember.extraction.rules.people import People
from memory_middleware.remember.extraction.rules.reading import Reading
from memory_middleware.remember.extraction.rules.relations import RELATION_ZH, relation_named

__all__ = ["CUE", "Opening", "find_predicate", "find_subject", "is_pronoun", "is_somebody_else", "strip_leads"]

_ORDER = re.compile(
    r"(?:请|麻烦|帮我|你要|你得|一定要|务必|给我|要|请你|你){0,7}(?:记住|记一下|记下来?|记好|记着(?:点|一下)?"
    r"|记得(?!提醒)|别忘了"
    r"|不要忘记|别忘|备注一下|牢记|备忘)(?:了|哦|啊|哈|下|一点|一件事){0,7}[,:\s]*"
)
_HEDGE = re.compile(r"(?:可能|大概|好像|也许|应该是|我想我|估计|似乎|没记错的话|如果没记错)[,\s]*")
_CORRECTION = re.compile(
    r"(?:不对不对|不对|不是的?(?=[,\s]|$)|错了|(?:我)?(?:刚才|刚刚)?(?:说|写|打|记|讲|搞)错了?(?:字)?"
    r"|更正(?:一下)?|纠正(?:一下)?|(?:不好意思|抱歉|对不起)|我是说|我的意思是|准确(?:来|地)?说)[,:\s。]*"
)
_NOISE = re.compile(
    r"(?:你好|您好|嗨+|哈喽+|嗨喽|害(?=[,我])|哎+[呀哟]?|唉+|额+(?=[,我\s])|emm+|讲真|说真的|实不相瞒|那啥"
    r"|家人们|姐妹们|兄弟们|朋友们"
    r"|宝子们|救命啊?|笑死|跟你讲|讲一下|说下|对啦|天哪|嗯+|哦+|噢|对了|还有|另外|顺便(?:说|提)(?:一下|一句)?"
    r"|顺便|那个|然后|而且|不过|但是|但"
    r"|因为|所以|其实|说实话|老实说|话说|补充一下|先说一下|说一下|(?:我)?(?:先|来)?自我介绍一下|大家好"
    r"|好的|哈哈+|嘿|目前|现在|如今|最近|平时|去年|前年|上个月|上周|前几天|这几年|一直以来|说起来|告诉你|跟你说"
    r"|你知道吗|首先|其次|以及|同时|此外|备注|背景|关于我|呃|啊|唉|哎|欸|诶|可是|只是|结果|后来|终于|总之|反正"
    r"|毕竟|确实"
    r"|个人|平常|就是(?=不|对|爱|喜欢|讨厌)|比起[^,我]{1,10}(?=我)|相比[^,我]{1,10}(?=我)|一般来说|通常|一般"
    r"|是这样的?|简单介绍一下|介绍一下|今年|昨天|今天|好消息|hi|hello|hey|ok|btw|PS|谢谢|嘛|也|就|哈"
    r"|于是)[,:\s!~。]*|[-*•\s,:;!~()\"'、]+|\d[.、)]\s*",
    re.IGNORECASE,
)
CUE = (
    r"(?=[,\s]|$|的|住|在|是|叫|姓|对|喜欢|讨厌|爱|不|今年|明年|去年|下|上[个周]|生日|会|最|养|也|都|很|从|来自|每"
    r"|要|正|刚|已经|现在|目前|特别|非常|超|人|搬|有|没|就|一直|平时|经常|常|总|打算|准备|想|说|觉得|和|跟|去|来"
    r"|做|当|教|学|用|开|吃|喝"
    r"|比|给|把|让|帮|快|以前|之前|还|才|又|怀|生|结|离|退|考|读|上班|上学|上大学|上幼儿园|明天|后天|昨天|今天|周"
    r"|星期|\d|[一二三四五六七八九十]|名字|电话|邮箱|手机|微信|负责|管|能|可以|什么|怎么|为|几|哪|真|老是|挺|蛮|比较|:)"
)
_DATED = re.compile(rf"从?(?:{DAY_ZH}|这几天|这两天|这阵子|这段时间)(?:{PARTS_ZH})?(?:起|开始)?[,\s]*(?=我|咱)")
_USER = re.compile(r"(?:我们|咱们|咱|我|本人|俺)(?:自己|本人|这边|个人|这个人|们)?")
_RELATED = re.compile(
    r"(?:我们?|咱们?|俺)(?:家|公司|部门|团队|大学|高中|组)?的?(?:那个|这个|新来的|新|亲|直属|顶头|最好的"
    rf"|好)?(?:大|二|小)?{RELATION_ZH}(?P<name>{NAME_ZH})??(?P<poss>的)?{CUE}"
)
_TOGETHER = re.compile(
    rf"(?:我|我们)(?:和|跟|与)(?:我)?(?:的)?(?:{RELATION_ZH})(?:{NAME_ZH})?(?=都|一起|住|在|有|养|搬|结婚)"
)
_MY = re.compile(r"(?:我们?|咱们?|本人|俺)的")
_PRONOUN = re.compile(r"(?P<word>他|她|它)(?!们)(?P<poss>的)?")
_OTHER = re.compile(
    rf"(?:{DAY_ZH}|今晚|今早|刚才|刚刚)?(?:{PARTS_ZH})?(?!周[一二三四五六日天末]|明[天年早晚]|时[间候]|万一"
    rf"|高铁|任务|安排|全|常|成)"
    rf"{NAME_ZH}(?:要|会|说|来|去|也|请|约|打算|想|过来|回来|是|在)"
)
_SOFT = (
    r"(?:现在|目前|如今|一直|其实|也|都|就|真的|真|很|非常|特别|超级|超|挺|蛮|比较|最(?!近)|太|平时|平常|一般|通常"
    r"|经常|常常|总是|老是|已经|刚刚|刚|最近|今年|去年|上个月|上周|前年|还(?!是)|又|主要|个人|从小|自己|更|尤其"
    r"|十分|相当|有点儿?|有些"
    r"|这几天|这两天|这周|本周|这个月|仍然|依然|确实|的确|早就|终于|正在|昨天|今天|这个人|本来就|一向|向来|绝对"
    r"|以后(?=不|再也不)|完全|的话|是真的?|可(?!能|以)|实在"
    r"|只|就是|家里?(?=养|有|一共)|全家|家人?都|每天都|始终|当然|毕竟|多半|平日里?|这辈子|\s){0,7}"
)
_WISH = re.compile(
    r"(?:想(?!念)|希望|打算|准备|计划|梦想|应该|考虑|愿意|要(?!是|求)|将|觉得|认为|以为|听说|知道|感觉|怀疑|猜|梦"
    r"|假装|如果|差点|说(?!话|[^,。]{0,6}[语话文])|问|在想|该|可以|得(?!了)|必须|需要|敢|恨不得|巴不得|宁愿)"
)
_PAST = re.compile(r"(?:以前|曾经|之前|过去|小时候|原来|原本|本来(?!就)|当年|那时候?|曾|年轻时)")
_MAYBE = re.compile(r"(?:可能|大概|好像|也许|似乎|估计|应该是)+")
_NOT = re.compile(
    r"(?P<ended>(?:已经|早就|现在|再也)?不再|再也不)|(?P<never>从来不|从不|并不|不太|不怎么|不是很|不大|不|没有"
    r"|没)(?!是.{0,6}而是|错|仅|但|光|得|久|知|小心|好意思|过|到|想到)"
)
_STOPPED = re.compile(r"了(?:啦|哈|哦|吧|的){0,7}$")


_NO_NAME = re.compile(r"[我你他她它说问催嫌骂]|^老(?:是|爱|想|让|在|跟|把|觉)")


class Opening:
    """Whom a clause is about and where it goes on; ``possessive`` when it is about something of theirs."""

    __slots__ = ("end", "possessive", "said", "who")

    def __init__(self, who: Who, end: int, possessive: bool = False, said: bool = True) -> None:
        self.who, self.end, self.possessive, self.said = who, end, possessive, said


def strip_leads(reading: Reading, at: int = 0) -> int:
    """Give the place after all that leads in, and note what it tells."""
    text = reading.clause.text
    for _ in range(12):
        if found := _ORDER.match(text, at):
            reading.ordered = True
        elif found := _HEDGE.match(text, at):
            reading.hedged = True
        elif found := _CORRECTION.match(text, at):
            reading.correction = True
        elif not (found := _NOISE.match(text, at)):
            break
        at = found.end()
    return at


def find_subject(reading: Reading, at: int) -> Opening | None:
    """Tell whom a clause is about; none if it has no subject that can be told."""
    text, people = reading.clause.text, reading.people
    if found := _DATED.match(text, at):
        at = found.end()
    if found := _TOGETHER.match(text, at):
        return Opening(USER, found.end())
    if found := _RELATED.match(text, at):
        word = found["relation"]
        name = reading.clause.said(found, "name") if found["name"] else ""
        if _NO_NAME.search(name):
            return None
        who = people.related(Who(name, relation_named(word), word))
        return Opening(who, found.end(), bool(found["poss"]))
    if found := _MY.match(text, at):
        return Opening(USER, found.end(), True)
    if found := _USER.match(text, at):
        return Opening(USER, found.end())
    if found := _PRONOUN.match(text, at):
        meant = people.meant(found["word"])
        return Opening(meant, found.end(), bool(found["poss"])) if meant else None
    return _named(text, at, people)


def is_pronoun(text: str, at: int) -> bool:
    """Tell whether a clause is about him, her or it, whoever that is."""
    return _PRONOUN.match(text, at) is not None


def is_somebody_else(text: str, at: int) -> bool:
    """Tell whether a clause without the owner seems to begin with a name, as ``今晚陈涛来家里吃饭`` does."""
    return _OTHER.match(text, at) is not None


def _named(text: str, at: int, people: People) -> Opening | None:
    if found := people.opening(text, at):
        someone, end = found
        possessive = text.startswith("的", end)
        return Opening(someone, end + possessive, possessive)
    return None


def find_predicate(reading: Reading, at: int) -> int | None:
    """Tell where the predicate begins and whether it is denied; none if it is a wish or lies in the past."""
    text = reading.clause.text
    for _ in range(4):
        at = _soft_end(text, at)
        if _PAST.match(text, at) or _WISH.match(text, at):
            return None
        if found := _MAYBE.match(text, at):
            reading.hedged = True
        elif found := _NOT.match(text, at):
            reading.negated = True
            reading.ended = bool(found["ended"]) or bool(_STOPPED.search(text))
        else:
            break
        at = found.end()
    return at


_SOFT_WORDS = re.compile(_SOFT)


def _soft_end(text: str, at: int) -> int:
    found = _SOFT_WORDS.match(text, at)
    return found.end() if found else at
