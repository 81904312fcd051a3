"""Days, times and numbers as people write them."""

from __future__ import annotations

from datetime import UTC, date, datetime, time
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory_middleware.remember.extraction.rules.calendar_days import Moments, When, month_day, month_end, safe_date
from memory_middleware.remember.extraction.rules.chinese.spans import read_span_zh
from memory_middleware.remember.extraction.rules.dates_en import find_day_en
from memory_middleware.remember.extraction.rules.dates_zh import find_day_zh
from memory_middleware.remember.extraction.rules.english.spans import read_span_en
from memory_middleware.remember.extraction.rules.lexicon import zone_named
from memory_middleware.remember.extraction.rules.numerals import read_number

WEDNESDAY = date(2026, 3, 4)


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("2026-05-03", "2026-05-03"),
        ("by 3 May", "2026-05-03"),
        ("on the 3rd of May 2027", "2027-05-03"),
        ("May 3rd", "2026-05-03"),
        ("February 1", "2027-02-01"),
        ("today", "2026-03-04"),
        ("tonight", "2026-03-04"),
        ("tomorrow", "2026-03-05"),
        ("the day after tomorrow", "2026-03-06"),
        ("yesterday", "2026-03-03"),
        ("Friday", "2026-03-06"),
        ("this Friday", "2026-03-06"),
        ("next Friday", "2026-03-13"),
        ("last Friday", "2026-02-27"),
        ("in two weeks", "2026-03-18"),
        ("in a month", "2026-04-03"),
        ("in September", "2026-09-01"),
        ("the end of the month", "2026-03-31"),
        ("end of next month", "2026-04-30"),
        ("end of the week", "2026-03-08"),
        ("end of the year", "2026-12-31"),
        ("end of June", "2026-06-30"),
        ("next weekend", "2026-03-14"),
        ("next week", "2026-03-09"),
        ("this week", "2026-03-04"),
        ("next month", "2026-04-01"),
        ("the 15th", "2026-03-15"),
        ("the 2nd", "2026-04-02"),
        ("31 February, no, 2 April", "2026-04-02"),
    ],
)
def test_english_days(text: str, day: str) -> None:
    when = find_day_en(text, WEDNESDAY)
    assert when is not None
    assert when.day.isoformat() == day


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("2026-05-03", "2026-05-03"),
        ("2026/5/3", "2026-05-03"),
        ("十二月十一日", "2026-12-11"),
        ("5月3号", "2026-05-03"),
        ("2027年1月2日", "2027-01-02"),
        ("明年二月三号", "2027-02-03"),
        ("今天", "2026-03-04"),
        ("明天", "2026-03-05"),
        ("大后天", "2026-03-07"),
        ("前天", "2026-03-02"),
        ("周五", "2026-03-06"),
        ("星期天", "2026-03-08"),
        ("这周五", "2026-03-06"),
        ("下周五", "2026-03-13"),
        ("下下周一", "2026-03-16"),
        ("上周一", "2026-02-23"),
        ("三天后", "2026-03-07"),
        ("两周后", "2026-03-18"),
        ("月底", "2026-03-31"),
        ("下月底", "2026-04-30"),
        ("六月底", "2026-06-30"),
        ("年底", "2026-12-31"),
        ("周末", "2026-03-07"),
        ("下周末", "2026-03-14"),
        ("下周", "2026-03-09"),
        ("这个月", "2026-03-04"),
        ("下个月", "2026-04-01"),
        ("下个月15号", "2026-04-15"),
        ("15号", "2026-03-15"),
        ("2号", "2026-04-02"),
        ("十三月一日，二月三十日，三月五日", "2026-03-05"),
    ],
)
def test_chinese_days(text: str, day: str) -> None:
    when = find_day_zh(text, WEDNESDAY)
    assert when is not None
    assert when.day.isoformat() == day


@pytest.mark.parametrize("text", ["", "soon", "I sat in the sun", "31 June", "maybe"])
def test_no_english_day(text: str) -> None:
    assert find_day_en(text, WEDNESDAY) is None


@pytest.mark.parametrize("text", ["", "改天", "二月三十日"])
def test_no_chinese_day(text: str) -> None:
    assert find_day_zh(text, WEDNESDAY) is None


@pytest.mark.parametrize(
    ("text", "clock"),
    [
        ("tomorrow at 3pm", time(15)),
        ("tomorrow at 3:30 pm", time(15, 30)),
        ("tomorrow 12 am", time(0)),
        ("at 7am tomorrow", time(7)),
        ("tomorrow at noon", time(12)),
        ("tomorrow at 15:45", time(15, 45)),
        ("tomorrow at 13pm", None),
        ("tomorrow at 25:00", None),
        ("tomorrow", None),
    ],
)
def test_english_times(text: str, clock: time | None) -> None:
    when = find_day_en(text, WEDNESDAY)
    assert when is not None
    assert when.clock == clock


@pytest.mark.parametrize(
    ("text", "clock"),
    [
        ("明天下午三点", time(15)),
        ("明天下午三点半", time(15, 30)),
        ("明天早上9点一刻", time(9, 15)),
        ("明天中午十二点", time(12)),
        ("明天中午一点", time(13)),
        ("明晚七点", time(19)),
        ("明天15:20", time(15, 20)),
        ("明天三点二十分", time(3, 20)),
        ("明天三十点", None),
        ("明天晚上", None),
    ],
)
def test_chinese_times(text: str, clock: time | None) -> None:
    when = find_day_zh(text, WEDNESDAY)
    assert when is not None
    assert when.clock == clock


