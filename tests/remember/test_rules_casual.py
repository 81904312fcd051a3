"""Chat as people type it: no capitals, no signs, clipped words, no subject, particles at the end."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory_middleware.remember.extraction.rules.chat_capitals import is_casual, recased
from memory_middleware.remember.extraction.rules.chat_spelling import spelled_out
from tests.remember.rules_support import ended, found, read


@pytest.mark.parametrize(
    ("typed", "full"),
    [
        ("im tired n i dont care", "I'm tired n i don't care"),
        ("thats what u said bc its due friday", "that's what you said because it's due friday"),
        ("its all good, its est here", "it's all good, it's est here"),
        ("id love to but my id card is gone", "I'd love to but my id card is gone"),
        ("ill be there, im ill", "I'll be there, I'm ill"),
        ("sooo i LOVEEE it", "so i love it"),
        ("i love love love it", "i love it"),
        ("lunch w my boss tmrw", "lunch with my boss tomorrow"),
        ("my names olu", "my name's olu"),
        ("names olu btw", "my name's olu btw"),
        ("my roommates name is kyle", "my roommate's name is kyle"),
        ("my birthdays june 4th", "my birthday's june 4th"),
        ("write to im@example.com or u.s. mail", "write to im@example.com or u.s. mail"),
        ("let w = 3", "let w = 3"),
        ("im an RN, the atm and the ATM", "I'm an RN, the atm and the ATM"),
        ("im an rn, busy rn", "I'm an rn, busy right now"),
        ("dates as YYYY-MM-DD, aaa batteries, www, zzz", "dates as YYYY-MM-DD, aaa batteries, www, zzz"),
        ("tooo goood", "too good"),
    ],
)
def test_chat_spelling_becomes_full_words_and_all_else_stays(typed: str, full: str) -> None:
    assert spelled_out(typed) == full


@pytest.mark.parametrize(
    ("typed", "cased"),
    [
        ("i'm derek, from austin", "i'm Derek, from Austin"),
        ("i'm frank with you", "i'm frank with you"),
        ("my brother mark lives in new york", "my brother Mark lives in New York"),
        ("my boss may come", "my boss may come"),
        ("my dog bean and my friend bean", "my dog Bean and my friend bean"),
        ("2 cats, pickle and olive", "2 cats, Pickle and Olive"),
        ("a startup called fernwell", "a startup called Fernwell"),
        ("she called me", "she called me"),
        ("call me vee lol", "call me Vee lol"),
        ("call me back", "call me back"),
        ("he left intel for good", "he left Intel for good"),
        ("back in nyc", "back in NYC"),
        ("project kestrel is done", "project Kestrel is done"),
        ("marta here", "Marta here"),
    ],
)
def test_a_name_gets_its_capital_where_the_words_before_it_tell(typed: str, cased: str) -> None:
    assert recased(typed) == cased


def test_a_message_with_capitals_is_not_casual() -> None:
    assert is_casual("hey there")
    assert is_casual("Hey, i am Bob")
    assert not is_casual("Hey, I am Bob")


@given(st.text(max_size=80))
def test_capitals_change_no_place_and_no_letter(text: str) -> None:
    assert recased(text).casefold() == text.casefold()


ENGLISH = [
    ("yo im derek, 33, product manager at spotify", {"user/name", "user/age", "user/occupation", "user/employer"}),
    ("Hello! Marta here again.", {"user/name"}),
    ("been freelancing as an illustrator for years", {"user/occupation"}),
    ("i do ux at a startup called fernwell", {"user/occupation", "user/employer"}),
    ("i teach 5th grade in baltimore", {"user/occupation", "user/workplace"}),
    ("i work in chicago", {"user/workplace"}),
    ("im a stay at home dad", {"user/occupation"}),
    ("im a bio major at Rice", {"user/field_of_study", "user/school"}),
    ("we just bought a house in tacoma", {"user/city"}),
    ("grew up in a tiny town in wales", {"user/hometown"}),
    ("on vacation til the 15th", {"user/location"}),
    ("not a fan of jazz", {"user/taste:jazz"}),
    ("can't stand mushrooms pls leave em out", {"user/taste:mushrooms"}),
    ("don't eat pork btw", {"user/taste:pork"}),
    ("fav color is teal", {"user/favorite:color"}),
    ("my 2 kids are 7 and 9", {"user/family:children"}),
    ("my cats are named salt and pepper", {"user/pet:salt", "user/pet:pepper"}),
    ("we have 3 kids and a dog named cooper", {"user/family:children", "user/pet:cooper"}),
    ("i got a kitten. named her mochi", {"user/pet:mochi"}),
    ("my manager is this guy called rohan", {"user/boss"}),
    ("im on windows 11 and vscode", {"user/uses:windows 11", "user/uses:vscode"}),
    ("i code in c++ and python", {"user/uses:c++", "user/uses:python"}),
    ("the migration is due friday", {"user/event:migration deadline"}),
    ("have to submit my thesis by may 1", set()),
    ("i have to submit my thesis by may 1", {"user/event:thesis deadline"}),
    ("wedding is on june 8", {"user/event:wedding"}),
    ("my flights at 6am tomorrow", {"user/event:flight"}),
    ("i hit the gym mon wed fri", {"user/routine:hit the gym"}),
    ("our app is called snaptrack", {"user/project:snaptrack", "Snaptrack (project)/status"}),
    ("its est for me", {"user/timezone"}),
    ("can u keep it short pls im on mobile", {"user/answer_length"}),
    ("pls be concise", {"user/answer_length"}),
    ("dont call me after 8pm", {"user/no_meetings:daily late"}),
    ("got laid off from intel last week 😞 help me fix my resume", set()),
]
CHINESE = [
    ("嗨嗨我是小雨，22岁", {"user/name", "user/age"}),
    ("我在一家小公司做会计呢", {"user/occupation"}),
    ("本人数学老师", {"user/occupation"}),
    ("我自己开了个花店", {"user/occupation"}),
    ("我是卖保险的", {"user/occupation"}),
    ("我是学材料的", {"user/field_of_study"}),
    ("我湖北的", {"user/hometown"}),
    ("我在北京漂了六年了", {"user/city"}),
    ("我在苏州这边租房住", {"user/city"}),
    ("我家在昆明，公司也在昆明", {"user/city", "user/workplace"}),
    ("不吃羊肉也不吃内脏", {"user/taste:羊肉", "user/taste:内脏"}),
    ("我不太能吃辣诶", {"user/taste:辣"}),
    ("家里两只猫，一只叫奥利奥一只叫年糕", {"user/pet:奥利奥", "user/pet:年糕"}),
    ("跟我一起做这个的同事叫小陆", {"user/colleague:小陆"}),
    ("我奶奶八十三了", {"grandmother/age"}),
    ("说错了，我是27不是28", {"user/age"}),
    ("写代码我一般用pycharm，数据库用的mysql", {"user/uses:pycharm", "user/uses:mysql"}),
    ("我们后端都是go写的，前端vue", {"user/uses:go", "user/uses:vue"}),
    ("我在搞一个小程序叫饭搭子，月底要上线", {"user/project:饭搭子", "饭搭子 (project)/deadline"}),
    ("我在做一个叫拾光的网站", {"user/project:拾光", "拾光 (project)/status"}),
    ("标书周一截止", {"user/event:标书截止"}),
    ("周五前要交方案", {"user/event:方案截止"}),
    ("下周三之前要把ppt发给老板", {"user/event:ppt截止"}),
    ("我习惯睡前看会儿书", {"user/routine:看会儿书"}),
    ("我晚上一般十二点睡", {"user/routine:睡"}),
    ("我早上习惯喝杯美式", {"user/routine:喝杯美式"}),
    ("晚上七点以后别找我哈", {"user/no_meetings:daily late"}),
    ("说人话，别整那么多专业术语", {"user/rule:整那么多专业术语"}),
    ("用中文回我啦", {"user/answer_language"}),
    ("手机号换了哈，新号18600007777", {"user/phone"}),
    ("俩娃", {"user/family:children"}),
]


@pytest.mark.parametrize(
    ("text", "addresses"), [*ENGLISH, *CHINESE], ids=lambda value: value if isinstance(value, str) else ""
)
def test_chat_as_it_is_typed_gives_these_addresses(text: str, addresses: set[str]) -> None:
    assert addresses <= set(found(text))


@pytest.mark.parametrize(
    "text",
    [
        "my roommate thinks im 12",
        "im basically a professional napper at this point",
        "i just love waiting here 🙄",
        "love and acceptance are rare",
        "married people are weird",
        "married to my job lol",
        "got fired up for the game",
        "prefer the second one",
        "going to explore more tomorrow",
        "call me later",
        "its all good now",
        "my 2 kids story is fake",
        "i ran mon and tue",
        "we broke up the meeting",
        "我妈老说我是个夜猫子",
        "你现在是我妈，我是一个叛逆的高中生",
        "你还记得我家猫叫啥不",
        "我是小白，求带",
        "我在写小说，女主叫苏念，住在江南",
        "月底要上线",
        "我分手了",
        "一只叫奥利奥一只叫年糕",
        "我开心的",
    ],
)
def test_what_only_looks_like_a_fact_gives_none(text: str) -> None:
    assert found(text) == {}
    assert ended(text) == set()


def test_a_bare_value_corrects_no_value_that_holds_beside_others() -> None:
    assert set(found("I love hiking.", "Nah, haven't gone recently. Heard it's nice. Awesome")) == {"user/taste:hiking"}
    assert found("nope , i paint . my name is sophie by the way")["user/name"].endswith("Sophie.")
    assert found("My name is Jo. No wait. Sophie")["user/name"].endswith("Sophie.")


def test_partners_part_when_one_is_known() -> None:
    said = "my boyfriend is called Dan"
    assert ended(said, "we broke up") == {"user/boyfriend"}
    assert ended(said, "i broke up with Dan") == {"user/boyfriend"}
    assert ended(said, "me and Dan split up") == {"user/boyfriend"}
    assert ended(said, "i broke up with Tim") == set()
    assert ended(said, "we never broke up") == set()
    assert ended("我女朋友叫小雅", "我们分手了") == {"user/girlfriend"}
    assert ended("我女朋友叫小雅", "我跟女朋友分了") == {"user/girlfriend"}


@pytest.mark.parametrize(
    ("texts", "addresses"),
    [
        (("i dont have any dogs anymore",), {"user/pet:dog"}),
        (("my dog rex is a menace", "i dont have any dogs anymore"), {"user/pet:rex"}),
        (("我家狗叫旺财", "旺财走了"), {"user/pet:旺财"}),
        (("我家狗前天去世了",), {"user/pet:dog"}),
        (("我以后不学法语了",), {"user/learning:french"}),
        (("上个月从百度裸辞了",), {"user/employer"}),
        (("我刚辞职",), {"user/employer"}),
        (("got laid off from intel last week",), {"user/employer"}),
        (("notion我早弃了",), {"user/uses:notion"}),
        (("gave up on learning german",), {"user/learning:german"}),
        (("我卸载了抖音",), {"user/uses:抖音"}),
        (("I'm in Lyon until 2026-03-20.", "I am not in Lyon any more."), {"user/location"}),
        (("I am not in Lyon any more.",), set()),
        (("我在成都出差到3月20日", "我已经不在成都了"), {"user/location"}),
        (("我不在成都了",), set()),
    ],
)
def test_what_ends_in_spoken_words_is_retracted(texts: tuple[str, ...], addresses: set[str]) -> None:
    assert ended(*texts) == addresses


@pytest.mark.parametrize(
    ("text", "old", "new"),
    [
        ("we moved everything off aws to gcp", "aws", "gcp"),
        ("ditched chrome for firefox a while ago", "chrome", "firefox"),
        ("i dont use evernote anymore its all obsidian now", "evernote", "obsidian"),
        ("不用飞书了，改用钉钉了", "飞书", "钉钉"),
        ("我不用windows了，换mac了", "windows", "mac"),
    ],
)
def test_a_change_of_tools_ends_the_old_one_and_adds_the_new_one(text: str, old: str, new: str) -> None:
    assert ended(text) == {f"user/uses:{old}"}
    assert set(found(text)) == {f"user/uses:{new}"}


def test_what_follows_a_list_does_not_become_a_part_of_it() -> None:
    assert read("I'm passionate about creating a safe, inviting place").facts == ()
    assert read("I love spending time with the friends I have").facts == ()
    assert set(found("I'm a fan of both classical like Bach and Mozart, as well as opera")) == {
        "user/taste:classical",
        "user/taste:mozart",
        "user/taste:opera",
    }
