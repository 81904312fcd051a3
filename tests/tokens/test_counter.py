"""Counting tokens."""

from __future__ import annotations

import hashlib
import lzma
import pickle
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
import tiktoken
import tiktoken_ext.openai_public as public
from hypothesis import given
from hypothesis import strategies as st

from memory_middleware import TokenCounter, TokenizerError
from memory_middleware.config import BudgetConfig
from memory_middleware.tokens import byte_ceiling, ranks, tokens_for_model

ENCODINGS = ["o200k_base", "cl100k_base"]
CHINESE = "记忆系统为每个用户维护两类持久化记忆。"


@pytest.mark.parametrize("name", ENCODINGS)
def test_the_recipe_is_tiktokens_own(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The split pattern, the special tokens and the hash are compared with the installed tiktoken."""
    expected: dict[str, str] = {}

    def ranks_of(_address: str, expected_hash: str) -> dict[bytes, int]:
        expected["hash"] = expected_hash
        return {b"a": 0}

    monkeypatch.setattr(public, "load_tiktoken_bpe", ranks_of)
    theirs = public.ENCODING_CONSTRUCTORS[name]()
    ours = ranks.ENCODINGS[name]
    assert ours.pattern == theirs["pat_str"]
    assert ours.special_tokens == theirs["special_tokens"]
    assert ours.sha256 == expected["hash"]


@pytest.mark.parametrize(
    ("name", "text", "tokens"),
    [
        ("o200k_base", "", 0),
        ("o200k_base", "hello world", 2),
        ("o200k_base", "tiktoken is great!", 6),
        ("cl100k_base", "tiktoken is great!", 6),
        ("o200k_base", "antidisestablishmentarianism", 6),
        ("cl100k_base", "antidisestablishmentarianism", 6),
        ("o200k_base", "2 + 2 = 4", 7),
        ("cl100k_base", "2 + 2 = 4", 7),
        ("o200k_base", "お誕生日おめでとう", 8),
        ("cl100k_base", "お誕生日おめでとう", 9),
    ],
)
def test_counts_are_the_published_ones(name: str, text: str, tokens: int) -> None:
    assert TokenCounter(name).count(text) == tokens


@pytest.mark.parametrize("name", ENCODINGS)
@given(text=st.text(max_size=200))
def test_a_count_never_passes_the_byte_ceiling(name: str, text: str) -> None:
    assert 0 <= TokenCounter(name).count(text) <= byte_ceiling(text)


def test_text_that_looks_like_a_special_token_is_plain_text() -> None:
    assert TokenCounter().count("<|endoftext|>") > 1


def test_a_million_blanks_and_lone_surrogates_are_counted() -> None:
    counter = TokenCounter()
    assert 0 < counter.count(" " * 1_000_000) <= 1_000_000
    assert counter.count("\ud800 x") > 0
    assert TokenCounter("bytes").count("\ud800") == 3


def test_what_the_engine_refuses_is_counted_as_bytes(monkeypatch: pytest.MonkeyPatch) -> None:
    class Refusing:
        def encode(self, text: str, disallowed_special: tuple[str, ...]) -> list[int]:
            raise ValueError("no")

    monkeypatch.setitem(ranks._loaded, "o200k_base", Refusing())
    counter = TokenCounter()
    assert counter.count("好a") == 4
    assert counter.count("b" * (TokenCounter.PIECE + 1)) == TokenCounter.PIECE + 1


def test_long_texts_are_exact_and_not_kept() -> None:
    counter = TokenCounter(cache_size=4)
    text = "a line of words\n" * 20_000
    assert counter.count(text) == len(ranks.load_encoding("o200k_base").encode(text))
    assert counter._cached.cache_info().currsize == 0
    counter.count("short")
    counter.count("short")
    assert counter._cached.cache_info().hits == 1


def test_a_factor_rounds_up() -> None:
    assert TokenCounter(factor=1.5).count("hello world") == 3
    assert TokenCounter(factor=1.25).count("hello world") == 3
    assert not TokenCounter(factor=1.25).exact
    assert TokenCounter().exact


@pytest.mark.parametrize(
    ("model", "encoding", "factor"),
    [
        ("gpt-4o-mini", "o200k_base", 1.0),
        ("openai:gpt-4.1", "o200k_base", 1.0),
        ("azure/gpt-5", "o200k_base", 1.0),
        ("o3-mini", "o200k_base", 1.0),
        ("ft:gpt-4o:org::id", "o200k_base", 1.0),
        ("gpt-4", "cl100k_base", 1.0),
        ("gpt-3.5-turbo", "cl100k_base", 1.0),
        ("text-embedding-3-small", "cl100k_base", 1.0),
        ("anthropic:claude-sonnet-4-5", "o200k_base", 1.5),
        ("bedrock/anthropic.claude-v2", "o200k_base", 1.5),
        ("us.anthropic.claude-sonnet-4-20250514-v1:0", "o200k_base", 1.5),
        ("openrouter/openai/gpt-4o:free", "o200k_base", 1.0),
        ("FT:gpt-3.5-turbo:x", "cl100k_base", 1.0),
        ("qwen3-32b", "o200k_base", 1.25),
        ("", "o200k_base", 1.25),
    ],
)
def test_a_model_chooses_encoding_and_factor(model: str, encoding: str, factor: float) -> None:
    assert tokens_for_model(model) == (encoding, factor)
    counter = TokenCounter.for_model(model)
    assert (counter.encoding, counter.factor) == (encoding, factor)
    assert TokenCounter.for_model(model, factor=2.0).factor == 2.0


@pytest.mark.parametrize(
    ("settings", "encoding", "factor"),
    [
        ({}, "o200k_base", 1.0),
        ({"model": "gpt-4"}, "cl100k_base", 1.0),
        ({"model": "claude", "factor": 1.2}, "o200k_base", 1.2),
        ({"encoding": "bytes", "model": "gpt-4", "factor": 2}, "bytes", 2.0),
    ],
)
def test_a_budget_chooses_its_counter(settings: dict[str, Any], encoding: str, factor: float) -> None:
    counter = TokenCounter.from_config(BudgetConfig.from_dict(settings))
    assert (counter.encoding, counter.factor) == (encoding, factor)
    again = pickle.loads(pickle.dumps(counter))
    assert (again.encoding, again.factor, again.count("hello")) == (encoding, factor, counter.count("hello"))


def test_several_texts_are_counted_each() -> None:
    assert TokenCounter().count_all(["hello", "world"]) == 2


@pytest.mark.parametrize("name", [*ENCODINGS, "bytes"])
@given(text=st.text(max_size=120), budget=st.integers(0, 40), factor=st.sampled_from([0.5, 1.0, 1.25]))
def test_a_cut_fits_and_is_a_start(name: str, text: str, budget: int, factor: float) -> None:
    counter = TokenCounter(name, factor=factor)
    kept = counter.cut(text, budget)
    assert text.startswith(kept)
    assert counter.count(kept) <= budget
    if counter.count(text) <= budget:
        assert kept == text


def test_a_cut_takes_what_it_can() -> None:
    counter = TokenCounter()
    assert counter.cut("one two three four", 2) == "one two"
    assert counter.count(counter.cut(CHINESE * 50, 20)) == 20
    assert counter.cut("x" * 500_000, 1) == "x" * len(counter.cut("x" * 500_000, 1))


@pytest.mark.parametrize("factor", [0, -1, float("nan"), float("inf")])
def test_a_bad_factor_is_refused(factor: float) -> None:
    with pytest.raises(TokenizerError, match="positive number"):
        TokenCounter(factor=factor)


def test_an_unknown_encoding_is_refused() -> None:
    with pytest.raises(
        TokenizerError, match="unknown encoding 'p50k_base'; use one of: o200k_base, cl100k_base, bytes"
    ):
        TokenCounter("p50k_base")
    with pytest.raises(TokenizerError, match="unknown encoding 'x'"):
        ranks.load_encoding("x")


@pytest.mark.parametrize("damage", [b"not xz", lzma.compress(b"YQ== 0\n"), None])
def test_a_damaged_rank_file_falls_back_to_the_ceiling(
    damage: bytes | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "data").mkdir()
    if damage is not None:
        (tmp_path / "data" / "o200k_base.tiktoken.xz").write_bytes(damage)
    monkeypatch.setattr(ranks, "files", lambda _package: tmp_path)
    monkeypatch.setattr(ranks, "_loaded", {})
    counter = TokenCounter()
    assert counter.count(CHINESE) == byte_ceiling(CHINESE)
    assert not counter.exact
    assert counter.encoding == "bytes"
    assert "reinstall the package" in caplog.text
    counter.count("again")
    assert len(caplog.records) == 1


def test_the_shipped_files_are_tiktokens() -> None:
    for name in ENCODINGS:
        assert hashlib.sha256(ranks.read_ranks(name)).hexdigest() == ranks.ENCODINGS[name].sha256


def test_threads_share_one_encoding(monkeypatch: pytest.MonkeyPatch) -> None:
    built: list[str] = []
    ready = threading.Barrier(8)

    def build(name: str) -> tiktoken.Encoding:
        built.append(name)
        bytes_only = {bytes([value]): value for value in range(256)}
        return tiktoken.Encoding(name, pat_str=".", mergeable_ranks=bytes_only, special_tokens={})

    def load(_: int) -> tiktoken.Encoding:
        ready.wait()
        return ranks.load_encoding("o200k_base")

    monkeypatch.setattr(ranks, "_loaded", {})
    monkeypatch.setattr(ranks, "_build", build)
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(load, range(8)))
    assert built == ["o200k_base"]
    assert all(encoding is found[0] for encoding in found)
