"""What new facts mean for what is known."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory_middleware import Dialogue, MemoryRecord
from memory_middleware.remember.checking import CheckedFact
from memory_middleware.remember.extraction.base import Retraction
from memory_middleware.remember.likeness import is_near
from memory_middleware.remember.reconcile import Operations, reconcile
from memory_middleware.schemas.record import RecordState, TrustTier
from tests.remember.support import NOON, fact, said


def new(content: str, one: Dialogue, *, trust: TrustTier = TrustTier.USER, **more: Any) -> CheckedFact:
    state = more.pop("state", RecordState.ACTIVE)
    return CheckedFact(fact(content, one, **more), (one,), trust, state)


def decide(
    facts: list[CheckedFact], known: list[MemoryRecord] | None = None, retractions: list[Retraction] | None = None
) -> Operations:
    return reconcile(
        facts, retractions or [], known or [], owner_id="ana", thread_id="t1", now=NOON + timedelta(hours=1)
    )


def home(city: str, at: int = 0, **more: Any) -> tuple[CheckedFact, Dialogue]:
    one = said(f"I live in {city}", at=at)
    return new(f"The user lives in {city}.", one, attribute="city", **more), one


def stored(city: str, **more: Any) -> MemoryRecord:
    [record] = decide([home(city)[0]]).added
    return record.changed(**more) if more else record


def test_a_new_fact_is_added_with_where_it_came_from() -> None:
    found, one = home("Lisbon")
    [record] = decide([found]).added
    assert (record.content, record.subject, record.attribute) == ("The user lives in Lisbon.", "user", "city")
    assert record.provenance.round_ids == (one.id,)
    assert record.valid_from == one.created_at


def test_a_retry_adds_nothing() -> None:
    assert decide([home("Lisbon")[0]], [stored("Lisbon")]) == Operations()


def test_the_same_again_confirms() -> None:
    again, _ = home("Lisbon", 5)
    old = stored("Lisbon", confidence=0.7)
    made = decide([again], [old])
    assert (made.added, made.confirmed) == ((), (old.id,))
    assert made.changed[0].confidence == 1.0


def test_what_was_archived_lives_again_when_it_is_said_again() -> None:
    again, _ = home("Lisbon", 5)
    made = decide([again], [stored("Lisbon", state="archived")])
    assert made.changed[0].state == "active"


def test_a_new_value_at_an_address_supersedes_the_old_one() -> None:
    old = stored("Lisbon")
    moved, one = home("Porto", 5)
    made = decide([moved], [old])
    [record], [ended] = made.added, made.changed
    assert (ended.id, ended.state, ended.valid_to) == (old.id, "superseded", one.created_at)
    assert [(link.to_id, link.relation) for link in record.links] == [(old.id, "supersedes")]
    assert made.superseded == (old.id,)


def test_later_facts_of_a_batch_supersede_earlier_ones() -> None:
    made = decide([home("Lisbon")[0], home("Porto", 1)[0], home("Faro", 2)[0]])
    assert [(record.content, record.state.value) for record in made.added] == [
        ("The user lives in Lisbon.", "superseded"),
        ("The user lives in Porto.", "superseded"),
        ("The user lives in Faro.", "active"),
    ]


def test_a_round_read_late_becomes_history() -> None:
    now, _ = home("Porto", 9)
    [current] = decide([now]).added
    made = decide([home("Lisbon", 1)[0]], [current])
    [record] = made.added
    assert (record.state, record.valid_to, made.changed) == ("superseded", current.valid_from, ())


def test_values_with_addresses_of_their_own_live_together() -> None:
    one = said("I speak French and German")
    made = decide(
        [
            new("The user speaks French.", one, attribute="speaks:french"),
            new("The user speaks German.", one, attribute="speaks:german"),
        ]
    )
    assert [record.state.value for record in made.added] == ["active", "active"]


def test_what_merely_resembles_is_never_replaced() -> None:
    first, second = said("my son likes tea"), said("my daughter likes tea", at=1)
    old = decide([new("The user's son likes green tea.", first, subject="son")]).added
    made = decide([new("The user's daughter likes green tea.", second, subject="daughter")], list(old))
    assert (len(made.added), made.superseded, made.confirmed) == (1, (), ())


def test_an_explicit_replace_supersedes() -> None:
    one, two = said("the code name is Falcon"), said("we renamed it to Harbour", at=1)
    [old] = decide([new("The project is called Falcon.", one)]).added
    made = decide([new("The project is called Harbour.", two, replace="the project is called falcon")], [old])
    assert made.superseded == (old.id,)


def test_a_less_trusted_word_does_not_replace_a_more_trusted_one() -> None:
    old = stored("Lisbon")
    other, _ = home("Porto", 5, trust=TrustTier.ASSISTANT)
    made = decide([other], [old])
    [record] = made.added
    assert (record.state, record.links[0].relation, made.contradicted) == ("quarantined", "contradicts", (old.id,))
    assert made.quarantined == (record.id,)
    assert made.changed == ()


def test_nothing_replaces_what_is_pinned() -> None:
    old = stored("Lisbon", pinned=True)
    made = decide([home("Porto", 5)[0]], [old])
    assert made.added[0].note == "it contradicts what is known and pinned: The user lives in Lisbon."


def test_a_passing_state_does_not_replace_a_lasting_one() -> None:
    old = stored("Lisbon")
    away, one = home("Berlin", 5, valid_to=NOON + timedelta(days=3))
    made = decide([away], [old])
    assert (made.superseded, made.added[0].valid_to) == ((), NOON + timedelta(days=3))
    over = decide([home("Berlin", 5, valid_to=NOON - timedelta(days=3))[0]])
    assert over.added[0].valid_to is None, "an end before its beginning is no end"


def test_a_fact_that_a_later_one_of_the_batch_ends_was_no_passing_state() -> None:
    later, two = home("Porto", 5)
    first, _ = home("Lisbon", 0, valid_to=two.created_at)
    made = decide([first, later], [])
    assert [(record.state.value, record.valid_to) for record in made.added] == [
        ("superseded", two.created_at),
        ("active", None),
    ]


def test_suspicious_facts_replace_nothing() -> None:
    old = stored("Lisbon")
    made = decide([home("Porto", 5, state=RecordState.QUARANTINED)[0]], [old])
    assert (made.superseded, len(made.quarantined)) == ((), 1)


@pytest.mark.parametrize(
    "retraction",
    [Retraction("User", " CITY "), Retraction(content="the user lives in lisbon")],
    ids=["by address", "by content"],
)
def test_a_retraction_ends_without_a_successor(retraction: Retraction) -> None:
    old = stored("Lisbon")
    made = decide([], [old], [retraction])
    assert made.superseded == (old.id,)
    assert made.changed[0].valid_to == NOON + timedelta(hours=1)


def test_a_joke_is_taken_back_and_the_truth_returns() -> None:
    truth = stored("Lisbon")
    joke, one = home("Mars", 5)
    made = decide([joke], [truth])
    known = [*made.added, *made.changed]
    undone = decide([], known, [Retraction(rounds=(one.id,))])
    states = {record.content: (record.state.value, record.valid_to) for record in undone.changed}
    assert states == {
        "The user lives in Mars.": ("superseded", one.created_at),
        "The user lives in Lisbon.": ("active", None),
    }


def test_a_joke_of_the_same_batch_is_not_taken() -> None:
    joke, one = home("Mars", 5)
    after = said("just kidding", at=6)
    assert decide([joke], [], [Retraction(rounds=(one.id,), evidence=(after.id,))]).added == ()


def test_nearly_the_same_words_must_agree_in_numbers_and_denial() -> None:
    assert is_near(
        "The user drinks green tea every morning at home.", "the user drinks green tea every morning, at home"
    )
    assert not is_near("The user has 2 dogs.", "The user has 3 dogs.")
    assert not is_near("The user eats meat and fish and eggs.", "The user does not eat meat and fish and eggs.")
    assert not is_near("用户喜欢吃鱼肉和鸡蛋。", "用户不喜欢吃鱼肉和鸡蛋。")


cities = st.lists(st.sampled_from(["Lisbon", "Porto", "Faro", "Braga"]), min_size=1, max_size=8)


@given(cities)
def test_at_an_address_one_value_holds_and_history_has_no_gap(names: list[str]) -> None:
    known: dict[str, MemoryRecord] = {}
    for at, name in enumerate(names):
        made = decide([home(name, at)[0]], list(known.values()))
        known |= {record.id: record for record in (*made.added, *made.changed)}
    active = [record for record in known.values() if record.state == "active"]
    assert [record.content for record in active] == [f"The user lives in {names[-1]}."]
    spans = sorted((record.valid_from, record.valid_to) for record in known.values() if record.valid_from)
    for (_, end), (start, _) in zip(spans, spans[1:], strict=False):
        assert end == start
