"""Chinese chat of which rules must make nothing, beside its likes of which they must."""

from __future__ import annotations

import pytest

from memory_middleware import Dialogue
from memory_middleware.remember.extraction.base import ExtractionBatch
from memory_middleware.remember.extraction.rules import RuleExtractor

NOTHING = (
    "我怀孕的同事请假了",
    "我在百度工作的朋友说的",
    "我是素食主义者的朋友",
    "我在考虑换工作",
    "我搬到沙发上了",
    "我搬到客厅去睡了",
    "我搬到前排坐了",
    "我住在群里了",
    "我姓名写错了",
    "我八岁就会游泳",
    "我对数学过敏哈哈",
    "我对上班过敏",
    "我是一个没有感情的杀手",
    "我喜欢过一个女孩",
    "我戒烟失败",
    "我吃素一周了",
)
SOMETHING = {
    "我怀孕了": "用户的健康状况：怀孕。",
    "我在百度工作": "用户在百度工作。",
    "我是素食主义者": "用户的饮食习惯是素食。",
    "我搬到杭州了": "用户住在杭州。",
    "我住在上海": "用户住在上海。",
    "我今年三十岁": "用户三十岁。",
    "我对花生过敏": "用户对花生过敏。",
    "我戒烟了": "用户戒了烟。",
}


def facts(text: str) -> list[str]:
    batch = ExtractionBatch((Dialogue.create("ana", "t1", text, "好的。"),), language="zh")
    return [fact.content for fact in RuleExtractor().extract(batch).facts]


@pytest.mark.parametrize("text", NOTHING)
def test_nothing_is_made_of_it(text: str) -> None:
    assert facts(text) == []


@pytest.mark.parametrize(("text", "told"), SOMETHING.items())
def test_what_is_said_plainly_is_read(text: str, told: str) -> None:
    assert facts(text) == [told]
