"""JSON as models write it: fenced, cut, with bare keys, loose commas and prose around; read once, left to right."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Any, Final

from memory_middleware.errors import ExtractionError

__all__ = ["Found", "find_json"]

_DEEPEST = 60
# A refusal of the strict reader counts the lines before it, so it may not refuse as often as there are brackets.
_REFUSALS = 20
_FENCE = "```"
_CLOSING = {'"': '"', "'": "'", "“": "”", "‘": "’"}
_QUOTES = frozenset(_CLOSING)
_COMMAS = ",，、;；"
_COLONS = ":：="
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f"}
_WORDS = {"true": True, "false": False, "null": None, "none": None, "nan": None, "undefined": None}

_THOUGHT = re.compile(r"\s*<(think(?:ing)?|reasoning)>.*?(?:</\1>|\Z)", re.DOTALL | re.IGNORECASE)
_THOUGHT_END = re.compile(r"</(?:think(?:ing)?|reasoning)>", re.IGNORECASE)
_OPENING = re.compile(r"[{\[]")
_SPACE = re.compile(r"\s*+")
_BLANK = re.compile(r"(?:\s++|//[^\n]*+|/\*[^*]*+(?:\*(?!/)[^*]*+)*+(?:\*/|\Z))*+")
_PLAIN = {quote: re.compile(rf"[^{quote}\\]*+") for quote in _CLOSING.values()}
_BARE_KEY = re.compile(r"[^\s:：=,，{}\[\]\"“`]++")
_BARE = re.compile(r"[^,，}\]{\[\n\"“`]++")
_HALF = re.compile("[\ud800-\udfff]")
_NUMBER = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d{1,4})?")
# What may follow a comma after a text; anything else means that the quote before the comma is part of the text.
_NEXT = re.compile(
    r"[\"'“‘{}\[\]/`]|[\w-]++\s*+[:：]|(?:true|false|null|none|nan)\b|[+-]?\.?\d|\.\.\.|\Z", re.IGNORECASE
)
_STRICT = json.JSONDecoder(strict=False)


class _Cut:
    """Stands for a value that the end of the text cut off."""


_CUT: Final = _Cut()


@dataclass(frozen=True, slots=True)
class Found:
    """What a text holds.

    Attributes:
        values: The JSON values, in their order. What the end of the text cut off is left out of them.
        prose: What stands around them, without thoughts.
        complete: Whether no value was cut off.
    """

    values: tuple[Any, ...]
    prose: str
    complete: bool


def find_json(text: str) -> Found:
    """Find the JSON values in a text. It takes time in proportion to the length of the text.

    Raises:
        ExtractionError: Values are nested too deep.
    """
    try:
        return Found((json.loads(text, strict=False),), "", True)
    except (ValueError, RecursionError):
        return _scan(_without_thoughts(text))


def _without_thoughts(text: str) -> str:
    if thought := _THOUGHT.match(text):
        return text[thought.end() :]
    # Some templates put the opening mark into the prompt, so that only the closing one is seen.
    ending = _THOUGHT_END.search(text)
    return text[ending.end() :] if ending else text


def _scan(text: str) -> Found:
    values: list[Any] = []
    prose: list[str] = []
    at, cut, refused = 0, False, 0
    while opening := _OPENING.search(text, at):
        prose.append(text[at : opening.start()])
        at = opening.start()
        try:
            value, at = _STRICT.raw_decode(text, at) if refused < _REFUSALS else (_CUT, at)
        except (ValueError, RecursionError):
            value, refused = _CUT, refused + 1
        if value is _CUT:
            reader = _Reader(text, at)
            value, at, cut = reader.value(), reader.at, cut or reader.cut
        values.append(value)
    return Found(tuple(values), "".join((*prose, text[at:])), not cut)


class _Reader:
    """Reads one value that strict reading refused. It always goes forward, and never fails on damage."""

    def __init__(self, text: str, at: int) -> None:
        self.text = text
        self.at = at
        self.cut = False
        self._awaited = {"}": 0, "]": 0}

    def value(self) -> Any:
        """Read what stands here."""
        self._skip(_BLANK)
        mark = self._mark()
        if mark == "{":
            return self._object()
        if mark == "[":
            return self._list()
        return self._quoted(key=False) if mark in _QUOTES else self._bare()

    def _object(self) -> dict[str, Any]:
        found: dict[str, Any] = {}
        self._open("}")
        while not self._closes("}"):
            if self._mark() in "{[":
                found.setdefault("", []).append(self.value())  # a value without a key; it may hold facts
                continue
            key, value = self._key(), self._member()
            if isinstance(key, str) and value is not _CUT:
                found[key] = value
        return found

    def _member(self) -> Any:
        """Read what stands behind a key, which is nothing if there is no colon."""
        has_colon = not self._ended() and self._mark() in _COLONS
        self.at += has_colon
        if self._ended():
            self.cut = True
            return _CUT
        return None if not has_colon or self._mark() in "}]" + _COMMAS else self.value()

    def _list(self) -> list[Any]:
        found: list[Any] = []
        self._open("]")
        while not self._closes("]"):
            value = self.value()
            if value is not _CUT:
                found.append(value)
        return found

    def _open(self, closer: str) -> None:
        self.at += 1
        self._awaited[closer] += 1
        if sum(self._awaited.values()) > _DEEPEST:
            raise ExtractionError(f"the answer nests values deeper than {_DEEPEST} levels")

    def _closes(self, closer: str) -> bool:
        """Go to the next entry, or over the end of the container; an outer container's end closes it too."""
        while not self._ended():
            mark = self._mark()
            if mark in "}]" and self._awaited[mark]:
                self.at += mark == closer
                break
            if mark not in _COMMAS + "}]":
                return False
            self.at += 1
        else:
            self.cut = True
        self._awaited[closer] -= 1
        return True

    def _ended(self) -> bool:
        self._skip(_BLANK)
        return self.at >= len(self.text) or self.text.startswith(_FENCE, self.at)

    def _key(self) -> str | _Cut:
        if self._mark() in _QUOTES:
            return self._quoted(key=True)
        found = _BARE_KEY.match(self.text, self.at)
        self.at = found.end() if found else self.at + 1
        return found[0] if found else _CUT

    def _bare(self) -> Any:
        found = _BARE.match(self.text, self.at)
        if found is None:
            self.at += 1
            return None
        self.at = found.end()
        if self.at >= len(self.text):
            self.cut = True
            return _CUT
        return _plain_value(found[0].strip())

    def _quoted(self, *, key: bool) -> str | _Cut:
        closing = _CLOSING[self._mark()]
        pieces: list[str] = []
        self.at += 1
        while True:
            plain = _PLAIN[closing].match(self.text, self.at)
            pieces.append(plain[0] if plain else "")
            self.at += len(pieces[-1])
            if self.at >= len(self.text):
                self.cut = True
                return _CUT
            mark = self._mark()
            self.at += 1
            if mark == "\\":
                pieces.append(self._escape())
            elif self._is_last(key=key):
                return _joined("".join(pieces))
            else:
                pieces.append(mark)

    def _escape(self) -> str:
        mark = self._mark()
        self.at += 1
        if mark == "u":
            digits = self.text[self.at : self.at + 4]
            if re.fullmatch("[0-9a-fA-F]{4}", digits):
                self.at += 4
                return chr(int(digits, 16))
        return _ESCAPES.get(mark, mark)

    def _is_last(self, *, key: bool) -> bool:
        """Tell whether the quote just passed ends the text, judged by what follows."""
        after = self._after_space(self.at)
        mark = self.text[after : after + 1]
        if not mark or mark in "}]":
            return True
        if key:
            return mark in _COLONS + _COMMAS
        if mark in _COMMAS:
            return _NEXT.match(self.text, self._after_space(after + 1)) is not None
        on_next_line = "\n" in self.text[self.at : after] and mark in _QUOTES
        return on_next_line or self.text.startswith((_FENCE, "//"), after)

    def _after_space(self, at: int) -> int:
        space = _SPACE.match(self.text, at)
        return space.end() if space else at

    def _mark(self) -> str:
        return self.text[self.at : self.at + 1] or "\0"

    def _skip(self, pattern: re.Pattern[str]) -> None:
        found = pattern.match(self.text, self.at)
        self.at = found.end() if found else self.at


def _joined(text: str) -> str:
    """Join the halves of characters that were escaped as two."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "surrogatepass") if _HALF.search(text) else text


def _plain_value(word: str) -> Any:
    if word.lower() in _WORDS:
        return _WORDS[word.lower()]
    if _NUMBER.fullmatch(word):
        return float(word)
    return word
