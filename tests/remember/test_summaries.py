"""Running summaries of long threads."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st
from langchain_core.language_models.fake_chat_models import FakeListChatModel
from langchain_core.messages import AIMessage, HumanMessage

from memory_middleware import MemoryConfig, ThreadSummary, TokenCounter
from memory_middleware.errors import ExtractionError
from memory_middleware.remember.forgetting import forget
from memory_middleware.remember.observe import Observer
from memory_middleware.remember.summarizing import ModelSummarizer, SalientSummarizer, fold_thread
from memory_middleware.storage.repositories import Repositories
from tests.remember.support import ANA

CONFIG = MemoryConfig.from_dict(
    {
        "summarize": {"enabled": True, "trigger_tokens": 200, "max_tokens": 60},
        "short_term": {"max_items": 6, "compression_threshold": 3},
    }
)
BYTES = TokenCounter("bytes")


def talk(memories: Repositories, rounds: int, start: int = 0) -> None:
    observer = Observer(memories, CONFIG)
    for at in range(start, start + rounds):
        text = f"The deadline of project Harbour{at} moved to 2026-06-{at + 1:02d}, please plan for it."
        observer.observe(ANA, [HumanMessage(text, id=f"h{at}"), AIMessage("Sure, I will do that.", id=f"a{at}")])


def test_old_rounds_are_folded_when_the_thread_is_long(memories: Repositories) -> None:
    talk(memories, 2)
    assert fold_thread(memories, ANA, CONFIG) is None
    talk(memories, 8, 2)
    assert memories.short_term.count(ANA) == 10, "nothing is dropped before it is folded"
    summary = fold_thread(memories, ANA, CONFIG)
    assert summary is not None
    assert summary.rounds == 7
    assert "Harbour6" in summary.content
    assert TokenCounter.for_model("gpt-4o").count(summary.content) <= 60
    assert memories.short_term.count(ANA) == 3
    assert memories.summaries.get(ANA) == summary
    assert fold_thread(memories, ANA, CONFIG) is None
    talk(memories, 8, 10)
    again = fold_thread(memories, ANA, CONFIG)
    assert again is not None
    assert again.rounds == 15


def test_without_the_setting_nothing_is_folded(memories: Repositories) -> None:
    talk(memories, 10)
    assert fold_thread(memories, ANA, MemoryConfig()) is None


def test_a_model_makes_the_summary(memories: Repositories) -> None:
    talk(memories, 10)
    model = FakeListChatModel(responses=["Harbour is late."])
    summary = fold_thread(memories, ANA, CONFIG, summarizer=ModelSummarizer(model))
    assert summary is not None
    assert summary.content == "Harbour is late."


def test_a_model_that_fails_is_replaced_by_rules(memories: Repositories) -> None:
    class Broken:
        def summarize(self, previous: str, rounds: Sequence[str], max_tokens: int) -> str:
            raise ExtractionError("no answer")

    talk(memories, 10)
    summary = fold_thread(memories, ANA, CONFIG, summarizer=Broken())
    assert summary is not None
    assert "Harbour" in summary.content


@pytest.mark.parametrize("kept", ["items", "summary"])
def test_what_is_forgotten_while_a_summary_is_made_does_not_come_back_in_it(memories: Repositories, kept: str) -> None:
    class Slow:
        def summarize(self, previous: str, rounds: Sequence[str], max_tokens: int) -> str:
            forget(memories, ANA, query="deadline of project Harbour0 moved")
            return f"{previous} {rounds[0]}"

    if kept == "summary":
        memories.summaries.put(ANA, ThreadSummary(content="The deadline of project Harbour0 moved. It rains."))
    talk(memories, 10, 1 if kept == "summary" else 0)
    assert fold_thread(memories, ANA, CONFIG, summarizer=Slow()) is None
    assert "Harbour0" not in str([memories.summaries.get(ANA), memories.short_term.recent(ANA, 99)])
    again = fold_thread(memories, ANA, CONFIG)
    assert again is not None
    assert "Harbour0" not in again.content


def test_what_tells_most_is_kept_in_its_order() -> None:
    rounds = [
        "User: Hello there, how are you doing?\nAgent: Fine, thanks for asking me.",
        "User: We decided to ship on 12 June because Marta is away.\nAgent: Noted, the release is on 12 June.",
        "User: What is the weather like today?\nAgent: It is nice outside today I think.",
        "User: 数据库迁移必须在周五之前完成，负责人是王芳。",
    ]
    told = SalientSummarizer(TokenCounter.for_model("gpt-4o")).summarize("", rounds, 60)
    assert "12 June because Marta" in told
    assert "王芳" in told
    assert "weather" not in told
    assert told.index("12 June") < told.index("王芳")


@given(st.text(max_size=400), st.lists(st.text(max_size=200), max_size=6), st.integers(1, 200))
def test_a_summary_never_passes_its_budget(previous: str, rounds: list[str], budget: int) -> None:
    told = SalientSummarizer(BYTES).summarize(previous, rounds, budget)
    assert BYTES.count(told) <= budget


def test_the_previous_summary_competes(memories: Repositories) -> None:
    told = SalientSummarizer(TokenCounter.for_model("gpt-4o")).summarize(
        "The budget of Harbour is 5,000 euro.", ["User: and what about lunch then?"], 30
    )
    assert told.startswith("The budget of Harbour is 5,000 euro.")


@pytest.mark.parametrize("previous", ["", "x."], ids=["nothing", "too little"])
def test_nothing_to_tell_gives_nothing(previous: str) -> None:
    assert SalientSummarizer(BYTES).summarize(previous, ["ok."], 50) == ""
