"""The extractor that asks a model: every way of asking, and providers that misbehave."""

from __future__ import annotations

import asyncio
import json
import logging
import time
from collections.abc import Iterator, Sequence
from typing import Any, TypedDict

import pytest
from langchain_core.language_models import BaseChatModel
from langchain_core.language_models.fake_chat_models import FakeListChatModel
from langchain_core.messages import AIMessage, BaseMessage
from langchain_core.outputs import ChatGeneration, ChatResult
from langchain_core.runnables import Runnable, RunnableLambda
from langgraph.graph import END, START, StateGraph

from memory_middleware import PromptLibrary
from memory_middleware.config import ModelConfig
from memory_middleware.errors import ExtractionError
from memory_middleware.remember import polite_model
from memory_middleware.remember.extraction.asking import was_cut
from memory_middleware.remember.extraction.base import Extraction, ExtractionBatch, Extractor, Retraction
from memory_middleware.remember.extraction.model import ModelExtractor
from memory_middleware.schemas.dialogue import Dialogue
from memory_middleware.schemas.record import MemoryRecord, RecordKind
from tests.chat_provider import LLMock, Reply, chat, chat_provider

COLOURS = pytest.mark.parametrize("colour", ["sync", "async"])
ROUNDS = tuple(
    Dialogue.create("o", "s", query, "I see.", turn=at)
    for at, query in enumerate(["I moved to Rome.", "I do not work at Acme any more.", "How is the weather?"])
)
BATCH = ExtractionBatch(ROUNDS, (MemoryRecord.create("o", "The user lives in Berlin."),))
FACT = {"content": "The user lives in Rome.", "type": "fact", "confidence": 0.9, "evidence": ["t1"]}
GOOD = json.dumps({"facts": [FACT]})


@pytest.fixture(scope="module")
def server() -> Iterator[LLMock]:
    with chat_provider() as running:
        yield running


@pytest.fixture
def provider(server: LLMock, monkeypatch: pytest.MonkeyPatch) -> LLMock:
    monkeypatch.setattr(polite_model, "_FIRST_PAUSE", 0.001)
    return server.reset()


def extract(extractor: Extractor, batch: ExtractionBatch = BATCH, colour: str = "sync") -> Extraction:
    return extractor.extract(batch) if colour == "sync" else asyncio.run(extractor.aextract(batch))


def contents(extraction: Extraction) -> list[str]:
    return [fact.content for fact in extraction.facts]


def ways(provider: LLMock) -> list[str]:
    """Tell how each request asked."""
    bodies = [request.body for request in provider.requests]
    return ["schema" if "response_format" in body else "tool" if "tools" in body else "plain" for body in bodies]


def saying(*answers: Any) -> FakeListChatModel:
    return FakeListChatModel(responses=[one if isinstance(one, str) else json.dumps(one) for one in answers])


# What becomes of an answer.


@COLOURS
def test_an_answer_becomes_an_extraction(colour: str) -> None:
    answer = {
        "facts": [
            {**FACT, "tags": ["Home"], "replace": "the user lives in berlin", "subject": "User", "attribute": "city"},
            {"content": "The user is in Rome until Sunday.", "valid_to": "2026-05-03", "evidence": ["t1", "t77"]},
            {"content": "The user owns a boat."},
        ],
        "retractions": [{"subject": "user", "attribute": "employer", "evidence": ["t2"]}, {"subject": "user"}],
        "profile_patch": {"user": {"occupation": "nurse", "timezone": "Rome"}},
    }
    extractor = ModelExtractor(saying(answer))
    found = extract(extractor, colour=colour)
    first, second, third = found.facts
    assert (first.replace, first.subject, first.attribute) == ("The user lives in Berlin.", "user", "city")
    assert (first.tags, first.evidence) == (("home",), (ROUNDS[0].id,))
    assert second.valid_to is not None and second.valid_to.isoformat() == "2026-05-04T00:00:00+00:00"
    assert (second.evidence, third.evidence, third.type) == ((ROUNDS[0].id,), (), RecordKind.FACT)
    assert found.retractions == (Retraction("user", "employer", None, (ROUNDS[1].id,)),)
    assert found.profile_patch == {"user": {"occupation": "nurse"}}
    assert extractor.dropped == 1


