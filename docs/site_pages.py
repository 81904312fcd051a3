"""Lets the site hold pages that live outside ``docs/``, and points links between them to the right place."""

from __future__ import annotations

import os.path
import re
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

__all__ = ["on_files", "on_page_markdown", "site_link"]

ROOT = Path(__file__).resolve().parent.parent
DOCS = ROOT / "docs"
PICTURES = tuple(path.relative_to(ROOT).as_posix() for path in sorted((ROOT / "benchmarks" / "results").glob("*.png")))
OUTSIDE = ("ARCHITECTURE.md", "CHANGELOG.md", "benchmarks/README.md", *PICTURES)

_CODE = re.compile(r"^```.*?^```$|`[^`\n]+`", re.DOTALL | re.MULTILINE)
_LINK = re.compile(r"(?P<mark>!?)\[(?P<text>[^\]\n]*)\]\((?P<target>[^)\s]+)\)")


def on_files(files: Files, *, config: MkDocsConfig) -> Files:
    """Add the pages that live outside, and their pictures."""
    for name in OUTSIDE:
        files.append(File.generated(config, name, abs_src_path=str(ROOT / name)))
    return files


def on_page_markdown(markdown: str, *, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Rewrite the links of a page, but not what stands in its code."""
    source = Path(str(page.file.abs_src_path))
    pieces, end = [], 0
    for code in _CODE.finditer(markdown):
        pieces += [_relinked(markdown[end : code.start()], source), code.group(0)]
        end = code.end()
    return "".join([*pieces, _relinked(markdown[end:], source)])


def site_link(target: str, source: Path) -> str | None:
    """Give the place in the site of what a page links to, or none for a file that is not part of the site.

    Args:
        target: The link, relative to the page as it lies in the checkout.
        source: The page.
    """
    if re.match(r"[a-z]+:|#", target):
        return target
    path, mark, anchor = target.partition("#")
    wanted = (source.parent / path).resolve()
    if not wanted.exists():
        return target  # the strict build tells it
    if not (wanted.is_relative_to(DOCS) or _name(wanted) in OUTSIDE):
        return None
    return os.path.relpath(_name(wanted), Path(_name(source)).parent).replace(os.sep, "/") + mark + anchor


def _relinked(text: str, source: Path) -> str:
    def put(found: re.Match[str]) -> str:
        target = site_link(found["target"], source)
        return found["text"] if target is None else f"{found['mark']}[{found['text']}]({target})"

    return _LINK.sub(put, text)


def _name(path: Path) -> str:
    """Tell where a file of the checkout lies in the site."""
    home = DOCS if path.is_relative_to(DOCS) else ROOT
    return path.relative_to(home).as_posix()
