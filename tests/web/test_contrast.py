"""Everything that is written can be read: the contrast of WCAG AA, light and dark."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.rest.live import Live
from tests.web.reader import Reader

if TYPE_CHECKING:
    from playwright.sync_api import Browser

VIEWS = ("records?q=where%20do%20I%20live", "profile", "notes", "experience", "timeline", "review", "forget", "stats")

# Texts before the nearest ground that hides what is behind it; letters of 24 px, or 18.7 px and bold, are large.
FAINT = """() => {
    const parsed = (text) => {
        const found = text.match(/[\\d.]+/g).map(Number);
        return [...found.slice(0, 3), found[3] ?? 1];
    };
    const light = (one) => (one <= 10.31 ? one / 255 / 12.92 : ((one / 255 + 0.055) / 1.055) ** 2.4);
    const luminance = ([red, green, blue]) => 0.2126 * light(red) + 0.7152 * light(green) + 0.0722 * light(blue);
    const ground = (element) => {
        for (let one = element; one; one = one.parentElement) {
            const colour = parsed(getComputedStyle(one).backgroundColor);
            if (colour[3] === 1) return colour;
        }
        return [255, 255, 255, 1];
    };
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const faint = [];
    let count = 0;
    while (walker.nextNode()) {
        const element = walker.currentNode.parentElement;
        const text = walker.currentNode.data.trim();
        if (!text || !element.checkVisibility() || element.closest("[disabled], .skip, h1.small")) continue;
        const style = getComputedStyle(element);
        const [one, other] = [luminance(parsed(style.color)), luminance(ground(element))].sort((a, b) => b - a);
        const size = parseFloat(style.fontSize);
        const least = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700) ? 3 : 4.5;
        count += 1;
        const contrast = (one + 0.05) / (other + 0.05);
        if (contrast < least) faint.push([text, contrast]);
    }
    return [count, faint];
}"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_text_stands_out_from_its_ground(scheme: str, browser: Browser, served: Live) -> None:
    with Reader.open(browser, served.url, color_scheme=scheme) as reader:
        for view in VIEWS:
            reader.go(view)
            count, faint = reader.page.evaluate(FAINT)
            assert count > 20
            assert faint == [], view
