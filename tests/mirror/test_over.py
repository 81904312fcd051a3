"""A whole memory in a store of somebody else's."""

from __future__ import annotations

import tempfile
from pathlib import Path

import pytest
from langchain_core.embeddings import DeterministicFakeEmbedding
from langgraph.store.base import BaseStore
from langgraph.store.memory import InMemoryStore

from memory_middleware import InvalidInputError, LanceStore, Memory, MemoryConfig, Scope, StoreError, UserMemoryContent
from memory_middleware.memory.building import folder_of
from memory_middleware.schemas.record import RecordState
from tests.mirror.support import MANUAL, Moody, facts, over, say, text_in, told

HOSTILE = ["a.b", "a", "user/1", "user/10", "100%", "o'hara\"; --", "nul\0byte", "🦊", "x" * 10_000, "owners", "heads"]


def test_what_is_said_is_extracted_recalled_and_profiled(store: BaseStore) -> None:
    with over(store) as memory:
        say(memory, "I live in Lisbon. My dog is called Bruno.")
        memory.flush("ana")
        assert "The user has a dog named Bruno." in facts(memory)
        assert "Bruno" in say(memory, "What is my dog called?", "Bruno.", thread="t2").block.text
        profile = memory.profile("ana")
        assert isinstance(profile, UserMemoryContent)
        assert [place.name for place in profile.places] == ["Lisbon"]
        assert memory.stats("ana").turns == 2


def test_a_new_memory_reads_everything_back_exactly(store: BaseStore) -> None:
    with over(store) as first:
        for at in range(3):
            say(first, f"I have a friend called Friend{at}. I like tea number {at}.", thread=f"t{at % 2}")
        first.flush("ana")
        say(first, "What do I like?", "Tea number 2.", thread="t1")
        first.update_profile("ana", "work", {"team_context": "Ward 4"})
        kept = first.remember("ana", "The user plays chess.", tags=["hobby"])
        first.journal.pin(Scope("ana"), kept.id)
        first.edit_record("ana", kept.id, content="The user plays chess on Sundays.")
        first.maintain("ana")
        before = told(first)
    with over(store) as second:
        assert told(second) == before
        assert second.edits("ana", kept.id)[0].before["content"] == "The user plays chess."
        assert [turn.turn.query for turn in second.list_turns("ana").turns][0] == "What do I like?"


def test_history_can_be_asked_as_of_a_moment(store: BaseStore) -> None:
    with over(store) as memory:
        before = memory.remember("ana", "The user lives in Lisbon.", subject="user", attribute="city")
        memory.remember("ana", "The user lives in Porto.", subject="user", attribute="city")
    with over(store) as again:
        then = again.recall("ana", "where does the user live", as_of=before.valid_from, include=list(RecordState))
        assert [hit.record.content for hit in then] == ["The user lives in Lisbon."]
        assert [hit.record.content for hit in again.recall("ana", "where")] == ["The user lives in Porto."]


def test_what_is_forgotten_is_nowhere_in_the_store(store: BaseStore) -> None:
    with over(store) as memory:
        say(memory, "My secret garden is in Sintra.")
        memory.flush("ana")
        memory.remember("ana", "The user hides a key in Sintra.")
        assert "Sintra" in text_in(store)
        memory.forget("ana", everything=True)
        assert "Sintra" not in text_in(store)
    with over(store) as again:
        assert not facts(again)


@pytest.mark.parametrize("text", ["nul \0 here", "tab\tand 中文 🦊", '\\u0000 \\ "quoted"'])
def test_any_text_survives(store: BaseStore, text: str) -> None:
    with over(store) as memory:
        kept = memory.remember("ana", f"The user said {text} once.").content
    with over(store) as again:
        assert facts(again) == {kept}


def test_hostile_owners_reach_only_their_own(store: BaseStore) -> None:
    with over(store) as memory:
        for number, owner in enumerate(HOSTILE):
            memory.remember(owner, f"The user has number {number}.")
    with over(store) as again:
        for number, owner in enumerate(HOSTILE):
            assert facts(again, owner) == {f"The user has number {number}."}
        again.forget("user/1", everything=True)
        assert facts(again, "user/10")
        assert sorted(again.owners()) == sorted(HOSTILE)