def test_it_is_an_extractor() -> None:
    assert isinstance(ModelExtractor(saying(GOOD)), Extractor)


def test_no_rounds_need_no_model() -> None:
    assert extract(ModelExtractor(saying("garbage")), ExtractionBatch(())) == Extraction()


@pytest.mark.parametrize("answer", ["[]", '{"facts": []}', "no facts found", "没有新的事实。"])
def test_finding_nothing_is_no_failure(answer: str) -> None:
    assert extract(ModelExtractor(saying(answer))) == Extraction()


def test_an_unreadable_answer_is_a_failure() -> None:
    with pytest.raises(ExtractionError, match="neither facts nor that there are none: 'I am a teapot'") as caught:
        extract(ModelExtractor(saying("I am a teapot")))
    assert not caught.value.permanent


def test_entries_that_say_nothing_are_dropped_and_counted(caplog: pytest.LogCaptureFixture) -> None:
    extractor = ModelExtractor(saying([FACT, {"type": "fact"}, {"content": "..."}], {"facts": [{"type": "fact"}, 7]}))
    with caplog.at_level(logging.WARNING):
        assert contents(extract(extractor)) == ["The user lives in Rome."]
    assert "1 entries of an answer of the model 'FakeListChatModel' said nothing usable" in caplog.text
    with pytest.raises(ExtractionError, match="none of the 2 entries"):
        extract(extractor)
    assert extractor.dropped == 3


def test_no_more_facts_than_wanted_each_once_and_without_tags() -> None:
    facts = [{"content": f"The user has {at} cats.", "tags": ["cats"]} for at in (1, 2, 2, 3, 4)]
    found = extract(ModelExtractor(saying(facts)), ExtractionBatch(ROUNDS, max_facts=3, auto_tag=False))
    assert contents(found) == ["The user has 1 cats.", "The user has 2 cats.", "The user has 3 cats."]
    assert {fact.tags for fact in found.facts} == {()}


class Listening(FakeListChatModel):
    """Keeps what it was asked."""

    asked: list[str] = []

    def _call(self, messages: list[BaseMessage], *args: Any, **kwargs: Any) -> str:
        self.asked.append(messages[-1].text)
        return super()._call(messages, *args, **kwargs)


def test_the_prompt_speaks_the_language_of_the_batch_or_is_the_users() -> None:
    model = Listening(responses=["[]"])
    extractor = ModelExtractor(model)
    for language in ("en", "zh", "zh"):
        extract(extractor, ExtractionBatch(ROUNDS, language=language))
    extract(ModelExtractor(model, prompts=PromptLibrary(language="zh")), ExtractionBatch(ROUNDS, language="en"))
    assert [text[:4] for text in model.asked] == ["You ", "你阅读一", "你阅读一", "你阅读一"]


def test_secrets_do_not_reach_the_model() -> None:
    model = Listening(responses=["[]"])
    key = "sk-abcdefghijklmnopqrstuvwxyz012345"
    extract(ModelExtractor(model), ExtractionBatch((Dialogue.create("o", "s", f"my key is {key}", "ok", turn=1),)))
    assert key not in model.asked[0] and "my key is" in model.asked[0]


# Ways of asking.


@COLOURS
def test_a_batch_costs_one_call(provider: LLMock, colour: str) -> None:
    provider.reply(GOOD, times=2)
    extractor = ModelExtractor(chat(provider))
    for _ in range(2):
        assert contents(extract(extractor, colour=colour)) == ["The user lives in Rome."]
    assert ways(provider) == ["schema", "schema"]
    provider.assert_resilient()


@COLOURS
def test_a_model_without_schemas_is_asked_by_a_tool_call_from_then_on(provider: LLMock, colour: str) -> None:
    provider.fail(400, message="response_format is not supported")
    provider.call_tool("remember", {"facts": [FACT]}, times=2)
    extractor = ModelExtractor(chat(provider))
    for _ in range(2):
        assert contents(extract(extractor, colour=colour)) == ["The user lives in Rome."]
    assert ways(provider) == ["schema", "tool", "tool"]


