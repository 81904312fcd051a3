"""Profiles and the dialogue buffer, on SQLite and PostgreSQL."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from memory_middleware.errors import ConflictError, InvalidInputError, SchemaError
from memory_middleware.schemas import (
    Dialogue,
    MemoryStatus,
    MemoryType,
    Scope,
    UserMemoryContent,
    WorkProfileContent,
)
from memory_middleware.storage.database import Database
from memory_middleware.storage.location import locate
from memory_middleware.storage.migrations import migrate
from memory_middleware.storage.repositories.dialogues import DialogueRepository
from memory_middleware.storage.repositories.profiles import ProfileRepository

USER, WORK = MemoryType.USER, MemoryType.WORK
ODD_OWNERS = ["a", "a.b", "user/1", "user/10", "%", "'", "\0", "\ud800", "🚀", "x" * 10_000]


@pytest.fixture
def database(place: dict[str, Any]) -> Iterator[Database]:
    opened = Database(locate(place["uri"]).sql_url)
    migrate(opened)
    yield opened
    opened.close()


@pytest.fixture
def profiles(database: Database) -> ProfileRepository:
    return ProfileRepository(database)


def test_both_documents_exist_from_the_first_contact(profiles: ProfileRepository) -> None:
    scope = Scope("ana")
    assert profiles.get(scope, USER) == UserMemoryContent()
    assert profiles.get(scope, WORK) == WorkProfileContent()
    profiles.ensure(scope)
    assert profiles.load(scope, USER).version == 1


def test_a_document_is_replaced_patched_and_disabled(profiles: ProfileRepository) -> None:
    scope = Scope("ana")
    first = profiles.put(scope, USER, UserMemoryContent(occupation="cook", interests=["tea"]))
    assert first.version == 2
    second = profiles.patch(scope, USER, {"occupation": None, "timezone": "Asia/Shanghai"})
    assert second.content == UserMemoryContent(timezone="Asia/Shanghai", interests=["tea"])
    assert second.created_at == first.created_at
    assert second.updated_at > first.updated_at
    profiles.set_status(scope, USER, MemoryStatus.DISABLED)
    assert profiles.get(scope, USER) is None
    assert profiles.load(scope, USER).content == second.content
    profiles.set_status(scope, USER, MemoryStatus.ACTIVE)
    assert profiles.get(scope, USER) == second.content


def test_a_lost_update_is_noticed(profiles: ProfileRepository) -> None:
    scope = Scope("ana")
    seen = profiles.load(scope, USER).version
    profiles.patch(scope, USER, {"occupation": "cook"}, version=seen)
    with pytest.raises(ConflictError, match=f"not at version {seen} any more"):
        profiles.patch(scope, USER, {"occupation": "baker"}, version=seen)
    with pytest.raises(ConflictError):
        profiles.put(scope, USER, UserMemoryContent(), version=seen)
    assert profiles.get(scope, USER) == UserMemoryContent(occupation="cook")


def test_what_does_not_fit_changes_nothing(profiles: ProfileRepository) -> None:
    scope = Scope("ana")
    with pytest.raises(SchemaError, match="ocupation: unknown key"):
        profiles.patch(scope, USER, {"ocupation": "x"})
    with pytest.raises(SchemaError, match="the user profile takes UserMemoryContent, not WorkProfileContent"):
        profiles.put(scope, USER, WorkProfileContent())
    assert profiles.load(scope, USER).version == 1


def test_concurrent_patches_are_all_applied(profiles: ProfileRepository) -> None:
    scope = Scope("ana")
    names = ["communication_style", "location_preference", "work_lifestyle"]

    def work(at: int) -> None:
        profiles.patch(scope, USER, {"preferences": {names[at % 3]: f"value {at}"}})

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(work, range(48)))
    found = profiles.load(scope, USER)
    assert found.version == 49
    assert isinstance(found.content, UserMemoryContent)
    assert all(getattr(found.content.preferences, name) for name in names)


def test_odd_owners_have_their_own_documents(profiles: ProfileRepository) -> None:
    for at, owner in enumerate(ODD_OWNERS):
        profiles.patch(Scope(owner), WORK, {"team_context": f"team {at}"})
    for at, owner in enumerate(ODD_OWNERS):
        found = profiles.load(Scope(owner), WORK)
        assert found.owner_id == owner
        assert found.content == WorkProfileContent(team_context=f"team {at}")


def test_there_is_no_scope_without_an_owner() -> None:
    for nobody in ("", None, 5):
        with pytest.raises(SchemaError, match="a scope needs the id of its owner"):
            Scope(nobody)  # type: ignore[arg-type]


def said(owner: str, at: int, session: str = "s") -> Dialogue:
    return Dialogue.create(owner, session, f"question {at}", f"answer {at}", turn=at, message_ids=(f"m{at}",))


def test_exactly_the_rounds_that_were_read_are_settled(database: Database) -> None:
    buffer = DialogueRepository(database)
    scope = Scope("ana")
    for at in range(7):
        assert buffer.append(scope, said("ana", at))
    assert not buffer.append(scope, said("ana", 3))
    batch = buffer.batch(scope, "s", 5)
    assert [entry.turn for entry in batch] == [0, 1, 2, 3, 4]
    assert batch[0] == said("ana", 0).model_copy(update={"created_at": batch[0].created_at})
    buffer.append(scope, said("ana", 7))
    assert buffer.settle(scope, batch) == 5
    assert buffer.settle(scope, batch) == 0
    assert [entry.turn for entry in buffer.batch(scope, "s", 10)] == [5, 6, 7]
    assert buffer.count(scope, "s") == 3


def test_rounds_stay_with_their_owner_and_session(database: Database) -> None:
    buffer = DialogueRepository(database)
    for owner in ODD_OWNERS[:7]:
        buffer.append(Scope(owner), said(owner, 1))
        buffer.append(Scope(owner), said(owner, 1, "other"))
    assert buffer.settle(Scope("a"), buffer.batch(Scope("user/1"), "s", 5)) == 0
    assert all(buffer.count(Scope(owner), "s") == 1 for owner in ODD_OWNERS[:7])
    with pytest.raises(InvalidInputError, match="belongs to 'b'"):
        buffer.append(Scope("a"), said("b", 1))
