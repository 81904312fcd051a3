"""Every command: what it prints, and how it ends when it is used in a wrong way."""

from __future__ import annotations

import contextlib
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from memory_middleware import Memory, Scope
from tests.cli.conftest import Shell
from tests.cli.test_documented import ALL

ONE = "{record}"
USES: dict[str, tuple[str, ...]] = {
    "demo": (),
    "replay": ("trace.jsonl",),
    "list": (),
    "show": (ONE,),
    "search": ("Where does the user live?", "--explain"),
    "add": ("用户喜欢喝茶。", "--owner", "ana"),
    "edit": (ONE, "--tag", "home"),
    "archive": (ONE,),
    "restore": ("{faded}",),
    "pin": (ONE,),
    "forget": ("--id", ONE, "--dry-run"),
    "delete": (ONE, "--yes"),
    "stats": (),
    "profile show": (),
    "profile set": ("user", '{"occupation": "诗人"}'),
    "profile patch": ("work", '{"expertise": ["绘画"]}'),
    "profile history": ("user",),
    "notes list": (),
    "notes show": ("tea",),
    "notes add": ("milk", "--description", "about milk", "--content", "none"),
    "notes delete": ("tea",),
    "notes repair": (),
    "episodes": (),
    "patterns": (),
    "skills": (),
    "buffer": (),
    "extract": (),
    "clean": (),
    "maintain": (),
    "weights rebuild": (),
    "reindex": (),
    "fsck": (),
    "export": (),
    "import": ("backup.json",),
    "doctor": (),
    "serve": ("--insecure-single-user",),
    "mcp": ("--owner", "ana"),
}
SERVING = ("serve", "mcp")
ENDING = [name for name in USES if name not in SERVING]
MAKING = ("add", "profile set", "profile patch", "notes add", "import", "serve", "mcp")
WRONG_PLACES = {
    "a folder without a memory": ("--path", "nowhere"),
    "a file": ("--path", "trace.jsonl"),
    "a URL of something else": ("--path", "https://example.org/memory"),
    "no configuration": ("--config", "missing.yaml"),
    "a folder as configuration": ("--config", "memory"),
    "a configuration that is no YAML": ("--config", "broken.yaml"),
    "a configuration with an unknown key": ("--config", "unknown.yaml"),
}
OTHERS: dict[str, list[tuple[str, ...]]] = {
    "no id": [
        *(("show", "mem_nothing"), ("edit", "mem_nothing", "--tag", "x"), ("pin", ONE, "mem_nothing")),
        *(("archive", "mem_nothing"), ("restore", "mem_nothing"), ("delete", "mem_nothing", "--yes")),
        *(("forget", "--id", "mem_nothing", "--yes"), ("episodes", "nothing"), ("patterns", "nothing")),
        *(("skills", "nothing"), ("notes show", "nothing"), ("notes delete", "nothing")),
    ],
    "no time": [
        *(("search", "tea", "--as-of", "yesterday"), ("add", "The user naps.", "--valid-to", "2026-13-01")),
        *(("add", "The user naps.", "--event-time", "noon"), ("edit", ONE, "--valid-to", "昨天")),
    ],
    "no file": [
        *(("replay", "missing.jsonl"), ("replay", "memory"), ("replay", "broken.yaml"), ("import", "missing.json")),
        *(("import", "broken.yaml"), ("import", "memory"), ("import", "--from", "mem0", "missing.json")),
        *(("profile set", "user", "missing.json"), ("profile patch", "user", "memory")),
        *(("export", "--output", "nowhere/backup.json"), ("replay", "trace.jsonl", "--check", "missing.json")),
        *(("replay", "trace.jsonl", "--save", "nowhere/golden.json"), ("replay", "trace.jsonl", "--html", "memory")),
        *(("serve", "--server", "missing.yaml"), ("mcp", "--http", "--tokens", "missing.json")),
    ],
    "no such value": [
        *(
            ("list", "--kind", "rumour"),
            ("list", "--sort", "size"),
            ("list", "--limit", "0"),
            ("list", "--cursor", "x"),
        ),
        *(("list", "--all", "--state", "active"), ("add", ""), ("add", "The user naps.", "--trust", "nobody")),
        *(("edit", ONE), ("edit", ONE, "--importance", "2"), ("forget",), ("forget", "--query", "a", "--id", ONE)),
        *(("profile show", "home"), ("profile patch", "user", "[]"), ("profile patch", "user", "{")),
        *(("profile patch", "user", '{"timezone": "Mars"}'), ("demo", "--budget", "0"), ("demo", "--language", "fr")),
        *(("replay", "trace.jsonl", "--turns", "0"), ("replay", "trace.jsonl", "--owner", ""), ("serve",), ("mcp",)),
        *(("mcp", "--owner", ""), ("mcp", "--tokens", "trace.jsonl")),
        *(("import", "--from", "nobody", "backup.json"), ("import", "backup.json", "--owner", "ana")),
        *(("doctor", "--owner", ""), ("restore", ONE), ("extract", "--limit", "3")),
    ],
}