def test_a_model_with_neither_is_asked_in_plain_words_from_then_on(provider: LLMock) -> None:
    provider.fail(400, times=2).reply(f"Sure!\n```json\n{GOOD}\n```", times=2)
    extractor = ModelExtractor(chat(provider))
    for _ in range(2):
        assert contents(extract(extractor)) == ["The user lives in Rome."]
    assert ways(provider) == ["schema", "tool", "plain", "plain"]


def test_a_server_that_breaks_on_schemas_is_asked_otherwise(provider: LLMock) -> None:
    provider.fail(500, times=2).reply(GOOD)
    assert contents(extract(ModelExtractor(chat(provider)))) == ["The user lives in Rome."]
    assert ways(provider) == ["schema", "schema", "tool"]


def test_an_unreadable_answer_is_asked_for_in_another_way(provider: LLMock) -> None:
    provider.reply("I am a teapot", times=2).reply(GOOD)
    assert contents(extract(ModelExtractor(chat(provider)))) == ["The user lives in Rome."]
    assert ways(provider) == ["schema", "tool", "plain"]


def test_a_way_that_worked_is_kept_through_one_bad_answer(provider: LLMock) -> None:
    provider.reply(GOOD).reply("I am a teapot").reply(GOOD, times=2)
    extractor = ModelExtractor(chat(provider))
    for _ in range(3):
        extract(extractor)
    assert ways(provider) == ["schema", "schema", "tool", "schema"]


def test_a_way_that_stops_working_is_left(provider: LLMock) -> None:
    provider.reply(GOOD)
    extractor = ModelExtractor(chat(provider))
    extract(extractor)
    provider.fail(400).reply(GOOD, times=2)
    extract(extractor)
    extract(extractor)
    assert ways(provider) == ["schema", "schema", "tool", "tool"]


def test_a_broken_tool_call_is_mended(provider: LLMock) -> None:
    provider.fail(400).break_tool_call().call_tool("remember", {"facts": [FACT] * 9})
    found = extract(ModelExtractor(chat(provider)))
    assert contents(found) == ["The user lives in Rome."]
    assert ways(provider) == ["schema", "tool"]


def test_a_configured_model_is_asked(provider: LLMock) -> None:
    provider.reply(GOOD)
    config = ModelConfig(model="gpt-4o-mini", base_url=provider.base_url("openai"), timeout=5)
    assert contents(extract(ModelExtractor(config))) == ["The user lives in Rome."]


class Tooled(FakeListChatModel):
    """Takes tools and knows no other way, as many models of the community do; counts its calls."""

    calls: list[Any] = []

    def bind_tools(self, tools: Sequence[Any], **kwargs: Any) -> Runnable[Any, AIMessage]:
        return self.bind(tools=tools)

    def _generate(self, messages: list[BaseMessage], *args: Any, **kwargs: Any) -> ChatResult:
        self.calls.append("tools" in kwargs)
        call = {"name": "remember", "args": {"facts": [FACT]}, "id": "1"}
        return ChatResult(generations=[ChatGeneration(message=AIMessage("", tool_calls=[call]))])


def test_a_model_that_only_takes_tools_is_asked_by_a_tool_call_at_once() -> None:
    model = Tooled(responses=[])
    assert contents(extract(ModelExtractor(model))) == ["The user lives in Rome."]
    assert model.calls == [True]


class Odd(FakeListChatModel):
    """Structured output of its own kind, which cannot be looked into."""

    def with_structured_output(self, *args: Any, **kwargs: Any) -> Any:
        return RunnableLambda(lambda _: {"facts": []})


def test_a_model_with_odd_structured_output_is_asked_in_plain_words() -> None:
    assert contents(extract(ModelExtractor(Odd(responses=[GOOD])))) == ["The user lives in Rome."]


