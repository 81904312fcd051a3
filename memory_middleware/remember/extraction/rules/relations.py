"""Who people and animals are to the owner, in English and Chinese words."""

from __future__ import annotations

import re

__all__ = [
    "ANIMALS",
    "ANIMAL_ZH",
    "RELATIONS",
    "RELATION_EN",
    "RELATION_ZH",
    "WORK",
    "chinese_word",
    "is_single",
    "relation_named",
]

_ENGLISH = {
    "mother": "mother mom mum mama mommy mummy",
    "father": "father dad daddy papa",
    "wife": "wife wifey",
    "husband": "husband hubby",
    "partner": "partner spouse|significant other|better half",
    "girlfriend": "girlfriend gf",
    "boyfriend": "boyfriend bf",
    "fiance": "fiance fiancé fiancee fiancée",
    "sister": "sister sis",
    "brother": "brother bro",
    "sibling": "sibling",
    "son": "son",
    "daughter": "daughter",
    "child": "child kid toddler baby",
    "grandmother": "grandmother grandma granny nana gran",
    "grandfather": "grandfather grandpa granddad",
    "grandchild": "grandson granddaughter grandchild",
    "aunt": "aunt auntie",
    "uncle": "uncle",
    "cousin": "cousin",
    "niece": "niece",
    "nephew": "nephew",
    "friend": "friend bestie buddy bff pal",
    "roommate": "roommate flatmate housemate",
    "neighbor": "neighbor neighbour",
    "colleague": "colleague coworker co-worker teammate workmate|team mate|co worker",
    "boss": "boss manager supervisor|line manager|team lead|team leader",
    "cofounder": "cofounder co-founder|business partner",
    "ceo": "ceo",
    "cto": "cto",
    "intern": "intern",
    "assistant": "assistant secretary",
    "mentor": "mentor advisor adviser",
    "client": "client customer",
    "teacher": "teacher professor tutor",
    "classmate": "classmate",
    "doctor": "doctor gp",
    "dentist": "dentist",
    "therapist": "therapist",
    "landlord": "landlord landlady",
    "trainer": "trainer coach",
    "dog": "dog puppy pup doggo labrador poodle beagle corgi husky bulldog dachshund|golden retriever|german shepherd"
    "|border collie",
    "cat": "cat kitten kitty tabby|maine coon",
    "hamster": "hamster",
    "rabbit": "rabbit bunny",
    "parrot": "parrot budgie",
    "turtle": "turtle tortoise",
    "horse": "horse pony",
    "fish": "goldfish",
    "bird": "bird canary",
}
_CHINESE = {
    "mother": "妈妈 母亲 老妈 妈 妈咪",
    "father": "爸爸 父亲 老爸 爸 爹",
    "wife": "老婆 妻子 太太 媳妇 媳妇儿",
    "husband": "老公 丈夫 先生",
    "partner": "对象 爱人 另一半 伴侣",
    "girlfriend": "女朋友 女友",
    "boyfriend": "男朋友 男友",
    "fiance": "未婚妻 未婚夫",
    "sister": "姐姐 妹妹 姐 妹 大姐 二姐 小妹 妹子",
    "brother": "哥哥 弟弟 哥 弟 大哥 二哥 小弟",
    "son": "儿子 大儿子 小儿子",
    "daughter": "女儿 闺女 大女儿 小女儿",
    "child": "孩子 娃 宝宝 小孩",
    "grandmother": "奶奶 外婆 姥姥",
    "grandfather": "爷爷 外公 姥爷",
    "grandchild": "孙子 孙女 外孙 外孙女",
    "aunt": "阿姨 姑姑 姨妈 舅妈 婶婶",
    "uncle": "叔叔 舅舅 伯伯 姑父 姨父",
    "cousin": "表哥 表姐 表弟 表妹 堂哥 堂姐 堂弟 堂妹",
    "niece": "侄女 外甥女",
    "nephew": "侄子 外甥",
    "mother-in-law": "婆婆 岳母 丈母娘",
    "father-in-law": "公公 岳父 老丈人",
    "sister-in-law": "嫂子 弟妹 小姑子 小姨子",
    "brother-in-law": "姐夫 妹夫 小舅子",
    "friend": "朋友 好朋友 闺蜜 哥们 好友 发小 死党",
    "roommate": "室友 舍友 合租室友",
    "neighbor": "邻居",
    "colleague": "同事 队友 搭档",
    "boss": "老板 领导 上司 主管 经理 组长 leader boss manager",
    "intern": "实习生 徒弟",
    "assistant": "助理 秘书",
    "mentor": "导师 师父",
    "client": "客户 甲方",
    "teacher": "老师",
    "classmate": "同学 同桌",
    "doctor": "医生 主治医生",
    "landlord": "房东",
    "trainer": "教练 私教",
    "dog": "狗 小狗 狗狗 柯基 金毛 泰迪 柴犬 边牧 哈士奇 拉布拉多",
    "cat": "猫 小猫 猫咪 橘猫 布偶 布偶猫 英短 蓝猫 狸花猫 黑猫 白猫 三花猫",
    "hamster": "仓鼠",
    "rabbit": "兔子",
    "parrot": "鹦鹉",
    "turtle": "乌龟",
    "bird": "鸟",
}


