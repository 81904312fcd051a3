"""Exact tokenizers from rank files that ship with the package: no network, no hanging first use.

``tiktoken.get_encoding`` downloads without a timeout while it holds a process-wide lock, so it is
never called here. The rank files are tiktoken's own, compressed, and checked against its hashes.
"""

from __future__ import annotations

import hashlib
import lzma
import threading
from binascii import a2b_base64
from importlib.resources import files
from typing import TYPE_CHECKING, NamedTuple

from memory_middleware.errors import TokenizerError

if TYPE_CHECKING:
    from tiktoken import Encoding

__all__ = ["ENCODINGS", "load_encoding", "read_ranks"]


class RankFile(NamedTuple):
    """How to build one encoding from its rank file."""

    sha256: str
    pattern: str
    special_tokens: dict[str, int]


_SUFFIX = "(?i:'s|'t|'re|'ve|'m|'ll|'d)?"
_UPPER = r"[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]"
_LOWER = r"[\p{Ll}\p{Lm}\p{Lo}\p{M}]"
_LEAD = r"[^\r\n\p{L}\p{N}]?"

ENCODINGS = {
    "o200k_base": RankFile(
        sha256="446a9538cb6c348e3516120d7c08b09f57c36495e2acfffe59a5bf8b0cfb1a2d",
        pattern="|".join(
            (
                f"{_LEAD}{_UPPER}*{_LOWER}+{_SUFFIX}",
                f"{_LEAD}{_UPPER}+{_LOWER}*{_SUFFIX}",
                r"\p{N}{1,3}",
                r" ?[^\s\p{L}\p{N}]+[\r\n/]*",
                r"\s*[\r\n]+",
                r"\s+(?!\S)",
                r"\s+",
            )
        ),
        special_tokens={"<|endoftext|>": 199999, "<|endofprompt|>": 200018},
    ),
    "cl100k_base": RankFile(
        sha256="223921b76ee99bde995b7ff738513eef100fb51d18c93597a113bcffe865b2a7",
        pattern="|".join(
            (
                "'(?i:[sdmt]|ll|ve|re)",
                r"[^\r\n\p{L}\p{N}]?+\p{L}++",
                r"\p{N}{1,3}+",
                r" ?[^\s\p{L}\p{N}]++[\r\n]*+",
                r"\s++$",
                r"\s*[\r\n]",
                r"\s+(?!\S)",
                r"\s",
            )
        ),
        special_tokens={
            "<|endoftext|>": 100257,
            "<|fim_prefix|>": 100258,
            "<|fim_middle|>": 100259,
            "<|fim_suffix|>": 100260,
            "<|endofprompt|>": 100276,
        },
    ),
}

_lock = threading.Lock()
_loaded: dict[str, Encoding] = {}


def load_encoding(name: str) -> Encoding:
    """Give the encoding of a name, built on first use and shared afterwards.

    Raises:
        TokenizerError: There is no such encoding, or its rank file is damaged.
    """
    found = _loaded.get(name)
    if found is not None:
        return found
    with _lock:
        if name not in _loaded:
            _loaded[name] = _build(name)
        return _loaded[name]


def read_ranks(name: str) -> bytes:
    """Unpack a rank file and check it.

    Raises:
        TokenizerError: There is no such file, or it is damaged.
    """
    packed = files("memory_middleware.tokens") / "data" / f"{name}.tiktoken.xz"
    try:
        data = lzma.decompress(packed.read_bytes())
    except (OSError, lzma.LZMAError) as error:
        raise TokenizerError(f"cannot read the rank file of {name!r}: {error}; reinstall the package") from error
    found = hashlib.sha256(data).hexdigest()
    if found != ENCODINGS[name].sha256:
        raise TokenizerError(f"the rank file of {name!r} is damaged (sha256 {found}); reinstall the package")
    return data


def _build(name: str) -> Encoding:
    if name not in ENCODINGS:
        raise TokenizerError(f"unknown encoding {name!r}; known: {', '.join(ENCODINGS)}")
    # Loading tiktoken takes time that a program which never counts should not spend.
    import tiktoken  # noqa: PLC0415

    lines = map(bytes.split, read_ranks(name).splitlines())
    ranks = {a2b_base64(token): int(rank) for token, rank in lines}
    recipe = ENCODINGS[name]
    return tiktoken.Encoding(name, pat_str=recipe.pattern, mergeable_ranks=ranks, special_tokens=recipe.special_tokens)
