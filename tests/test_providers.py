"""Embedders behind HTTP: a real server that answers, and one that misbehaves."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from memory_middleware import EmbeddingConfig, EmbeddingError, LanceStore
from memory_middleware.embedding import build_embeddings, pause_before_retry
from memory_middleware.storage import vectors
from tests.provider import Provider, provider


def config(server: Provider, **params: Any) -> EmbeddingConfig:
    # The client's own retries are switched off, so that ours are seen.
    return EmbeddingConfig(
        provider="openai", model="text-3", api_key="k", base_url=server.url, params={"max_retries": 0, **params}
    )


def test_a_compatible_service_is_searched_and_asked_once_for_each_text(tmp_path: Path) -> None:
    with provider() as server:
        with LanceStore.open(tmp_path, embedding=config(server, batch_size=2)) as store:
            store.batch([])
            for at, text in enumerate(["green tea", "black coffee", "green tea"]):
                store.put(("a",), f"k{at}", {"text": text}, index=["text"])
            assert store.search(("a",), query="green tea", limit=1)[0].value["text"] == "green tea"
            assert server.texts == ["green tea", "black coffee"]
        assert all(size <= 2 for size in server.batches)


def test_vectors_of_a_slow_embedder_are_kept_on_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(vectors, "_SLOW_SECONDS", 0.0)
    with provider() as server:
        with LanceStore.open(tmp_path, embedding=config(server)) as store:
            store.put(("a",), "k", {"text": "green tea"}, index=["text"])
            store.search(("a",), query="tea")
        with LanceStore.open(tmp_path, embedding=config(server)) as store:
            store.search(("a",), query="tea")
            store.search(("a",), query="tea")
            asyncio.run(store.asearch(("a",), query="coffee"))
            assert store.embedding_stats == (1, 1, 1)
            assert store.embedding_stats.hit_rate == pytest.approx(2 / 3)
        assert server.texts == ["green tea", "tea", "coffee"]


def test_the_disk_keeps_the_newest(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(vectors, "_SLOW_SECONDS", 0.0)
    monkeypatch.setattr("memory_middleware.storage.vector_cache._TRIM_EVERY", 1)
    with provider() as server, LanceStore.open(tmp_path, embedding=config(server)) as store:
        cache = store._indexing._vectors
        assert cache is not None and cache.disk is not None
        cache.disk._most = 2
        for text in ("one", "two", "three", "four"):
            store.search(("a",), query=text)
        kept = cache.disk.read(cache.name, ["one", "two", "three", "four"])
        assert set(kept) == {"three", "four"}


@pytest.mark.parametrize("colour", ["sync", "async"])
def test_failures_that_pass_are_waited_for(tmp_path: Path, colour: str) -> None:
    with provider() as server, LanceStore.open(tmp_path, embedding=config(server)) as store:
        server.failures = [(429, {"Retry-After": "0.01"}), (503, {})]
        if colour == "sync":
            store.put(("a",), "k", {"text": "green tea"}, index=["text"])
        else:
            asyncio.run(store.aput(("a",), "k", {"text": "green tea"}, index=["text"]))
        assert server.texts == ["green tea"]
        assert store.get(("a",), "k") is not None


@pytest.mark.parametrize("colour", ["sync", "async"])
@pytest.mark.parametrize(("status", "times"), [(401, 1), (500, 4)])
def test_failures_that_do_not_pass_are_told(
    tmp_path: Path, colour: str, status: int, times: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(vectors, "pause_before_retry", lambda error, at: pause_before_retry(error, at) and 0.001)
    with provider() as server, LanceStore.open(tmp_path, embedding=config(server)) as store:
        server.failures = [(status, {})] * 9
        with pytest.raises(EmbeddingError, match=f"'OpenAIEmbeddings:text-3' failed on 1 texts: .*{status}"):
            if colour == "sync":
                store.put(("a",), "k", {"text": "tea"}, index=["text"])
            else:
                asyncio.run(store.aput(("a",), "k", {"text": "tea"}, index=["text"]))
        assert len(server.failures) == 9 - times
        assert store.get(("a",), "k") is None


def test_a_service_that_is_away_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(vectors, "pause_before_retry", lambda error, at: pause_before_retry(error, at) and 0.001)
    away = EmbeddingConfig(
        provider="openai", model="m", base_url="http://127.0.0.1:9/v1", params={"max_retries": 0, "timeout": 2}
    )
    with (
        LanceStore.open(tmp_path, embedding=away) as store,
        pytest.raises(EmbeddingError, match=r"'OpenAIEmbeddings:m' failed on 1 texts: Connection error"),
    ):
        store.search(("a",), query="tea")


def test_a_key_is_needed_unless_another_service_is_named() -> None:
    with pytest.raises(EmbeddingError, match="needs an api_key"):
        build_embeddings(EmbeddingConfig(provider="openai", model="m"))
    with pytest.raises(EmbeddingError, match="needs an api_key"):
        build_embeddings("openai:text-embedding-3-small")


def test_any_langchain_provider_may_be_named() -> None:
    azure = EmbeddingConfig(
        provider="azure_openai",
        model="text-3",
        api_key="k",
        params={"azure_endpoint": "http://127.0.0.1:9", "api_version": "1", "batch_size": 3},
    )
    assert type(build_embeddings(azure)).__name__ == "AzureOpenAIEmbeddings"
    with pytest.raises(EmbeddingError, match="cannot build the embedder nobody:m"):
        build_embeddings("nobody:m")


class Refused(Exception):
    """Carries a status, as the errors of providers do."""

    def __init__(self, status: int) -> None:
        self.status_code = status


class ReadTimeout(Exception):
    """Named like those of HTTP clients."""


@pytest.mark.parametrize(
    ("error", "pause"),
    [(Refused(400), None), (Refused(429), 0.8), (Refused(502), 0.8), (ReadTimeout(), 0.8), (ValueError("x"), None)],
)
def test_which_failures_pass(error: Exception, pause: float | None) -> None:
    assert pause_before_retry(error, 2) == pause
    assert pause_before_retry(Refused(500), 20) == 30.0