class Broken(Tooled):
    """Its provider's code breaks on tools."""

    def _generate(self, messages: list[BaseMessage], *args: Any, **kwargs: Any) -> ChatResult:
        if "tools" in kwargs:
            raise KeyError("choices")
        return ChatResult(generations=[ChatGeneration(message=AIMessage(GOOD))])


def test_a_provider_whose_code_breaks_is_asked_otherwise() -> None:
    assert contents(extract(ModelExtractor(Broken(responses=[])))) == ["The user lives in Rome."]


# Misbehaving providers.


@COLOURS
def test_rate_limits_are_waited_for(provider: LLMock, colour: str) -> None:
    provider.rate_limit(retry_after=1).reply(GOOD)
    assert contents(extract(ModelExtractor(chat(provider)), colour=colour)) == ["The user lives in Rome."]
    provider.assert_resilient(strict=True)


@COLOURS
@pytest.mark.parametrize("fault", ["disconnect", "corrupt", "truncate"])
def test_broken_streams_are_asked_for_again(provider: LLMock, colour: str, fault: str) -> None:
    # A stream that ends early raises nothing; its half of an answer must not pass for a whole one.
    facts = [{**FACT, "content": f"The user has {at} cats."} for at in range(9)]
    getattr(provider, fault)(after_chunks=9)
    provider.reply(json.dumps({"facts": facts}), times=2)
    assert len(extract(ModelExtractor(chat(provider, streaming=True)), colour=colour).facts) == 9
    assert len(provider.requests) == 2


@COLOURS
def test_an_answer_cut_by_its_length_is_asked_for_with_fewer_facts(provider: LLMock, colour: str) -> None:
    provider.add(Reply(text=GOOD[:-20], finish_reason="length")).reply(GOOD)
    assert contents(extract(ModelExtractor(chat(provider)), colour=colour)) == ["The user lives in Rome."]
    asked = [request.body["messages"][0]["content"] for request in provider.requests]
    assert ["at most 10 facts" in asked[0], "at most 5 facts" in asked[1]] == [True, True]


def test_an_answer_that_is_always_cut_is_told(provider: LLMock) -> None:
    provider.fail(400, times=2).add(Reply(text=GOOD[:-20], finish_reason="length", times=None))
    with pytest.raises(ExtractionError, match="was cut off after 8. characters") as caught:
        extract(ModelExtractor(chat(provider), max_attempts=2))
    assert not caught.value.permanent
    assert ways(provider) == ["schema", "tool", "plain", "plain"]


def test_an_answer_without_a_word_that_was_cut_is_told_so(provider: LLMock) -> None:
    provider.fail(400, times=2).add(Reply(text="Well, let me", finish_reason="length", times=None))
    with pytest.raises(ExtractionError, match="was cut off"):
        extract(ModelExtractor(chat(provider), max_attempts=1))


@COLOURS
@pytest.mark.parametrize("status", [401, 403])
def test_a_wrong_key_is_told_at_once(provider: LLMock, colour: str, status: int) -> None:
    provider.fail(status, times=None)
    with pytest.raises(ExtractionError, match=str(status)) as caught:
        extract(ModelExtractor(chat(provider)), colour=colour)
    assert caught.value.permanent
    assert len(provider.requests) == 1


def test_a_bad_request_is_told_when_no_way_is_left(provider: LLMock) -> None:
    provider.fail(400, times=None)
    with pytest.raises(ExtractionError, match="400") as caught:
        extract(ModelExtractor(chat(provider)))
    assert caught.value.permanent
    assert ways(provider) == ["schema", "tool", "plain"]


def test_an_outage_costs_no_more_calls_than_attempts(provider: LLMock) -> None:
    provider.fail(500, times=None)
    with pytest.raises(ExtractionError, match="500") as caught:
        extract(ModelExtractor(chat(provider)))
    assert not caught.value.permanent
    assert len(provider.requests) == 3


LONG = ExtractionBatch((Dialogue.create("o", "s", "I like tea. " * 400, "ok", turn=1),))


