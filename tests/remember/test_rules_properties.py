"""What holds for every text: nothing raises, patches are valid, evidence is named, and time grows with length."""

from __future__ import annotations

import asyncio
import re
from datetime import UTC, datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memory_middleware.remember.extraction.base import Extraction, ExtractionBatch
from memory_middleware.remember.extraction.rules import RuleExtractor
from memory_middleware.remember.extraction.rules.findings import Finding
from memory_middleware.remember.extraction.rules.patches import profile_changes
from memory_middleware.remember.extraction.rules.script import simplified
from memory_middleware.remember.extraction.rules.texts import own_words
from memory_middleware.remember.extraction.rules.vocabulary import ATTRIBUTES, address_of, normalise
from memory_middleware.schemas.merge import merge_patch
from memory_middleware.schemas.profile import UserMemoryContent, WorkProfileContent
from tests.remember.rules_support import batch, labelled, read

PIECES = st.sampled_from(
    [row["user"] for row in labelled()]
    + [
        "I ",
        "my ",
        "not ",
        "no, ",
        "and ",
        ", ",
        ". ",
        "? ",
        "\n",
        '"',
        "'",
        "`",
        "「",
        "every ",
        "until Friday ",
        "10am ",
        "25:00 ",
    ]
    + ["我", "不", "了", "的", "每周", "下周五", "项目", "99岁", "，", "。", "前", "UTC+14 ", "9999-12-31 ", "Foo/Bar "]
)
TEXTS = st.text(max_size=60) | st.lists(PIECES, max_size=5).map("".join)


def contents(extraction: Extraction) -> list[str]:
    return [fact.content for fact in extraction.facts]


@settings(max_examples=300, deadline=None)
@given(st.lists(st.tuples(TEXTS, TEXTS), min_size=1, max_size=3))
def test_any_text_gives_facts_with_evidence_and_patches_that_fit(turns: list[tuple[str, str]]) -> None:
    given_batch = batch(*turns)
    extraction = RuleExtractor().extract(given_batch)
    ids = {round_.id for round_ in given_batch.rounds}
    for fact in extraction.facts:
        assert fact.evidence
        assert set(fact.evidence) <= ids
        assert fact.subject
        assert fact.attribute
        assert len(fact.tags) <= 5
        assert all(tag == tag.lower() for tag in fact.tags)
        assert fact.content[-1] in ".。"
        assert "{" not in fact.content
    for retraction in extraction.retractions:
        assert set(retraction.rounds) | set(retraction.evidence) <= ids
    merge_patch(UserMemoryContent(), extraction.profile_patch.get("user", {}))
    merge_patch(WorkProfileContent(), extraction.profile_patch.get("work", {}))
    assert set(extraction.profile_patch) | set(extraction.profile_removals) <= {"user", "work"}
    assert extraction == RuleExtractor().extract(given_batch)
    assert extraction == asyncio.run(RuleExtractor().aextract(given_batch))


@given(st.lists(st.sampled_from([row["user"] for row in labelled() if row["category"] == "question"]), max_size=3))
def test_questions_give_nothing(questions: list[str]) -> None:
    asked = [question if question.rstrip().endswith(("?", "？")) else f"{question}?" for question in questions]
    assert contents(read("\n".join(asked))) == []


def test_a_large_batch_is_read_in_a_thread_with_the_same_result() -> None:
    large = batch("I live in Oslo. " + "The weather is nice. " * 1000)
    assert asyncio.run(RuleExtractor().aextract(large)) == RuleExtractor().extract(large)


@pytest.mark.parametrize("when", [datetime(1, 1, 1, tzinfo=UTC), datetime(9999, 12, 31, tzinfo=UTC)])
@pytest.mark.parametrize(
    "text",
    [
        "I have an interview tomorrow",
        "I'm in Rome for two weeks",
        "my exam is in September",
        "我下个月15号有考试",
        "昨天我有个面试",
        "项目「星河」三天后上线",
    ],
)
def test_the_ends_of_the_calendar_do_no_harm(when: datetime, text: str) -> None:
    round_ = batch(text).rounds[0].model_copy(update={"created_at": when})
    RuleExtractor(zone="Asia/Shanghai").extract(ExtractionBatch((round_,)))
    RuleExtractor(zone="America/New_York").extract(ExtractionBatch((round_,)))


def test_an_empty_batch_gives_an_empty_extraction() -> None:
    assert RuleExtractor().extract(ExtractionBatch(())) == Extraction()


@given(st.text(max_size=200))
def test_reading_keeps_every_sign_in_its_place(text: str) -> None:
    assert len(simplified(text)) == len(text)
    assert len(own_words(text)) == len(text)


@given(st.text(max_size=30))
def test_normalising_twice_changes_nothing_more(value: str) -> None:
    assert address_of("taste", normalise(value)).startswith("taste:")
    assert normalise(value) == normalise(f"  {value} ")


def test_every_attribute_can_be_said_in_both_languages() -> None:
    fields = {"who": "W", "whose": "W's", "v": "V", "k": "K", "d": "D"}
    for name, attribute in ATTRIBUTES.items():
        assert attribute.tags, name
        assert len(attribute.tags) <= 5
        for english, chinese in attribute.sentences.values():
            assert not re.search(r"[\u4e00-\u9fff]", english)
            assert "V" in english.format(**fields) or "D" in english.format(**fields)
            assert "V" in chinese.format(**fields) or "D" in chinese.format(**fields)


def test_what_is_put_and_taken_in_one_batch_leaves_the_last_word() -> None:
    likes = Finding("taste", "chess", extra={"interest": True})
    hates = Finding("taste", "chess", variant="dislike")
    back = profile_changes([likes, hates])
    assert (back.patch.get("user"), back.removals) == ({}, {"user": {"interests": ["chess"]}})
    again = profile_changes([hates, likes])
    assert (again.patch, again.removals.get("user")) == ({"user": {"interests": ["chess"]}}, {})
    gone = profile_changes([Finding("timezone", "Asia/Tokyo", ended=True)])
    assert gone.removals == {"user": {"timezone": None}}


def test_a_persons_occupation_becomes_their_role() -> None:
    patch = read("My colleague Tom is a designer. My sister Anna is a judge. My dog Rex is a guard.").profile_patch
    assert patch["work"]["team_members"] == [{"name": "Tom", "relationship": "colleague", "role": "designer"}]
    assert patch["user"]["people"] == [{"name": "Anna", "relationship": "sister", "role": "judge"}]
