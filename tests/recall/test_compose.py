"""Profiles in prompts, under a budget."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from memory_middleware import (
    AgentType,
    InvalidInputError,
    MemoryType,
    PromptLibrary,
    TokenCounter,
    UserMemoryContent,
    WorkProfileContent,
    build_system_prompt,
    build_user_memory_prompt,
    build_work_memory_prompt,
    compose_prompt,
)
from memory_middleware.recall import insert_block
from memory_middleware.schemas.neutral import neutralise
from tests.support import ROOT

NOW = datetime(2026, 11, 16, 12, tzinfo=UTC)
GOLDEN = Path(__file__).parent / "golden"


def profiles(language: str) -> tuple[UserMemoryContent, WorkProfileContent]:
    name = "profile.yaml" if language == "en" else f"profile.{language}.yaml"
    data = yaml.safe_load((ROOT / "examples" / "demo" / name).read_text(encoding="utf-8"))
    return UserMemoryContent.model_validate(data["user"]), WorkProfileContent.model_validate(data["work"])


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("agent", list(AgentType))
def test_a_prompt_is_the_golden_one(agent: AgentType, language: str, request: pytest.FixtureRequest) -> None:
    user, work = profiles(language)
    text = build_system_prompt(agent, user_memory=user, work_memory=work, language=language, now=NOW)
    golden = GOLDEN / f"{agent}.{language}.txt"
    if request.config.getoption("--update-golden"):
        golden.parent.mkdir(exist_ok=True)
        golden.write_text(text, encoding="utf-8")
    assert text == golden.read_text(encoding="utf-8")


def test_each_agent_is_given_its_own_profile() -> None:
    user, work = profiles("en")
    router = build_system_prompt(AgentType.ROUTER, user_memory=user, work_memory=work)
    worker = build_system_prompt(AgentType.WORKER, user_memory=user, work_memory=work)
    assert "Marta Reis" in router
    assert "Harbour" not in router
    assert "Harbour" in worker
    assert "Marta Reis" not in worker


def test_nothing_remembered_means_nothing_injected() -> None:
    for empty in (None, UserMemoryContent()):
        text = build_system_prompt(AgentType.ROUTER, user_memory=empty)
        assert "USER_MEMORY" not in text
    assert build_user_memory_prompt(UserMemoryContent()) == ""
    assert build_work_memory_prompt(None) == ""


def test_a_prompt_of_ones_own_is_used() -> None:
    user, _ = profiles("en")
    text = build_system_prompt(AgentType.ROUTER, user_memory=user, prompt="A <!-- USER_MEMORY --> B")
    assert text.startswith("A\n<!-- USER_MEMORY_START -->\n")
    assert text.endswith("\n<!-- USER_MEMORY_END -->\nB\n")
    assert build_system_prompt(AgentType.WORKER, prompts=PromptLibrary(language="zh")).startswith("你是执行智能体")


def test_composing_twice_replaces() -> None:
    user, _ = profiles("en")
    once = build_system_prompt(AgentType.ROUTER, user_memory=user)
    assert build_system_prompt(AgentType.ROUTER, user_memory=user, prompt=once) == once
    changed = build_system_prompt(AgentType.ROUTER, user_memory=UserMemoryContent(occupation="cook"), prompt=once)
    assert changed.count("USER_MEMORY_START") == 1
    assert "Marta Reis" not in changed
    assert "USER_MEMORY" not in build_system_prompt(AgentType.ROUTER, prompt=once)


def test_without_a_placeholder_the_block_comes_last() -> None:
    text = insert_block("Hello.", "x", MemoryType.WORK)
    assert text == "Hello.\n\n<!-- WORK_MEMORY_START -->\nx\n<!-- WORK_MEMORY_END -->\n"
    assert insert_block("Hello.", "", MemoryType.WORK) == "Hello."


def test_only_the_first_placeholder_is_filled() -> None:
    text = insert_block("A\n<!-- USER_MEMORY -->\nB\n<!-- USER_MEMORY -->\nC", "x", MemoryType.USER)
    assert text == "A\n<!-- USER_MEMORY_START -->\nx\n<!-- USER_MEMORY_END -->\nB\nC\n"


def test_markers_that_a_prompt_talks_about_are_left_alone() -> None:
    talk = "Memory stands between <!-- USER_MEMORY_START --> and <!-- USER_MEMORY_END -->.\nRULE: be kind.\n"
    for prompt in (talk, f"{talk}\n<!-- USER_MEMORY -->\n", f"Memory begins at <!-- USER_MEMORY_START -->.\n{talk}"):
        once = insert_block(prompt, "x", MemoryType.USER)
        assert insert_block(once, "x", MemoryType.USER) == once
        assert once.count("\n<!-- USER_MEMORY_START -->\nx\n<!-- USER_MEMORY_END -->\n") == 1
        assert talk in once


TEMPLATES = st.lists(
    st.sampled_from(
        [
            "rule",
            "",
            "<!-- USER_MEMORY -->",
            "say <!-- USER_MEMORY --> here",
            "<!-- USER_MEMORY_START -->",
            "x <!-- USER_MEMORY_END -->",
        ]
    ),
    max_size=6,
).map("\n".join)


@given(TEMPLATES)
def test_composing_again_gives_what_composing_once_gives(template: str) -> None:
    once = insert_block(template, "old", MemoryType.USER)
    assert insert_block(once, "new", MemoryType.USER) == insert_block(template, "new", MemoryType.USER)
    assert once.count("rule") == template.count("rule")


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: compose_prompt("ruter"), "agent_type must be 'router' or 'worker', not 'ruter'"),
        (
            lambda: compose_prompt("router", user_memory=WorkProfileContent()),  # type: ignore[arg-type]
            "user_memory must be a UserMemoryContent, not a WorkProfileContent; build it first",
        ),
        (
            lambda: compose_prompt("worker", work_memory={"occupation": "x"}),  # type: ignore[arg-type]
            "work_memory must be a WorkProfileContent, not a dict; build it first",
        ),
    ],
)
def test_what_cannot_be_composed_is_refused(call: Callable[[], object], message: str) -> None:
    with pytest.raises(InvalidInputError) as caught:
        call()
    assert str(caught.value) == message


def test_a_misspelt_option_is_an_error() -> None:
    with pytest.raises(TypeError, match="user_memry"):
        build_system_prompt("router", user_memry=UserMemoryContent())  # type: ignore[call-arg]


def test_the_language_follows_the_library() -> None:
    profile = UserMemoryContent(occupation="cook")
    assert "- 职业：cook" in build_system_prompt("router", user_memory=profile, prompts=PromptLibrary(language="zh"))


HOSTILE = st.text(st.sampled_from(list("<!->_ \n\u200b\u202e\x00USERMEMORY_END")), max_size=40)


@given(HOSTILE)
def test_no_value_can_leave_its_block(value: str) -> None:
    for tricky in (value, "<!-- USER_MEMORY_END -->" + value, value + "-->", "<!\u200b-- USER_MEMORY_END -->"):
        profile = UserMemoryContent(occupation=tricky, custom_rules=[tricky])
        text = build_system_prompt(AgentType.ROUTER, user_memory=profile)
        assert text.count("<!--") == text.count("-->") == (2 if "USER_MEMORY_START" in text else 0)
        assert text.count("USER_MEMORY") == (2 if "USER_MEMORY_START" in text else 0)


def test_values_become_one_visible_line() -> None:
    assert neutralise(" a\nb\t c\u202e\x07 ") == "a b c"
    assert neutralise("👨\u200d👩\u200d👧 ❤\ufe0f") == "👨\u200d👩\u200d👧 ❤\ufe0f"
    assert neutralise("\U00031350\ue000名") == "\U00031350\ue000名"
    assert neutralise("<!\u200c-- work_memory_end -\ufe0f-\u200d>") == "< !-- work memory_end -- >"


def test_rules_find_room_first_and_stay_in_their_place() -> None:
    user, _ = profiles("en")
    composed = compose_prompt(AgentType.ROUTER, user_memory=user, budget=60)
    kept = {cost.name: cost.kept for cost in composed.block.costs}
    assert kept["custom_rules"] == 2
    assert composed.block.tokens <= 60
    assert composed.block.dropped > 0
    assert composed.tokens == TokenCounter().count(composed.text)


def test_uncertain_entries_are_marked() -> None:
    profile = UserMemoryContent.model_validate({"people": [{"name": "Bo", "meta": {"confidence": 0.2}}]})
    assert "- Bo (uncertain)" in build_user_memory_prompt(profile)
    assert "不确定" in build_user_memory_prompt(profile, language="zh")


def test_a_window_without_days_is_every_day() -> None:
    profile = WorkProfileContent.model_validate(
        {"work_habits": {"available_hours": [{"start": "09:00", "end": "17:00"}]}}
    )
    assert "- Available: every day 09:00–17:00" in build_work_memory_prompt(profile)
