"""Cutting sentences: nothing is lost between them, and what is cut once stays cut."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory_middleware import MemoryRecord
from memory_middleware.remember.cutting import Cutter
from memory_middleware.remember.grounding import stands_in
from memory_middleware.remember.sentences import sentences_of

HOME = MemoryRecord.create("ana", "The user lives in Lisbon.", provenance={"round_ids": ["r1"], "thread_id": "t1"})
TEXTS = st.lists(
    st.sampled_from(
        ["I live in Lisbon.", "It rains", "!", "\n", "Version 2.5 is out. ", "我住在上海。", '"So?" ', "lives"]
    )
).map(" ".join)


@given(st.one_of(TEXTS, st.text(max_size=80)))
def test_sentences_put_together_are_the_text(text: str) -> None:
    assert "".join(sentences_of(text)) == text


@given(TEXTS)
def test_what_was_cut_is_not_there_and_stays_so(text: str) -> None:
    cutter = Cutter([HOME])
    for cut in (cutter.elsewhere(text), cutter.of_thread(text, "t1"), cutter.of_round(text, "r1")):
        assert len(cut) <= len(text)
        assert all(stands_in(HOME.content, part) < 1.0 for part in sentences_of(cut))
    assert cutter.elsewhere(cutter.elsewhere(text)) == cutter.elsewhere(text)


def test_a_round_that_goes_wholly_leaves_nothing() -> None:
    assert Cutter([HOME], whole=["r1"]).of_round("It rains.", "r1") == ""
    assert Cutter([HOME], whole=["r1"]).of_round("It rains.", "r2") == "It rains."


def test_a_query_counts_as_told() -> None:
    cutter = Cutter([], query="my phone number")
    assert cutter.elsewhere("Hello. My phone number is 555 0100.") == "Hello."
    assert cutter.elsewhere("My phone is new.") == "My phone is new."


@pytest.mark.parametrize(
    ("content", "text"),
    [
        pytest.param(
            "User works at ＡＣＭＥcorporation with Bob", "User works at ACMEcorporation with Bob.", id="wide"
        ),
        pytest.param(
            "User works at ACMEcorporation with Bob", "User works at ＡＣＭＥcorporation with Bob.", id="narrow"
        ),
        pytest.param("User drinks Cafe\u0301latte daily", "User drinks Caf\u00e9latte daily.", id="accent"),
        pytest.param("User drinks Caf\u00e9latte daily", "User drinks Caf\u00e9\u200blatte daily.", id="invisible"),
        pytest.param("User lives in Straßburg", "USER LIVES IN STRASSBURG.", id="sharp-s"),
        pytest.param("User takes ﬁnasteride", "User takes finasteride.", id="ligature"),
        pytest.param("User has a ½abcdefgh disease", "User has a ½abcdefgh disease.", id="fraction"),
        pytest.param("用户的护照号是Ａ１２３", "我的护照号是A123。", id="chinese"),
    ],
)
def test_words_written_otherwise_are_the_same_words(content: str, text: str) -> None:
    cutter = Cutter([MemoryRecord.create("ana", content)])
    assert cutter.elsewhere(f"It rains. {text}" if "。" not in text else f"下雨了。{text}") in ("It rains.", "下雨了。")


def test_a_sentence_stays_only_if_a_kept_fact_tells_it_better_and_nothing_forgotten_by_itself() -> None:
    place = HOME.provenance
    kept = MemoryRecord.create("ana", "The user's brother Tom lives in Porto.", provenance=place)
    cutter = Cutter([HOME], [kept])
    for cut in (cutter.of_round, cutter.of_thread):
        name = "r1" if cut == cutter.of_round else "t1"
        assert cut("I live in Lisbon. My brother Tom lives in Porto.", name) == "My brother Tom lives in Porto."
        assert cut("It rains. My brother Tom lives in Porto, I in Lisbon.", name) == "It rains."


@given(st.lists(st.sampled_from([HOME.content, "The user likes tea.", "用户住在上海。", "用户喜欢喝绿茶"])), TEXTS)
def test_many_facts_cut_what_each_of_them_cuts(contents: list[str], text: str) -> None:
    records = [MemoryRecord.create("ana", content) for content in contents]
    one_by_one = text
    for record in records:
        one_by_one = Cutter([record]).elsewhere(one_by_one)
    assert Cutter(records).elsewhere(text).split() == one_by_one.split()
