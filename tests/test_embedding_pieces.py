"""Texts that are longer than a model takes."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory_middleware import EmbeddingConfig, EmbeddingError
from memory_middleware.embedding import build_embeddings, is_multilingual
from memory_middleware.embedding.pieces import PieceEmbeddings, split_text, with_pieces
from memory_middleware.testing import HashEmbeddings
from tests.support import brief, cases


class LengthEmbeddings(HashEmbeddings):
    """The recorded back end: length, number of ``a``, and 1; notes what it gets."""

    def __init__(self) -> None:
        super().__init__(3)
        self.sent: list[str] = []

    def embed_query(self, text: str) -> list[float]:
        self.sent.append(text)
        return [float(len(text)), float(text.count("a")), 1.0]


@pytest.mark.parametrize("case", cases("002_devall/embedding_chunk_text"), ids=brief)
def test_recorded_texts_are_split_with_every_character_kept(case: dict[str, Any]) -> None:
    found = split_text(case["input"], case["max_length"])
    assert "".join(found).replace("\n", "") == case["input"].replace("\n", "")
    assert all(len(piece) <= case["max_length"] for piece in found)
    if case["input"].startswith(("abc", "一")):
        assert [piece.rstrip("。") for piece in found] == [piece.rstrip("。") for piece in case["expected"]]


@given(st.text(st.sampled_from("ab .。\n"), max_size=200), st.integers(1, 30))
def test_pieces_are_short_and_hold_all_that_is_not_blank(text: str, limit: int) -> None:
    pieces = split_text(text, limit)
    assert all(0 < len(piece) <= limit for piece in pieces)
    assert "".join("".join(pieces).split()) == "".join(text.split())


@pytest.mark.parametrize("case", cases("002_devall/embedding_preprocess"), ids=brief)
def test_punctuation_reaches_the_embedder(case: dict[str, Any]) -> None:
    inner = LengthEmbeddings()
    PieceEmbeddings(inner, 100).embed_query(case["input"])
    assert inner.sent == [case["input"]]


def test_recorded_settings_are_followed() -> None:
    plain, short, long, *_ = cases("002_devall/openai_embedding")
    inner = LengthEmbeddings()
    assert with_pieces(inner, plain["params"]) is inner
    assert with_pieces(inner, short["params"]).embed_query(short["text"]) == short["result"]
    made = with_pieces(inner, long["params"]).embed_query(long["text"])
    assert inner.sent == [short["text"], "aaa bbb", "ccc ddd", "eee"]
    weights = [7 * 7 + 7 * 7 + 3 * 3, 7 * 3, 17]
    assert made == pytest.approx([part / sum(weight**2 for weight in weights) ** 0.5 for part in weights])


def test_the_mean_counts_every_piece_alike_unless_told() -> None:
    made = PieceEmbeddings(LengthEmbeddings(), 4).embed_documents(["aaa. b", "c"])
    assert made[0] == pytest.approx([part / 38**0.5 for part in (5, 3, 2)])
    assert made[1] == [1.0, 0.0, 1.0]


def test_long_texts_are_cut_where_they_are_not_split() -> None:
    inner = LengthEmbeddings()
    with_pieces(inner, {"max_length": 3}).embed_documents(["abcdef", "ab"])
    PieceEmbeddings(inner, 2).embed_query("    ")
    assert inner.sent == ["abc", "ab", "  "]


def test_both_colours_give_the_same() -> None:
    made = PieceEmbeddings(HashEmbeddings(), 10)
    for text in ("short", "one sentence. And another one."):
        assert asyncio.run(made.aembed_query(text)) == made.embed_query(text)
        assert asyncio.run(made.aembed_documents([text])) == made.embed_documents([text])


def test_the_settings_are_part_of_the_name() -> None:
    config = EmbeddingConfig(provider="local", model="wordllama", params={"max_length": 50, "use_chunking": True})
    made = build_embeddings(config)
    assert isinstance(made, PieceEmbeddings)
    assert made.identity == "LocalEmbeddings:wordllama-256/50s"
    assert not is_multilingual(made)


@pytest.mark.parametrize(
    ("params", "message"),
    [
        ({"chunk_strategy": "odd"}, "unknown chunk_strategy 'odd'; known: average, weighted"),
        ({"max_length": 0}, "max_length must be a number of characters, not 0"),
        ({"max_length": True}, "max_length must be"),
        ({"use_chunking": "yes"}, "use_chunking must be true or false, not 'yes'"),
    ],
)
def test_wrong_settings_are_told(params: dict[str, Any], message: str) -> None:
    with pytest.raises(EmbeddingError, match=message):
        with_pieces(HashEmbeddings(), params)
