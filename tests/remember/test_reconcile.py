"""What new facts mean for what is known."""

from __future__ import annotations

import random
from dataclasses import replace
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


def stored_until(city: str, *, days: int) -> MemoryRecord:
    [record] = decide([home(city, valid_to=NOON + timedelta(days=days))[0]]).added
    return record


def until(found: CheckedFact, next_one: Dialogue) -> CheckedFact:
    return replace(found, fact=found.fact.model_copy(update={"valid_to": next_one.created_at}))


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


def test_a_passing_state_whose_end_is_told_anew_ends_then() -> None:
    old = stored_until("Berlin", days=2)
    longer, _ = home("Berlin", 5, valid_to=NOON + timedelta(days=9))
    made = decide([longer], [old])
    assert (made.added, made.confirmed) == ((), (old.id,))
    assert made.changed[0].valid_to == NOON + timedelta(days=9)


def test_of_two_passing_states_the_later_one_holds() -> None:
    old = stored_until("Berlin", days=9)
    made = decide([home("Hamburg", 5, valid_to=NOON + timedelta(days=2))[0]], [old])
    assert [(ended.id, ended.valid_to) for ended in made.changed] == [(old.id, NOON + timedelta(minutes=5))]


def test_a_chain_of_values_in_one_batch_replaces_what_was_known_at_its_first() -> None:
    known = stored("Rome")
    (first, one), (second, two), (third, three) = (
        home(city, at) for at, city in ((2, "Lisbon"), (4, "Porto"), (6, "Faro"))
    )
    facts = [until(first, two), until(second, three), third]
    made = decide(facts, [known])
    spans = [(record.valid_from, record.valid_to) for record in (*made.changed, *made.added)]
    assert spans == [
        (NOON, one.created_at),
        (one.created_at, two.created_at),
        (two.created_at, three.created_at),
        (three.created_at, None),
    ]


def test_a_round_read_late_finds_its_place_between_two_known_values() -> None:
    known: dict[str, MemoryRecord] = {}
    for at, city in ((0, "Lisbon"), (6, "Porto"), (9, "Faro"), (3, "Braga")):
        made = decide([home(city, at)[0]], list(known.values()))
        known |= {record.id: record for record in (*made.added, *made.changed)}
    spans = {record.content[18:-1]: (record.valid_from, record.valid_to) for record in known.values()}
    moments = {at: NOON + timedelta(minutes=at) for at in (0, 3, 6, 9)}
    assert spans == {
        "Lisbon": (moments[0], moments[3]),
        "Braga": (moments[3], moments[6]),
        "Porto": (moments[6], moments[9]),
        "Faro": (moments[9], None),
    }


def test_a_value_read_late_ends_when_what_it_followed_was_retracted() -> None:
    [gone] = decide([], [stored("Lisbon")], [Retraction("user", "city", said_at=NOON + timedelta(minutes=9))]).changed
    made = decide([home("Braga", 3)[0]], [gone])
    [late] = made.added
    assert (late.state, late.valid_to) == ("superseded", NOON + timedelta(minutes=9))


def test_the_same_value_read_late_was_true_earlier() -> None:
    now, _ = home("Lisbon", 9)
    [current] = decide([now]).added
    made = decide([home("Lisbon", 2)[0]], [current, stored("Porto", valid_to=current.valid_from, state="superseded")])
    spans = {record.content: (record.state.value, record.valid_from, record.valid_to) for record in made.changed}
    early = NOON + timedelta(minutes=2)
    assert spans == {
        "The user lives in Lisbon.": ("active", early, None),
        "The user lives in Porto.": ("superseded", NOON, early),
    }


def test_what_was_true_then_and_is_read_late_adds_nothing() -> None:
    past = stored("Lisbon", valid_to=NOON + timedelta(minutes=9), state="superseded")
    made = decide([home("Lisbon", 4)[0]], [past])
    assert (made.added, made.confirmed, made.changed[0].state) == ((), (past.id,), "superseded")


def test_what_was_said_twice_is_true_since_the_first_time() -> None:
    one, two = said("I live in Lisbon", at=1), said("Lisbon, as I said", at=8)
    twice = CheckedFact(fact("The user lives in Lisbon.", one, two, attribute="city"), (one, two))
    assert decide([twice]).added[0].valid_from == one.created_at
    between, _ = home("Porto", 4)
    found = {record.content: record for record in decide([twice, between]).added}
    assert found["The user lives in Lisbon."].valid_from == two.created_at, "something else held in between"


def test_an_archived_value_is_superseded_too() -> None:
    faint = stored("Lisbon", state="archived")
    moved = decide([home("Porto", 5)[0]], [faint])
    assert moved.superseded == (faint.id,)
    back = decide([home("Lisbon", 9)[0]], [*moved.added, *moved.changed])
    assert [record.content for record in back.added] == ["The user lives in Lisbon."]


