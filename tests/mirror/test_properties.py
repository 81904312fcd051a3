"""Whatever is done by whom, a fresh memory over the same store is the same."""

from __future__ import annotations

from collections.abc import Callable

from hypothesis import given, settings
from hypothesis import strategies as st
from langgraph.store.memory import InMemoryStore

from memory_middleware import Memory, Scope
from memory_middleware.storage import memory_tables
from memory_middleware.storage.mirror.foreign import Head
from memory_middleware.storage.mirror.mirror import _MOST_NEWS, _moved
from memory_middleware.storage.mirror.tables import MIRRORED, schema
from memory_middleware.storage.tables import metadata
from tests.mirror.support import over, say, told

OWNERS = ("ana", "a.b")
CITIES = ("Lisbon", "Porto", "罗马")


def remember(memory: Memory, owner: str, number: int) -> None:
    memory.remember(owner, f"The user lives in {CITIES[number % 3]}.", subject="user", attribute="city")


def chat(memory: Memory, owner: str, number: int) -> None:
    say(memory, f"I like tea number {number}.", f"Tea {number}.", thread=f"t{number % 2}", owner=owner)


def extract(memory: Memory, owner: str, _number: int) -> None:
    memory.flush(owner)


def forget(memory: Memory, owner: str, number: int) -> None:
    found = [record.id for record in memory.list_records(owner, limit=100).records]
    if found:
        memory.forget(owner, ids=found[number % len(found)], with_sources=number % 2 == 0)


def forget_thread(memory: Memory, owner: str, number: int) -> None:
    memory.forget(Scope(owner, f"t{number % 2}"), thread=True)


def forget_all(memory: Memory, owner: str, _number: int) -> None:
    memory.forget(owner, everything=True)


def describe(memory: Memory, owner: str, number: int) -> None:
    memory.update_profile(owner, ("user", "work")[number % 2], {"occupation": f"nurse {number}"})


def use(memory: Memory, owner: str, number: int) -> None:
    for hit in memory.recall(owner, "tea", limit=3):
        memory.journal.record_memory_usage(Scope(owner, "t0"), hit.record.id, "tea", number % 2 == 0)


def edit(memory: Memory, owner: str, number: int) -> None:
    for record in memory.list_records(owner, limit=1).records:
        memory.edit_record(owner, record.id, tags=[f"tag{number}"])


def maintain(memory: Memory, owner: str, _number: int) -> None:
    memory.maintain(owner)


DEEDS: tuple[Callable[[Memory, str, int], None], ...] = (
    remember,
    chat,
    chat,
    extract,
    forget,
    forget_thread,
    forget_all,
    describe,
    use,
    edit,
    maintain,
)
steps = st.lists(
    st.tuples(st.sampled_from(DEEDS), st.booleans(), st.sampled_from(OWNERS), st.integers(0, 5)), max_size=10
)


@settings(max_examples=25)
@given(steps)
def test_a_fresh_memory_is_the_same(done: list[tuple[Callable[[Memory, str, int], None], bool, str, int]]) -> None:
    store = InMemoryStore()
    with over(store) as one, over(store) as two:
        for deed, by_two, owner, number in done:
            deed(two if by_two else one, owner, number)
        with over(store) as fresh:
            for owner in OWNERS:
                before = told(one, owner)
                assert told(fresh, owner) == before
                assert told(two, owner) == before


@given(st.lists(st.integers(1, 400), min_size=1, max_size=12))
def test_news_tell_all_since_a_write_or_admit_that_they_do_not(sizes: list[int]) -> None:
    head, written = Head("writer", "00"), dict[int, set[tuple[str, str]]]()
    for at, size in enumerate(sizes, start=1):
        written[at] = {("table", f"{at}-{row}") for row in range(size)}
        head = _moved(head, sorted(written[at]))
        assert head.writes == at
        assert len(head.news) <= _MOST_NEWS
        for count in range(head.since + 1, at + 1):
            assert {row for number, row in head.news if number == count} == written[count]


def test_every_table_of_an_owner_is_mirrored_or_follows_from_the_items() -> None:
    derived = {memory_tables.records.name, memory_tables.experience.name, memory_tables.links.name}
    owned = {table.name for table in metadata.sorted_tables if "owner" in table.columns}
    assert set(MIRRORED) | derived == owned
    assert len([line for line in schema() if "TRIGGER" in line]) == 3 * len(MIRRORED) + 3 * 2 + 1
    for table in MIRRORED.values():
        assert table.named_by
        assert set(table.named_by) <= set(table.columns)