@pytest.mark.parametrize(
    ("text", "days", "hours"),
    [
        ("between 10am and 3pm", (), ("10:00", "15:00")),
        ("from 9 to 5", (), ("09:00", "17:00")),
        ("between 10 and 10", (), ("10:00", "22:00")),
        ("between noon and noon", (), None),
        ("before midnight", (), None),
        ("on Mon and Tue", ("monday", "tuesday"), None),
        ("Friday to Monday", ("monday", "friday", "saturday", "sunday"), None),
        ("after 8pm", (), ("20:00", "23:59")),
        ("until noon", (), ("00:00", "12:00")),
        ("on Sundays at 23:30", ("sunday",), ("23:30", "00:30")),
        ("nothing", (), None),
    ],
)
def test_english_spans(text: str, days: tuple[str, ...], hours: tuple[str, str] | None) -> None:
    span = read_span_en(text)
    if not days and not hours:
        assert span is None
        return
    assert span is not None
    assert set(span.days) == set(days)
    assert (span.start, span.end) == (hours or ("", ""))


@pytest.mark.parametrize(
    ("text", "days", "hours"),
    [
        ("周一三五", ("monday", "wednesday", "friday"), None),
        ("周五到周一", ("monday", "friday", "saturday", "sunday"), None),
        ("周末上午", ("saturday", "sunday"), ("06:00", "12:00")),
        ("上午十点到下午三点", (), ("10:00", "15:00")),
        ("九点到五点", (), ("09:00", "17:00")),
        ("下午三点到下午三点", (), None),
        ("零点前", (), None),
        ("晚上11点后", (), ("23:00", "23:59")),
        ("下午两点", (), ("14:00", "15:00")),
        ("随便", (), None),
    ],
)
def test_chinese_spans(text: str, days: tuple[str, ...], hours: tuple[str, str] | None) -> None:
    span = read_span_zh(text)
    if not days and not hours:
        assert span is None
        return
    assert span is not None
    assert set(span.days) == set(days)
    assert (span.start, span.end) == (hours or ("", ""))


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("42", 42),
        ("forty-two", 42),
        ("forty", 40),
        ("seven", 7),
        ("forty forty", None),
        ("many", None),
        ("十", 10),
        ("二十八", 28),
        ("廿三", 23),
        ("两", 2),
        ("二〇二六", 2026),
        ("百", None),
        ("一十二三", None),
        ("天十", None),
        ("", None),
    ],
)
def test_numbers(text: str, number: int | None) -> None:
    assert read_number(text) == number


@pytest.mark.parametrize(
    ("said", "zone"),
    [
        ("CET", "Europe/Berlin"),
        ("pacific time", "America/Los_Angeles"),
        ("Asia/Shanghai", "Asia/Shanghai"),
        ("Foo/Bar", None),
        ("UTC+8", "Asia/Shanghai"),
        ("GMT-3", "Etc/GMT+3"),
        ("UTC+13", None),
        ("西五区", "Etc/GMT+5"),
        ("东八时区", "Asia/Shanghai"),
        ("北京时间", "Asia/Shanghai"),
        ("somewhere", None),
    ],
)
def test_zones(said: str, zone: str | None) -> None:
    assert zone_named(said) == zone


def test_a_day_is_said_as_a_day_a_week_a_weekend_or_a_month() -> None:
    for text, said in (
        ("tomorrow", "on 2026-03-05"),
        ("next week", "in the week of 2026-03-09"),
        ("next weekend", "in the weekend of 2026-03-14"),
        ("next month", "in 2026-04"),
    ):
        when = find_day_en(text, WEDNESDAY)
        assert when is not None
        assert when.phrase("en") == said
    for text, said in (("下周", "2026-03-09 那周"), ("下周末", "2026-03-14 那个周末"), ("下个月", "2026-04 ")):
        when = find_day_zh(text, WEDNESDAY)
        assert when is not None
        assert when.phrase("zh") == said


def test_moments_lie_in_the_zone_of_the_owner_and_within_the_calendar() -> None:
    shanghai = Moments(WEDNESDAY, ZoneInfo("Asia/Shanghai"))
    assert shanghai.at(When(WEDNESDAY, 0, 0, time(9))) == datetime(2026, 3, 4, 1, tzinfo=UTC)
    assert shanghai.after(WEDNESDAY) == datetime(2026, 3, 4, 16, tzinfo=UTC)
    assert Moments(date.max).after(date.max) is None
    assert Moments(date.min, ZoneInfo("Asia/Shanghai")).at(When(date.min, 0, 0, time(1))) is None


@given(st.dates(date(1900, 1, 1), date(2999, 1, 1)), st.integers(1, 12), st.integers(1, 28))
def test_a_day_without_a_year_lies_within_the_next_twelve_months(today: date, month: int, day: int) -> None:
    found = month_day(today, month, day)
    assert found is not None
    assert 0 <= (found - today).days <= 366
    assert month_end(found).month == found.month
    assert safe_date(found.year, 13, 1) is None
