"""Simple sources: turns by meaning, or by recency."""

from __future__ import annotations

import json
import logging
from pathlib import Path
from typing import Any

import pytest

from memory_middleware import EmbeddingConfig, EmbeddingError, MemoryContentSnapshot
from memory_middleware.config import SimpleMemoryConfig
from memory_middleware.embedding import LocalEmbeddings
from memory_middleware.sources import SourceContext, build_source
from memory_middleware.sources.simple import SimpleMemory
from memory_middleware.testing import HashEmbeddings
from tests.sources.support import ANN, BOB, NOW, CountingEmbeddings, TableEmbeddings, summaries, turn
from tests.support import brief, cases, contains, vectors

RECORDED = vectors("002_devall/simple_retrieve")


@pytest.mark.parametrize("case", RECORDED["cases"][:3], ids=lambda case: case["query"])
def test_a_recorded_search_is_the_same(case: dict[str, Any], tmp_path: Path) -> None:
    path = tmp_path / "simple.json"
    path.write_text(json.dumps(RECORDED["items"]), encoding="utf-8")
    source = SimpleMemory("s", path=path, embeddings=TableEmbeddings(case["query_embedding"]))
    found = source.retrieve(
        MemoryContentSnapshot(case["query"]), ANN, top_k=case["top_k"], threshold=case["similarity_threshold"]
    )
    assert [item.id for item in found] == case["expected_ids"]


def test_items_without_a_fitting_vector_are_embedded_and_found(tmp_path: Path) -> None:
    assert RECORDED["cases"][3]["expected_ids"] == []
    path = tmp_path / "simple.json"
    items = [
        {"id": "short", "content_summary": "alpha", "embedding": [1.0, 0.0, 0.0]},
        {"id": "none", "content_summary": "beta", "embedding": None},
    ]
    path.write_text(json.dumps(items), encoding="utf-8")
    source = SimpleMemory("s", path=path, embeddings=HashEmbeddings(8))
    found = source.retrieve(MemoryContentSnapshot("alpha"), ANN, top_k=3)
    assert [item.id for item in found] == ["short", "none"]
    source.load()
    assert [len(entry["embedding"]) for entry in json.loads(path.read_text(encoding="utf-8"))] == [8, 8]


@pytest.mark.parametrize("case", cases("002_devall/simple_update")[:2], ids=brief)
def test_recorded_writes_are_kept_alike(case: dict[str, Any], tmp_path: Path) -> None:
    path = tmp_path / "simple.json"
    source = SimpleMemory("s", path=path, embeddings=TableEmbeddings(case["embedded"]), clock=lambda: NOW)
    for write in case["writes"]:
        source.update(turn(write["inputs_text"], write["output"], write["role"]), ANN)
        assert len(json.loads(path.read_text(encoding="utf-8"))) == write["count_after"]
    for entry, expected in zip(json.loads(path.read_text(encoding="utf-8")), case["contents"], strict=True):
        assert entry.pop("embedding") == pytest.approx(expected["embedding"])
        assert contains(entry, {key: value for key, value in expected.items() if key != "embedding"})


def test_without_an_embedder_turns_are_kept_and_the_newest_come_first() -> None:
    case = cases("002_devall/simple_update")[2]
    assert case["contents"] == []
    source = SimpleMemory("s")
    for write in case["writes"]:
        source.update(turn(write["inputs_text"], write["output"]), ANN)
    source.update(turn("second", "turn"), ANN)
    wanted = ["Input: second Output: turn", "Input: question text Output: a long enough answer text"]
    assert summaries(source, "question text") == wanted
    assert summaries(source, "question text", top_k=1) == wanted[:1]


def test_turns_written_without_an_embedder_are_found_by_meaning_with_one(tmp_path: Path) -> None:
    path = tmp_path / "simple.json"
    plain = SimpleMemory("s", path=path)
    plain.update(turn("deploy day", "we deploy on friday"), ANN)
    plain.update(turn("lunch", "at noon"), ANN)
    embeddings = CountingEmbeddings()
    source = SimpleMemory("s", path=path, embeddings=embeddings)
    source.load()
    assert len(embeddings.seen) == 2
    assert summaries(source, "when do we deploy", top_k=1) == ["Input: deploy day Output: we deploy on friday"]
    again = CountingEmbeddings()
    fresh = SimpleMemory("s", path=path, embeddings=again)
    fresh.load()
    summaries(fresh, "lunch")
    assert again.seen == ["Query: lunch"]


def test_vectors_of_another_embedder_are_not_compared(tmp_path: Path) -> None:
    path = tmp_path / "simple.json"
    SimpleMemory("s", path=path, embeddings=TableEmbeddings({}, 64)).update(turn("tea", "green"), ANN)
    embeddings = CountingEmbeddings(64)
    source = SimpleMemory("s", path=path, embeddings=embeddings)
    assert summaries(source, "tea") == ["Input: tea Output: green"]
    assert embeddings.seen == ["Query: tea", "Input: tea Output: green"]


