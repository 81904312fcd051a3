"""Somebody who reads the page, and notes what the browser complains about and asks for."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Self

from tests.rest.live import token_of

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Locator, Page

__all__ = ["OPTIONS", "Reader"]

OPTIONS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
]

_READY = "main:not([aria-busy]) h1"
_OVERFLOW = "document.documentElement.scrollWidth - document.documentElement.clientWidth"


class Reader:
    """A page in a browser.

    Attributes:
        page: The page.
        url: Where it comes from.
        complaints: What the browser's console said was wrong.
        asked: The addresses that were asked for.
    """

    def __init__(self, page: Page, url: str) -> None:
        self.page = page
        self.url = url
        self.complaints: list[str] = []
        self.asked: list[str] = []
        page.on(
            "console", lambda told: self.complaints.append(told.text) if told.type in ("error", "warning") else None
        )
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on("request", lambda request: self.asked.append(request.url))

    @classmethod
    @contextmanager
    def open(cls, browser: Browser, url: str, *, signed_in: bool = True, **view: Any) -> Iterator[Self]:
        """Open the page; at the end the browser must have found nothing wrong and asked nobody else."""
        size = {"width": view.pop("width", 1280), "height": view.pop("height", 860)}
        context = browser.new_context(viewport=size, locale=view.pop("locale", "en-GB"), **view)  # type: ignore[arg-type]
        context.set_default_timeout(10_000)
        page = context.new_page()
        reader = cls(page, url)
        if signed_in:
            page.add_init_script(f"sessionStorage.setItem('memory-token', '{token_of('ana')}')")
        page.goto(url)
        try:
            if signed_in:
                page.wait_for_selector(_READY)
            yield reader
            assert reader.complaints == []
            assert [one for one in reader.asked if not one.startswith((f"{url}/", f"blob:{url}"))] == []
        finally:
            context.close()

    def go(self, view: str) -> None:
        """Go to a view other than the present one."""
        self.page.evaluate("document.querySelector('main h1')?.setAttribute('data-old', '')")
        self.page.goto(f"{self.url}/#/{view}")
        self.page.wait_for_selector(f"{_READY}:not([data-old])", state="attached")

    def button(self, name: str) -> Locator:
        """Find a button by its whole name."""
        return self.page.get_by_role("button", name=name, exact=True)

    def sees(self, text: str) -> None:
        """Wait until a text stands in the page."""
        self.page.get_by_text(text).first.wait_for()

    def sees_no(self, text: str) -> None:
        """Wait until a text is gone from the main part."""
        self.page.locator("main").get_by_text(text, exact=True).first.wait_for(state="detached")

    def overflow(self) -> int:
        """Tell by how many pixels the page is wider than the window."""
        return int(self.page.evaluate(_OVERFLOW))

    def forgive(self, status: int) -> None:
        """Take back the browser's own complaint about an answer that was expected."""
        self.complaints = [one for one in self.complaints if f"status of {status}" not in one]
