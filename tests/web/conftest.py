"""A real browser before a real server."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from memory_middleware_rest import BearerTokens, hash_token
from tests.rest.live import Live, live, token_of
from tests.web.reader import OPTIONS, Reader
from tests.web.story import ANA, LIN, tell, write_notes

if TYPE_CHECKING:
    from playwright.sync_api import Browser


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Chromium as the system has it; nothing is downloaded. Its event loop must not outlive the tests of the page."""
    api = pytest.importorskip(
        "playwright.sync_api", reason="the page is tested with playwright: pip install playwright"
    )
    path = shutil.which("chromium")
    if path is None:
        pytest.skip("the page is tested in Chromium, and none is installed (apt-get install chromium)")
    with api.sync_playwright() as running:
        opened = running.chromium.launch(executable_path=path, args=OPTIONS)
        yield opened
        opened.close()


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Live]:
    """Ana's memory, with notes."""
    notes = write_notes(tmp_path / "notes", ANA)
    with live(tmp_path / "memory", notes=notes) as found:
        tell(found.memory, "ana", ANA)
        yield found


@pytest.fixture
def served_in_chinese(tmp_path: Path) -> Iterator[Live]:
    """The memory of 林, which is opened by the same token."""
    notes = write_notes(tmp_path / "notes", LIN)
    with live(tmp_path / "memory", notes=notes, auth=BearerTokens({hash_token(token_of("ana")): "林"})) as found:
        tell(found.memory, "林", LIN)
        yield found


@pytest.fixture
def reader(browser: Browser, served: Live) -> Iterator[Reader]:
    """Ana before her page."""
    with Reader.open(browser, served.url) as found:
        yield found


@pytest.fixture
def phone(browser: Browser, served: Live) -> Iterator[Reader]:
    """Ana before her page on a small phone."""
    with Reader.open(browser, served.url, width=360, height=740) as found:
        yield found
