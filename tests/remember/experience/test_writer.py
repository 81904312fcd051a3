"""A chat model that puts lessons into words."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Any

import pytest
from langchain_core.callbacks import CallbackManagerForLLMRun
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, BaseMessage
from langchain_core.outputs import ChatGeneration, ChatResult
from langgraph.errors import GraphInterrupt

from memory_middleware import PromptLibrary
from memory_middleware.remember.experience import ModelConsolidator, PatternWriter, Wording, consolidate
from memory_middleware.remember.experience.clusters import Cluster
from memory_middleware.remember.experience.traces import trace_of
from memory_middleware.schemas import ProceduralSkill, SemanticPattern
from memory_middleware.storage import LanceStore
from tests.remember.experience.test_consolidation import ANA, MENDING, episode, mended

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
SAID = {
    "pattern": "Login bugs fall to a test that shows them.",
    "correct_approach": "Read the page, edit it, run the tests.",
    "incorrect_approach": "Do not edit before reading.",
    "skill_name": "Mend a login page",
    "skill_description": "For bugs of the login page.",
}


class Recording(BaseChatModel):
    """Says one thing again and again, or raises it, and remembers what it was asked."""

    answer: Any
    asked: list[str] = []
    seen: list[list[str] | None] = []

    @property
    def _llm_type(self) -> str:
        return "recording"

    def _generate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: CallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> ChatResult:
        self.asked.append(str(messages[-1].content))
        self.seen.append(run_manager.tags if run_manager else None)
        if isinstance(self.answer, BaseException):
            raise self.answer
        return ChatResult(generations=[ChatGeneration(message=AIMessage(self.answer))])


def cluster(*goals: str) -> Cluster:
    return Cluster([trace_of(episode(at, goal, *MENDING)) for at, goal in enumerate(goals)])


def test_a_model_puts_new_lessons_into_words_once(store: LanceStore) -> None:
    model = Recording(answer=f"Sure!\n```json\n{json.dumps(SAID)}\n```", asked=[], seen=[])
    store.memories.experience.put(ANA, [mended(at, errors=(("KeyError", "edit a.py"),)) for at in range(3)])
    store.memories.experience.put(ANA, [mended(9, outcome="failure", errors=(("Timeout", ""),))])
    writer = ModelConsolidator(model)
    assert isinstance(writer, PatternWriter)
    for _ in range(2):
        consolidate(store.memories, ANA, now=NOW, writer=writer)
    assert len(model.asked) == 1
    assert model.seen[0] is not None
    assert "nostream" in model.seen[0]
    found = [one for one in store.memories.experience.newest(ANA, "pattern") if isinstance(one, SemanticPattern)]
    [pattern] = [one for one in found if one.category != "anti-pattern"]
    assert (pattern.pattern, pattern.correct_approach) == (SAID["pattern"], SAID["correct_approach"])
    [skill] = store.memories.experience.newest(ANA, "skill")
    assert isinstance(skill, ProceduralSkill)
    assert (skill.id, skill.name, skill.description) == (
        "skill-mend-a-login-page",
        SAID["skill_name"],
        SAID["skill_description"],
    )
    assert skill.steps == ["read_file *.py", "edit_file *.py", "bash pytest"]


def test_a_skill_that_comes_later_is_worded_and_the_words_of_its_pattern_stay(store: LanceStore) -> None:
    model = Recording(answer=json.dumps(SAID), asked=[], seen=[])
    store.memories.experience.put(ANA, [mended(1), mended(2)])
    consolidate(store.memories, ANA, now=NOW, writer=ModelConsolidator(model))
    store.memories.experience.put(ANA, [mended(3)])
    consolidate(store.memories, ANA, now=NOW, writer=ModelConsolidator(model))
    assert len(model.asked) == 2
    [skill] = store.memories.experience.newest(ANA, "skill")
    assert isinstance(skill, ProceduralSkill)
    assert skill.name == SAID["skill_name"]
    store.memories.experience.put(ANA, [mended(4)])
    consolidate(store.memories, ANA, now=NOW, writer=ModelConsolidator(model))
    assert len(model.asked) == 2
    [pattern] = store.memories.experience.newest(ANA, "pattern")
    assert isinstance(pattern, SemanticPattern)
    assert pattern.pattern == SAID["pattern"]
    assert pattern.confidence == pytest.approx(0.9)


def test_the_prompt_tells_goals_steps_and_fixes_in_the_language_of_the_goals() -> None:
    model = Recording(answer="{}", asked=[], seen=[])
    writer = ModelConsolidator(model)
    writer.word(cluster("Fix login bug", "Fix logout bug"), ["read_file *.py"])
    writer.word(cluster("修复登录错误", "修复注销错误"), [])
    writer.word(cluster("修复登录错误", "修复注销错误"), [])
    english, chinese, again = model.asked
    assert "2 runs of a worker" in english
    assert "- Fix login bug\n- Fix logout bug" in english
    assert "Steps in common:\n- read_file *.py" in english
    assert "Errors that were overcome" not in english
    assert "- 修复登录错误" in chinese
    assert "共同步骤" not in chinese
    assert chinese == again
    own = Recording(answer="{}", asked=[], seen=[])
    ModelConsolidator(own, prompts=PromptLibrary()).word(cluster("修复登录错误", "修复注销错误"), [])
    assert "2 runs of a worker" in own.asked[0]


@pytest.mark.parametrize(
    ("answer", "wording"),
    [
        ('{"pattern": "A",}', Wording(pattern="A")),
        ('Here {it} is: {"note": 1} {"pattern": "A\nB", "skill_name": 5}', Wording(pattern="A B")),
        ('{"pattern": "<!-- x --> password: hunter2x"}', Wording(pattern="< !-- x -- > password: [secret]")),
        (f'{{"skill_name": "{"n" * 100}"}}', Wording(skill_name="n" * 59 + "…")),
        ("<think>{'pattern': 'no'}</think>{pattern: 'A', skill_name: “N”}", Wording(pattern="A", skill_name="N")),
        ('{"pattern": "A", "skill_name": "cut of', Wording(pattern="A")),
        ("I would rather not.", None),
        ('{"pattern": "cut of', None),
        ("[]", None),
        (RuntimeError("no credit"), None),
    ],
    ids=["comma", "prose", "hostile", "long", "loose", "cut", "refusal", "truncated", "list", "error"],
)
def test_answers_are_read_with_tolerance_or_not_at_all(answer: Any, wording: Wording | None) -> None:
    assert (
        ModelConsolidator(Recording(answer=answer, asked=[], seen=[])).word(cluster("Fix it", "Mend it"), []) == wording
    )


def test_a_model_that_fails_leaves_the_words_to_rules(store: LanceStore) -> None:
    store.memories.experience.put(ANA, [mended(1), mended(2)])
    writer = ModelConsolidator(Recording(answer=TimeoutError("slow"), asked=[], seen=[]))
    report = consolidate(store.memories, ANA, now=NOW, writer=writer)
    assert report.patterns_created == 1
    [pattern] = store.memories.experience.newest(ANA, "pattern")
    assert isinstance(pattern, SemanticPattern)
    assert pattern.pattern.startswith("Pattern for ")


def test_an_interrupt_of_the_graph_passes() -> None:
    writer = ModelConsolidator(Recording(answer=GraphInterrupt(), asked=[], seen=[]))
    with pytest.raises(GraphInterrupt):
        writer.word(cluster("Fix it", "Mend it"), [])