@COLOURS
def test_a_batch_that_is_too_long_is_halved_once(provider: LLMock, colour: str) -> None:
    provider.context_overflow().reply(GOOD)
    assert contents(extract(ModelExtractor(chat(provider)), LONG, colour)) == ["The user lives in Rome."]
    first, second = (request.body["messages"][0]["content"].count("I like tea.") for request in provider.requests)
    assert first == 400 and 150 < second <= 200


def test_a_batch_that_stays_too_long_is_told(provider: LLMock) -> None:
    provider.context_overflow(times=None)
    with pytest.raises(ExtractionError, match="maximum context length") as caught:
        extract(ModelExtractor(chat(provider)), LONG)
    assert caught.value.permanent
    assert len(provider.requests) == 2


@COLOURS
def test_the_time_for_a_batch_is_kept(provider: LLMock, colour: str) -> None:
    provider.delay(3, times=None)
    with pytest.raises(ExtractionError, match="no answer within") as caught:
        extract(ModelExtractor(chat(provider, timeout=60), timeout=0.3), colour=colour)
    assert not caught.value.permanent


class Slow(Tooled):
    """Takes all the time there is to answer nothing of use, or to break."""

    breaks: bool

    def _generate(self, messages: list[BaseMessage], *args: Any, **kwargs: Any) -> ChatResult:
        self.calls.append("tools" in kwargs)
        time.sleep(0.05)
        if self.breaks:
            raise KeyError("choices")
        return ChatResult(generations=[ChatGeneration(message=AIMessage("I am a teapot"))])


@pytest.mark.parametrize("breaks", [False, True])
def test_time_that_is_over_is_not_spent_on_other_ways(breaks: bool) -> None:
    model = Slow(responses=[], breaks=breaks)
    with pytest.raises(ExtractionError):
        extract(ModelExtractor(model, timeout=0.02))
    assert model.calls == [True]


@pytest.mark.parametrize(
    ("told", "cut"),
    [
        ({}, False),
        ({"finish_reason": "stop"}, False),
        ({"finish_reason": "length"}, True),
        ({"stop_reason": "max_tokens"}, True),
        ({"finish_reason": "MAX_TOKENS"}, True),
        ({"done_reason": "stop", "model": "m"}, False),
        ({"status": "incomplete"}, True),
        ({"status": "completed"}, False),
        ({"model_provider": "openai"}, True),
    ],
)
def test_a_cut_answer_is_known_by_its_reason(told: dict[str, Any], cut: bool) -> None:
    assert was_cut(AIMessage("x", response_metadata=told)) is cut


# Inside a graph.


class State(TypedDict):
    said: str


def graph_around(extractor: ModelExtractor, agent: BaseChatModel) -> Any:
    def speak(state: State) -> State:
        return {"said": agent.invoke("hello").text}

    def remember(state: State) -> State:
        return {"said": f"{state['said']}/{len(extractor.extract(BATCH).facts)}"}

    async def aremember(state: State) -> State:
        return {"said": f"{state['said']}/{len((await extractor.aextract(BATCH)).facts)}"}

    builder = StateGraph(State)
    builder.add_node("speak", speak)
    builder.add_node("remember", RunnableLambda(remember, aremember))
    builder.add_edge(START, "speak")
    builder.add_edge("speak", "remember")
    builder.add_edge("remember", END)
    return builder.compile()


async def _streamed(graph: Any) -> list[Any]:
    return [entry async for entry in graph.astream({"said": ""}, stream_mode=["messages", "values"])]


@COLOURS
def test_extraction_never_leaks_into_the_stream(provider: LLMock, colour: str) -> None:
    provider.reply("hello user").reply(GOOD)
    graph = graph_around(ModelExtractor(chat(provider)), chat(provider))
    if colour == "sync":
        entries = list(graph.stream({"said": ""}, stream_mode=["messages", "values"]))
    else:
        entries = asyncio.run(_streamed(graph))
    assert "".join(entry[0].text for mode, entry in entries if mode == "messages") == "hello user"
    assert entries[-1] == ("values", {"said": "hello user/1"})
    assert [request.stream for request in provider.requests][0] is True
