"""Embedders from configuration."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from langchain_core.embeddings import DeterministicFakeEmbedding

from memory_middleware import EmbeddingConfig, EmbeddingError
from memory_middleware.embedding import LocalEmbeddings, build_embeddings, embedder_name, is_multilingual, local


def test_the_local_embedder_knows_likeness_without_a_network() -> None:
    embeddings = build_embeddings(EmbeddingConfig(provider="local", model="wordllama"))
    dog, puppy, tax = np.array(embeddings.embed_documents(["a dog", "a puppy", "the tax return"]))
    assert dog @ puppy > dog @ tax
    assert np.linalg.norm(dog) == pytest.approx(1.0, abs=1e-3)
    assert embeddings.embed_documents([]) == []
    assert len(embeddings.embed_query("x")) == 256
    assert embedder_name(embeddings) == "LocalEmbeddings:wordllama-256"
    assert not is_multilingual(embeddings)


def test_shorter_vectors_can_be_had() -> None:
    small = EmbeddingConfig(provider="local", model="wordllama", params={"dim": 64})
    assert len(build_embeddings(small).embed_query("x")) == 64
    with pytest.raises(EmbeddingError, match="has vectors of"):
        LocalEmbeddings(100)


@pytest.mark.parametrize(
    ("config", "message"),
    [
        (EmbeddingConfig(provider="local", model="bert"), "unknown local embedding model 'bert'; known: wordllama"),
        (EmbeddingConfig(provider="openai", model="m"), "needs the package 'langchain-openai'"),
        (EmbeddingConfig(provider="cohere", model="m"), "needs the package 'langchain'"),
    ],
)
def test_what_cannot_be_built_is_told_with_its_remedy(
    config: EmbeddingConfig, message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for package in ("langchain_openai", "langchain.embeddings"):
        monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(EmbeddingError) as caught:
        build_embeddings(config)
    assert message in str(caught.value)


def test_a_broken_installation_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Broken:
        __file__ = str(tmp_path / "x.py")

        class WordLlama:
            @staticmethod
            def load(**_options: object) -> object:
                raise FileNotFoundError("weights")

    monkeypatch.setitem(sys.modules, "wordllama", Broken)
    with pytest.raises(EmbeddingError, match="cannot load the local embedder: weights; reinstall"):
        local._read(256)


def test_other_embedders_are_named_by_class_and_model() -> None:
    assert embedder_name(DeterministicFakeEmbedding(size=3)) == "DeterministicFakeEmbedding"
    assert is_multilingual(DeterministicFakeEmbedding(size=3))


def test_the_logging_of_the_program_stays_its_own() -> None:
    script = (
        "import logging; from memory_middleware.embedding import LocalEmbeddings;"
        "LocalEmbeddings().embed_query('tea'); root = logging.getLogger();"
        "assert (root.handlers, root.level) == ([], logging.WARNING), (root.handlers, root.level)"
    )
    subprocess.run([sys.executable, "-c", script], check=True)


def test_an_empty_text_has_an_empty_vector() -> None:
    embedder = LocalEmbeddings(64)
    assert embedder.embed_documents([""]) == embedder.embed_documents(["", "tea"])[:1] == [[0.0] * 64]
