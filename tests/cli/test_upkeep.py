"""``clean``, ``maintain``, ``weights rebuild``, ``reindex`` and ``fsck``."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import lancedb
import pytest

from memory_middleware import RecordState, Scope
from tests.cli.conftest import Shell


@pytest.fixture
def worn(shell: Shell) -> Shell:
    """A memory with a record that faded, one that ended, and two that say the same."""
    now = datetime.now(UTC)
    with shell.open() as memory:
        scope = Scope("ana")
        faint = memory.remember("ana", "The user once owned a lamp.")
        for _ in range(10):
            memory.journal.record_memory_usage(scope, faint.id, "what is there?", False)
        memory.journal.update_memory_weight(scope, faint.id, -1.0)
        memory.remember("ana", "The user is in Madrid.", valid_to=now - timedelta(days=1), now=now - timedelta(days=2))
        kept = memory.remember("ana", "用户喜欢喝茶。")
        twin = kept.model_copy(update={"id": "twin"})
        memory.store.memories.records.put(scope, [twin])
    return shell


def states(shell: Shell) -> list[str]:
    return sorted(record["state"] for record in shell.json("list", "--all")["records"])


def test_a_dry_run_tells_what_cleaning_would_do_and_does_nothing(worn: Shell) -> None:
    before = worn("export", "--jsonl").splitlines()[1:]
    report = worn.json("clean", "--dry-run")
    assert report["dry_run"] is True
    assert [len(report["report"][name]) for name in ("archived", "ended", "duplicates")] == [1, 1, 1]
    assert "would be done" in worn("clean", "--dry-run")
    assert worn("export", "--jsonl").splitlines()[1:] == before
    assert states(worn) == ["active"] * 4
    done = worn.json("clean")["report"]
    assert {name: done[name] for name in ("archived", "ended", "duplicates")} == {
        name: report["report"][name] for name in ("archived", "ended", "duplicates")
    }
    assert states(worn) == ["active", "archived", "superseded", "superseded"]


def test_cleaning_is_told_in_a_table(worn: Shell) -> None:
    heading, row = worn("clean").splitlines()
    assert heading.split() == ["owner", "faded", "archived", "ended", "merged", "links", "dropped", "active"]
    assert row.split() == ["ana", "4", "1", "1", "1", "0", "0", "1"]


def test_upkeep_is_done_for_everybody_or_for_one(worn: Shell) -> None:
    worn.add("Bob lives in Rome.", owner="bob")
    assert {report["owner_id"] for report in worn.json("maintain")["reports"]} == {"ana", "bob"}
    assert [report["owner_id"] for report in worn.json("maintain", "--owner", "bob")["reports"]] == ["bob"]
    assert worn("maintain").count("\n") == 3


def test_weights_are_rebuilt_from_the_log(shell: Shell) -> None:
    kept = shell.add("The user lives in Oslo.")
    with shell.open() as memory:
        weight = memory.journal.record_memory_usage(Scope("ana", "chat"), kept, "where?", True)
    assert shell("weights", "rebuild") == "1 weights rebuilt\n"
    assert shell.json("weights", "rebuild") == {"owner_id": "ana", "records": 1}
    assert shell.json("show", kept)["record"]["weight"] == pytest.approx(weight)


def test_the_index_is_built_anew(shell: Shell) -> None:
    shell.add("The user lives in Oslo.")
    assert shell("reindex").startswith("1 items indexed with LocalEmbeddings:wordllama")
    told = shell.json("reindex", "--embedding", "local:wordllama")
    assert told["items"] == 1
    assert shell("reindex", "--embedding", "local:nothing", code=1).startswith("memory: unknown local embedding model")


def test_a_damaged_index_is_found_and_mended(shell: Shell) -> None:
    shell.add("The user lives in Oslo.")
    assert shell("fsck") == "1 items, 0 missing, 0 extra: clean\n"
    index = lancedb.connect(shell.folder / "index")
    for name in index.list_tables().tables:
        index.open_table(name).delete("true")
    assert "1 missing" in shell("fsck", "--no-repair", code=1)
    assert shell.json("fsck", "--no-repair", code=1)["clean"] is False
    assert shell.json("doctor", code=1)["ok"] is False
    assert shell.json("fsck")["repaired"] is True
    assert "clean" in shell("fsck")


def test_archived_records_can_be_looked_at(worn: Shell) -> None:
    worn("clean")
    archived = worn.json("list", "--state", RecordState.ARCHIVED.value)["records"]
    assert [record["content"] for record in archived] == ["The user once owned a lamp."]
