"""The page shows what the agent knows and what happened."""

from __future__ import annotations

import re

from tests.rest.live import Live
from tests.web.reader import Reader

PORTO = "The user lives in Porto."
LISBON = "The user lives in Lisbon."


def test_the_records_come_first_without_mere_dialogue(reader: Reader) -> None:
    reader.sees("The user is allergic to hazelnuts.")
    reader.page.locator("#owner", has_text="ana").wait_for()
    assert reader.page.locator(".row", has_text="Lovely. How is it going?").count() == 0
    reader.page.locator(".tools").get_by_label("Kind").select_option("dialogue")
    reader.sees("Lovely. How is it going?")


def test_records_are_filtered_by_kind_and_state(reader: Reader) -> None:
    reader.page.locator(".tools").get_by_label("Kind").select_option("project")
    reader.sees_no(PORTO)
    assert reader.page.locator(".row").count() == 1
    reader.page.locator(".tools").get_by_label("Kind").select_option("")
    reader.page.locator(".tools").get_by_label("State").select_option("superseded")
    reader.sees(LISBON)
    assert "state=superseded" in reader.page.url


def test_records_are_sorted_by_weight(reader: Reader, served: Live) -> None:
    heavy = served.ana.get("/records", params={"sort": "weight"}).json()["records"][0]["content"]
    reader.go("records?sort=weight&kind=all")
    assert reader.page.locator(".row a.text").first.inner_text() == heavy
    assert "Weight" in (reader.page.locator(".row .bar").first.get_attribute("aria-label") or "")


def test_a_search_tells_why_each_record_was_recalled(reader: Reader) -> None:
    reader.page.get_by_role("searchbox").fill("what am I allergic to?")
    first = reader.page.locator(".row", has=reader.page.locator(".why")).first
    first.locator("summary").click()
    assert "hazelnuts" in first.inner_text()
    assert "Meaning" in first.inner_text()
    assert reader.page.locator(".row .why").count() > 1


def test_a_search_works_in_chinese(reader: Reader) -> None:
    reader.page.get_by_role("searchbox").fill("陈伟喝什么茶")
    reader.page.locator(".row .why").first.wait_for()
    assert reader.page.locator(".row a.text").first.inner_text() == "陈伟喜欢喝龙井茶。"


def test_long_lists_come_page_by_page(reader: Reader, served: Live) -> None:
    for place in range(30):
        served.memory.remember(
            "ana", f"Ferry number {place} has a blue funnel.", subject=f"ferry {place}", attribute="f"
        )
    reader.go("records?kind=fact")
    assert reader.page.locator(".row").count() == 25
    reader.button("Show more").click()
    reader.page.locator(".row").nth(30).wait_for()
    texts = reader.page.locator(".row a.text").all_inner_texts()
    assert len(texts) == len(set(texts))


def test_a_record_shows_its_history_and_what_it_is(reader: Reader) -> None:
    reader.page.get_by_role("link", name=PORTO).click()
    reader.page.get_by_role("heading", name="History").wait_for()
    history = reader.page.locator(".history").inner_text()
    assert PORTO in history
    assert LISBON in history
    assert "superseded" in history


def test_a_record_shows_where_it_was_said(reader: Reader) -> None:
    reader.page.get_by_role("link", name="The user is learning the cello.").click()
    reader.page.get_by_role("heading", name="Where it was said").wait_for()
    assert "I have started to learn the cello." in reader.page.locator("blockquote").first.inner_text()


def test_a_record_shows_its_use(reader: Reader) -> None:
    reader.page.get_by_role("link", name="Harbour is a booking app for small ferries.").click()
    row = reader.page.locator("table tr", has_text="Which project has the ferries?")
    row.wait_for()
    assert "used in the answer" in row.inner_text()


def test_a_record_that_is_not_there_says_so(reader: Reader) -> None:
    reader.go("records/mem-nothing")
    reader.sees("This record is no longer there.")
    reader.forgive(404)


def test_the_profile_is_shown_with_its_people(reader: Reader) -> None:
    reader.go("profile")
    for text in ("Product designer", "Marta", "陈伟", "Harbour", "monday, wednesday 09:00–11:30"):
        reader.sees(text)


def test_experience_is_a_graph_whose_nodes_tell_their_links(reader: Reader) -> None:
    reader.go("experience")
    assert reader.page.locator(".node").count() == 5
    reader.page.locator(".edge").nth(3).wait_for(state="attached")
    reader.button("Check the links before publishing").click()
    reader.sees("Run the link check, then publish")
    assert reader.page.locator(".edge.near").count() == 4
    reader.button("Publish a page").click()
    assert reader.page.locator(".edge.near").count() == 1
    assert reader.page.locator(".node.far").count() == 3


def test_notes_are_shown(reader: Reader) -> None:
    reader.go("notes")
    reader.sees("Launch of Harbour")
    reader.sees("ask Marta for photos")


def test_the_timeline_tells_what_each_turn_was_told_and_used(reader: Reader) -> None:
    reader.go("timeline")
    turn = reader.page.locator(".turn", has_text="Which project has the ferries?")
    assert re.search(r"\d+ tokens", turn.inner_text())
    turn.locator("summary").click()
    turn.get_by_role("link", name="Harbour is a booking app for small ferries.").first.wait_for()
    learnt = reader.page.locator(".turn", has_text="I have started to learn the cello.")
    assert "learned 1" in learnt.inner_text()


def test_statistics_count_what_the_api_counts(reader: Reader, served: Live) -> None:
    counts = served.ana.get("/stats").json()
    reader.go("stats")
    tiles = reader.page.locator(".tile").all_inner_texts()
    assert tiles[1].split("\n")[0] == str(counts["turns"])
    assert tiles[0].split("\n")[0] == str(sum(sum(states.values()) for states in counts["records"].values()))
    assert reader.page.get_by_role("img", name=re.compile("Records by weight")).count() == 1
