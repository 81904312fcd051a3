"""Generated pages are up to date, links lead somewhere, the site builds, and the documents promise what exists."""

from __future__ import annotations

import importlib.util
import re
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

from tests.support import ROOT

PAGES = [ROOT / "README.md", ROOT / "ARCHITECTURE.md", ROOT / "CHANGELOG.md", ROOT / "benchmarks" / "README.md"]
PAGES += sorted((ROOT / "docs").rglob("*.md"))
CODE = re.compile(r"^```.*?^```$|`[^`\n]+`", re.DOTALL | re.MULTILINE)
FETCHED = re.compile(r"""<(?:script|img|iframe|source|link)\b[^>]*?\b(?:src|href)=["']?(?:https?:)?//[^>]*>""")


def script(name: str) -> ModuleType:
    """Load a script of the docs folder."""
    spec = importlib.util.spec_from_file_location(name, ROOT / "docs" / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("name", ["make_configuration", "make_api"])
def test_a_generated_page_is_up_to_date(name: str) -> None:
    page = script(name)
    assert page.TARGET.read_text(encoding="utf-8") == page.render(), f"run python docs/{name}.py"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_every_relative_link_leads_somewhere(page: Path) -> None:
    text = CODE.sub("", page.read_text(encoding="utf-8"))
    targets = re.findall(r"\]\(([^)\s]+)\)", text)
    missing = [
        target
        for target in targets
        if not re.match(r"[a-z]+:|#", target) and not (page.parent / target.partition("#")[0]).exists()
    ]
    assert missing == []


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The documentation as a site; a warning of the strict build is a failure."""
    folder = tmp_path_factory.mktemp("site")
    done = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", str(folder)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return folder


def test_the_site_has_every_page(site: Path) -> None:
    pages = [path.relative_to(ROOT / "docs").with_suffix(".html") for path in (ROOT / "docs").rglob("*.md")]
    assert [page for page in pages if not (site / page).is_file()] == []
    assert "LoCoMo" in (site / "benchmarks" / "index.html").read_text(encoding="utf-8")
    concepts = (site / "concepts.html").read_text(encoding="utf-8")
    assert "images/turn.svg" in concepts
    assert "images/extractor.svg" in concepts


def test_the_pictures_of_the_benchmarks_are_shown(site: Path) -> None:
    page = (site / "benchmarks" / "index.html").read_text(encoding="utf-8")
    drawn = sorted(path.name for path in (ROOT / "benchmarks" / "results").glob("*.png"))
    assert drawn
    for name in drawn:
        assert f'src="results/{name}"' in page
        assert (site / "benchmarks" / "results" / name).is_file()


def test_no_table_or_list_is_shown_as_plain_text(site: Path) -> None:
    shown: dict[str, list[str]] = {}
    for page in site.rglob("*.html"):
        article = page.read_text(encoding="utf-8").split("<article")[-1].split("</article>")[0]
        text = re.sub(r"<[^>]+>", "", re.sub(r"<(pre|code)\b.*?</\1>", "", article, flags=re.DOTALL))
        shown[page.name] = [line for line in text.splitlines() if re.match(r"\s*[-*] \S|\|.*\|", line)]
    assert {name: lines for name, lines in shown.items() if lines} == {}


def test_the_site_fetches_nothing_from_elsewhere(site: Path) -> None:
    pages = list(site.rglob("*.html"))
    assert pages
    fetched = {page.name: FETCHED.findall(page.read_text(encoding="utf-8")) for page in pages}
    assert {name: found for name, found in fetched.items() if found} == {}
    assert not re.search(
        r"@import|url\(\s*[\"']?https?:", "".join(css.read_text("utf-8") for css in site.rglob("*.css"))
    )


def test_links_between_pages_are_those_of_the_site() -> None:
    pages = script("site_pages")
    guide = ROOT / "docs" / "guides" / "operations.md"
    assert pages.site_link("../storage.md#limits", guide) == "../storage.md#limits"
    assert pages.site_link("../../benchmarks/README.md", guide) == "../benchmarks/README.md"
    assert pages.site_link("../../examples/quickstart.py", guide) is None
    assert pages.site_link("docs/recall.md", ROOT / "ARCHITECTURE.md") == "recall.md"
    assert pages.site_link("https://example.org/a", guide) == "https://example.org/a"
    assert pages.site_link("nowhere.md", guide) == "nowhere.md"


def test_every_deviation_names_a_test_that_exists() -> None:
    text = (ROOT / "docs" / "compatibility.md").read_text(encoding="utf-8")
    named = re.findall(r"`(tests/[\w/]+\.py)::(\w+)`", text)
    assert len(named) >= 10
    for path, name in named:
        assert f"def {name}(" in (ROOT / path).read_text(encoding="utf-8"), f"{path}::{name}"


def test_the_files_named_in_the_architecture_exist() -> None:
    text = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
    for path in re.findall(r"\| `([\w/]+\.py)`", text):
        assert (ROOT / path).is_file(), path


def test_ci_runs_the_readmes_test_command() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert sum("-m pytest" in line for line in readme.splitlines()) == 1
    assert "README.md" in (ROOT / ".ci" / "run").read_text(encoding="utf-8")
