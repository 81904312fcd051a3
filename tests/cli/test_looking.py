"""``list``, ``show``, ``search`` and ``stats``."""

from __future__ import annotations

import re
from datetime import UTC, datetime

import pytest
from langchain_core.messages import AIMessage, HumanMessage
from rich.cells import cell_len

from memory_middleware import RecordKind, Scope
from memory_middleware_cli.commands.printing import plain, spark
from memory_middleware_cli.commands.statistics import size
from tests.cli.conftest import Shell

CHINESE = "用户对花生过敏，喜欢在周末去海边散步，还养了一只名叫小白的狗，并且每天早上都要喝一杯绿茶。"


def talk(shell: Shell) -> Scope:
    scope = Scope("ana", "chat")
    said = "I live in Oslo, and I like the old harbour there."
    with shell.open() as memory:
        memory.observe(scope, [HumanMessage(said, id="h1"), AIMessage("Noted.", id="a1")])
        memory.flush(scope)
    return scope


def test_records_are_listed_in_a_table(shell: Shell) -> None:
    first = shell.add("The user lives in Oslo.")
    told = shell("list")
    assert first[:12] in told
    assert "The user lives in Oslo." in told
    assert "fact" in told
    assert "active" in told


def test_dialogue_is_listed_only_when_asked_for(shell: Shell) -> None:
    talk(shell)
    told = shell("list", width=80)
    assert "dialogue records are not shown" not in told.splitlines()[0]
    assert told.splitlines()[-1] == "1 dialogue record is not shown; --kind dialogue or --all shows it"
    assert {one["kind"] for one in shell.json("list")["records"]} == {"fact"}
    for words in (("--all",), ("--kind", "dialogue")):
        assert "dialogue" in {one["kind"] for one in shell.json("list", *words)["records"]}
        assert "not shown" not in shell("list", *words)
    assert "not shown" not in shell("list", "--state", "archived")
    assert "not shown" not in shell("list", "--tag", "home")


def test_a_weight_is_shown_with_two_decimals(shell: Shell) -> None:
    kept = shell.add("The user lives in Oslo.")
    with shell.open() as memory:
        memory.journal.record_memory_usage(Scope("ana", "chat"), kept, "Where do I live?", True)
    weight = next(line for line in shell("show", kept).splitlines() if line.startswith("weight"))
    assert re.fullmatch(r"weight +\d\.\d\d", weight.rstrip())
    assert re.search(r" \d\.\d\d  The user lives", shell("search", "where does the user live"))


def test_a_search_that_is_near_nothing_says_so(shell: Shell) -> None:
    shell.add("The user lives in Oslo.")
    shell.add("用户对花生过敏。")
    far = shell("search", "quantum chromodynamics lattice", width=80)
    assert far.splitlines()[-1] == "nothing is near this; these are the nearest"
    assert far.count("mem_") == 2
    assert "nothing is near" not in shell("search", "where does the user live")
    assert "nothing is near" not in shell("search", "对花生过敏")


def test_an_empty_list_says_so(shell: Shell) -> None:
    shell.add("The user lives in Oslo.")
    assert shell("list", "--kind", "project") == "no records\n"
    assert shell.json("list", "--kind", "project") == {"records": [], "cursor": None}


def test_wide_characters_stay_in_their_columns(shell: Shell) -> None:
    shell.add("The user lives in Oslo.")
    shell.add(CHINESE)
    heading, *rows = shell("list", width=80).rstrip("\n").splitlines()
    assert all(cell_len(row.rstrip()) <= 80 for row in rows)
    begins = cell_len(heading[: heading.index("content")])
    chinese = next(row for row in rows if "用户" in row)
    assert cell_len(chinese[: chinese.index("用户")]) == begins
    assert chinese.rstrip().endswith("…")


def test_pages_follow_each_other_and_miss_nothing(shell: Shell) -> None:
    kept = {shell.add(f"The user owns book number {number}.") for number in range(5)}
    seen: list[str] = []
    cursor: list[str] = []
    for _ in range(3):
        page = shell.json("list", "--limit", "2", "--sort", "created", *cursor)
        seen += [record["id"] for record in page["records"]]
        cursor = ["--cursor", page["cursor"] or ""]
    assert page["cursor"] is None
    assert sorted(seen) == sorted(kept)
    assert "more: --cursor" in shell("list", "--limit", "2")


def test_tags_choose_across_pages(shell: Shell) -> None:
    wanted = [shell.add(f"The user owns book number {number}.", "--tag", "odd") for number in (1, 3)]
    shell.add("The user owns book number 2.", "--tag", "even")
    shell.add("The user owns a lamp.")
    first = shell.json("list", "--tag", "odd", "--limit", "1")
    rest = shell.json("list", "--tag", "odd", "--limit", "1", "--cursor", first["cursor"])
    assert [page["records"][0]["id"] for page in (first, rest)] == wanted[::-1]
    assert shell.json("list", "--tag", "odd", "--tag", "even")["records"] == []


def test_states_and_kinds_choose(shell: Shell) -> None:
    old = shell.add("The user lives in Oslo.", "--subject", "user", "--attribute", "city")
    new = shell.add("The user lives in Bergen.", "--subject", "user", "--attribute", "city")
    pref = shell.add("The user prefers tea.", "--kind", "preference")
    ids = {
        words: {one["id"] for one in shell.json("list", *words)["records"]}
        for words in [(), ("--all",), ("--state", "superseded"), ("--kind", "preference", "--kind", "project")]
    }
    assert list(ids.values()) == [{new, pref}, {old, new, pref}, {old}, {pref}]
    assert "leave out --state" in shell("list", "--all", "--state", "active", code=2)


