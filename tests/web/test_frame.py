"""The frame of the page: signing in, languages, light and dark, the keyboard, small screens, and safety."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

import httpx
import pytest

from memory_middleware_rest import insecure_single_user
from memory_middleware_rest.page import PAGE_HEADERS
from tests.rest.live import Live, live, token_of
from tests.web.reader import Reader

if TYPE_CHECKING:
    from playwright.sync_api import Browser

VIEWS = ("records", "profile", "notes", "experience", "timeline", "review", "forget", "stats")


def test_the_page_allows_nothing_from_elsewhere(served: Live) -> None:
    for path in ("/", "/page/main.js", "/page/style.css", "/page/core/api.js", "/page/index.html"):
        answer = httpx.get(f"{served.url}{path}")
        assert answer.status_code == 200
        assert answer.headers["content-security-policy"].startswith("default-src 'self'")
        assert {name.lower() for name in PAGE_HEADERS} <= set(answer.headers)


def test_files_that_are_known_are_not_sent_again(served: Live) -> None:
    first = httpx.get(f"{served.url}/page/main.js")
    again = httpx.get(f"{served.url}/page/main.js", headers={"If-None-Match": first.headers["etag"]})
    assert first.headers["content-type"] == "text/javascript; charset=utf-8"
    assert (again.status_code, again.content) == (304, b"")


@pytest.mark.parametrize("path", ["/page/../app.py", "/page/%2e%2e/app.py", "/page/__init__.py", "/elsewhere", "/page"])
def test_nothing_but_the_page_is_served(served: Live, path: str) -> None:
    answer = httpx.get(f"{served.url}{path}")
    assert answer.status_code == 404 or answer.is_redirect
    assert b"import" not in answer.content


def test_the_page_is_no_part_of_the_description(served: Live) -> None:
    paths = httpx.get(f"{served.url}/api/v1/openapi.json").json()["paths"]
    assert all(path.startswith("/api/v1/") for path in paths)


def test_who_is_not_known_is_asked_for_a_token(browser: Browser, served: Live) -> None:
    with Reader.open(browser, served.url, signed_in=False) as reader:
        reader.page.get_by_label("Access token").fill("wrong")
        reader.button("Sign in").click()
        reader.sees("The server does not know this token.")
        reader.page.get_by_label("Access token").fill(token_of("ana"))
        reader.button("Sign in").click()
        reader.sees("The user is allergic to hazelnuts.")
        kept = "[JSON.stringify(localStorage), document.cookie].join()"
        assert token_of("ana") not in reader.page.evaluate(kept)
        reader.button("Sign out").click()
        reader.page.get_by_label("Access token").wait_for()
        reader.forgive(401)


def test_both_languages_have_all_words(reader: Reader) -> None:
    code = """async () => {
        const [{ EN }, { ZH }] = await Promise.all([import("./page/words/en.js"), import("./page/words/zh.js")]);
        const slots = (text) => (text.match(/\\{\\d\\}/g) ?? []).sort().join();
        const keys = [...new Set([...Object.keys(EN), ...Object.keys(ZH)])];
        return [keys.length, keys.filter((key) => !EN[key] || !ZH[key] || slots(EN[key]) !== slots(ZH[key]))];
    }"""
    count, wrong = reader.page.evaluate(code)
    assert count > 300
    assert wrong == []


def test_the_language_is_switched_and_kept(reader: Reader) -> None:
    reader.button("中文").click()
    reader.page.get_by_role("heading", name="记录", exact=True).wait_for()
    assert reader.page.evaluate("document.documentElement.lang") == "zh-Hans"
    reader.page.reload()
    reader.page.get_by_role("heading", name="记录", exact=True).wait_for()
    assert "Records" not in reader.page.locator("body").inner_text()


def test_a_chinese_reader_sees_chinese_everywhere(browser: Browser, served_in_chinese: Live) -> None:
    with Reader.open(browser, served_in_chinese.url, locale="zh-CN") as reader:
        for view in VIEWS:
            reader.go(view)
            names = {"ana", "assistant", "spring", "summer", "autumn", "English", "Asia/Shanghai", "launch.md", "rest"}
            text = reader.page.locator("main").inner_text()
            assert not {"Records", "Profile", "Save", "Forget", "Show", "None"} & set(text.split()) - names, view


def test_light_and_dark_follow_the_system_until_chosen(browser: Browser, served: Live) -> None:
    ground = "getComputedStyle(document.body).backgroundColor"
    with Reader.open(browser, served.url, color_scheme="dark") as reader:
        reader.sees("The user is allergic to hazelnuts.")
        dark = reader.page.evaluate(ground)
        reader.page.get_by_role("button", name="Light or dark").click()
        light = reader.page.evaluate(ground)
        assert light != dark
        reader.page.reload()
        reader.sees("The user is allergic to hazelnuts.")
        assert reader.page.evaluate(ground) == light


@pytest.mark.parametrize("view", VIEWS)
def test_nothing_is_wider_than_a_phone(phone: Reader, view: str) -> None:
    phone.go(view)
    assert phone.overflow() == 0
    if view == "records":
        phone.page.get_by_role("link", name="The user lives in Porto.").click()
        phone.page.get_by_role("heading", name="History").wait_for()
        assert phone.overflow() == 0


def test_the_whole_page_works_by_keyboard(reader: Reader, served: Live) -> None:
    reader.sees("The user is allergic to hazelnuts.")
    press = reader.page.keyboard.press
    press("/")
    reader.page.keyboard.type("where do I live?")
    reader.page.locator(".row .why").first.wait_for()
    press("ArrowDown")
    rows = reader.page.locator(".row a.text").all_inner_texts()
    assert reader.page.evaluate("document.activeElement.textContent") == rows[0]
    press("j")
    assert reader.page.evaluate("document.activeElement.textContent") == rows[1]
    press("k")
    press("Enter")
    reader.page.locator(".said").wait_for()
    press("p")
    reader.button("Unpin").wait_for()
    press("u")
    reader.button("Pin").wait_for()
    press("e")
    reader.page.locator("textarea").wait_for()
    reader.page.wait_for_function("document.activeElement.tagName === 'TEXTAREA'")
    press("Escape")
    reader.page.locator(".said").wait_for()
    for place, view in enumerate(VIEWS, 1):
        press(str(place))
        reader.page.wait_for_url(f"**/#/{view}")
        reader.page.locator(f'nav a[data-view="{view}"][aria-current="page"]').wait_for()
    assert served.ana.get("/records").status_code == 200


def test_the_shortcuts_are_listed_and_can_be_switched_off(reader: Reader) -> None:
    reader.sees("The user is allergic to hazelnuts.")
    reader.page.keyboard.press("?")
    reader.page.get_by_role("dialog", name="Keyboard").wait_for()
    reader.page.get_by_label("Single-key shortcuts are on").uncheck()
    reader.page.keyboard.press("Escape")
    reader.page.keyboard.press("2")
    assert "profile" not in reader.page.url


def test_the_focus_can_be_seen(reader: Reader) -> None:
    reader.sees("The user is allergic to hazelnuts.")
    for _ in range(6):
        reader.page.keyboard.press("Tab")
        style = reader.page.evaluate("getComputedStyle(document.activeElement).outlineStyle")
        assert style != "none"


def test_everything_that_can_be_touched_has_a_name(reader: Reader) -> None:
    nameless = """() => [...document.querySelectorAll("button, a[href], input, select, textarea")].filter((one) =>
        one.checkVisibility() && !(one.textContent.trim() || one.getAttribute("aria-label") || one.closest("label"))
    ).map((one) => one.outerHTML)"""
    for view in VIEWS:
        reader.go(view)
        assert reader.page.evaluate(nameless) == []
        assert reader.page.locator("h1").count() == 1


def test_hostile_text_stays_text(reader: Reader, served: Live) -> None:
    hostile = '<img src=x onerror="document.title=1"><script>document.title=2</script>'
    served.memory.remember("ana", f"The user typed {hostile}", kind="reference", tags=["<b>bold</b>"])
    served.memory.update_profile("ana", "user", {"people": [{"name": hostile, "notes": hostile}]})
    for view in ("records?kind=reference", "profile"):
        reader.go(view)
        reader.sees("onerror")
        assert reader.page.locator("main img, main script, main b").count() == 0
    assert "Profile" in reader.page.title()


def test_a_new_memory_without_tokens_or_notes_can_be_looked_at(browser: Browser, tmp_path: Path) -> None:
    with (
        live(tmp_path / "memory", auth=insecure_single_user("ana"), store_stats=True) as new,
        Reader.open(browser, new.url, signed_in=False) as reader,
    ):
        for view in VIEWS:
            reader.go(view)
            assert reader.page.get_by_text("Something went wrong").count() == 0
        reader.sees("Cache hits")
        assert reader.button("Sign out").count() == 0
        reader.go("notes")
        reader.sees("This server keeps no notes.")
        reader.forgive(404)


def test_a_server_that_is_gone_is_told(browser: Browser, tmp_path: Path) -> None:
    with ExitStack() as stack:
        with live(tmp_path / "memory") as new:
            reader = stack.enter_context(Reader.open(browser, new.url))
            reader.sees("Nothing here yet.")
        reader.page.keyboard.press("8")
        reader.sees("The server cannot be reached.")
        reader.complaints.clear()
