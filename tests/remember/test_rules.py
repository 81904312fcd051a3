"""What rules read from plain statements, in both languages."""

from __future__ import annotations

from fnmatch import fnmatchcase

import pytest

from memory_middleware.errors import InvalidInputError
from memory_middleware.remember.extraction.base import Extractor
from memory_middleware.remember.extraction.rules import RuleExtractor
from memory_middleware.remember.extraction.rules.english.wording import third_person
from memory_middleware.schemas.record import RecordKind
from tests.remember.rules_support import batch, ended, found, labelled, read

IDENTITY = [
    ("My name is Daniel Okafor", {"user/name": "The user's name is Daniel Okafor."}),
    ("I'm Marta btw, 29", {"user/name": "The user's name is Marta.", "user/age": "The user is 29 years old."}),
    ("You can call me Sam", {"user/nickname": "The user wants to be called Sam."}),
    ("My surname is Osei", {"user/surname": "The user's surname is Osei."}),
    ("my pronouns are they/them", {"user/pronouns": "The user's pronouns are they/them."}),
    ("I was born on 12 June 1988", {"user/birthday": "The user's birthday is June 12, 1988."}),
    ("I was born in 1988", {"user/birthday": "The user was born in 1988."}),
    ("my birthday is 1990-02-03", {"user/birthday": "The user's birthday is 1990-02-03."}),
    ("my birthday is tomorrow", {"user/birthday": "The user's birthday is March 5."}),
    ("my age is forty two", {"user/age": "The user is 42 years old."}),
    ("I'm Colombian", {"user/nationality": "The user is Colombian."}),
    ("I got married last year", {"user/marital_status": "The user is married."}),
    (
        "I'm married to Jorge",
        {"user/marital_status": "The user is married.", "user/partner": "The user's partner is Jorge."},
    ),
    ("I'm a mom of two", {"user/family:children": "The user has two children."}),
    ("I have asthma", {"user/health:asthma": "The user has this condition: asthma."}),
    ("我叫王小明，今年32岁", {"user/name": "用户的名字是王小明。", "user/age": "用户32岁。"}),
    ("叫我阿杰就行", {"user/nickname": "用户希望被称呼为阿杰。"}),
    ("我姓刘", {"user/surname": "用户姓刘。"}),
    ("我的生日是五月三号", {"user/birthday": "用户的生日是五月三号。"}),
    ("下周五是我生日", {"user/birthday": "用户的生日是3月13日。"}),
    ("我是95年的", {"user/birthday": "用户出生于1995年。"}),
    ("我是1993年生的", {"user/birthday": "用户出生于1993年。"}),
    ("我是日本人，单身", {"user/nationality": "用户是日本人。", "user/marital_status": "用户单身。"}),
    ("我有高血压", {"user/health:高血压": "用户的健康状况：高血压。"}),
    ("我有一儿一女", {"user/family:children": "用户有一儿一女。"}),
]
WORK = [
    (
        "I work as a data engineer at Siemens in Munich.",
        {
            "user/occupation": "The user is a data engineer.",
            "user/employer": "The user works at Siemens.",
            "user/workplace": "The user's office is in Munich.",
        },
    ),
    ("I'm a UX researcher from Lyon", {"user/occupation": "The user is a UX researcher.", "user/hometown": None}),
    ("I just joined Stripe as a product designer", {"user/employer": None, "user/occupation": None}),
    ("I'm the head of sales at Miele", {"user/occupation": "The user is head of sales.", "user/employer": None}),
    ("I'm a student of law at Lund", {"user/occupation": None, "user/field_of_study": None, "user/school": None}),
    ("I teach maths", {"user/occupation": "The user is a maths teacher."}),
    ("I run a small bakery", {"user/occupation": "The user is running a small bakery."}),
    ("I work in marketing", {"user/occupation": "The user is working in marketing."}),
    ("I work in Oslo as a chef", {"user/occupation": "The user is a chef.", "user/workplace": None}),
    ("I work remotely", {"user/work_mode": "The user works remotely."}),
    ("I work 9 to 5", {"user/working_hours": "The user works from 09:00 to 17:00."}),
    ("I graduated from MIT", {"user/alma_mater": "The user graduated from MIT."}),
    ("I work for Bosch as a welder", {"user/employer": None, "user/occupation": "The user is a welder."}),
    ("I work for Bosch in Graz", {"user/employer": None, "user/workplace": "The user's office is in Graz."}),
    ("I'm retired", {"user/occupation": "The user is retired."}),
    ("我在腾讯做后端开发", {"user/employer": "用户在腾讯工作。", "user/occupation": "用户的职业是后端开发。"}),
    ("我是一名小学老师", {"user/occupation": "用户的职业是小学老师。"}),
    ("我是腾讯的产品经理", {"user/occupation": "用户的职业是产品经理。", "user/employer": "用户在腾讯工作。"}),
    ("我是做跨境电商的", {"user/occupation": "用户的职业是跨境电商。"}),
    ("我在上海的腾讯上班", {"user/workplace": "用户的办公地点在上海。", "user/employer": "用户在腾讯工作。"}),
    ("我在浙江大学读计算机专业", {"user/school": "用户在浙江大学上学。", "user/field_of_study": None}),
    ("我毕业于复旦大学", {"user/alma_mater": "用户毕业于复旦大学。"}),
    ("我的工作时间是早九晚六", {"user/working_hours": "用户的工作时间是09:00 到 18:00。"}),
    ("我在家办公", {"user/work_mode": "用户的工作方式是在家办公。"}),
]
PLACES = [
    ("I live in Lisbon, what's a good place for brunch?", {"user/city": "The user lives in Lisbon."}),
    ("I grew up in Cork", {"user/hometown": "The user comes from Cork."}),
    ("I'm from a small town near Lyon", {"user/hometown": "The user comes from a small town near Lyon."}),
    ("My office is in Canary Wharf", {"user/workplace": "The user's office is in Canary Wharf."}),
    ("I go to Blue Bottle almost every day", {"user/place:blue bottle": "The user often goes to Blue Bottle."}),
    ("I'm in CET", {"user/timezone": "The user's time zone is Europe/Berlin."}),
    ("my time zone is America/Sao_Paulo", {"user/timezone": "The user's time zone is America/Sao_Paulo."}),
    ("I'm in UTC-3", {"user/timezone": "The user's time zone is Etc/GMT+3."}),
    ("My partner and I live in Leeds", {"user/city": "The user lives in Leeds."}),
    ("我老家是湖南长沙，现在住深圳", {"user/hometown": "用户来自湖南长沙。", "user/city": "用户住在深圳。"}),
    ("我在東京生活", {"user/city": "用户住在東京。"}),
    ("我们办公室在望京", {"user/workplace": "用户的办公地点在望京。"}),
    ("我经常去星巴克", {"user/place:星巴克": "用户常去星巴克。"}),
    ("我在东八区", {"user/timezone": "用户的时区是Asia/Shanghai。"}),
    ("我的时区是UTC+0", {"user/timezone": "用户的时区是Etc/UTC。"}),
]
TASTES = [
    (
        "I love hiking but I hate running.",
        {"user/taste:hiking": None, "user/taste:running": "The user dislikes running."},
    ),
    ("I prefer tea over coffee", {"user/taste:tea": "The user prefers tea to coffee."}),
    ("I like to cook", {"user/taste:cooking": "The user likes cooking."}),
    ("I hate to swim", {"user/taste:swimming": "The user dislikes swimming."}),
    ("I'm not a fan of surprises", {"user/taste:surprises": "The user dislikes surprises."}),
    ("I'm more of a tea person", {"user/taste:tea": "The user likes tea."}),
    ("I avoid sugar", {"user/taste:sugar": "The user avoids sugar."}),
    ("I gave up smoking", {"user/taste:smoking": "The user has given up smoking."}),
    (
        "I don't drink alcohol or coffee",
        {"user/taste:alcohol": "The user does not drink alcohol.", "user/taste:coffee": None},
    ),
    ("I stopped eating meat", {"user/taste:meat": "The user does not eat meat."}),
    ("My favourite colour is dark green", {"user/favorite:colour": "The user's favorite colour is dark green."}),
    ("I'm allergic to shellfish and walnuts", {"user/allergy:shellfish": None, "user/allergy:walnuts": None}),
    ("I'm not allergic to cats", {"user/allergy:cats": "The user is not allergic to cats."}),
    ("I have a severe peanut allergy", {"user/allergy:peanut": "The user is allergic to peanut."}),
    ("I've been vegetarian for years", {"user/diet": "The user's diet is vegetarian."}),
    ("I play the clarinet", {"user/plays:clarinet": "The user plays the clarinet."}),
    ("no cilantro for me please", {"user/taste:cilantro": "The user avoids cilantro."}),
    ("我喜欢爬山，讨厌跑步", {"user/taste:爬山": "用户喜欢爬山。", "user/taste:跑步": "用户不喜欢跑步。"}),
    ("我偏爱手冲咖啡", {"user/taste:手冲咖啡": "用户更喜欢手冲咖啡。"}),
    ("我不太能吃辣", {"user/taste:辣": "用户不吃辣。"}),
    ("我喝不了牛奶", {"user/taste:牛奶": "用户不喝牛奶。"}),
    ("我戒烟了", {"user/taste:烟": "用户戒了烟。"}),
    ("我对花生和芒果过敏", {"user/allergy:花生": None, "user/allergy:芒果": None}),
    ("我对猫毛不过敏", {"user/allergy:猫毛": "用户对猫毛不过敏。"}),
    ("我海鲜过敏", {"user/allergy:海鲜": "用户对海鲜过敏。"}),
    ("我是素食主义者", {"user/diet": "用户的饮食习惯是素食。"}),
    ("我最喜欢的颜色是蓝色", {"user/favorite:颜色": "用户最喜欢的颜色是蓝色。"}),
]
PEOPLE = [
    (
        "My sister Anna lives in Porto. Her birthday is March 9.",
        {
            "user/sister:anna": "The user's sister is Anna.",
            "Anna (sister)/city": "The user's sister Anna lives in Porto.",
            "Anna (sister)/birthday": "The user's sister Anna's birthday is March 9.",
        },
    ),
    ("My boss is Lisa", {"user/boss": "The user's boss is Lisa."}),
    ("Tom is my brother", {"user/brother:tom": "The user's brother is Tom."}),
    ("I report to Nadia", {"user/boss": "The user's boss is Nadia."}),
    ("I met my cousin Ines yesterday", {"user/cousin:ines": "The user's cousin is Ines."}),
    ("Can you help me plan my brother Theo's party?", {"user/brother:theo": "The user's brother is Theo."}),
    ("We have a dog named Bruno, he's 4 years old", {"user/pet:bruno": None, "Bruno (dog)/age": None}),
    ("I got a puppy! His name is Waffles", {"user/pet:waffles": "The user has a dog named Waffles."}),
    ("I have 3 cats: Luna, Milo and Pip", {"user/pet:luna": None, "user/pet:milo": None, "user/pet:pip": None}),
    ("I have a cat", {"user/pet:cat": "The user has a cat."}),
    ("I have two kids", {"user/family:children": "The user has two kids."}),
    ("I have three brothers", {"user/family:siblings": "The user has three brothers."}),
    ("I work with Olga", {"user/colleague:olga": "The user's colleague is Olga."}),
    ("My stepmom Rita is a judge", {"user/stepmother:rita": None, "Rita (stepmother)/occupation": None}),
    (
        "My sister-in-law Ingrid is Swedish",
        {"user/sister-in-law:ingrid": None, "Ingrid (sister-in-law)/nationality": None},
    ),
    (
        "我妹妹小雨住在广州，她是护士",
        {
            "user/sister:小雨": "用户的妹妹是小雨。",
            "小雨 (sister)/city": "用户的妹妹小雨住在广州。",
            "小雨 (sister)/occupation": "用户的妹妹小雨的职业是护士。",
        },
    ),
    ("我老板是周凯", {"user/boss": "用户的老板是周凯。"}),
    ("张伟是我老公", {"user/husband": "用户的老公是张伟。"}),
    ("我养了一只猫，叫咪咪", {"user/pet:咪咪": "用户养了一只猫，叫咪咪。"}),
    ("我养了两只猫", {"user/pet:cat": "用户有两只猫。"}),
    ("我妈生日是十月初八", {"mother/birthday": "用户的妈的生日是十月初八。"}),
    ("我妹妹小雨什么时候放假？", {"user/sister:小雨": "用户的妹妹是小雨。"}),
]
SKILLS = [
    ("I speak French, German and a little Japanese", {"user/speaks:french": None, "user/speaks:japanese": None}),
    (
        "My native language is Polish",
        {"user/native_language": "The user's native language is Polish.", "user/speaks:polish": None},
    ),
    ("my French is decent", {"user/speaks:french": "The user speaks French."}),
    ("I'm learning Korean", {"user/learning:korean": "The user is learning Korean."}),
    ("I use Neovim and tmux", {"user/uses:neovim": "The user uses Neovim.", "user/uses:tmux": None}),
    ("I know SQL inside out", {"user/knows:sql": "The user knows SQL well."}),
    ("I drive a Toyota Corolla", {"user/car": "The user drives a Toyota Corolla."}),
    ("我会说法语和德语", {"user/speaks:french": "用户会说法语。", "user/speaks:german": "用户会说德语。"}),
    ("我的母语是粤语", {"user/native_language": "用户的母语是粤语。", "user/speaks:cantonese": None}),
    ("我正在学西班牙语", {"user/learning:spanish": "用户正在学西班牙语。"}),
    ("我平时用 Figma 和 Sketch 画图", {"user/uses:figma": "用户使用Figma。", "user/uses:sketch": None}),
    ("我擅长数据可视化", {"user/knows:数据可视化": "用户擅长数据可视化。"}),
    ("我开的是特斯拉", {"user/car": "用户开特斯拉。"}),
]
CONTACT = [
    ("my email is ana.k@example.org", {"user/email": "The user's e-mail address is ana.k@example.org."}),
    ("you can call me on +44 7700 900123", {"user/phone": "The user's phone number is +44 7700 900123."}),
    ("please ping me on slack", {"user/channel": "The user prefers to be reached by slack."}),
    ("我的手机号是13800138000", {"user/phone": "用户的电话号码是13800138000。"}),
    ("有事发我邮箱 zj@example.cn", {"user/email": "用户的邮箱是zj@example.cn。"}),
    ("我的微信号现在是 linhua_hz", {"user/wechat": "用户的微信号是linhua_hz。"}),
]


