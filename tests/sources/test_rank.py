"""Ranking: pure functions over columns."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory_middleware.sources.long_term.moments import named_span
from memory_middleware.sources.long_term.names import named_speakers, without_names
from memory_middleware.sources.long_term.rank import Columns, RankWeights, rank
from memory_middleware.sources.long_term.structure import Links, Neighbours, Threads

NONE = np.full(5, -1, dtype=np.int64)
WEIGHTS = RankWeights(beside=0.3, beyond=0.2, session=0.0, trusted=0.0, recency=0.0, importance=0.0)


NO_LINKS = Links(NONE[:0], NONE[:0], np.zeros(0, dtype=np.float32))


def columns(**changes: object) -> Columns:
    values = {
        "allowed": np.ones(5, dtype=np.bool_),
        "neighbours": Neighbours.of(NONE, NONE),
        "threads": Threads.of(NONE),
        "links": NO_LINKS,
        "priors": {},
        **changes,
    }
    return Columns(**values)  # type: ignore[arg-type]


def floats(*values: float) -> np.ndarray:
    return np.array(values, dtype=np.float32)


def test_the_better_channel_is_not_outvoted() -> None:
    dense = floats(0.9, 0.1, 0.12, 0.11, 0.1)
    lexical = floats(0.0, 0.2, 0.0, 0.0, 0.0)
    assert rank(columns(), dense, lexical, WEIGHTS).best(1) == [0]
    assert rank(columns(), None, lexical, WEIGHTS).best(1) == [1]
    assert rank(columns(), dense, None, WEIGHTS).best(1) == [0]


def test_what_is_not_allowed_is_never_given() -> None:
    allowed = np.array([False, True, True, False, False])
    ranking = rank(columns(allowed=allowed), floats(9, 1, 2, 9, 9), None, WEIGHTS)
    assert ranking.best(5) == [2, 1]
    assert rank(columns(allowed=np.zeros(5, dtype=np.bool_)), floats(1, 2, 3, 4, 5), None, WEIGHTS).best(5) == []


def test_a_turn_gains_from_the_turns_beside_it() -> None:
    before = np.array([-1, 0, 1, 2, -1])
    after = np.array([1, 2, 3, -1, -1])
    lexical = floats(0, 0, 5, 0, 0)
    ranking = rank(columns(neighbours=Neighbours.of(before, after)), None, lexical, WEIGHTS)
    assert ranking.best(1) == [2]
    assert set(ranking.best(3)) == {1, 2, 3}, "the answer stands beside the question"
    assert ranking.signals([1])[0]["beside"] > 0 > ranking.signals([0])[0]["beside"]
    assert ranking.signals([4])[0]["beside"] == 0, "what stands alone loses nothing"


def test_the_thread_the_speaker_and_the_time_count() -> None:
    lexical = floats(1, 1, 1, 1, 1)
    session = np.array([0, 0, 1, 1, -1])
    found = rank(
        columns(threads=Threads.of(session)), floats(5, 0, 1, 1, 0), lexical, RankWeights(session=1.0, trusted=0.0)
    )
    assert found.best(1) == [0]
    assert found.signals([1])[0]["thread"] > found.signals([2])[0]["thread"]
    for name in ("speaker", "time", "trusted", "pinned", "importance"):
        found = rank(columns(priors={name: floats(0, 0, 0, 1, 0)}), None, lexical, RankWeights())
        assert found.best(1) == [3]
        assert found.signals([3])[0][name] > 0


def test_a_linked_record_gains_from_a_hit_either_way() -> None:
    links = Links(np.array([0, 3]), np.array([1, 0]), floats(1.0, 0.5))
    ranking = rank(columns(links=links), None, floats(9, 0, 0, 0, 0), WEIGHTS)
    assert ranking.best(3) == [0, 1, 3]
    assert ranking.signals([1])[0]["links"] == pytest.approx(2 * ranking.signals([3])[0]["links"])
    assert ranking.signals([2])[0]["links"] == 0
    unseen = np.array([False, True, True, True, True])
    none = rank(columns(links=links, allowed=unseen), None, floats(9, 0, 0, 0, 1), WEIGHTS)
    assert all(told["links"] == 0 for told in none.signals(range(5))), "what may not be recalled lends nothing"


@given(st.lists(st.tuples(st.floats(-1, 1) | st.just(-np.inf), st.floats(0, 9), st.booleans()), min_size=5, max_size=5))
def test_scores_are_finite_and_explain_themselves(parts: list[tuple[float, float, bool]]) -> None:
    dense, lexical = floats(*(part[0] for part in parts)), floats(*(part[1] for part in parts))
    allowed = np.array([part[2] for part in parts])
    ranking = rank(columns(allowed=allowed), dense, lexical, RankWeights())
    assert np.isfinite(ranking.scores[allowed]).all()
    assert (ranking.scores[~allowed] == -np.inf).all()
    total = floats(*(sum(told.values()) for told in ranking.signals(range(5))))
    np.testing.assert_allclose(ranking.scores[allowed], total[allowed], atol=1e-3)


def test_a_signal_without_weight_does_not_count() -> None:
    weights = RankWeights(trusted=0.0, session=0.0, links=0.0)
    found = rank(columns(priors={"trusted": floats(0, 0, 0, 1, 0)}), None, floats(1, 0, 0, 0, 0), weights)
    assert found.best(1) == [0]
    assert {name for name, value in found.signals([3])[0].items() if value} <= {"words", "beside", "beyond"}


def test_names_are_found_and_taken_out() -> None:
    speakers = ["ann", "annabel", "小明", "will", "ana maria", "ana", "明"]
    assert named_speakers("What did Annabel's sister say?", speakers) == [1]
    assert named_speakers("小明昨天去哪里了", speakers) == [2]
    assert without_names("When did Ann's boat sink?", speakers) == "When did boat sink?"
    assert without_names("Ann?", speakers) == "Ann?"
    assert named_speakers("What does Ana Maria love?", speakers) == [4], "of names within names the longest"
    assert named_speakers("Will I see it 明天?", speakers) == [], "a common word names nobody"
    assert without_names("Will I see it?", speakers) == "Will I see it?"
    assert without_names("小明喜欢什么茶", speakers) == "喜欢什么茶"
    assert without_names("What about Ann?", ["a", "will"]) == "What about Ann?", "nobody here has a name"


NOW = datetime(2026, 5, 13, 15, 30, tzinfo=UTC)  # a Wednesday


@pytest.mark.parametrize(
    ("query", "start", "end"),
    [
        ("what happened on 2025-12-24?", "2025-12-24", "2025-12-25"),
        ("notes of 2025/12", "2025-12-01", "2026-01-01"),
        ("who called on 8 May 2023", "2023-05-08", "2023-05-09"),
        ("the meeting on March 3rd, 2024", "2024-03-03", "2024-03-04"),
        ("on December 24th", "2025-12-24", "2025-12-25"),
        ("what did we do last May?", "2026-05-01", "2026-06-01"),
        ("in June", "2025-06-01", "2025-07-01"),
        ("what happened in 2024?", "2024-01-01", "2025-01-01"),
        ("yesterday", "2026-05-12", "2026-05-13"),
        ("the day before yesterday", "2026-05-11", "2026-05-12"),
        ("last week", "2026-05-04", "2026-05-11"),
        ("last weekend", "2026-05-09", "2026-05-11"),
        ("last month", "2026-04-01", "2026-05-01"),
        ("this month", "2026-05-01", "2026-05-14"),
        ("last year", "2025-01-01", "2026-01-01"),
        ("two weeks ago", "2026-04-25", "2026-05-03"),
        ("3 days ago", "2026-05-10", "2026-05-11"),
        ("over the past 10 days", "2026-05-03", "2026-05-14"),
        ("上周我们说了什么", "2026-05-04", "2026-05-11"),
        ("昨天", "2026-05-12", "2026-05-13"),
        ("去年五月", "2025-05-01", "2025-06-01"),
        ("2024年12月11日", "2024-12-11", "2024-12-12"),
        ("十二月二十四号", "2025-12-24", "2025-12-25"),
        ("三天前", "2026-05-10", "2026-05-11"),
        ("最近两周", "2026-04-29", "2026-05-14"),
        ("去年", "2025-01-01", "2026-01-01"),
        ("2023年的项目", "2023-01-01", "2024-01-01"),
        ("上个月", "2026-04-01", "2026-05-01"),
        ("over the past year", "2025-05-13", "2026-05-14"),
        ("in the past week", "2026-05-06", "2026-05-14"),
        ("March last year", "2025-03-01", "2025-04-01"),
        ("二〇二三年五月", "2023-05-01", "2023-06-01"),
        ("去年五月三日", "2025-05-03", "2025-05-04"),
    ],
)
def test_the_time_a_query_names(query: str, start: str, end: str) -> None:
    span = named_span(query, NOW)
    assert span is not None
    assert (f"{span.start:%Y-%m-%d}", f"{span.end:%Y-%m-%d}") == (start, end)


@pytest.mark.parametrize(
    "query",
    [
        "may I ask something?",
        "march on",
        "what is my name?",
        "the dec keyword",
        "你好",
        "room 2024",
        "This may sound odd, but what is my dog's name?",
        "the top 10 may be wrong",
        "I may 3 times",
        "What did April say",
        "what does June like",
        "two weeks before the wedding",
        "a year before I moved",
        "1.5 years ago",
        "half a year ago",
        "twenty-one days ago",
        "2,000 years ago",
        "since 2023",
        "since march",
        "before june",
        "after June 2024",
        "until august",
        "from 2024-01-01 to 2024-06-30",
        "2024年3月到5月",
        "next december",
        "明年3月",
        "a budget of 2000 euros",
        "in 2000 euros",
        "我目前年薪多少",
        "以前年轻的时候",
        "以前天天去的咖啡馆",
        "之前天气怎么样",
        "日本周边有什么好玩的",
        "早上周会几点",
        "晚上月亮",
        "上上周",
        "大前天",
        "大前年",
        "两三天前",
        "三四年前",
        "一百二十天前",
        "23年3月",
        "去年今天",
        "31 February 2024",
        "last Tuesday",
    ],  # fmt: skip
)
def test_most_queries_name_no_time(query: str) -> None:
    assert named_span(query, NOW) is None


@given(st.text(max_size=60))
def test_any_text_may_be_asked(query: str) -> None:
    span = named_span(query, NOW)
    assert span is None or span.start < span.end


def test_days_are_those_of_the_present_time_zone() -> None:
    morning = datetime(2025, 3, 10, 7, tzinfo=timezone(timedelta(hours=8)))
    span = named_span("who did I meet yesterday?", morning)
    assert span is not None
    assert span.start == datetime(2025, 3, 9, tzinfo=timezone(timedelta(hours=8)))
    naive = named_span("yesterday", datetime(2025, 3, 10, 7))
    assert naive is not None
    assert naive.start == datetime(2025, 3, 9, tzinfo=UTC)