def has(name: str, option: str) -> bool:
    return any(option in one.opts for one in ALL[name].params)


@dataclass(frozen=True)
class Place:
    """A folder with a memory of one owner and files beside it, in which commands run."""

    folder: Path
    record: str
    faded: str

    def run(self, name: str, *words: str) -> Any:
        given = [word.replace(ONE, self.record).replace("{faded}", self.faded) for word in words]
        return Shell(self.folder).run(*name.split(), *given, piped="", width=100)

    def state(self) -> list[str]:
        """List what is there, but for what SQLite keeps beside its file while it is open."""
        found = (path.relative_to(self.folder).as_posix() for path in self.folder.rglob("*"))
        return sorted(name for name in found if not re.search(r"-(wal|shm)$|/index/|\.pulse", name))


@pytest.fixture
def place(tmp_path: Path) -> Iterator[Place]:
    """A place of one's own."""
    with contextlib.chdir(tmp_path):
        yield made(tmp_path)


@pytest.fixture(scope="module")
def still(tmp_path_factory: pytest.TempPathFactory) -> Place:
    """A place that no test changes."""
    folder = tmp_path_factory.mktemp("still")
    with contextlib.chdir(folder):
        return made(folder)


@pytest.fixture
def unchanged(still: Place) -> Iterator[Place]:
    """The place that no test changes, which is looked after."""
    before = still.state()
    with contextlib.chdir(still.folder):
        yield still
    assert still.state() == before


def made(folder: Path) -> Place:
    """Fill a folder."""
    with Memory.open("memory") as memory:
        record = memory.remember("ana", "The user lives in Oslo.")
        faded = memory.journal.archive(Scope("ana"), memory.remember("ana", "The user sails.").id)
        Path("backup.json").write_text("\n".join(memory.export()), encoding="utf-8")
    Path("memory/notes").mkdir()
    Path("memory/notes/tea.md").write_text(
        "---\nname: Tea\ndescription: 茶\ntype: reference\n---\nBoil water.\n", "utf-8"
    )
    Path("trace.jsonl").write_text('{"role": "user", "content": "I live in Oslo."}\n', encoding="utf-8")
    Path("broken.yaml").write_text("storage: [", encoding="utf-8")
    Path("unknown.yaml").write_text("nonsense: 1\n", encoding="utf-8")
    return Place(folder, record.id, faded.id)


def ended_as_wrong_use(done: Any) -> str:
    """Expect that a command did nothing but tell what is wrong, and give what it told."""
    assert done.exit_code == 2, done.output
    assert done.stdout == ""
    told = str(done.stderr)
    assert "Traceback" not in told
    return told


def test_every_command_is_used_here() -> None:
    assert set(USES) == set(ALL)


@pytest.mark.parametrize("name", ENDING)
def test_a_command_prints_one_json_document_and_nothing_else(place: Place, name: str) -> None:
    done = place.run(name, *USES[name], *(() if name == "export" else ("--json",)))
    assert done.exit_code == 0, done.output
    assert isinstance(json.loads(done.stdout), dict)
    assert done.stderr == ""