def test_an_equal_summary_is_kept_once_for_each_owner() -> None:
    embeddings = CountingEmbeddings()
    source = SimpleMemory("s", embeddings=embeddings)
    for scope in (ANN, ANN, BOB):
        source.update(turn("tea?", "green"), scope)
    assert len(summaries(source)) == len(summaries(source, scope=BOB)) == 1
    assert len(embeddings.seen) == 1  # the same text needs no second vector


class RacingEmbeddings(HashEmbeddings):
    """While it embeds, somebody else writes the same."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.path = path

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        SimpleMemory("s", path=self.path).update(turn("tea?", "green"), ANN)
        return super().embed_documents(texts)


def test_a_summary_that_comes_meanwhile_is_kept_once(tmp_path: Path) -> None:
    path = tmp_path / "simple.json"
    source = SimpleMemory("s", path=path, embeddings=RacingEmbeddings(path))
    source.update(turn("tea?", "green"), ANN)
    assert summaries(source) == ["Input: tea? Output: green"]


def test_two_items_of_one_second_have_two_ids() -> None:
    source = SimpleMemory("s", clock=lambda: NOW)
    for scope in (ANN, BOB):
        source.update(turn("tea?", "green"), scope)
    found = [source.retrieve(MemoryContentSnapshot(""), scope, top_k=1)[0].id for scope in (ANN, BOB)]
    assert found[1] == f"{found[0]}_2"


def test_a_turn_with_one_half_is_kept_and_one_with_none_is_not() -> None:
    source = SimpleMemory("s")
    source.update(turn("", "answer alone"), ANN)
    source.update(turn("question alone"), ANN)
    source.update(turn(" \n", "  "), ANN)
    assert summaries(source) == ["Input: question alone", "Output: answer alone"]


def test_a_turn_that_cannot_be_embedded_is_kept(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    embeddings = CountingEmbeddings()
    source = SimpleMemory("s", path=tmp_path / "s.json", embeddings=embeddings)
    with caplog.at_level(logging.WARNING):
        source.update(turn("BOOM", "boom"), ANN)
        source.load()
    assert "kept without a vector for now" in caplog.text
    assert "1 items of 's' stay without a vector" in caplog.text
    with pytest.raises(EmbeddingError, match="no vector for BOOM"):
        summaries(source, "boom")
    embeddings.failing = False
    assert summaries(source, "boom") == ["Input: BOOM Output: boom"]


def test_a_query_without_text_gives_the_newest() -> None:
    source = SimpleMemory("s", embeddings=HashEmbeddings())
    for at in range(3):
        source.update(turn("count", f"number {at}"), ANN)
    assert summaries(source, "", top_k=2) == ["Input: count Output: number 2", "Input: count Output: number 1"]
    assert summaries(SimpleMemory("s", embeddings=HashEmbeddings()), "empty source") == []


def test_the_threshold_is_one_of_cosine() -> None:
    source = SimpleMemory("s", embeddings=HashEmbeddings())
    source.update(turn("deploy on friday"), ANN)
    source.update(turn("zebra apple mango"), ANN)
    found = source.retrieve(MemoryContentSnapshot("deploy on friday"), ANN, top_k=5, threshold=0.5)
    assert [item.content_summary for item in found] == ["Input: deploy on friday"]
    assert source.retrieve(MemoryContentSnapshot("deploy on friday"), ANN, top_k=5, threshold=1.5) == []


def test_an_odd_vector_in_a_file_disturbs_nothing(tmp_path: Path) -> None:
    path = tmp_path / "simple.json"
    odd = '[{"id": "odd", "content_summary": "odd", "embedding": [NaN, Infinity]}, '
    path.write_text(odd + '{"id": "good", "content_summary": "tea", "embedding": [3, 4]}]', encoding="utf-8")
    source = SimpleMemory("s", path=path, embeddings=TableEmbeddings({"Query: tea": [3.0, 4.0]}, 2))
    assert summaries(source, "tea") == ["tea", "odd"]


def test_the_length_of_summaries_can_be_set(tmp_path: Path) -> None:
    config = SimpleMemoryConfig(memory_path="auto", max_content_length=10)
    source = build_source("simple", config, SourceContext("s", tmp_path))
    source.update(turn("a long question"), ANN)
    assert summaries(source) == ["Input: a l..."]


def test_the_local_embedder_finds_what_is_meant(tmp_path: Path) -> None:
    config = SimpleMemoryConfig(memory_path="auto", embedding=EmbeddingConfig(provider="local", model="wordllama"))
    built: list[EmbeddingConfig] = []

    def embed(given: EmbeddingConfig) -> LocalEmbeddings:
        built.append(given)
        return LocalEmbeddings(64)

    source = build_source("simple", config, SourceContext("s", tmp_path, embed=embed))
    assert built == [config.embedding]
    source.update(turn("Which pet do you have?", "I have a small dog called Rex"), ANN)
    source.update(turn("How do you get to work?", "I take the train every morning"), ANN)
    source.update(turn("What do you eat?", "Mostly vegetables and rice"), ANN)
    assert "Rex" in summaries(source, "name of the puppy", top_k=1)[0]