def _words(line: str) -> list[str]:
    head, *phrases = line.split("|")
    return [*head.split(), *phrases]


RELATIONS: dict[str, str] = {
    word: relation for table in (_ENGLISH, _CHINESE) for relation, line in table.items() for word in _words(line)
}
ANIMALS = frozenset({"dog", "cat", "hamster", "rabbit", "parrot", "turtle", "horse", "fish", "bird"})
WORK = frozenset({"ceo", "cto", "cofounder", "colleague", "boss", "intern", "assistant", "client", "mentor"})
_SINGLE = frozenset({"mother", "father", "wife", "husband", "partner", "girlfriend", "boyfriend", "fiance", "boss"})
_IN_LAW = re.compile(r"^(mother|father|sister|brother|son|daughter)[- ]in[- ]law$")
_STEP = re.compile(r"^(step|half|god)[- ]?(mother|mom|father|dad|sister|brother|son|daughter)$")


def _either(table: dict[str, str]) -> str:
    found = sorted({word for line in table.values() for word in _words(line)}, key=len, reverse=True)
    return "|".join(map(re.escape, found))


RELATION_EN = (
    r"(?:(?:older|elder|eldest|oldest|little|younger|youngest|big|twin|best|close|old|new|lovely|dear|direct)\s+){0,7}"
    r"(?P<relation>(?:mother|father|sister|brother|son|daughter)[- ]in[- ]law"
    r"|(?:step|half|god)[- ]?(?:mother|mom|father|dad|sister|brother|son|daughter)"
    rf"|(?:{_either(_ENGLISH)}))\b"
)
RELATION_ZH = rf"(?P<relation>{_either(_CHINESE)})"
ANIMAL_ZH = rf"(?P<relation>{_either({name: line for name, line in _CHINESE.items() if name in ANIMALS})})"
# Where Chinese tells apart what an address does not, and what only English tables name.
_WORDS_ZH = {
    "sister": "姐妹",
    "brother": "兄弟",
    "sibling": "兄弟姐妹",
    "cousin": "表亲",
    "fiance": "未婚伴侣",
    "cofounder": "联合创始人",
    "ceo": "CEO",
    "cto": "CTO",
    "dentist": "牙医",
    "therapist": "心理咨询师",
    "horse": "马",
    "fish": "鱼",
}


def relation_named(word: str) -> str:
    """Give the relation that a word means, as in addresses: ``mum`` and ``妈妈`` are both ``mother``."""
    folded = " ".join(word.casefold().split())
    if found := _IN_LAW.match(folded):
        return f"{found[1]}-in-law"
    if found := _STEP.match(folded):
        return f"{found[1]}{RELATIONS[found[2]]}"
    return RELATIONS.get(folded, folded)


def chinese_word(relation: str) -> str:
    """Give a Chinese word for a relation whose own word was never said in Chinese."""
    if relation in _WORDS_ZH:
        return _WORDS_ZH[relation]
    return _words(_CHINESE[relation])[0] if relation in _CHINESE else relation


def is_single(relation: str) -> bool:
    """Tell whether somebody has one of these at a time, so that a new one takes the place of the old."""
    return relation in _SINGLE
