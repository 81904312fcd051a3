"""Cutting sentences: nothing is lost between them, and what is cut once stays cut."""

from __future__ import annotations

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
