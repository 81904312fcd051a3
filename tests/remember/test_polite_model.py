"""Asking a chat model: over a real socket, with a provider that misbehaves."""

from __future__ import annotations

import asyncio
import json
import sys
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any

import pytest
from langchain_core.language_models import BaseChatModel
from langchain_core.language_models.fake_chat_models import FakeListChatModel, GenericFakeChatModel
from langchain_core.messages import AIMessage, HumanMessage
from langchain_core.outputs import ChatResult
from langchain_core.runnables import RunnableConfig, RunnableLambda
from langchain_openai import ChatOpenAI
from langgraph.errors import GraphBubbleUp

from memory_middleware.config import ModelConfig
from memory_middleware.embedding import pause_before_retry, status_of
from memory_middleware.errors import ExtractionError
from memory_middleware.remember import polite_model
from memory_middleware.remember.chat_models import build_chat_model, model_name
from memory_middleware.remember.driving import drive
from memory_middleware.remember.failures import CallError, FailureKind, kind_of, tell
from memory_middleware.remember.polite_model import PoliteModel
from tests.chat_provider import LLMock, chat, chat_provider

HELLO = [HumanMessage("hello")]
COLOURS = pytest.mark.parametrize("colour", ["sync", "async"])


@pytest.fixture(scope="module")
def server() -> Iterator[LLMock]:
    with chat_provider() as running:
        yield running


@pytest.fixture
def provider(server: LLMock, monkeypatch: pytest.MonkeyPatch) -> LLMock:
    monkeypatch.setattr(polite_model, "_FIRST_PAUSE", 0.001)
    return server.reset()


def ask(model: PoliteModel, colour: str) -> AIMessage:
    return model.ask(HELLO) if colour == "sync" else asyncio.run(model.aask(HELLO))


@COLOURS
def test_an_answer_costs_one_call(provider: LLMock, colour: str) -> None:
    provider.reply("hi there")
    assert ask(PoliteModel(chat(provider)), colour).text == "hi there"
    assert len(provider.requests) == 1


@COLOURS
def test_retry_after_is_honoured(provider: LLMock, colour: str) -> None:
    provider.rate_limit(retry_after=1).reply("hi there")
    assert ask(PoliteModel(chat(provider)), colour).text == "hi there"
    assert [request.status for request in provider.requests] == [429, 200]
    provider.assert_resilient(strict=True)


@COLOURS
@pytest.mark.parametrize("status", [408, 409, 500, 502])
def test_failures_that_pass_are_tried_again(provider: LLMock, colour: str, status: int) -> None:
    provider.fail(status, times=2).reply("hi there")
    assert ask(PoliteModel(chat(provider)), colour).text == "hi there"
    assert [request.status for request in provider.requests] == [status, status, 200]


@COLOURS
@pytest.mark.parametrize("fault", ["disconnect", "corrupt"])
def test_a_broken_stream_is_tried_again(provider: LLMock, colour: str, fault: str) -> None:
    getattr(provider, fault)(after_chunks=2)
    provider.reply("one two three four five", times=2)
    answer = ask(PoliteModel(chat(provider, streaming=True)), colour)
    assert answer.text == "one two three four five"
    assert len(provider.requests) == 2


@COLOURS
def test_a_stalled_stream_is_tried_again(provider: LLMock, colour: str) -> None:
    provider.stall(seconds=2).reply("one two three", times=2)
    assert ask(PoliteModel(chat(provider, streaming=True, timeout=0.3)), colour).text == "one two three"


@COLOURS
def test_the_clients_own_timeout_is_tried_again(provider: LLMock, colour: str) -> None:
    provider.delay(2, times=1).reply("hi there", times=2)
    assert ask(PoliteModel(chat(provider, timeout=0.3)), colour).text == "hi there"


@COLOURS
def test_an_outage_is_told_after_the_last_attempt(provider: LLMock, colour: str) -> None:
    provider.outage()
    with pytest.raises(CallError, match=r"'gpt-4o-mini' failed: .*503.*\(failure 2 of 2\)") as caught:
        ask(PoliteModel(chat(provider), max_attempts=2), colour)
    assert not caught.value.permanent
    assert len(provider.requests) == 2


@COLOURS
def test_a_wait_that_is_too_long_is_told_at_once(provider: LLMock, colour: str) -> None:
    provider.rate_limit(times=None, retry_after=100)
    with pytest.raises(CallError, match=r"429.*it asks for 100 s, and [45] s are left") as caught:
        ask(PoliteModel(chat(provider), timeout=5), colour)
    assert not caught.value.permanent
    assert len(provider.requests) == 1


@COLOURS
@pytest.mark.parametrize("status", [400, 401, 403, 404, 422])
def test_failures_that_stay_are_told_at_once(provider: LLMock, colour: str, status: int) -> None:
    provider.fail(status, times=None)
    with pytest.raises(ExtractionError, match=str(status)) as caught:
        ask(PoliteModel(chat(provider)), colour)
    assert caught.value.permanent
    assert len(provider.requests) == 1