def test_experience_links_and_expiry_come_along(store: BaseStore, tmp_path: Path) -> None:
    with Memory.open(tmp_path / "own", config=MANUAL) as own:
        own.remember("ana", "The user lives in Lisbon.", subject="user", attribute="city")
        own.remember("ana", "The user lives in Porto.", subject="user", attribute="city")
        say(own, "I have a cat named Tom.")
        own.flush("ana")
        lines = list(own.export())
    with over(store) as memory:
        memory.import_lines(lines)
        assert told(memory) == lines[1:]
    with over(store) as again:
        assert again.import_lines(lines).added.get("record", 0) == 0
        assert told(again, None) == lines[1:]


def test_everybody_is_found_by_what_names_nobody(store: BaseStore) -> None:
    with over(store) as first:
        say(first, "I live in Rome.", owner="bob")
        say(first, "I live in Oslo.", owner="eve")
    with over(store) as second:
        assert set(second.owners()) == {"bob", "eve"}
        assert len(second.flush()) == 2
        assert len(second.maintain()) == 2
    with over(store) as third:
        assert "Rome" in "".join(third.export())


def test_the_store_stays_open_and_the_working_copy_goes_away(store: BaseStore) -> None:
    memory = Memory.over(store, MANUAL)
    folder = Path(str(memory.store.database.url.database)).parent
    assert folder.is_dir()
    assert Path(tempfile.gettempdir()) in folder.parents
    memory.close()
    memory.close()
    assert not folder.exists()
    store.put(("mine",), "k", {"a": 1})
    assert store.get(("mine",), "k")


def test_a_store_of_our_own_is_used_as_it_is(tmp_path: Path) -> None:
    with LanceStore.open(tmp_path / "m", embedding=None) as own:
        with Memory.over(own, MANUAL) as memory:
            assert memory.store is own
            memory.remember("ana", "The user plays chess.")
        assert own.memories.records.count(Scope("ana"))[RecordState.ACTIVE] == 1
        with pytest.raises(InvalidInputError, match="has its embedder"):
            Memory.over(own, embedding="local")


def test_something_else_than_a_store_is_refused() -> None:
    with pytest.raises(InvalidInputError, match=r"not '\./memory'; Memory\.open takes a place"):
        Memory.over("./memory")  # type: ignore[arg-type]


def test_files_of_sources_do_not_go_into_the_working_copy(moody: Moody, tmp_path: Path) -> None:
    config = MemoryConfig.from_dict({"storage": {"path": str(tmp_path / "files")}})
    with over(moody, config) as memory:
        assert folder_of(config, memory.store) == tmp_path / "files"
        assert str(memory.store.database.url.database).startswith(tempfile.gettempdir())


def test_other_values_than_memories_are_refused_by_the_working_copy(memory: Memory, moody: Moody) -> None:
    with pytest.raises(InvalidInputError, match="put it into the store that keeps the memory"):
        memory.store.put(("notes", "ana"), "k", {"text": "lost"})
    record = memory.remember("ana", "The user plays chess.")
    place = ("memories", "ana", "fact")
    found = memory.store.get(place, record.id)
    assert found is not None
    with over(moody) as other:
        assert [item.key for item in other.store.search(("memories", "ana"))] == [record.id]
        other.store.put(place, record.id, {**found.value, "content": "The user plays go."})
        assert facts(memory) == {"The user plays go."}
        other.store.delete(place, record.id)
    assert not facts(memory)


def test_vectors_of_a_named_embedder_travel_with_the_items(moody: Moody) -> None:
    embedder = Counting(size=8)
    with over(moody, embedding=embedder) as memory:
        memory.remember("ana", "The user plays chess.")
    assert "'embedder': " in text_in(moody)
    made = embedder.made
    with over(moody, embedding=embedder) as again:
        assert facts(again) == {"The user plays chess."}
        assert embedder.made == made
    with over(moody, embedding=Counting(size=16, model="another")) as other:
        assert facts(other) == {"The user plays chess."}
    item = next(item for place, items in moody._data.items() if place[-1] == "store_items" for item in items.values())
    item.value["vectors"] = "AAAAAAA="  # five bytes are no vector
    with over(moody, embedding=embedder) as again, pytest.raises(StoreError, match="is not as it was written"):
        facts(again)


class Counting(DeterministicFakeEmbedding):
    """An embedder that says what it is, and counts its texts."""

    model: str = "counting"
    made: int = 0

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        self.made += len(texts)
        return super().embed_documents(texts)


def test_a_memory_over_a_store_needs_no_configuration() -> None:
    with Memory.over(InMemoryStore()) as memory:
        memory.remember("ana", "The user plays chess.")
        assert facts(memory) == {"The user plays chess."}
