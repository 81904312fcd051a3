"""Long lists, slow answers, and what stands where nothing is."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

from langchain_core.messages import AIMessage, HumanMessage

from memory_middleware import Scope
from tests.rest.live import Live, live
from tests.web.reader import Reader

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Route


def talk(served: Live, count: int, used: str | None = None) -> None:
    """Let an agent speak often, each time with the same record, and the extractor run."""
    scope = Scope("ana", "long", "assistant")
    for at in range(count):
        said = [HumanMessage(f"Question number {at}", id=f"lq{at}"), AIMessage("An answer.", id=f"la{at}")]
        served.memory.observe(scope, said, [used] if used else (), tokens=20 * at)
        served.memory.store.memories.runs.begin(scope, "long", [f"round {at}"])


def test_turns_and_runs_come_page_by_page(reader: Reader, served: Live) -> None:
    talk(served, 30)
    reader.go("timeline")
    turns, runs = reader.page.locator(".turn"), reader.page.locator(".runs li")
    assert (turns.count(), runs.count()) == (20, 8)
    talk(served, 31)
    shown = turns.all_inner_texts()
    reader.button("Show more").first.click()
    turns.nth(33).wait_for()
    assert turns.all_inner_texts()[:20] == shown
    asked = [text.split("\n")[0] for text in turns.all_inner_texts()]
    assert len(asked) == len(set(asked)) == 34
    reader.button("Show more").first.click()
    runs.nth(15).wait_for()
    assert reader.page.evaluate("document.activeElement.closest('.runs') !== null")


def test_each_turn_tells_how_much_of_its_budget_it_took(reader: Reader, served: Live) -> None:
    budget = served.ana.get("/turns").json()["turns"][0]["budget"]
    talk(served, 5)
    reader.go("timeline")
    turn = reader.page.locator(".turn", has_text="Question number 4")
    assert f"80 / {budget:,} tokens" in turn.inner_text()
    told = turn.get_by_role("img").get_attribute("aria-label") or ""
    assert re.fullmatch(rf"Memory took 80 of {budget:,} tokens, [\d.]+ % of its budget", told)


def test_uses_of_a_record_come_page_by_page(reader: Reader, served: Live) -> None:
    record = served.memory.remember("ana", "The user owns a red kayak.")
    talk(served, 25, record.id)
    reader.go(f"records/{record.id}")
    rows = reader.page.locator("tbody tr")
    rows.nth(19).wait_for()
    assert rows.count() == 20
    reader.button("Show more").click()
    rows.nth(24).wait_for()
    assert rows.count() == 25


def test_five_hundred_records_are_walked_through(reader: Reader, served: Live) -> None:
    for at in range(500):
        served.memory.remember("ana", f"Buoy {at} lies at mark {at * 7}.", subject=f"buoy {at}", attribute="mark")
    reader.go("records?kind=fact")
    rows = reader.page.locator(".row")
    for page in range(1, 5):
        assert rows.count() == 25 * page
        reader.button("Show more").click()
        rows.nth(25 * page).wait_for()
        assert (
            reader.page.evaluate("document.activeElement.textContent") == rows.nth(25 * page).locator("a").inner_text()
        )
    texts = reader.page.locator(".row a.text").all_inner_texts()
    assert len(texts) == len(set(texts))


def test_a_page_that_comes_too_late_leaves_the_new_list_alone(reader: Reader, served: Live) -> None:
    for at in range(60):
        served.memory.remember("ana", f"Buoy {at} lies at mark {at * 7}.", subject=f"buoy {at}", attribute="mark")
    reader.go("records?kind=fact")
    held: list[Route] = []
    reader.page.route("**/records?*cursor=*", lambda route: held.append(route))
    with reader.page.expect_request("**/records?*cursor=*"):
        reader.button("Show more").click()
    with reader.page.expect_response("**/records?*sort=created*"):
        reader.page.get_by_label("Sort").select_option("created")
    reader.page.locator("button.wide:enabled").wait_for()
    with reader.page.expect_response("**/records?*cursor=*") as late:
        held.pop().continue_()
    late.value.finished()
    reader.page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    reader.page.unroute("**/records?*cursor=*")
    assert reader.page.locator(".row").count() == 25
    reader.button("Show more").click(timeout=2000)
    reader.page.locator(".row").nth(49).wait_for()


def test_a_slow_answer_is_waited_for_in_view(browser: Browser, served: Live) -> None:
    held: list[Route] = []
    is_slow = True

    def carry(route: Route) -> None:
        if is_slow:
            held.append(route)
        else:
            route.continue_()

    with Reader.open(browser, served.url) as reader:
        reader.page.route("**/api/v1/**", carry)
        reader.page.goto(f"{served.url}/?slow#/records")
        reader.page.get_by_text("Loading …").wait_for()
        is_slow = False
        for route in held:
            route.continue_()
        reader.sees("The user is allergic to hazelnuts.")
        reader.page.locator("#owner", has_text="ana").wait_for()
        assert reader.page.get_by_text("Loading …").count() == 0


def test_nothing_yet_says_what_will_be_here(browser: Browser, tmp_path: Path) -> None:
    with live(tmp_path / "memory") as new, Reader.open(browser, new.url) as reader:
        reader.sees("What agents learn from talking with you appears here")
        reader.go("records?kind=project")
        reader.sees("Nothing fits these filters.")
