"""Chinese values cut out of a clause: places, names, occupations, organisations and things, or none if implausible."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import wraps

from memory_middleware.remember.extraction.rules.english.values import occupation_of
from memory_middleware.remember.extraction.rules.script import simplified
from memory_middleware.remember.extraction.rules.texts import MASK

__all__ = [
    "NAME_ZH",
    "city_and_company",
    "full_name_of",
    "is_city",
    "job_of",
    "listed",
    "name_of",
    "organisation_of",
    "place_of",
    "thing_of",
    "things_of",
]

_SURNAMES = (
    "赵钱孙李周吴郑王冯陈褚卫蒋沈韩杨朱秦尤许何吕施张孔曹严华金魏陶姜戚谢邹喻柏水窦章云苏潘葛奚范彭郎鲁韦昌马苗凤花"
    "方俞任袁柳酆鲍史唐费廉岑薛雷贺倪汤滕殷罗毕郝邬安常乐于时傅皮卞齐康伍余元卜顾孟"
    "平黄穆萧尹姚邵汪祁毛禹狄米贝明臧计伏成戴谈宋庞熊纪舒屈项祝董梁杜阮蓝闵席季麻强贾路娄危江童颜郭梅盛林刁钟徐邱骆"
    "高夏蔡田樊胡凌霍虞万柯管卢莫房丁邓洪包左石崔吉龚程邢裴陆荣翁荀羊惠甄曲封芮储靳"
    "段富焦巴谷车侯宓全班秋仲伊宫宁仇甘武符刘景詹龙叶幸司黎薄白怀蒲邰从鄂索赖卓屠蒙池乔阴胥苍双闻党翟谭贡劳逄姬申扶"
    "堵冉宰雍桑桂牛寿通边燕冀尚农温庄晏柴瞿阎连习艾容向古易慎戈廖庾终居衡步都耿满弘"
    "匡国文寇广东欧沃利蔚越隆师巩聂晁勾敖融冷辛阚那简饶空曾沙养关红游竺权盖益桓公"
)
NAME_ZH = (
    rf"(?:(?:欧阳|司马|上官|诸葛|东方|慕容|令狐|皇甫|尉迟|公孙)[\u4e00-\u9fff]{{1,2}}"
    rf"|[{_SURNAMES}][\u4e00-\u9fff]{{1,2}}?|[小老阿大][\u4e00-\u9fff]{{1,2}}?"
    r"|(?P<twice>[\u4e00-\u9fff])(?P=twice)|[A-Z][A-Za-z]+(?:\s[A-Z][a-z]+)?)"
)
_CITIES = (
    "北京 上海 广州 深圳 天津 重庆 成都 杭州 南京 苏州 武汉 西安 长沙 郑州 青岛 大连 宁波 厦门 福州 济南 合肥 昆明 "
    "哈尔滨 沈阳 长春 石家庄 太原 南昌 贵阳 南宁 海口 三亚 兰州 西宁 银川 乌鲁木齐 拉萨 呼和浩特 无锡 常州 "
    "东莞 佛山 珠海 惠州 中山 温州 绍兴 嘉兴 金华 台州 烟台 潍坊 威海 临沂 洛阳 徐州 扬州 南通 泉州 漳州 桂林 丽江 "
    "大理 绵阳 宜昌 襄阳 株洲 湘潭 衡阳 赣州 九江 芜湖 汕头 湛江 江门 香港 澳门 台北 高雄 台中 台南 新竹 "
    "东京 大阪 京都 名古屋 福冈 札幌 首尔 釜山 新加坡 吉隆坡 曼谷 清迈 雅加达 马尼拉 河内 胡志明 孟买 新德里 迪拜 "
    "伊斯坦布尔 莫斯科 圣彼得堡 柏林 慕尼黑 法兰克福 汉堡 巴黎 里昂 伦敦 曼彻斯特 爱丁堡 都柏林 阿姆斯特丹 布鲁塞尔"
    " "
    "苏黎世 日内瓦 维也纳 布拉格 华沙 布达佩斯 罗马 米兰 威尼斯 佛罗伦萨 马德里 巴塞罗那 里斯本 波尔图 雅典 哥本哈"
    "根 斯德哥尔摩 奥斯陆 赫尔辛基 纽约 洛杉矶 旧金山 西雅图 波士顿 芝加哥 休斯顿 达拉斯 华盛顿 多伦多 温哥华 蒙特"
    "利尔 "
    "墨西哥城 圣保罗 里约 布宜诺斯艾利斯 悉尼 墨尔本 布里斯班 奥克兰 开罗 内罗毕 开普敦 硅谷 湾区 湖州 镇江 盐城 淮"
    "安 泰州 保定 唐山 秦皇岛 廊坊 德阳 遵义 柳州 北海 岳阳 常德 邯郸"
)
_CITY_SET = frozenset(_CITIES.split())
_PROVINCES = (
    r"(?:河北|山西|辽宁|吉林|黑龙江|江苏|浙江|安徽|福建|江西|山东|河南|湖北|湖南|广东|海南|四川|贵州|云南|陕西"
    r"|甘肃|青海|台湾|内蒙古?|广西|西藏|宁夏|新疆)"
)
_PLACE_SHAPE = re.compile(rf"(?:{_PROVINCES})?[\u4e00-\u9fffA-Za-z\s·]{{2,14}}?(?:省|市|县|区|镇|村|路|街|岛|州|湾)?$")
_TAIL = re.compile(
    r"(?:[了的啦呢呀哦哈吧啊噢嘛哟呐哒喔嘞咯耶诶欸呗捏鸭呵嘿~\s]|的说|来着|而已|什么的|之类的?|等等|等)+$"
)
_NO_PLACE = re.compile(
    r"^[一二三四五六七八九十\d]+[楼层号]|[我你他她它这那哪谁]|什么|一起|一个|家里|公司|学校|宿舍|外面|附近|楼上"
    r"|楼下|旁边|里面|路上|床上|网上|酒店|医院|上班|工作|生活|的|了|是|和|跟|很|不|想|要|会|做|开会|出差|线上"
    r"|沙发|客厅|卧室|阳台|前排|后排|群里|隔壁|[坐睡]$|(?<!海)上$|办公室|一线|二线|大城市|小城市|国外|国内|老家|乡下|农村|农家"
)
_JOB = re.compile(
    r"(?:师|员|手|家|工|者|长|经理|总监|主管|助理|顾问|秘书|教授|医生|护士|律师|会计|司机|编辑|记者|翻译|导演|模特"
    r"|博主|主播|店主|创始人|合伙人|运营|产品|前端|后端|测试|算法|开发|销售|市场|行政|人事|财务|法务|客服|军人"
    r"|警察|农民|学生|研究生|博士生|硕士生|大学生|高中生|初中生|本科生|实习生|博士|自由职业|全职妈妈|全职太太"
    r"|负责人|合伙人|带头人"
    r"|家庭主妇|退休|公务员|程序猿|码农|架构|运维|数据分析|投行|审计|策划|美工|插画|动画|剪辑|摄影|健身教练|教练"
    r"|老师|法官"
    r"|检察官|外交官|飞行员|空姐|空乘|海员|船长|厨子|裁缝|保安|保姆|月嫂|快递|外卖|网红|作者|编剧|歌手|演员|牙医"
    r"|兽医|药剂|心理咨询|咨询|猎头|HR|PM|CEO|CTO|CFO|COO|UI|UX|QA|SRE)$",
    re.IGNORECASE,
)
_NO_JOB = re.compile(
    r"^(?:人|大家|专家|一家|自家|国家|回家|搬家|独生子女|老人家|女生|男生|新手|高手|生手|左撇子|消费者|爱好者"
    r"|初学者|素食主义者|受害者|志愿者|会员|党员|成员|人员|球员迷|家长|班长|组长的|队长的|学长|身高|体长|特长|擅长"
    r"|陌生|医学生的|一员|用户|顾客|男手|二手|帮手|对手"
    r"|旁观者|完美主义者|理想主义者|悲观主义者|乐观主义者|幸存者|单身贵族|吃货|夜猫子|路痴|社恐|颜控)$|主义者$"
    r"|[我你他她]|最|不是|什么|怎么|爱好者|的人$"
)
_ORG_BAD = re.compile(
    r"[我你他她它这那哪谁]|什么|一起|家里|公司$|学校$|单位$|外面|一家|一个|路上|网上|线上|的$|了|^(?:家|外地|那边"
    r"|这边|国外|国内|海外|办公室|工地|现场|一线|今天|明天|周[一二三四五六日末]|早上|晚上|下午|上午|白天|远程|同一"
    r"|大厂)$|^(?:考虑|准备|打算|想|找|换|没有)|认真|努力|加班|正常|一直|上面|下面|里面"
)
_COMPANIES = (
    r"阿里巴巴|阿里云|阿里|蚂蚁(?:集团|金服)?|腾讯|百度|字节跳动|字节|华为|小米|美团|京东|网易|滴滴|拼多多|快手|携程|哔哩哔哩"
    r"|比亚迪|蔚来|小鹏|理想汽车|宁德时代|大疆|海康威视|科大讯飞|联想|中兴|海尔|格力|美的|万科|顺丰|平安|招商银行|工商银行"
    r"|建设银行|中国银行|农业银行|微软|谷歌|苹果|亚马逊|特斯拉|英特尔|英伟达|高通|甲骨文|思科|西门子|博世|索尼|三星|宝马|奔驰"
    r"|普华永道|德勤|毕马威|安永|麦肯锡|埃森哲|[A-Z][A-Za-z]{2,15}"
)
_TOWN_FIRST = re.compile(
    rf"(?P<city>{'|'.join(sorted(_CITY_SET, key=len, reverse=True))})市?的?\s*(?P<company>{_COMPANIES})"
)
# Common surnames; those of the second line begin many words too and need a given name of two signs.
_COMMON = "王李张刘陈杨赵吴徐孙朱郭梁宋郑谢韩唐冯董萧肖曹袁邓傅沈彭吕苏卢蒋蔡贾丁魏薛叶阎潘杜戴汪姜范姚谭廖邹陆郝崔邱秦"
_WORDLIKE = "黄周胡林高何罗马于程许曾余夏钟田任方石熊金孔白康毛江史顾侯邵孟龙万段雷钱汤尹黎易常武乔贺赖龚文"
_FULL_NAME = re.compile(
    rf"(?:[{_COMMON}][\u4e00-\u9fff]{{1,2}}|[{_WORDLIKE}][\u4e00-\u9fff]{{2}}"
    r"|(?:欧阳|司马|上官|诸葛|慕容|令狐|皇甫)[\u4e00-\u9fff]{1,2})"
    # No name: titles, kinds of people, peoples and dynasties, royalty, and what is denied or told.
    r"(?<![人生座员师者客手党族粉控家迷民派型男女子儿的总工哥姐叔姨妈爸爷奶董士妃后牌道国朝代版号])"
    r"(?<!经理|教授|主任|同学|老板|护工|警官|主管|校长|院长|会长|店长|部长|队长|八蛋|某某|什么)(?<!王[八座])"
)
_AND = re.compile(r"[、/&+]|(?:以及|还有|和|跟|与|及|或者?|,)")
_LEAD = re.compile(r"^(?:吃|喝|一些|各种|所有|那种|这种|一点|那些|这些|的是|是|这个|那个|了|上|上了|着|过)+")
_NO_THING = re.compile(
    r"^(?:[我你您他她它]们?|自己|这|那|这个|那个|这样|那样|什么|谁|一个人$|大家|别人|人$|东西|事$|有人|没有|没|得"
    r"|不|很|太|可以|觉得|你的|的|了|是|在|要|被|看你|和|跟|跟你|和你|之|到|上|下|来|去|过|着|听说|说|哪|怎么|一下"
    r"|死|好|对方|某人|天天|那么|这么|他们|她们)$|^(?:你|您|他|她|它|这|那|谁|被|你们)|什么|怎么|哪里|[\ufffc]"
)


def _trim(text: str) -> str:
    return _TAIL.sub("", text.strip(" \t\"'「」『』《》.,。!?、;:~()"))


def _sound(text: str, longest: int) -> bool:
    return bool(text) and MASK not in text and len(text) <= longest


def is_city(text: str) -> bool:
    """Tell whether a place is a city or region rather than an organisation."""
    if re.search(r"大学|学院|公司|集团|银行|医院|中学|小学|高中|研究院|研究所|局$|厂$", text):
        return False
    return (
        text in _CITY_SET
        or text.removesuffix("市") in _CITY_SET
        or bool(
            re.fullmatch(rf"{_PROVINCES}[省]?(?:[\u4e00-\u9fff]{{2,4}}[市县]?)?|[\u4e00-\u9fff]{{2,5}}[市县区镇]", text)
        )
    )


def _as_typed(read: Callable[[str], str | None]) -> Callable[[str], str | None]:
    """Judge a value by its simplified spelling and give it as it was typed."""

    @wraps(read)
    def typed(text: str) -> str | None:
        plain = simplified(text)
        value = read(plain)
        at = plain.find(value) if value else -1
        return text[at : at + len(value)] if value and at >= 0 else value

    return typed


@_as_typed
def place_of(text: str) -> str | None:
    """Give the place that a text names."""
    place = _trim(
        re.split(
            r"[,。;]|那边|这边|这里|那里|附近|工作|生活|上班|住|定居|发展|读书|上学|已经|有\d|快|好几|\d+年",
            text,
            maxsplit=1,
        )[0]
    )
    place = re.sub(r"^(?:了|在|到|去|来|大)(?=\S{2})", "", place)
    if not _sound(place, 16) or len(place) < 2:
        return None
    if place.isascii():
        return place if place[0].isupper() and len(place.split()) <= 3 else None
    return place if _PLACE_SHAPE.match(place) and not _NO_PLACE.search(place) else None


@_as_typed
def name_of(text: str) -> str | None:
    """Give the name that a text is."""
    name = _trim(re.split(r"[,。;、(]|今年|是|在|来自|住|\d|的|和|就|吧|即可|都|也", text.strip(), maxsplit=1)[0])
    if name.isascii():
        found = re.match(r"[A-Za-z][A-Za-z'.-]+(?:\s[A-Z][a-z]+){0,2}", name)
        return found[0] if found else None
    if not 1 < len(name) <= 6 or re.search(
        r"[我你他她它这那哪谁不没很什么怎人事东西个们]|醒|上|下|车|起来|名字|一声|一下|外卖|做", name
    ):
        return None
    return name


def full_name_of(text: str) -> str | None:
    """Give the full name that a text is: a common surname and a given name, and no other word that begins so."""
    found = _FULL_NAME.fullmatch(simplified(text))
    return text if found and not is_city(found[0]) and name_of(text) == text else None


@_as_typed
def job_of(text: str) -> str | None:
    """Give the occupation that a text names."""
    job = _trim(re.split(r"[,。;]|,|已经|快|有\d|\d+年|好几年|多年", text, maxsplit=1)[0])
    job = re.sub(r"^(?:一|个|名|位|做|当|搞|干|从事|的)+(?=\S)", "", job)
    job = re.sub(r"(?:工作|这行|这一行|行业|方向|相关)$", "", _trim(job))
    if not _sound(job, 16) or _NO_JOB.search(job):
        return None
    if job.isascii():
        return occupation_of(job)
    return job if _JOB.search(job) else None


@_as_typed
def organisation_of(text: str) -> str | None:
    """Give the organisation that a text names."""
    place = _trim(text)
    place = re.sub(r"^(?:一家|一个|家)?(?:叫做?|名叫)", "", place)
    if not _sound(place, 20) or len(place) < 2 or _ORG_BAD.search(place):
        return None
    return place


def city_and_company(text: str) -> tuple[str, str] | None:
    """Cut the town off a company that is known without it: 杭州阿里巴巴, but not 青岛啤酒 and 北京大学."""
    found = _TOWN_FIRST.fullmatch(text)
    return (found["city"], found["company"]) if found else None


@_as_typed
def thing_of(text: str) -> str | None:
    """Give one thing that somebody likes, uses or knows."""
    if re.match(r"死|惨|(?:吃|喝)?[这那]", text) or re.search(r"[这那第][个种版款首张家次一二三]|[后前上下]面", text):
        return None
    thing = _LEAD.sub("", _trim(text))
    return thing if _sound(thing, 16) and thing[0] != "的" and not _NO_THING.search(thing) else None


def listed(text: str) -> list[str]:
    """Cut an enumeration into its parts."""
    return [part.strip() for part in _AND.split(text) if part.strip()]


def things_of(text: str) -> list[str]:
    """Give the things that a text lists."""
    cut = re.split(
        r"也(?:不|没|很|特别|喜欢|爱)|因为|所以|但是|不过|尤其|特别是|的时候|时候|而且|,|。|;", text, maxsplit=1
    )[0]
    return [thing for part in listed(_trim(cut))[:8] if (thing := thing_of(part))]
