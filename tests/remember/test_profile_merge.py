"""What is learned goes into a profile by identity, and never over the owner's own hand."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from memory_middleware.remember.profile_merge import ProfileChange, merge_learned
from memory_middleware.schemas.profile import MemoryType, UserMemoryContent, WorkProfileContent
from memory_middleware.schemas.profile_places import changed_places, moved_places, places_of, restore_place
from memory_middleware.storage.repositories import Repositories
from memory_middleware.storage.repositories.profile_fields import FieldSource
from tests.remember.support import ANA, NOON

HAND = FieldSource("user", 1.0, (), NOON)
LEARNED = FieldSource("extracted", 0.9, ("r1",), NOON)
META = {"source": "extracted", "confidence": 0.9, "last_updated_at": "2026-05-01T12:00:00Z"}


def user(**fields: Any) -> dict[str, Any]:
    return UserMemoryContent.model_validate(fields).model_dump(mode="json")


def learn(
    content: dict[str, Any],
    patch: dict[str, Any] | None = None,
    removals: dict[str, Any] | None = None,
    sources: dict[str, FieldSource] | None = None,
    confidence: float = 0.9,
) -> ProfileChange:
    return merge_learned(content, patch, removals, sources or {}, confidence=confidence, now=NOON)


def test_empty_fields_are_filled() -> None:
    found = learn(user(), {"occupation": "nurse", "preferences": {"communication_style": "terse"}})
    assert found.is_changed
    assert found.content["occupation"] == "nurse"
    assert found.content["preferences"]["communication_style"] == "terse"


def test_what_the_owner_set_by_hand_stays() -> None:
    for sources in ({"occupation": HAND}, {}):
        found = learn(user(occupation="teacher"), {"occupation": "nurse"}, sources=sources)
        assert found.content["occupation"] == "teacher"
        assert found.refused == {"occupation": "nurse"}
        assert not found.is_changed


def test_what_was_learned_is_replaced_by_what_is_sure_enough() -> None:
    known = user(occupation="teacher")
    assert learn(known, {"occupation": "nurse"}, sources={"occupation": LEARNED}).content["occupation"] == "nurse"
    unsure = learn(known, {"occupation": "nurse"}, sources={"occupation": LEARNED}, confidence=0.5)
    assert unsure.content["occupation"] == "teacher"


def test_people_are_found_again_by_name_and_relation() -> None:
    known = user(people=[{"name": "Anna", "relationship": "sister", "meta": META}])
    same = learn(known, {"people": [{"name": "anna", "notes": "vegetarian"}]}).content["people"]
    assert [(one["name"], one["notes"]) for one in same] == [("Anna", "vegetarian")]
    other = learn(known, {"people": [{"name": "Anna", "relationship": "colleague"}]}).content["people"]
    assert [one["relationship"] for one in other] == ["sister", "colleague"]
    assert other[1]["meta"] == META


def test_there_is_one_home_at_a_time() -> None:
    known = user(places=[{"name": "Lisbon", "category": "home", "meta": META}, {"name": "Gym", "category": "frequent"}])
    found = learn(known, {"places": [{"name": "Porto", "category": "home"}]})
    assert [one["name"] for one in found.content["places"]] == ["Gym", "Porto"]
    assert found.displaced["places:porto"]["name"] == "Lisbon"
    by_hand = user(places=[{"name": "Lisbon", "category": "home"}])
    kept = learn(by_hand, {"places": [{"name": "Porto", "category": "home"}]}).content["places"]
    assert [one["name"] for one in kept] == ["Lisbon", "Porto"], "what the owner wrote stays"


def test_there_is_one_boss_at_a_time_in_both_languages() -> None:
    known = user(people=[{"name": "Helen", "relationship": "老板", "meta": META}])
    found = learn(known, {"people": [{"name": "Rajiv", "relationship": "boss"}]}).content["people"]
    assert [one["name"] for one in found] == ["Rajiv"]
    sisters = user(people=[{"name": "Anna", "relationship": "sister", "meta": META}])
    both = learn(sisters, {"people": [{"name": "Eva", "relationship": "sister"}, "Tom"]}).content["people"]
    assert len(both) == 3


def test_what_was_said_since_stays() -> None:
    newer = LEARNED._replace(updated_at=NOON + timedelta(days=1))
    meta = {**META, "last_updated_at": "2026-05-02T12:00:00Z"}
    known = user(
        occupation="nurse",
        interests=["golf"],
        places=[{"name": "Porto", "category": "home", "meta": meta}],
        people=[{"name": "Li", "role": "pilot", "meta": meta}],
    )
    patch = {
        "occupation": "teacher",
        "places": [{"name": "Lisbon", "category": "home"}],
        "people": [{"name": "Li", "role": "cook"}],
    }
    sources = {"occupation": newer, "interests:golf": newer}
    found = learn(known, patch, {"interests": ["golf"]}, sources)
    assert not found.is_changed


def test_partners_move_on() -> None:
    known = user(people=[{"name": "Li", "relationship": "girlfriend", "meta": META}])
    [one] = learn(known, {"people": [{"name": "Li", "relationship": "wife"}]}).content["people"]
    assert one["relationship"] == "wife"


def test_entries_written_by_hand_are_only_filled_up() -> None:
    known = user(people=[{"name": "Marta", "role": "boss"}])
    found = learn(known, {"people": [{"name": "Marta", "role": "friend", "notes": "tall"}]})
    [one] = found.content["people"]
    assert (one["role"], one["notes"]) == ("boss", "tall")
    assert found.refused == {"people:marta.role": "friend"}


def test_lists_unite() -> None:
    known = user(interests=["Hiking"])
    assert learn(known, {"interests": ["hiking", "chess", "Chess"]}).content["interests"] == ["Hiking", "chess"]
    windows = [{"weekdays": [], "start": "09:00", "end": "10:00"}]
    patch = {"scheduling_preferences": {"no_meeting_windows": windows}}
    twice = learn(learn(known, patch).content, patch)
    assert twice.content["scheduling_preferences"]["no_meeting_windows"] == windows
    assert not twice.is_changed


def test_projects_gain_collaborators() -> None:
    known = WorkProfileContent.model_validate(
        {"current_projects": [{"name": "Harbour", "collaborators": ["Tom"], "status": "active", "meta": META}]}
    ).model_dump(mode="json")
    patch = {"current_projects": [{"name": "harbour", "collaborators": ["Ana"], "status": "paused"}]}
    [project] = learn(known, patch).content["current_projects"]
    assert (project["collaborators"], project["status"]) == (["Tom", "Ana"], "paused")
    assert learn(known, {"current_projects": [{"name": "harbour", "notes": None}]}).content == known


def test_removals_take_out_what_was_learned() -> None:
    known = user(people=[{"name": "Tom"}, {"name": "Marta"}], occupation="nurse", interests=["golf"])
    known["preferences"]["work_lifestyle"] = "remote"
    sources = {
        "people:tom": LEARNED,
        "people:marta": HAND,
        "occupation": LEARNED,
        "interests:golf": LEARNED,
        "preferences.work_lifestyle": LEARNED,
    }
    removals = {
        "people": ["Tom", "Marta"],
        "occupation": None,
        "interests": ["golf"],
        "preferences": {"work_lifestyle": None},
        "timezone": None,
    }
    found = learn(known, None, removals, sources).content
    assert [one["name"] for one in found["people"]] == ["Marta"]
    assert (found["occupation"], found["interests"], found["preferences"]["work_lifestyle"]) == (None, [], None)


def test_places_name_every_value() -> None:
    content = user(
        occupation="nurse",
        people=[{"name": "Marta"}],
        interests=["Chess "],
        preferences={"communication_style": "terse"},
        scheduling_preferences={"preferred_meeting_duration_minutes": [30]},
    )
    assert set(places_of(content)) == {
        "occupation",
        "people:marta",
        "interests:chess",
        "preferences.communication_style",
        "scheduling_preferences.preferred_meeting_duration_minutes",
    }
    assert changed_places(user(occupation="nurse"), user(timezone="Asia/Shanghai")) == ({"timezone"}, {"occupation"})


def test_a_place_can_be_restored() -> None:
    content = user(occupation="nurse", people=[{"name": "Marta"}], interests=["chess"])
    content["scheduling_preferences"]["preferred_meeting_duration_minutes"] = [30]
    restore_place(content, "occupation", "teacher")
    restore_place(content, "people:marta")
    restore_place(content, "people:tom", {"name": "Tom"})
    restore_place(content, "interests:chess", "go")
    restore_place(content, "scheduling_preferences.preferred_meeting_duration_minutes")
    assert (content["occupation"], [one["name"] for one in content["people"]]) == ("teacher", ["Tom"])
    assert content["interests"] == ["go"]
    assert content["scheduling_preferences"]["preferred_meeting_duration_minutes"] == []


TWINS = user(
    people=[
        {"name": "Tom", "relationship": "brother", "meta": META},
        {"name": "Tom", "relationship": "neighbor", "meta": META},
    ]
)
TWIN_SOURCES = {"people:tom": LEARNED, "people:tom (neighbor)": LEARNED}


def relations(change: ProfileChange) -> list[str]:
    return [one["relationship"] for one in change.content["people"]]


def test_of_two_namesakes_only_the_one_who_is_meant_goes() -> None:
    for gone, left in (("neighbour", "brother"), ("brother", "neighbor"), ("哥哥", "neighbor")):
        found = learn(TWINS, removals={"people": [{"name": "tom", "relationship": gone}]}, sources=TWIN_SOURCES)
        assert relations(found) == [left]


def test_nobody_goes_if_it_is_not_told_which_namesake_is_meant() -> None:
    found = learn(TWINS, removals={"people": ["Tom"]}, sources=TWIN_SOURCES)
    assert (relations(found), found.refused) == (["brother", "neighbor"], {"people:tom": None})
    alone = user(people=[{"name": "Tom", "relationship": "brother", "meta": META}])
    assert relations(learn(alone, removals={"people": ["Tom"]}, sources={"people:tom": LEARNED})) == []


def test_what_is_said_of_a_bare_name_is_not_put_down_to_one_of_two() -> None:
    found = learn(TWINS, {"people": [{"name": "Tom", "notes": "left-handed"}]}, sources=TWIN_SOURCES)
    assert (found.is_changed, set(found.refused)) == (False, {"people:tom"})
    told = learn(TWINS, {"people": [{"name": "Tom", "relationship": "neighbour", "notes": "left-handed"}]})
    assert [one["notes"] for one in told.content["people"]] == [None, "left-handed"]


def test_words_for_one_relation_mean_one_person() -> None:
    known = user(people=[{"name": "Ana", "relationship": "mum", "meta": META}])
    assert len(learn(known, {"people": [{"name": "Ana", "relationship": "妈妈"}]}).content["people"]) == 1


def test_namesakes_have_places_of_their_own() -> None:
    assert set(places_of(TWINS)) >= {"people:tom", "people:tom (neighbor)"}
    without = learn(TWINS, removals={"people": [{"name": "Tom", "relationship": "brother"}]}, sources=TWIN_SOURCES)
    assert moved_places(TWINS, without.content) == {"people:tom": "people:tom (neighbor)"}
    content = {**TWINS, "people": [dict(one) for one in TWINS["people"]]}
    restore_place(content, "people:tom (neighbor)")
    assert [one["relationship"] for one in content["people"]] == ["brother"]


def test_a_namesake_keeps_where_it_comes_from_when_the_other_goes(memories: Repositories) -> None:
    memories.profiles.put(
        ANA, MemoryType.USER, UserMemoryContent.model_validate({"people": TWINS["people"][:1]}), source=LEARNED
    )
    memories.profiles.put(ANA, MemoryType.USER, UserMemoryContent.model_validate({"people": TWINS["people"]}))
    memories.profiles.put(
        ANA, MemoryType.USER, UserMemoryContent.model_validate({"people": TWINS["people"][1:]}), source=LEARNED
    )
    assert memories.profiles.fields.get(ANA, MemoryType.USER)["people:tom"].source == "user"


def test_what_ended_leaves_the_profile_if_it_was_learned_and_still_stands() -> None:
    known = user(occupation="nurse", timezone="Europe/Lisbon", primary_language="Danish")
    sources = {"occupation": LEARNED, "timezone": HAND, "primary_language": LEARNED}
    found = merge_learned(
        known, {"primary_language": "Dutch"}, None, sources, confidence=0.9, now=NOON, is_over=lambda place, value: True
    ).content
    assert (found["occupation"], found["timezone"], found["primary_language"]) == (None, "Europe/Lisbon", "Dutch")
