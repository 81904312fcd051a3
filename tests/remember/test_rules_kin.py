"""What rules read of relatives in a row: whose they are, whose age follows, and what is refused."""

from __future__ import annotations

import pytest

from tests.remember.rules_support import found, read


def test_a_daughter_after_a_husband_is_the_owners_and_the_age_is_hers() -> None:
    assert found("我老公叫李强，女儿叫朵朵，今年5岁。") == {
        "user/husband": "用户的老公是李强。",
        "user/daughter:朵朵": "用户的女儿是朵朵。",
        "朵朵 (daughter)/age": "用户的女儿朵朵5岁。",
    }


@pytest.mark.parametrize(
    ("text", "address", "content"),
    [
        ("我叫王芳，老公叫李强，女儿叫朵朵，今年5岁。", "朵朵 (daughter)/age", "用户的女儿朵朵5岁。"),
        ("我大女儿叫朵朵，我小女儿叫果果，今年3岁。", "果果 (daughter)/age", "用户的女儿果果3岁。"),
        ("我有个女儿叫小禾，今年5岁。", "小禾 (daughter)/age", "用户的女儿小禾5岁。"),
        ("我养了一只猫叫年糕，今年3岁。", "年糕 (cat)/age", "用户的猫年糕3岁。"),
        ("我养了一只猫叫年糕，今年30岁。", "user/age", "用户30岁。"),
        ("我有一个女儿，五岁。", "daughter/age", "用户的女儿五岁。"),
        ("我叫李雷，很高兴认识你，今年28岁。", "user/age", "用户28岁。"),
    ],
)
def test_an_age_belongs_to_whoever_was_named_last(text: str, address: str, content: str) -> None:
    ages = {at: said for at, said in found(text).items() if at.endswith("/age")}
    assert ages == {address: content}


@pytest.mark.parametrize(
    "text",
    [
        "女儿叫朵朵，今年5岁。",
        "我在上海，女儿叫朵朵，今年5岁。",
        "我老公叫李强，大宝叫朵朵，今年5岁。",
        "我老公叫李强，大宝很可爱，今年5岁。",
        "我叫王芳，大宝叫朵朵，今年5岁。",
        "我叫王芳，大宝很可爱，今年5岁。",
        "我有一个女儿，一个儿子，今年5岁。",
        "我同事叫李强，女儿叫朵朵，今年5岁。",
        "我女儿叫小禾。今年32岁，在上海。",
        "我在学日语，老师很好，今年25岁。",
    ],
)
def test_an_age_is_refused_after_somebody_who_was_not_read(text: str) -> None:
    assert not [address for address in found(text) if address.endswith("/age")]


@pytest.mark.parametrize(
    "text",
    [
        "我同事叫李强，女儿叫朵朵。",
        "我有个同事叫李强，女儿叫朵朵。",
        "我哥哥叫李强，女儿叫朵朵。",
        "我很喜欢周杰伦，女儿叫朵朵。",
        "我认识一个老师，女儿叫朵朵。",
    ],
)
def test_the_daughter_of_somebody_else_is_not_the_owners(text: str) -> None:
    assert not [fact for fact in read(text).facts if "朵朵" in fact.content]


def test_father_mother_and_sister_in_a_row_are_all_read() -> None:
    assert found("我爸爸是医生，妈妈是老师，姐姐在北京工作。") == {
        "father/occupation": "用户的爸爸的职业是医生。",
        "mother/occupation": "用户的妈妈的职业是老师。",
        "sister/workplace": "用户的姐姐的办公地点在北京。",
    }


def test_a_brother_who_was_just_named_is_whom_the_next_clause_is_about() -> None:
    told = found("我有个哥哥叫李强，住在北京。")
    assert told["李强 (brother)/city"] == "用户的哥哥李强住在北京。"
    assert "user/city" not in told


def test_of_two_who_were_introduced_nobody_is_chosen() -> None:
    assert found("我家有爸爸、妈妈和我，住在成都。") == {}


def test_what_is_not_eaten_and_what_is_not_drunk_are_both_read() -> None:
    assert found("我不吃香菜，也不喝牛奶。") == {
        "user/taste:香菜": "用户不吃香菜。",
        "user/taste:牛奶": "用户不喝牛奶。",
    }
    assert found("这种工作不吃香。") == {}


@pytest.mark.parametrize("name", ["王芳", "李小龙", "欧阳娜娜", "林志玲", "陈述"])
def test_a_full_name_after_i_am_is_the_owners_name(name: str) -> None:
    assert found(f"我是{name}。") == {"user/name": f"用户的名字是{name}。"}


@pytest.mark.parametrize(
    "text",
    [
        *("我是医生", "我是认真的", "我是高三学生", "我是高中生", "我是程序员", "我是王子", "我是高手", "我是白羊座"),
        *(
            "我是郑州",
            "我是苏州人",
            "我是周末",
            "我是张总",
            "我是王老师",
            "我是王芳的妈妈",
            "我不是王芳",
            "我可能是王芳",
        ),
        *("我们是王芳", "是王芳", "我是王芳吗"),
    ],
)
def test_what_only_begins_like_a_name_is_none(text: str) -> None:
    assert "user/name" not in found(text)


@pytest.mark.parametrize(
    ("text", "employer", "town"),
    [
        ("我在杭州阿里巴巴做产品经理。", "阿里巴巴", "杭州"),
        ("在杭州阿里巴巴做产品经理", "阿里巴巴", "杭州"),
        ("我在上海Google工作。", "Google", "上海"),
        ("我在北京大学工作。", "北京大学", None),
        ("我在青岛啤酒上班。", "青岛啤酒", None),
    ],
)
def test_the_town_before_a_company_is_no_part_of_its_name(text: str, employer: str, town: str | None) -> None:
    told = found(text)
    assert told["user/employer"] == f"用户在{employer}工作。"
    assert told.get("user/workplace") == (f"用户的办公地点在{town}。" if town else None)


def test_a_relative_clause_tells_of_whom_it_follows() -> None:
    assert found("My brother Paul, who lives in Oslo, loves skiing.") == {
        "user/brother:paul": "The user's brother is Paul.",
        "Paul (brother)/city": "The user's brother Paul lives in Oslo.",
        "Paul (brother)/taste:skiing": "The user's brother Paul likes skiing.",
    }


@pytest.mark.parametrize(
    "text",
    [
        "My brother Paul, who lives in Oslo?",
        "My brother Paul, whose wife lives in Oslo.",
        "My brother Paul, who used to live in Oslo, is nice.",
        "I wonder who lives in Oslo.",
    ],
)
def test_a_relative_clause_that_asks_or_is_over_gives_no_town(text: str) -> None:
    assert not [address for address in found(text) if address.endswith("/city")]


def test_a_verb_after_a_relative_clause_is_no_part_of_the_job() -> None:
    assert not [fact for fact in read("My sister Anna, who's 30, is a doctor.").facts if "an is" in fact.content]
