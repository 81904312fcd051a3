"""Standing instructions, notes, windows for meetings, routines, events and projects."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from tests.remember.rules_support import ended, found, read


@pytest.mark.parametrize(
    ("text", "address", "content"),
    [
        (
            "From now on, use metric units.",
            "rule:use metric units",
            "The user's standing instruction: From now on, use metric units.",
        ),
        ("Please don't use emojis", "rule:use emojis", "The user's standing instruction: Don't use emojis."),
        ("Could you stop ending every message with a question?", "rule:ending every message with a question", None),
        ("whenever I ask for code, give me tests too", "rule:whenever i ask for code, give me tests too", None),
        ("answer in bullet points from now on", "rule:answer in bullet points", None),
        ("I want you to be brutally honest", "rule:be brutally honest", None),
        ("please use British spelling", "rule:use british spelling", None),
        ("Please always answer in Spanish.", "answer_language", "The user wants answers in Spanish."),
        ("I want all answers in German", "answer_language", "The user wants answers in German."),
        ("keep your answers short", "answer_length", "The user wants short answers."),
        ("I prefer detailed answers", "answer_length", "The user wants detailed answers."),
        ("always be concise", "answer_length", "The user wants concise answers."),
        ("please use a formal tone", "answer_tone", "The user wants answers in a formal tone."),
        ("from now on be more casual", "answer_tone", "The user wants answers in a casual tone."),
        ("Don't talk to me about politics", "topic:politics", "The user does not want to talk about politics."),
        (
            "Remember that the remote is in the blue box",
            "note:remote is in the blue box",
            "The remote is in the blue box.",
        ),
        ("Please remember: our badge is at the desk", "note:our badge is at the desk", None),
        ("以后代码都用TypeScript写", "rule:代码都用typescript写", "用户的长期要求：以后代码都用TypeScript写。"),
        ("请不要用表情符号", "rule:用表情符号", "用户的长期要求：不要用表情符号。"),
        ("写SQL的时候关键字一律大写", "rule:写sql的时候关键字一律大写", None),
        ("以后请用中文回答我", "answer_language", "用户希望用中文回答。"),
        ("跟我说话用英文", "answer_language", "用户希望用英文回答。"),
        ("回答尽量简洁", "answer_length", "用户希望回答简洁。"),
        ("我喜欢简短的回答", "answer_length", "用户希望回答简短。"),
        ("语气请轻松一点", "answer_tone", "用户希望回答的语气轻松。"),
        ("别跟我聊股票", "topic:股票", "用户不想谈论股票。"),
        ("你以后叫我老周就行", "nickname", "用户希望被称呼为老周。"),
        ("记住我家的车位在B2层", "note:我家的车位在b2层", "用户家的车位在B2层。"),
        ("帮我记一下，家里WiFi名字是home-5g", "note:家里wifi名字是home-5g", "家里WiFi名字是home-5g。"),
    ],
)
def test_an_order_is_kept(text: str, address: str, content: str | None) -> None:
    facts = found(text)
    assert set(facts) == {f"user/{address}"}
    assert content is None or facts[f"user/{address}"] == content


def test_an_order_and_its_opposite_share_an_address() -> None:
    assert set(found("Always use emojis.")) == set(found("Never use emojis."))
    assert set(found("请一直用表情符号")) == set(found("请不要用表情符号"))


def test_orders_about_work_go_to_the_rules_of_work() -> None:
    assert "work_rules" in read("Always write unit tests").profile_patch["work"]
    assert "custom_rules" in read("Always use metric units").profile_patch["user"]


@pytest.mark.parametrize(
    "text",
    [
        "remember to buy milk",
        "remember, even small things matter",
        "remember when we met",
        "记得提醒我明天交房租",
        "remember that",
    ],
)
def test_a_reminder_is_not_a_note(text: str) -> None:
    assert found(text) == {}


@pytest.mark.parametrize(
    ("text", "content"),
    [
        ("Remember that I'm out of office tomorrow", "The user is out of office 2026-03-05."),
        ("Note that we always pay our bills late", "The user's group always pay the user's group's bills late."),
        ("Keep in mind that I've two left feet", "The user has two left feet."),
        ("Don't forget that I never carry cash with me", "The user never carries cash with the user."),
    ],
)
def test_a_note_says_dates_and_stands_without_its_author(text: str, content: str) -> None:
    assert list(found(text).values()) == [content]


@pytest.mark.parametrize(
    ("text", "address", "window"),
    [
        ("No meetings before 10 please", "no_meetings:daily early", ([], "00:00", "10:00")),
        ("Please never schedule calls after 5 for me", "no_meetings:daily late", ([], "17:00", "23:59")),
        ("I don't take calls on Friday afternoons", "no_meetings:friday", (["friday"], "12:00", "18:00")),
        ("I want no meetings on weekends", "no_meetings:weekend", (["saturday", "sunday"], "00:00", "23:59")),
        ("don't put any meetings on my calendar between 12 and 1", "no_meetings:daily", ([], "12:00", "13:00")),
        ("Thursdays are my no-meeting days", "no_meetings:thursday", (["thursday"], "00:00", "23:59")),
        (
            "keep Mondays to Wednesdays free",
            "no_meetings:monday tuesday wednesday",
            (["monday", "tuesday", "wednesday"], "00:00", "23:59"),
        ),
        ("I prefer meetings in the afternoon", "meetings:daily", ([], "12:00", "18:00")),
        ("Mornings work best for meetings", "meetings:daily", ([], "06:00", "12:00")),
        (
            "schedule my calls on weekdays at 9am",
            "meetings:weekdays",
            (["monday", "tuesday", "wednesday", "thursday", "friday"], "09:00", "10:00"),
        ),
        ("I do my deep work in the mornings", "deep_work", ([], "06:00", "12:00")),
        ("周五下午不要安排会议", "no_meetings:friday", (["friday"], "12:00", "18:00")),
        ("上午十点前别给我约会议", "no_meetings:daily early", ([], "00:00", "10:00")),
        ("晚上八点以后不接电话会", "no_meetings:daily late", ([], "20:00", "23:59")),
        (
            "工作日中午别开会",
            "no_meetings:weekdays",
            (["monday", "tuesday", "wednesday", "thursday", "friday"], "12:00", "14:00"),
        ),
        (
            "周一到周三不要安排会议",
            "no_meetings:monday tuesday wednesday",
            (["monday", "tuesday", "wednesday"], "00:00", "23:59"),
        ),
        ("会议最好安排在下午两点到四点", "meetings:daily", ([], "14:00", "16:00")),
        ("下午三点以后开会比较好", "meetings:daily late", ([], "15:00", "23:59")),
    ],
)
def test_a_window_for_meetings(text: str, address: str, window: tuple[list[str], str, str]) -> None:
    extraction = read(text)
    assert [f"{fact.subject}/{fact.attribute}" for fact in extraction.facts] == [f"user/{address}"]
    name = {
        "no_meetings": "no_meeting_windows",
        "meetings": "preferred_meeting_windows",
        "deep_work": "deep_work_windows",
    }
    (entry,) = extraction.profile_patch["user"]["scheduling_preferences"][name[address.partition(":")[0]]]
    assert entry == {"weekdays": window[0], "start": window[1], "end": window[2]}


@pytest.mark.parametrize(
    ("text", "key", "cadence", "window"),
    [
        ("I run every Tuesday morning", "run", "every Tuesday morning", (["tuesday"], "06:00", "12:00")),
        ("Every Sunday I call my parents.", "call my parents", "every Sunday", None),
        ("Tuesdays and Thursdays I do pilates at 7am", "do pilates at 7am", "Tuesdays and Thursdays", None),
        ("I journal daily", "journal", "daily", None),
        ("I usually wake up at 5:30", "wake up", "usually at 5:30", None),
        (
            "I have yoga every Thursday at 23:30",
            "have yoga",
            "every Thursday at 23:30",
            (["thursday"], "23:30", "00:30"),
        ),
        ("每周三下午打羽毛球", "打羽毛球", "每周三下午", (["wednesday"], "12:00", "18:00")),
        ("我每天早上七点跑步", "跑步", "每天早上七点", ([], "07:00", "08:00")),
        ("我每周一三五去健身", "去健身", "每周一三五", None),
        ("周末我一般睡到中午", "睡到中午", "周末", None),
    ],
)
def test_a_routine(text: str, key: str, cadence: str, window: tuple[list[str], str, str] | None) -> None:
    extraction = read(text)
    assert [fact.attribute for fact in extraction.facts] == [f"routine:{key}"]
    (entry,) = extraction.profile_patch["user"]["recurring_routines"]
    assert entry["cadence"] == cadence
    assert entry.get("time_windows") == (
        [{"weekdays": window[0], "start": window[1], "end": window[2]}] if window else None
    )


@pytest.mark.parametrize("text", ["I love pizza every day", "每天都觉得很累", "I no longer run every Tuesday"])
def test_a_feeling_or_the_end_of_it_is_not_a_routine(text: str) -> None:
    assert not any("/routine:" in address for address in found(text))


@pytest.mark.parametrize(
    ("text", "address", "when"),
    [
        (
            "I have a dentist appointment tomorrow at 3pm",
            "event:dentist appointment",
            datetime(2026, 3, 5, 15, tzinfo=UTC),
        ),
        ("My flight is on 3 May", "event:flight", datetime(2026, 5, 3, 12, tzinfo=UTC)),
        ("The demo got moved to next Tuesday at 10:30", "event:demo", datetime(2026, 3, 10, 10, 30, tzinfo=UTC)),
        ("I'm flying to Tokyo next Monday", "event:trip to tokyo", datetime(2026, 3, 9, 12, tzinfo=UTC)),
        ("I'm moving to Lyon in September", "event:move to lyon", datetime(2026, 9, 1, 12, tzinfo=UTC)),
        ("I'll be in Boston next week", "event:trip to boston", datetime(2026, 3, 9, 12, tzinfo=UTC)),
        ("I'm getting married on 12 September", "event:wedding", datetime(2026, 9, 12, 12, tzinfo=UTC)),
        ("My lease ends on 31 August", "event:lease ends", datetime(2026, 8, 31, 12, tzinfo=UTC)),
        ("我下周三有个面试", "event:面试", datetime(2026, 3, 11, 12, tzinfo=UTC)),
        ("明晚七点我有个饭局", "event:饭局", datetime(2026, 3, 5, 19, tzinfo=UTC)),
        ("我5月3号飞东京", "event:trip to 东京", datetime(2026, 5, 3, 12, tzinfo=UTC)),
        ("我下个月搬去苏州", "event:move to 苏州", datetime(2026, 4, 1, 12, tzinfo=UTC)),
        ("我5月20号结婚", "event:结婚", datetime(2026, 5, 20, 12, tzinfo=UTC)),
        ("面试改到周五了", "event:面试", datetime(2026, 3, 6, 12, tzinfo=UTC)),
    ],
)
def test_an_event_has_its_time(text: str, address: str, when: datetime) -> None:
    (fact,) = read(text).facts
    assert (fact.attribute, fact.event_time) == (address, when)


@pytest.mark.parametrize("text", ["I had an interview yesterday", "My interview was last Monday", "昨天我有个面试"])
def test_what_is_over_is_not_an_event(text: str) -> None:
    assert found(text) == {}


@pytest.mark.parametrize(
    ("text", "address", "end"),
    [
        ("I'm in Berlin until Friday", "location", datetime(2026, 3, 7, tzinfo=UTC)),
        ("I'm in Berlin this week", "location", datetime(2026, 3, 9, tzinfo=UTC)),
        ("I'm staying in Madrid for two weeks", "location", datetime(2026, 3, 19, tzinfo=UTC)),
        ("I'm on vacation until March 20", "location", datetime(2026, 3, 21, tzinfo=UTC)),
        ("Working from Lisbon this week", "location", datetime(2026, 3, 9, tzinfo=UTC)),
        ("我在北京出差，到周五", "location", datetime(2026, 3, 7, tzinfo=UTC)),
        ("这周我在出差", "location", datetime(2026, 3, 9, tzinfo=UTC)),
        ("我在成都待到下周一", "location", datetime(2026, 3, 10, tzinfo=UTC)),
        ("我休假到月底", "location", datetime(2026, 4, 1, tzinfo=UTC)),
    ],
)
def test_a_passing_state_has_an_end_and_is_not_a_home(text: str, address: str, end: datetime) -> None:
    (fact,) = read(text).facts
    assert (fact.attribute, fact.valid_to) == (address, end)


@pytest.mark.parametrize(
    ("text", "project"),
    [
        (
            "I'm working on a project called Atlas, due next Friday",
            {"name": "Atlas", "status": "active", "deadline": "2026-03-13"},
        ),
        ("Project Orion is on hold", {"name": "Orion", "status": "paused"}),
        ("We finished the Osprey project", {"name": "Osprey", "status": "completed"}),
        ("The deadline for project Orion is now 3 May", {"name": "Orion", "deadline": "2026-05-03"}),
        ("The Falcon migration slipped, new deadline is 30 June", {"name": "Falcon", "deadline": "2026-06-30"}),
        ("I have to ship Project Heron by the end of April", {"name": "Heron", "deadline": "2026-04-30"}),
        ("我最近在做「星河」项目", {"name": "星河", "status": "active"}),
        ("星河项目的截止日期是十二月十一日", {"name": "星河", "deadline": "2026-12-11"}),
        ("下周五之前要交「青鸟」项目的初稿", {"name": "青鸟", "deadline": "2026-03-13"}),
        ("天河项目月底要上线", {"name": "天河", "deadline": "2026-03-31"}),
        ("「星河」项目暂停了", {"name": "星河", "status": "paused"}),
        ("星河项目已经上线了", {"name": "星河", "status": "completed"}),
        ("项目代号“灯塔”，预计六月底上线", {"name": "灯塔", "deadline": "2026-06-30"}),
    ],
)
def test_a_project_with_its_status_and_deadline(text: str, project: dict[str, str]) -> None:
    assert read(text).profile_patch["work"]["current_projects"] == [project]


def test_a_project_that_is_dropped_or_renamed_leaves_the_list() -> None:
    assert ended("Project Zephyr got cancelled") == {"user/project:zephyr"}
    assert ended("雪豹项目黄了") == {"user/project:雪豹"}
    renamed = read("We renamed project Orion to Helios")
    assert renamed.profile_patch["work"]["current_projects"] == [{"name": "Helios"}]
    assert renamed.profile_removals["work"]["current_projects"] == ["Orion"]
    assert ended("我们把星河项目改名为天河") == {"user/project:星河"}


def test_a_project_is_not_due_on_the_day_it_began() -> None:
    assert read("We kicked off Project Lighthouse yesterday").profile_patch["work"]["current_projects"] == [
        {"name": "Lighthouse", "status": "active"}
    ]
