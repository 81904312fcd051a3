"""Models that are bound, copied, pickled, chosen or made while an agent speaks: each reads the block, once."""

from __future__ import annotations

import asyncio
import copy
import pickle
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from typing import Any

import pytest
from langchain.agents import create_agent
from langchain.chat_models import init_chat_model
from langchain_core.callbacks import CallbackManagerForLLMRun
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, SystemMessage
from langchain_core.outputs import ChatGeneration, ChatResult
from langchain_core.prompts import ChatPromptTemplate, MessagesPlaceholder
from langchain_core.runnables import ConfigurableField, Runnable
from langgraph.graph import MessagesState
from pydantic import BaseModel

from memory_middleware import Memory
from memory_middleware.graph.finding import find_models
from tests.chat_provider import LLMock, chat, chat_provider
from tests.graph.support import START_MARK, listener, one_node, rounds, run

QUESTION = "Where do I live, do you know?"


class Echo(BaseChatModel):
    """Answers with what its system messages say; it reads its input twice, as some providers do."""

    tone: str = "plain"

    @property
    def _llm_type(self) -> str:
        return "echo"

    def _generate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: CallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> ChatResult:
        again = self._convert_input(messages).to_messages()
        told = "|".join(message.text for message in again if message.type == "system")
        return ChatResult(generations=[ChatGeneration(message=AIMessage(f"{self.tone}: {told}"))])

    def bind_tools(self, tools: Sequence[Any], **kwargs: Any) -> Runnable[Any, Any]:
        return self.bind(**kwargs)


def dump_and_load(model: Echo) -> Echo:
    return pickle.loads(pickle.dumps(model))  # type: ignore[no-any-return]


def ask_copy(model: Echo) -> str:
    """Ask a model elsewhere."""
    return model.invoke("hello").text


COPIES: dict[str, Callable[[Echo], Any]] = {
    "itself": lambda model: model,
    "copy": copy.copy,
    "deep copy": copy.deepcopy,
    "model_copy": lambda model: model.model_copy(update={"tone": "warm"}),
    "deep model_copy": lambda model: model.model_copy(deep=True),
    "pickle": dump_and_load,
    "pickle of a copy": lambda model: dump_and_load(copy.copy(model)),
    "bind": lambda model: model.bind(stop=["x"]),
    "bind_tools": lambda model: model.bind_tools([]),
    "with_config": lambda model: model.with_config(tags=["x"]),
    "with_retry": lambda model: model.with_retry(),
    "with_fallbacks": lambda model: model.with_fallbacks([Echo(tone="spare")]),
    "deep copy of a binding": lambda model: copy.deepcopy(model.bind_tools([])),
}


@pytest.mark.parametrize("kind", COPIES)
@pytest.mark.parametrize("when", ["before", "while"])
def test_the_block_is_read_once_by_whatever_is_made_of_a_model(memory: Memory, kind: str, when: str) -> None:
    model = Echo()
    made = COPIES[kind](model)

    def agent(state: MessagesState) -> dict[str, Any]:
        asked = made if when == "before" else COPIES[kind](model)
        return {"messages": [asked.invoke([SystemMessage("Be kind."), *state["messages"]])]}

    graph = one_node(memory.worker(agent)).compile()
    for _ in range(2):
        [*_, answer] = graph.invoke({"messages": [HumanMessage(QUESTION)]}, run())["messages"]
        assert answer.text.count(START_MARK) == 1
        assert "Lisbon" in answer.text


PARTS: dict[str, list[Any]] = {
    "at the end": [{"type": "text", "text": "Be kind.", "cache_control": {"type": "ephemeral"}}],
    "in its place": [
        {"type": "text", "text": "Be kind.\n<!-- WORK_MEMORY -->\nBe brief."},
        {"type": "image", "url": "u"},
    ],
    "among texts": ["Be kind.", "<!-- WORK_MEMORY -->"],
}


@pytest.mark.parametrize("parts", PARTS)
def test_a_system_message_in_parts_gets_the_block_and_keeps_its_marks(memory: Memory, parts: str) -> None:
    given = PARTS[parts]
    model = listener("ok")
    messages = [SystemMessage(given), HumanMessage(QUESTION)]
    one_node(memory.worker(model)).compile().invoke({"messages": messages}, run())
    system = model.heard[-1][0]
    assert str(system.content).count(START_MARK) == 1
    assert messages[0].content == given
    assert len(system.content) == len(given) + (parts == "at the end")
    assert system.content[0] == given[0] or parts == "in its place"


def test_a_model_that_is_wrapped_twice_and_copied_reads_the_block_once(memory: Memory) -> None:
    model = Echo()
    memory.router(model)
    again = copy.deepcopy(model)
    memory.worker(again)
    [*_, answer] = (
        one_node(memory.worker(again)).compile().invoke({"messages": [HumanMessage(QUESTION)]}, run())["messages"]
    )
    assert answer.text.count(START_MARK) == 1


def test_a_model_with_a_hook_is_asked_in_another_process(memory: Memory) -> None:
    model = Echo(tone="far")
    memory.worker(model)
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        assert pool.submit(ask_copy, model).result() == "far: "


