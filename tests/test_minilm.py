"""MiniLM through onnxruntime, on a tiny encoder of random weights, against plain numpy."""

from __future__ import annotations

import json
import math
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from safetensors.numpy import save_file
from tokenizers import Tokenizer
from tokenizers.models import WordLevel
from tokenizers.pre_tokenizers import Whitespace

from memory_middleware import EmbeddingConfig, EmbeddingError, LanceStore
from memory_middleware.embedding import MiniLMEmbeddings, build_embeddings, embedder_name, minilm
from memory_middleware.embedding.bert_graph import bert_graph

HIDDEN, HEADS, LAYERS, INNER = 16, 4, 2, 24
WORDS = {"[PAD]": 0, "[UNK]": 1, "green": 2, "tea": 3, "black": 4, "coffee": 5}
CONFIG = {
    "hidden_size": HIDDEN,
    "num_attention_heads": HEADS,
    "num_hidden_layers": LAYERS,
    "layer_norm_eps": 1e-12,
}


def random_weights() -> dict[str, Any]:
    chance = np.random.default_rng(5)

    def made(*shape: int) -> Any:
        return chance.standard_normal(shape).astype(np.float32)

    found = {
        "embeddings.word_embeddings.weight": made(len(WORDS), HIDDEN),
        "embeddings.position_embeddings.weight": made(12, HIDDEN),
        "embeddings.token_type_embeddings.weight": made(2, HIDDEN),
    }
    shapes = {f"attention.self.{name}": (HIDDEN, HIDDEN) for name in ("query", "key", "value")}
    shapes |= {"attention.output.dense": (HIDDEN, HIDDEN), "intermediate.dense": (INNER, HIDDEN)}
    shapes |= {"output.dense": (HIDDEN, INNER)}
    for layer in range(LAYERS):
        for name, shape in shapes.items():
            found[f"encoder.layer.{layer}.{name}.weight"] = made(*shape)
            found[f"encoder.layer.{layer}.{name}.bias"] = made(shape[0])
    norms = ["embeddings.LayerNorm"]
    norms += [f"encoder.layer.{at}.{name}.LayerNorm" for at in range(LAYERS) for name in ("attention.output", "output")]
    for name in norms:
        found[f"{name}.weight"], found[f"{name}.bias"] = made(HIDDEN), made(HIDDEN)
    return found


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "tiny"
    made.mkdir()
    tokenizer = Tokenizer(WordLevel(WORDS, unk_token="[UNK]"))
    tokenizer.pre_tokenizer = Whitespace()
    tokenizer.save(str(made / "tokenizer.json"))
    save_file(random_weights(), made / "model.safetensors")
    (made / "config.json").write_text(json.dumps(CONFIG))
    return made


def by_hand(text: str) -> Any:
    """Encode one text, word for word, as the BERT paper has it."""
    weights = random_weights()
    ids = [WORDS.get(word, 1) for word in text.split()]

    def linear(value: Any, name: str) -> Any:
        return value @ weights[f"{name}.weight"].T + weights[f"{name}.bias"]

    def normal(value: Any, name: str) -> Any:
        centred = value - value.mean(-1, keepdims=True)
        spread = np.sqrt((centred**2).mean(-1, keepdims=True) + 1e-12)
        return centred / spread * weights[f"{name}.weight"] + weights[f"{name}.bias"]

    state = weights["embeddings.word_embeddings.weight"][ids]
    state = state + weights["embeddings.position_embeddings.weight"][: len(ids)]
    state = normal(state + weights["embeddings.token_type_embeddings.weight"][0], "embeddings.LayerNorm")
    for layer in range(LAYERS):
        name = f"encoder.layer.{layer}"
        query, key, value = (linear(state, f"{name}.attention.self.{part}") for part in ("query", "key", "value"))
        mixed = []
        for head in np.split(np.arange(HIDDEN), HEADS):
            scores = query[:, head] @ key[:, head].T / math.sqrt(HIDDEN // HEADS)
            chances = np.exp(scores) / np.exp(scores).sum(-1, keepdims=True)
            mixed.append(chances @ value[:, head])
        told = linear(np.concatenate(mixed, axis=-1), f"{name}.attention.output.dense")
        state = normal(told + state, f"{name}.attention.output.LayerNorm")
        inner = linear(state, f"{name}.intermediate.dense")
        inner = inner * 0.5 * (1 + np.vectorize(math.erf)(inner / math.sqrt(2)))
        state = normal(linear(inner, f"{name}.output.dense") + state, f"{name}.output.LayerNorm")
    mean = state.mean(axis=0)
    return mean / np.linalg.norm(mean)


def test_the_graph_computes_what_bert_is(folder: Path) -> None:
    texts = ["green tea", "black", "coffee black green tea unknown"]
    made = np.array(MiniLMEmbeddings(folder, batch_size=2).embed_documents(texts))
    np.testing.assert_allclose(made, [by_hand(text) for text in texts], atol=1e-5)


def test_an_onnx_file_is_taken_as_it_is(folder: Path) -> None:
    (folder / "onnx").mkdir()
    (folder / "onnx" / "model.onnx").write_bytes(bert_graph(random_weights(), CONFIG))
    (folder / "model.safetensors").unlink()
    embeddings = MiniLMEmbeddings(folder)
    np.testing.assert_allclose(embeddings.embed_query("green tea"), by_hand("green tea"), atol=1e-5)
    assert embeddings.embed_documents([]) == []


def test_a_configuration_names_the_folder(folder: Path, tmp_path: Path) -> None:
    config = EmbeddingConfig(
        provider="local", model="sentence-transformers/all-MiniLM-L6-v2", params={"path": str(folder)}
    )
    assert embedder_name(build_embeddings(config)) == "MiniLMEmbeddings:minilm-tiny-256"
    with LanceStore.open(tmp_path / "memory", embedding=config) as store:
        store.put(("a",), "tea", {"text": "green tea"}, index=["text"])
        assert store.search(("a",), query="green tea")[0].key == "tea"
        assert store.index_config is not None and store.index_config["dims"] == HIDDEN


def test_what_is_missing_is_told(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(EmbeddingError, match=r"no tokenizer\.json in"):
        MiniLMEmbeddings(tmp_path)
    with monkeypatch.context() as patch:
        patch.setitem(sys.modules, "onnx", None)
        patch.delitem(sys.modules, "memory_middleware.embedding.bert_graph")
        with pytest.raises(EmbeddingError, match="needs onnx and safetensors"):
            MiniLMEmbeddings(folder).embed_query("tea")
    with monkeypatch.context() as patch:
        patch.setitem(sys.modules, "onnxruntime", None)
        with pytest.raises(EmbeddingError, match=r"needs onnxruntime: pip install .*\[minilm\]"):
            MiniLMEmbeddings(folder).embed_query("tea")
    (folder / "config.json").unlink()
    with pytest.raises(EmbeddingError, match=r"neither model\.onnx nor"):
        MiniLMEmbeddings(folder).embed_query("tea")
    monkeypatch.setattr(minilm, "_PACKAGES", ("not_installed_at_all",))
    with pytest.raises(EmbeddingError, match="give the folder of a downloaded model"):
        MiniLMEmbeddings()


def test_an_installed_package_may_bring_the_weights(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = tmp_path / "with_weights"
    package.mkdir()
    (package / "__init__.py").touch()
    folder.rename(package / "model")
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setattr(minilm, "_PACKAGES", ("with_weights",))
    assert len(MiniLMEmbeddings().embed_query("tea")) == HIDDEN
