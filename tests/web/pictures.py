"""Take the pictures of the page for the documentation: ``python -m tests.web.pictures``."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, sync_playwright

from memory_middleware_rest import BearerTokens, hash_token
from tests.rest.live import live, token_of
from tests.support import ROOT
from tests.web.reader import OPTIONS, Reader
from tests.web.story import ANA, LIN, Story, tell, write_notes

_IMAGES = ROOT / "docs" / "images"


@contextmanager
def served(owner: str, story: Story) -> Iterator[str]:
    """Serve a story, and give its address."""
    with tempfile.TemporaryDirectory() as folder:
        auth = BearerTokens({hash_token(token_of("ana")): owner})
        with live(Path(folder) / "memory", auth=auth, notes=write_notes(Path(folder) / "notes", story)) as found:
            tell(found.memory, owner, story)
            yield found.url


def search(reader: Reader) -> None:
    """Show why something was recalled."""
    reader.go("records?q=am%20I%20allergic%20to%20anything%3F")
    reader.page.locator(".why summary").first.click()


def lesson(reader: Reader) -> None:
    """Show what hangs together."""
    reader.go("experience")
    reader.page.locator(".node-pattern").click()


def turns(reader: Reader) -> None:
    """Show what happened."""
    reader.go("timeline")
    reader.page.locator(".turn summary").nth(1).click()


def waiting(reader: Reader) -> None:
    """Show what waits for a word."""
    reader.go("review")


def take(browser: Browser, url: str, name: str, show: Callable[[Reader], None], **view: Any) -> None:
    """Take one picture."""
    with Reader.open(browser, url, height=740, **view) as reader:
        show(reader)
        reader.page.wait_for_timeout(300)
        reader.page.screenshot(path=_IMAGES / f"web-{name}.png")


def main() -> None:
    """Take them all."""
    with sync_playwright() as running:
        browser = running.chromium.launch(executable_path=shutil.which("chromium"), args=OPTIONS)
        with served("ana", ANA) as url:
            take(browser, url, "light", search)
            take(browser, url, "dark", lesson, color_scheme="dark")
            take(browser, url, "phone", turns, width=360)
        with served("林", LIN) as url:
            take(browser, url, "chinese", waiting, locale="zh-CN")
        browser.close()


if __name__ == "__main__":
    main()
