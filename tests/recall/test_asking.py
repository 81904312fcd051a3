"""What questions recall: not themselves, and in Chinese also what one character names."""

from __future__ import annotations

from pathlib import Path

import pytest

from memory_middleware import Dialogue, LanceStore, MemoryRecord, Scope, recall_records
from memory_middleware.remember.said import dialogue_records
from memory_middleware.sources.long_term.records import RelevanceFloor
from memory_middleware.storage.terms import query_terms

ANA = Scope("ana", "t1")


def found(folder: Path, query: str, *records: MemoryRecord) -> list[str]:
    with LanceStore.open(folder, embedding=None) as store:
        store.memories.records.put(ANA, records)
        return [hit.record.content for hit in recall_records(store.memories, ANA, query, floor=RelevanceFloor())]


def test_that_something_was_asked_before_is_no_answer(tmp_path: Path) -> None:
    asked = MemoryRecord.create("ana", "When is the Atlas project due?", kind="dialogue", subject="user")
    fact = MemoryRecord.create("ana", "The Atlas project is due on 2 May.")
    assert found(tmp_path, "when is the atlas project due", asked, fact) == [fact.content]


@pytest.mark.parametrize("query", ["我的猫叫什么？", "猫叫什么", "我家的猫叫啥"])
@pytest.mark.parametrize("others", [3, 400], ids=["few", "many"])
def test_a_chinese_question_may_be_about_one_character(tmp_path: Path, query: str, others: int) -> None:
    cat = MemoryRecord.create("ana", "用户养了一只猫，叫团子。")
    rest = [MemoryRecord.create("ana", f"用户在第{at}中学上班。") for at in range(others)]
    assert found(tmp_path, query, cat, *rest)[0] == cat.content


def test_a_long_chinese_question_is_asked_by_pairs_alone() -> None:
    assert all(len(term) == 2 for term in query_terms("上个月在杭州西湖边遇到的画家住哪条街"))


@pytest.mark.parametrize(
    ("query", "answer", "kept"),
    [
        ("What is my cat called?", "I don't know what your cat is called.", []),
        ("我的猫叫什么名字呢？", "这件事我还不记得，不知道。", []),
        ("My cat is called Miso. Do you know cats?", "I don't know anything about that.", ["user"]),
        ("What is my cat called?", "Your cat is called Miso.", ["user", "assistant"]),
    ],
)
def test_what_nobody_knew_is_not_kept(query: str, answer: str, kept: list[str]) -> None:
    made = dialogue_records([Dialogue.create("ana", "t1", query, answer)])
    assert [record.subject for record in made] == kept
