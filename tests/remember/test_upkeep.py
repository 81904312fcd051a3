"""Upkeep: what fades, ends, repeats itself or points nowhere."""

from __future__ import annotations

import copy
import threading
from datetime import timedelta
from typing import Any

import pytest

from memory_middleware import LanceStore, MemoryConfig, MemoryRecord, Scope, ShortTermItem
from memory_middleware.remember.journal import MemoryJournal
from memory_middleware.remember.upkeep import run_maintenance
from memory_middleware.schemas.dialogue import Turn
from memory_middleware.storage.owner_list import owners
from memory_middleware.storage.repositories import Repositories
from memory_middleware.storage.repositories.records import RecordRepository
from tests.remember.support import ANA, BOB, NOON

LATER = NOON + timedelta(days=400)


def put(memories: Repositories, content: str, **more: Any) -> MemoryRecord:
    record = MemoryRecord.create("ana", content, **{"now": NOON, **more})
    memories.records.put(ANA, [record])
    return record


def state_of(memories: Repositories, record: MemoryRecord) -> str:
    found = memories.records.get(ANA, record.id)
    return found.state.value if found else "gone"


def test_records_that_nobody_uses_fade_and_are_archived(memories: Repositories) -> None:
    faint, pinned = put(memories, "a", access_count=3), put(memories, "b", pinned=True, access_count=3)
    fresh, unasked = put(memories, "c", now=LATER), put(memories, "d")
    report = run_maintenance(memories, ANA, now=LATER)
    assert (report.faded, report.archived) == (3, (faint.id,))
    assert state_of(memories, unasked) == "active", "what nobody asked about may still be needed"
    assert memories.weights.get(ANA, pinned.id) == pytest.approx(0.5 ** (400 / 180))
    assert report.records == {"active": 3, "superseded": 0, "archived": 1, "quarantined": 0}
    assert state_of(memories, fresh) == "active"
    again = run_maintenance(memories, ANA, now=LATER)
    assert (again.faded, again.archived, again.duplicates, again.links) == (0, (), (), 0)


def test_what_is_over_ends(memories: Repositories) -> None:
    away = put(memories, "The user is in Berlin.", valid_from=NOON, valid_to=NOON + timedelta(days=3))
    assert run_maintenance(memories, ANA, now=NOON + timedelta(days=1)).ended == ()
    assert run_maintenance(memories, ANA, now=NOON + timedelta(days=4)).ended == (away.id,)
    found = memories.records.get(ANA, away.id)
    assert found is not None
    assert (found.state, found.valid_to, found.note) == ("superseded", away.valid_to, "its time is over")


def test_duplicates_are_merged_into_the_first(memories: Repositories) -> None:
    first = put(memories, "The user drinks tea.")
    second = put(memories, "the user  drinks TEA", now=NOON + timedelta(days=1))
    other = put(memories, "The user drinks tea.", kind="preference")
    said = [put(memories, "ok, thanks a lot", kind="dialogue", provenance={"turn": at}) for at in range(2)]
    report = run_maintenance(memories, ANA, now=NOON + timedelta(days=2))
    assert report.duplicates == (second.id,)
    assert [state_of(memories, record) for record in (first, second, other, *said)] == [
        "active",
        "superseded",
        "active",
        "active",
        "active",
    ]


def test_links_that_point_nowhere_are_taken_out(memories: Repositories) -> None:
    there = put(memories, "a")
    links = ({"to": there.id, "relation": "related_to"}, {"to": "gone", "relation": "related_to"})
    record = put(memories, "b", links=links)
    assert run_maintenance(memories, ANA, now=NOON).links == 1
    found = memories.records.get(ANA, record.id)
    assert found is not None
    assert [link.to_id for link in found.links] == [there.id]


def test_the_journal_is_kept_for_a_time_and_weights_remember_it(memories: Repositories) -> None:
    record = put(memories, "a")
    journal = MemoryJournal(memories)
    for day in (0, 10, 390):
        journal.record_memory_usage(ANA, record.id, "q", True, now=NOON + timedelta(days=day))
    memories.turns.add(ANA, Turn(id="t", owner_id="ana", session_id="t1", happened_at=NOON))
    memories.short_term.append(ANA, ShortTermItem(id="s", content="x", created_at=NOON))
    before = memories.weights.get(ANA, record.id)
    report = run_maintenance(memories, ANA, now=LATER)
    assert report.dropped == {"usage": 2, "turns": 1, "short_term": 1, "runs": 0}
    weight = memories.weights.get(ANA, record.id)
    journal.rebuild_weights(ANA)
    assert before is not None
    assert memories.weights.get(ANA, record.id) == pytest.approx(before), "a rebuild begins with what the log forgot"
    assert weight == pytest.approx(before * 0.5 ** (10 / 180))


