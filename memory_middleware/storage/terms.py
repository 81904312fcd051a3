"""Text as searchable terms: stemmed words, and pairs of neighbouring Chinese, Japanese or Korean characters.

The same terms feed the full-text index and the in-process search, in every language, so that both
find the same things.
"""

from __future__ import annotations

import functools
import re
import threading
import unicodedata

import snowballstemmer

__all__ = ["has_cjk", "is_character", "is_common", "query_terms", "terms_of"]

_CJK = r"\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff"
_RUN = re.compile(rf"[{_CJK}]+|[^\W_{_CJK}]+")
_IS_CJK = re.compile(rf"[{_CJK}]")
_ASCII_RUN = re.compile("[a-z0-9]+")
_STOP_WORDS = (
    "a an and are as at be been being but by can could did do does doing for from had has have having he her hers him "
    "his how i if in into is it its me my of on or our ours she so such than that the their theirs them then there "
    "these they this those to too us was we were what when where which who whom why will with would you your yours"
)
_STOP = frozenset(_STOP_WORDS.split())
# What a Chinese question asks with, rather than asks for; its pairs would hide how much of the rest is found.
_ASKING = re.compile(
    r"叫什么名字|叫什么|叫啥|是什么|是啥|什么时候|什么|啥|为什么|为何|哪里|哪儿|哪个|哪些|哪天|哪位|怎么样|怎么|怎样|如何|多少|几点|几号|是谁|谁|"
    r"是不是|有没有|请问|请告诉我|告诉我|还记得|记不记得|你知道|知不知道|知道|现在|目前|我们的|我们|我家的|我家|我的|我|你|您|吗|呢|吧|[？?！!。，,]"
)
# They join words, and tell nothing by themselves.
_JOINTS = frozenset("的了是在和与跟也都就还很最不没把被对这那个一只叫有家去要会能说上下里")
_FEW_CHARS = 3
_LONGEST = 40
_stemmer = snowballstemmer.stemmer("english")
# The stemmer keeps the word it works on in itself.
_stemming = threading.Lock()


def is_common(word: str) -> bool:
    """Tell whether a word is among the common English ones that are not searched."""
    return word in _STOP


def has_cjk(text: str) -> bool:
    """Tell whether a text holds Chinese, Japanese or Korean characters."""
    return _IS_CJK.search(text) is not None


@functools.lru_cache(65536)
def _stem(word: str) -> str:
    # The stemmer takes quadratic time, and nobody searches for a word of this length by its stem.
    if len(word) > _LONGEST:
        return word[:_LONGEST]
    # Only English words have English stems; numbers and codes stay as they are.
    if not (word.isascii() and word.isalpha()):
        return word
    with _stemming:
        return str(_stemmer.stemWord(word))


def terms_of(text: str) -> list[str]:
    """Split a text into terms, in order, repeats kept.

    Words are lower-cased and stemmed, common English ones left out. A run of CJK characters gives its
    pairs, a single character itself.
    """
    if text.isascii():  # most are, and there is less to look for
        return [_stem(run) for run in _ASCII_RUN.findall(text.lower()) if run not in _STOP]
    found: list[str] = []
    for run in _RUN.findall(unicodedata.normalize("NFKC", text).lower()):
        if _IS_CJK.match(run):
            found.extend(run[at : at + 2] for at in range(max(1, len(run) - 1)))
        elif run not in _STOP:
            found.append(_stem(run))
    return found


def query_terms(text: str) -> list[str]:
    """Split a query into terms, without the words a Chinese question asks with; one of nothing else keeps them.

    A question that is about a few characters has those as terms as well.
    """
    if not has_cjk(text):
        return terms_of(text)
    asked = _ASKING.sub(" ", unicodedata.normalize("NFKC", text))
    found = terms_of(asked) or terms_of(text)
    # Pairs find no word of one character, which a short question may be all about: a cat, a tea.
    chars = [char for char in dict.fromkeys(asked) if _IS_CJK.match(char) and char not in _JOINTS]
    return found + [char for char in chars if char not in found] if len(chars) <= _FEW_CHARS else found


def is_character(term: str) -> bool:
    """Tell whether a term is a single Chinese, Japanese or Korean character, which pairs hold."""
    return len(term) == 1 and _IS_CJK.match(term) is not None