def test_what_says_the_same_must_not_differ_in_a_word() -> None:
    work = "sprint releases, budgets, hiring, training, travel, support, audits, demos, tests, docs, rent, taxes"
    long = f"The user plans {work} and wages for {{}}."
    one, two = said(long.format("Vega")), said(long.format("Lyra"), at=1)
    [old] = decide([new(long.format("Vega"), one)]).added
    assert len(decide([new(long.format("Lyra"), two)], [old]).added) == 1


def test_suspicious_facts_replace_nothing() -> None:
    old = stored("Lisbon")
    made = decide([home("Porto", 5, state=RecordState.QUARANTINED)[0]], [old])
    assert (made.superseded, len(made.quarantined)) == ((), 1)


def test_the_owner_may_say_what_was_put_aside() -> None:
    aside = stored("Porto", state="quarantined")
    made = decide([home("Porto", 5)[0]], [aside])
    assert [record.state.value for record in made.added] == ["active"]
    again = decide([home("Porto", 7, state=RecordState.QUARANTINED)[0]], [aside])
    assert (again.added, again.changed[0].state) == ((), "quarantined")


def test_the_same_words_of_another_kind_are_the_same() -> None:
    old = stored("Porto", kind="preference")
    assert decide([home("Porto", 5)[0]], [old]).confirmed == (old.id,)


def test_only_what_came_from_the_joke_is_taken_back() -> None:
    truth, (joke, one) = stored("Lisbon"), home("Mars", 5)
    [record] = decide([joke]).added
    told = record.changed(links=({"to": truth.id, "relation": "related_to"},))
    aside = record.changed(id="mem_aside", state="quarantined")
    undone = decide([], [truth, told, aside], [Retraction(rounds=(one.id,))])
    assert [changed.id for changed in undone.changed] == [record.id]


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


def test_a_retraction_ends_what_was_said_before_it_in_the_same_batch() -> None:
    found, one = home("Lisbon", 1)
    later = Retraction("user", "city", said_at=NOON + timedelta(minutes=7))
    [record] = decide([found], [], [later]).added
    assert (record.state, record.valid_to) == ("superseded", later.said_at)
    again, _ = home("Lisbon", 9)
    assert [record.state.value for record in decide([found, again], [], [later]).added] == ["superseded", "active"]


def test_no_longer_there_but_here() -> None:
    old = stored("Lisbon")
    moved, one = home("Porto", 5)
    made = decide([moved], [old], [Retraction("user", "city", said_at=one.created_at)])
    assert [(record.state.value, record.valid_to) for record in (*made.changed, *made.added)] == [
        ("superseded", one.created_at),
        ("active", None),
    ]


def test_a_joke_about_a_passing_state_leaves_the_true_one_its_end() -> None:
    truth = stored_until("Berlin", days=9)
    joke, one = home("Narnia", 5, valid_to=NOON + timedelta(days=20))
    made = decide([joke], [truth])
    undone = decide([], [*made.added, *made.changed], [Retraction(rounds=(one.id,))])
    [berlin] = [record for record in undone.changed if record.id == truth.id]
    assert (berlin.state, berlin.valid_to) == ("active", NOON + timedelta(days=9))


def test_a_joke_that_something_else_replaced_meanwhile_leaves_no_trace_in_history() -> None:
    truth = stored("Lisbon")
    joke, one = home("Mars", 5)
    known = {truth.id: truth}
    for placed in (joke, home("Porto", 8)[0]):
        made = decide([placed], list(known.values()))
        known |= {record.id: record for record in (*made.added, *made.changed)}
    undone = decide([], list(known.values()), [Retraction(rounds=(one.id,))])
    known |= {record.id: record for record in undone.changed}
    then = NOON + timedelta(minutes=6)
    assert [record.content for record in known.values() if record.valid_at(then)] == ["The user lives in Lisbon."]


def test_a_joke_of_the_same_batch_never_held() -> None:
    joke, one, after = *home("Mars", 5), said("just kidding", at=6)
    [made] = decide([joke], [], [Retraction(rounds=(one.id,), evidence=(after.id,))]).added
    assert (made.valid_to, made.note) == (made.valid_from, f"taken back in {after.id}")


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


@given(st.permutations(["Lisbon", "Porto", "Faro", "Braga", "Evora"]), st.randoms(use_true_random=False))
def test_in_whichever_order_rounds_are_read_each_moment_has_its_value(names: list[str], chance: random.Random) -> None:
    order = list(enumerate(names))
    chance.shuffle(order)
    known: dict[str, MemoryRecord] = {}
    for at, name in order:
        made = decide([home(name, at)[0]], list(known.values()))
        known |= {record.id: record for record in (*made.added, *made.changed)}
    for at, name in enumerate(names):
        then = NOON + timedelta(minutes=at, seconds=30)
        assert {record.content for record in known.values() if record.valid_at(then)} == {f"The user lives in {name}."}
    active = [record.content for record in known.values() if record.state == "active"]
    assert active == [f"The user lives in {names[-1]}."]