@pytest.mark.parametrize(
    ("text", "expected"),
    [*IDENTITY, *WORK, *PLACES, *TASTES, *PEOPLE, *SKILLS, *CONTACT],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_plain_statement_gives_these_facts_and_no_other(text: str, expected: dict[str, str | None]) -> None:
    facts = found(text)
    assert set(expected) <= set(facts)
    assert all(said is None or facts[address] == said for address, said in expected.items())
    assert len(facts) <= len(expected) + 1, facts


@pytest.mark.parametrize("row", labelled(), ids=lambda row: str(row["id"]))
def test_a_labelled_exchange_gives_nothing_that_is_not_wanted(row: dict[str, object]) -> None:
    turns = [(turn["user"], turn["assistant"]) for turn in row.get("before", [])]  # type: ignore[attr-defined]
    facts = read(*turns, (str(row["user"]), str(row["assistant"]))).facts
    wanted = [*row["facts"], *row.get("optional", [])]  # type: ignore[misc]
    for fact in facts:
        assert any(
            fnmatchcase(str(fact.subject).casefold(), one["subject"].casefold())
            and any(fnmatchcase(str(fact.attribute), name) for name in str(one["attribute"]).split("|"))
            and one.get("contains", "").casefold() in fact.content.casefold()
            for one in wanted
        ), f"{fact.subject} | {fact.attribute} | {fact.content}"


def test_most_of_what_is_labelled_is_found() -> None:
    wanted = missed = 0
    for row in labelled():
        addresses = (
            {(fact.subject, fact.attribute) for fact in read(row["user"]).facts} if "before" not in row else set()
        )
        for one in [] if "before" in row else row["facts"]:
            names = str(one["attribute"]).split("|")
            wanted += 1
            missed += not any(
                fnmatchcase(str(subject).casefold(), one["subject"].casefold())
                and any(fnmatchcase(str(attribute), name) for name in names)
                for subject, attribute in addresses
            )
    assert wanted > 200
    assert missed / wanted < 0.1


def test_it_is_an_extractor_that_needs_nothing() -> None:
    assert isinstance(RuleExtractor(), Extractor)


def test_tomorrow_is_counted_in_the_zone_of_the_owner() -> None:
    late = (
        batch("I have a dentist appointment tomorrow")
        .rounds[0]
        .model_copy(update={"created_at": batch("").rounds[0].created_at.replace(hour=23)})
    )
    one = RuleExtractor(zone="Asia/Shanghai").extract(type(batch(""))((late,)))
    assert one.facts[0].content.endswith("2026-03-06.")


def test_an_unknown_zone_is_told() -> None:
    with pytest.raises(InvalidInputError, match="'Mars/Base'"):
        RuleExtractor(zone="Mars/Base")


@pytest.mark.parametrize(
    ("text", "least", "most"),
    [
        ("Remember that I live in Oslo", 0.95, 0.95),
        ("记住，我住在上海", 0.95, 0.95),
        ("I live in Oslo", 0.85, 0.9),
        ("我住在上海", 0.85, 0.9),
        ("I think I'm 34 years old", 0.0, 0.69),
        ("Maybe I'm allergic to nuts", 0.0, 0.69),
        ("我可能对花生过敏", 0.0, 0.69),
    ],
)
def test_confidence_follows_how_sure_the_author_is(text: str, least: float, most: float) -> None:
    (fact,) = read(text).facts
    assert least <= fact.confidence <= most


def test_a_guess_stays_out_of_the_profile() -> None:
    assert read("I think I live in Oslo").profile_patch == {}


def test_tags_are_lower_case_and_few_and_can_be_left_out() -> None:
    tags = read("I live in Oslo").facts[0].tags
    assert tags == ("place", "home")
    assert read("I live in Oslo", auto_tag=False).facts[0].tags == ()


def test_the_most_useful_facts_come_first_and_no_more_than_asked() -> None:
    text = "I like tea. I'm 30 years old. My name is Ana Kos. From now on use metric units."
    assert [fact.attribute for fact in read(text, max_facts=2).facts] == ["rule:use metric units", "name"]
    assert read(text, max_facts=0).facts == ()


def test_kinds_follow_what_a_fact_is_about() -> None:
    kinds = {
        fact.attribute: fact.type
        for fact in read("I like tea. I live in Oslo. Never use emojis. I'm working on project Atlas.").facts
    }
    assert kinds["taste:tea"] is RecordKind.PREFERENCE
    assert kinds["city"] is RecordKind.FACT
    assert kinds["rule:use emojis"] is RecordKind.FEEDBACK
    assert kinds["project:atlas"] is RecordKind.PROJECT


def test_two_of_one_name_are_kept_apart() -> None:
    facts = found("My sister Anna lives in Rome.", "My colleague Anna is a nurse.", "Anna moved to Bern.")
    assert set(facts) == {
        "user/sister:anna",
        "user/colleague:anna",
        "Anna (sister)/city",
        "Anna (colleague)/occupation",
    }
    assert ended("My sister Anna lives in Rome. Anna doesn't live in Rome anymore") == {"Anna (sister)/city"}


def test_somebody_who_goes_on_without_signs_is_read_to_the_end() -> None:
    facts = found("hi im Tom i live in Leeds and work at Tesco btw i hate onions")
    assert set(facts) == {"user/name", "user/city", "user/employer", "user/taste:onions"}
    assert set(found("I wish I lived in Rome")) == set()


@pytest.mark.parametrize(
    ("said", "third"),
    [
        ("go running", "goes running"),
        ("wash my car", "washes their car"),
        ("carry me", "carries them"),
        ("play chess", "plays chess"),
        ("often have lunch", "often has lunch"),
        ("started yoga", "started yoga"),
        ("can swim", "can swim"),
        ("always", None),
    ],
)
def test_a_deed_in_the_third_person(said: str, third: str | None) -> None:
    assert third_person(said) == third


def test_traditional_characters_are_read_and_kept() -> None:
    facts = found("我叫陳美玲，住在臺北，喜歡爬山")
    assert facts["user/name"] == "用户的名字是陳美玲。"
    assert facts["user/city"] == "用户住在臺北。"
    assert "user/taste:爬山" in facts