@COLOURS
def test_the_time_for_all_attempts_is_kept(provider: LLMock, colour: str) -> None:
    provider.delay(3, times=None)
    started = time.monotonic()
    with pytest.raises(CallError, match=r"TimeoutError: no answer within 0\.[34] s") as caught:
        ask(PoliteModel(chat(provider, timeout=60), timeout=0.4), colour)
    assert not caught.value.permanent
    assert time.monotonic() - started < 3, "the call was waited for"


@COLOURS
def test_nobody_listening_is_told(provider: LLMock, colour: str) -> None:
    away = ChatOpenAI(model="m", api_key="k", base_url="http://127.0.0.1:9/v1", max_retries=0, timeout=2)
    with pytest.raises(CallError, match="'m' failed: .*Connection") as caught:
        ask(PoliteModel(away), colour)
    assert not caught.value.permanent


class Mumbling(BaseHTTPRequestHandler):
    """Answers with what is left to say, whatever it is asked."""

    left: list[bytes] = []

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["Content-Length"]))
        body = self.left.pop(0)
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body) + 9 * body.startswith(b"short")))
        self.end_headers()
        self.wfile.write(body)
        self.close_connection = True

    def log_message(self, format: str, *args: Any) -> None:
        """Say nothing."""


@COLOURS
@pytest.mark.parametrize("body", [b'{"id": ', b"<html>", b"short", b""], ids=repr)
def test_a_body_that_is_no_answer_is_tried_again(
    provider: LLMock, colour: str, body: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    message = {"role": "assistant", "content": "hi there"}
    good = {"id": "1", "object": "chat.completion", "created": 1, "model": "m"}
    good["choices"] = [{"index": 0, "finish_reason": "stop", "message": message}]
    monkeypatch.setattr(Mumbling, "left", [body, json.dumps(good).encode()])
    with ThreadingHTTPServer(("127.0.0.1", 0), Mumbling) as mumbling:
        Thread(target=mumbling.serve_forever, daemon=True).start()
        model = chat(provider, base_url=f"http://127.0.0.1:{mumbling.server_port}/v1")
        assert ask(PoliteModel(model), colour).text == "hi there"
        mumbling.shutdown()


class Raising(FakeListChatModel):
    """Raises what it is told to."""

    error: Any

    def _generate(self, *args: Any, **kwargs: Any) -> ChatResult:
        raise self.error


def raising(error: BaseException) -> Raising:
    return Raising(responses=["x"], error=error)


@COLOURS
@pytest.mark.parametrize("error", [GraphBubbleUp(), KeyboardInterrupt()], ids=repr)
def test_what_is_no_failure_passes(colour: str, error: BaseException) -> None:
    with pytest.raises(type(error)):
        ask(PoliteModel(raising(error), timeout=None), colour)


def test_a_cancelled_task_stays_cancelled(provider: LLMock) -> None:
    provider.delay(3)

    async def cancel() -> None:
        task = asyncio.create_task(PoliteModel(chat(provider)).aask(HELLO))
        await asyncio.sleep(0.1)
        task.cancel()
        await task

    with pytest.raises(asyncio.CancelledError):
        asyncio.run(cancel())


@COLOURS
def test_the_models_own_timeout_error_keeps_its_words(colour: str) -> None:
    with pytest.raises(CallError, match="TimeoutError: the line is dead"):
        ask(PoliteModel(raising(TimeoutError("the line is dead")), max_attempts=1), colour)


def test_foreign_errors_are_told_without_secrets() -> None:
    with pytest.raises(CallError, match=r"'Raising' failed: RuntimeError: no \[secret\]$") as caught:
        PoliteModel(raising(RuntimeError("no sk-abcdefghijklmnopqrstuvwxyz"))).ask(HELLO)
    assert (caught.value.kind, caught.value.permanent) == (FailureKind.UNKNOWN, False)


def test_a_model_that_has_run_dry_is_a_failure() -> None:
    with pytest.raises(ExtractionError, match="StopIteration"):
        PoliteModel(GenericFakeChatModel(messages=iter(()))).ask(HELLO)


def test_only_messages_are_answers() -> None:
    model = PoliteModel(FakeListChatModel(responses=["x"]))
    with pytest.raises(CallError, match="'FakeListChatModel' answered str"):
        drive(model.flow(HELLO, model.effort(), through=RunnableLambda(lambda _: "text")))


def test_calls_are_marked_as_internal() -> None:
    seen: list[RunnableConfig] = []

    def spy(asked: Any, config: RunnableConfig) -> AIMessage:
        seen.append(config)
        return AIMessage("x")

    model = PoliteModel(FakeListChatModel(responses=["x"]), run_name="memory.test")
    drive(model.flow(HELLO, model.effort(), through=RunnableLambda(spy)))
    assert "nostream" in seen[0]["tags"]
    assert seen[0]["metadata"]["memory_internal"] is True
    assert model._config()["run_name"] == "memory.test"


def test_langchains_mark_is_used_where_it_is_loaded() -> None:
    from langchain.agents.middleware.internal_call_transformer import internal_call_metadata  # noqa: PLC0415

    marked = PoliteModel(FakeListChatModel(responses=["x"]))._config()["metadata"]
    assert internal_call_metadata().items() <= marked.items()


class Refused(Exception):
    """Carries what it is given, as the errors of providers do."""

    def __init__(self, message: str = "", **told: Any) -> None:
        self.__dict__.update(told)
        super().__init__(message)


class Response:
    """As HTTP clients keep it."""

    def __init__(self, status: int, **headers: str) -> None:
        self.status_code = status
        self.headers = headers


class ContextOverflowError(Exception):
    """Named like LangChain's."""


class LengthFinishReasonError(Exception):
    """Named like OpenAI's."""


@pytest.mark.parametrize(
    ("error", "kind"),
    [
        (Refused(status_code=429), "passing"),
        (Refused(response=Response(503)), "passing"),
        (Refused(code=429), "passing"),
        (Refused(response={"ResponseMetadata": {"HTTPStatusCode": 503}}), "passing"),
        (TimeoutError(), "passing"),
        (ConnectionResetError(), "passing"),
        (json.JSONDecodeError("x", "y", 0), "passing"),
        (Refused(status_code=401), "denied"),
        (Refused(status_code=400), "refused"),
        (Refused(status_code=404), "refused"),
        (NotImplementedError(), "refused"),
        (Refused(status_code=413), "too_long"),
        (Refused("the prompt is too long: 9 tokens", status_code=400), "too_long"),
        (Refused(status_code=400, code="context_length_exceeded"), "too_long"),
        (Refused("the request exceeds the available context size", status_code=400), "too_long"),
        (ContextOverflowError(), "too_long"),
        (LengthFinishReasonError(), "cut"),
        (Refused(response={"Error": {}}), "unknown"),
        (Refused(code="x"), "unknown"),
        (KeyError("x"), "unknown"),
    ],
    ids=repr,
)
def test_failures_are_told_apart(error: Exception, kind: str) -> None:
    assert kind_of(error) == kind


def test_a_failure_is_told_in_one_line() -> None:
    assert tell(Refused("a\n b", status_code=418)) == "Refused 418: a b"
    assert tell(TimeoutError()) == "TimeoutError"


def test_retry_after_may_be_a_date() -> None:
    past, never = "Wed, 21 Oct 2015 07:28:00 GMT", "Wed, 21 Oct 2195 07:28:00 GMT"
    assert pause_before_retry(Refused(response=Response(429, **{"retry-after": past})), 0, first=3.0) == 3.0
    assert pause_before_retry(Refused(response=Response(429, **{"retry-after": never})), 0) == 30.0
    assert pause_before_retry(Refused(response=Response(429, **{"retry-after": "soon"})), 1) == 0.4
    assert status_of(Refused(code=7)) is None
    assert status_of(Refused(response=Response(200))) is None


def test_a_model_is_built_from_configuration() -> None:
    made = build_chat_model(ModelConfig(model="tiny", base_url="http://127.0.0.1:9/v1", timeout=7))
    assert isinstance(made, ChatOpenAI)
    assert (made.model_name, made.max_retries, made.request_timeout) == ("tiny", 0, 7.0)
    assert (model_name(made), model_name(FakeListChatModel(responses=[]))) == ("tiny", "FakeListChatModel")
    assert build_chat_model(made) is made
    named = build_chat_model(ModelConfig(model="gpt-4o-mini", provider="openai", api_key="k"))
    assert isinstance(named, ChatOpenAI)


def test_a_model_may_be_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "k")
    assert isinstance(build_chat_model("openai:gpt-4o-mini"), ChatOpenAI)


@pytest.mark.parametrize(
    ("model", "message"),
    [
        ("nobody:m", "cannot build the chat model 'nobody:m'"),
        ("who-knows", "cannot build the chat model 'who-knows'"),
        (ModelConfig(), "the model has no name"),
    ],
)
def test_a_model_that_cannot_be_built_is_told(model: str | ModelConfig, message: str) -> None:
    with pytest.raises(ExtractionError, match=message) as caught:
        PoliteModel(model)
    assert caught.value.permanent


def test_a_missing_package_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "langchain.chat_models", None)
    with pytest.raises(ExtractionError, match=r"needs the package 'langchain': pip install .*\[models\]"):
        build_chat_model("openai:gpt-4o-mini")


def test_any_chat_model_will_do() -> None:
    model: BaseChatModel = FakeListChatModel(responses=["x"])
    assert PoliteModel(model).ask(HELLO).text == "x"