@pytest.mark.parametrize("words", [("--cursor", "nonsense"), ("--sort", "size"), ("--limit", "0"), ("--kind", "thing")])
def test_wrong_options_of_a_list_are_wrong_use(shell: Shell, words: tuple[str, ...]) -> None:
    shell.add("The user lives in Oslo.")
    assert shell("list", *words, code=2)


def test_a_record_is_shown_with_all_around_it(shell: Shell) -> None:
    scope = talk(shell)
    with shell.open() as memory:
        record = next(one for one in memory.list_records("ana").records if one.kind is RecordKind.FACT)
        memory.journal.record_memory_usage(scope, record.id, "Where do I live?", True)
    told = shell("show", record.id[:12])
    for part in ("Oslo", "history", "said in", "I live in Oslo, and", "usage", "Where do I live?", "yes"):
        assert part in told
    data = shell.json("show", record.id)
    assert data["record"]["id"] == record.id
    assert data["usage"][0]["was_referenced"] is True
    assert "I live in Oslo, and" in data["said_in"][0]["content"]


def test_links_are_shown_both_ways(shell: Shell) -> None:
    shell.add("The user lives in Oslo.", "--subject", "user", "--attribute", "city")
    new = shell.add("The user lives in Bergen.", "--subject", "user", "--attribute", "city")
    view = shell.json("show", new)
    other = view["links"] or view["linked_from"]
    assert len(view["history"]) == 2
    assert "The user lives in Oslo." in shell("show", new)
    assert isinstance(other, list)


def test_an_id_that_fits_none_or_several_is_told(shell: Shell) -> None:
    shell.add("The user lives in Oslo.")
    shell.add("The user prefers tea.")
    assert "there is no record 'mem_zzzz' of 'ana'" in shell("show", "mem_zzzz", code=2)
    assert "2 records have ids that begin with 'mem_'" in shell("show", "mem_", code=2)
    assert "there is no record 'm'" in shell("show", "m", code=2)


def test_search_finds_and_explains(shell: Shell) -> None:
    wanted = shell.add("The user lives in Oslo.")
    shell.add("The user prefers green tea.")
    assert shell("search", "where does the user live", "--limit", "1").count("mem_") == 1
    told = shell.json("search", "where does the user live")
    assert told["results"][0]["record"]["id"] == wanted
    assert set(told["results"][0]) == {"record", "score"}
    explained = shell.json("search", "where does the user live", "--explain")["results"][0]
    assert explained["signals"]
    assert explained["cosine"] is not None
    assert "cosine" in shell("search", "where does the user live", "--explain")


def test_search_understands_chinese(shell: Shell) -> None:
    wanted = shell.add("用户对花生过敏。")
    shell.add("用户住在上海。")
    assert shell.json("search", "对什么过敏？")["results"][0]["record"]["id"] == wanted
    assert "用户对花生过敏。" in shell("search", "过敏")


def test_search_goes_back_in_time(shell: Shell) -> None:
    with shell.open() as memory:
        for city, moment in (("Oslo", "2024-01-01"), ("Bergen", "2025-01-01")):
            then = datetime.fromisoformat(moment).replace(tzinfo=UTC)
            memory.remember("ana", f"The user lives in {city}.", subject="user", attribute="city", now=then)
    then = shell.json("search", "where does the user live", "--as-of", "2024-06-01")["results"]
    now = shell.json("search", "where does the user live")["results"]
    assert [one["record"]["content"] for one in then] == ["The user lives in Oslo."]
    assert [one["record"]["content"] for one in now] == ["The user lives in Bergen."]
    assert "'tomorrow' is no time" in shell("search", "city", "--as-of", "tomorrow", code=2)


def test_a_search_without_a_result_says_so(shell: Shell) -> None:
    shell.add("The user lives in Oslo.")
    assert shell("search", "city", "--kind", "project") == "nothing fits\n"


def test_stats_count(shell: Shell) -> None:
    scope = Scope("ana", "chat")
    kept = shell.add("The user lives in Oslo.")
    shell.add("The user prefers tea.", "--kind", "preference")
    with shell.open() as memory:
        memory.journal.record_memory_usage(scope, kept, "Where?", True)
    told = shell("stats")
    for part in ("preference", "weights", "▁", "growth", "1 of 1 injected (100%)", "0 parked batches", "disk"):
        assert part in told
    data = shell.json("stats")
    assert data["records"] == {"fact": {"active": 1}, "preference": {"active": 1}}
    assert sum(data["growth"].values()) == 2
    assert data["disk_bytes"] > 0


def test_stats_of_an_owner_without_records(shell: Shell) -> None:
    shell("profile", "patch", "user", "{}", "--owner", "ana")
    assert "none yet" in shell("stats")


def test_spark_lines_and_sizes() -> None:
    assert spark([0, 1, 2]) == "▁▅█"
    assert spark([0, 0]) == "▁▁"
    assert spark([]) == ""
    assert [size(count) for count in (None, 12, 1500, 2_500_000, 3_000_000_000)] == [
        "on a server",
        "12 B",
        "1.5 kB",
        "2.5 MB",
        "3.0 GB",
    ]


def test_plain_data_holds_only_what_json_knows() -> None:
    assert plain({RecordKind.FACT: (RecordKind.FACT, {"a": None})}) == {"fact": ["fact", {"a": None}]}