def test_superseded_records_are_dropped_only_if_wanted(memories: Repositories) -> None:
    old = put(memories, "a", state="superseded", valid_from=NOON, valid_to=NOON)
    run_maintenance(memories, ANA, now=LATER)
    assert state_of(memories, old) == "superseded"
    config = MemoryConfig.from_dict({"retention": {"superseded_days": 30, "turns_days": None}})
    report = run_maintenance(memories, ANA, config, now=LATER)
    assert (report.dropped["superseded"], "turns" in report.dropped) == (1, False)
    assert state_of(memories, old) == "gone"


def test_twice_at_once_is_safe(small: LanceStore) -> None:
    memories = small.memories
    for at in range(30):
        put(memories, f"fact {at % 10}", provenance={"turn": at}, access_count=5)
    reports = []
    threads = [
        threading.Thread(target=lambda: reports.append(run_maintenance(memories, ANA, now=LATER))) for _ in range(3)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(reports) == 3
    assert sum(memories.records.count(ANA).values()) == 30
    assert run_maintenance(memories, ANA, now=LATER).records["archived"] == 10


def test_owners_are_listed(small: LanceStore) -> None:
    for scope in (ANA, BOB):
        small.memories.profiles.ensure(scope)
    assert sorted(owners(small.database)) == ["ana", "bob"]


def test_a_merged_record_takes_over_rounds_trust_and_time(memories: Repositories) -> None:
    early = put(memories, "The user drinks tea.", provenance={"round_ids": ["r1"]}, trust="assistant", confidence=0.6)
    late = put(
        memories,
        "The user drinks tea.",
        now=NOON + timedelta(days=1),
        subject=None,
        provenance={"round_ids": ["r2"]},
        confidence=0.9,
        tags=["tea"],
    )
    run_maintenance(memories, ANA, now=NOON + timedelta(days=2))
    kept = memories.records.get(ANA, early.id)
    assert kept is not None
    assert (kept.provenance.round_ids, kept.trust, kept.confidence, kept.tags) == (("r1", "r2"), "user", 0.9, ("tea",))
    assert state_of(memories, late) == "superseded"


def test_what_has_an_address_or_a_pin_is_not_merged_away(memories: Repositories) -> None:
    bare = put(memories, "The user drinks tea.", subject="user")
    addressed = put(memories, "The user drinks tea.", subject="user", attribute="drink", provenance={"turn": 1})
    other = put(memories, "The user drinks tea.", subject="user", attribute="habit", provenance={"turn": 2})
    assert run_maintenance(memories, ANA, now=LATER).duplicates == (bare.id,)
    assert [state_of(memories, one) for one in (addressed, other)] == ["active", "active"]
    pins = [put(memories, "pinned", pinned=True, provenance={"turn": at}) for at in range(2)]
    run_maintenance(memories, ANA, now=LATER)
    assert [state_of(memories, one) for one in pins] == ["active", "active"]


class Hasty(RecordRepository):
    """Records of which some are forgotten as soon as they were listed, as another process may do."""

    doomed: tuple[str, ...] = ()

    def newest(self, scope: Scope, **more: Any) -> list[MemoryRecord]:
        return self._forgetting(scope, super().newest(scope, **more))

    def dangling(self, scope: Scope) -> list[MemoryRecord]:
        return self._forgetting(scope, super().dangling(scope))

    def _forgetting(self, scope: Scope, found: list[MemoryRecord]) -> list[MemoryRecord]:
        if any(record.id in self.doomed for record in found):
            self.delete(scope, self.doomed)
        return found


def hasty(memories: Repositories, *doomed: MemoryRecord) -> Repositories:
    records = copy.copy(memories.records)
    records.__class__ = Hasty
    records.doomed = tuple(record.id for record in doomed)  # type: ignore[attr-defined]
    made = copy.copy(memories)
    made.records = records
    return made


def test_what_is_forgotten_while_upkeep_runs_ends_nothing_else(memories: Repositories) -> None:
    first = put(memories, "The user drinks tea.")
    second = put(memories, "The user drinks tea.", now=NOON + timedelta(days=1), provenance={"turn": 1})
    report = run_maintenance(hasty(memories, first), ANA, now=LATER)
    assert (report.duplicates, state_of(memories, second)) == ((), "active")


def test_what_is_over_or_linked_nowhere_may_be_forgotten_meanwhile(memories: Repositories) -> None:
    over = put(memories, "The user is in Berlin.", valid_from=NOON, valid_to=NOON + timedelta(days=3))
    assert run_maintenance(hasty(memories, over), ANA, now=LATER).ended == ()
    broken = put(memories, "b", state="archived", links=({"to": "gone", "relation": "related_to"},))
    assert run_maintenance(hasty(memories, broken), ANA, now=LATER).links == 1
    assert state_of(memories, broken) == "gone"