def choosing(model: Echo) -> Any:
    return model.configurable_alternatives(
        ConfigurableField(id="who"), default_key="plain", warm=Echo(tone="warm"), late=lambda: Echo(tone="late")
    )


def changing(model: Echo) -> Any:
    return model.configurable_fields(tone=ConfigurableField(id="tone"))


@pytest.mark.parametrize(
    ("dynamic", "choice", "tone"),
    [
        (choosing, {}, "plain"),
        (choosing, {"who": "warm"}, "warm"),
        (choosing, {"who": "late"}, "late"),
        (changing, {}, "plain"),
        (changing, {"tone": "warm"}, "warm"),
        (lambda model: changing(model).with_config(configurable={"tone": "set"}), {}, "set"),
        (lambda model: choosing(model).bind(stop=["x"]), {"who": "late"}, "late"),
        (lambda model: changing(model).with_fallbacks([Echo()]), {"tone": "warm"}, "warm"),
        (
            lambda model: ChatPromptTemplate.from_messages([MessagesPlaceholder("messages")]) | choosing(model),
            {"who": "late"},
            "late",
        ),
    ],
    ids=["default", "other", "made", "unchanged", "changed", "set", "bound", "fallback", "chain"],
)
@pytest.mark.parametrize("colour", ["sync", "async"])
def test_a_model_that_is_chosen_by_the_run_reads_the_block(
    memory: Memory, dynamic: Callable[[Echo], Any], choice: dict[str, str], tone: str, colour: str
) -> None:
    graph = one_node(memory.worker(dynamic(Echo()))).compile()
    config, given = run(), {"messages": [HumanMessage(QUESTION)]}
    config["configurable"] |= choice
    out = graph.invoke(given, config) if colour == "sync" else asyncio.run(graph.ainvoke(given, config))
    answer = out["messages"][-1].text
    assert answer.startswith(f"{tone}: ")
    assert answer.count(START_MARK) == 1


def test_a_choice_that_is_made_inside_the_agent_reads_the_block_too(memory: Memory) -> None:
    dynamic = changing(Echo())

    def agent(state: MessagesState) -> dict[str, Any]:
        chosen = dynamic.with_config(configurable={"tone": "inside"})
        return {"messages": [chosen.invoke(state["messages"])]}

    [*_, answer] = (
        one_node(memory.worker(agent)).compile().invoke({"messages": [HumanMessage(QUESTION)]}, run())["messages"]
    )
    assert answer.text.startswith("inside: ")
    assert answer.text.count(START_MARK) == 1


def test_what_chooses_among_prompts_is_no_model() -> None:
    prompt = ChatPromptTemplate.from_messages([("human", "{text}")])
    other = ChatPromptTemplate.from_messages([("human", "please: {text}")])
    assert find_models(prompt.configurable_alternatives(ConfigurableField(id="p"), other=other)) == []


@pytest.fixture(scope="module")
def server() -> Iterator[LLMock]:
    with chat_provider() as running:
        yield running


class Answer(BaseModel):
    """An answer."""

    city: str


def late_model(server: LLMock) -> Any:
    return init_chat_model(
        "openai:gpt-4o-mini",
        configurable_fields=("model", "temperature"),
        base_url=server.base_url("openai"),
        api_key="k",
        max_retries=0,
    )


LATE: dict[str, Callable[[Any], Any]] = {
    "alone": lambda model: model,
    "with tools": lambda model: model.bind_tools([Answer]),
    "with an answer": lambda model: (
        model.with_structured_output(Answer, method="function_calling", include_raw=True)
        | (lambda answer: answer["raw"].text)
    ),
    "with a config": lambda model: model.with_config(configurable={"temperature": 0.1}),
    "all at once": lambda model: model.with_config(configurable={"temperature": 0.1}).bind_tools([Answer]),
    "agent": lambda model: create_agent(model, [], system_prompt="Be kind."),
    "function": lambda model: lambda state: {"messages": [model.bind_tools([Answer]).invoke(state["messages"])]},
}


@pytest.mark.parametrize("kind", LATE)
def test_a_model_that_is_only_made_when_it_is_called_reads_the_block(memory: Memory, server: LLMock, kind: str) -> None:
    server.reset()
    server.reply("You live in Lisbon.", times=5)
    agent = LATE[kind](late_model(server))
    one_node(memory.worker(agent)).compile().invoke({"messages": [HumanMessage(QUESTION, id="h")]}, run(kind))
    [request] = server.requests
    assert str(request.body).count(START_MARK) == 1
    assert str(request.body).count("'system'") == 1
    assert len(rounds(memory, thread=kind)) == 1


def test_a_providers_model_sends_the_block_once(memory: Memory, server: LLMock) -> None:
    server.reset()
    server.reply("You live in Lisbon.")
    graph = one_node(memory.worker(chat(server))).compile()
    graph.invoke({"messages": [SystemMessage("Be kind."), HumanMessage(QUESTION)]}, run())
    [request] = server.requests
    assert str(request.body).count(START_MARK) == 1