@pytest.mark.parametrize("name", ENDING)
def test_what_is_piped_on_has_no_colours_and_ends_with_a_line(place: Place, name: str) -> None:
    done = place.run(name, *USES[name])
    assert done.exit_code == 0, done.output
    assert "\x1b" not in done.stdout
    assert done.stdout.endswith("\n")


@pytest.mark.parametrize("name", USES)
def test_an_unknown_option_is_wrong_use(unchanged: Place, name: str) -> None:
    told = ended_as_wrong_use(unchanged.run(name, *USES[name], "--nonsense"))
    assert told.startswith("memory: no such option: --nonsense")


@pytest.mark.parametrize(
    ("name", "wrong"),
    [
        (name, wrong)
        for name in USES
        for wrong, (option, place) in WRONG_PLACES.items()
        if has(name, option) and name != "doctor" and not (place == "nowhere" and name in MAKING)
    ],
)
def test_a_wrong_place_is_told_and_nothing_is_made(unchanged: Place, name: str, wrong: str) -> None:
    told = ended_as_wrong_use(unchanged.run(name, *USES[name], *WRONG_PLACES[wrong]))
    assert re.match(r"memory: .*[^\n]\n$", told), told


@pytest.mark.parametrize(
    ("name", "owner"),
    [
        pytest.param(name, owner, id=f"{name}-{owner or 'empty'}")
        for name in ENDING
        for owner in ("nobody", "")
        if has(name, "--owner") and name not in ("replay", "doctor") and not (owner and name in MAKING)
    ],
)
def test_an_owner_who_is_not_there_is_wrong_use(unchanged: Place, name: str, owner: str) -> None:
    told = ended_as_wrong_use(unchanged.run(name, *USES[name], "--owner", owner))
    assert ("there is no owner 'nobody' here; known: 'ana'" if owner else "needs the id of its owner, not ''") in told


@pytest.mark.parametrize("name", ["add", "profile set", "profile patch"])
def test_no_memory_is_made_for_nobody(unchanged: Place, name: str) -> None:
    words = [word for word in USES[name] if word not in ("--owner", "ana")]
    assert "name one with --owner" in ended_as_wrong_use(unchanged.run(name, *words, "--path", "nowhere"))
    assert not (unchanged.folder / "nowhere").exists()


@pytest.mark.parametrize(
    "words", [pytest.param(words, id=f"{kind}: {' '.join(words)}") for kind in OTHERS for words in OTHERS[kind]]
)
def test_what_does_not_fit_is_wrong_use(unchanged: Place, words: tuple[str, ...]) -> None:
    name, *given = words
    told = ended_as_wrong_use(unchanged.run(name, *given))
    assert re.fullmatch(r"memory: [^\n]+\n", told), told
    assert "Value error" not in told


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("lst",), "no such command 'lst'"),
        (("--nonsense",), "no such option: --nonsense"),
        (("show",), "missing argument"),
        (("notes", "nonsense"), "no such command 'nonsense'"),
        (("list", "--kind", "rumour"), "invalid value for '--kind': 'rumour' is not one of 'fact', 'preference'"),
        (("edit", "x", "--importance", "2"), "invalid value for '--importance'"),
    ],
    ids=" ".join,
)
def test_wrong_use_is_one_line_with_the_remedy(unchanged: Place, words: tuple[str, ...], message: str) -> None:
    told = ended_as_wrong_use(unchanged.run(words[0], *words[1:]))
    assert told.lower().startswith(f"memory: {message}")
    assert re.fullmatch(r"memory: [^\n]+; `[^`]+ --help` tells more\n", told), told


@pytest.mark.parametrize("words", [(), ("notes",)], ids=["none", "of a group"])
def test_a_group_without_a_command_shows_its_help(unchanged: Place, words: tuple[str, ...]) -> None:
    done = Shell(unchanged.folder).run(*words)
    assert "Commands" in done.output
    assert not any(line.startswith("memory:") for line in done.output.splitlines())
