"""Signs of use beyond single terms: a quotation, a yes to the question, a rule followed, something left out."""

from __future__ import annotations

from memory_middleware.remember.references.answer import Answer
from memory_middleware.remember.references.matching import term_weight
from memory_middleware.remember.references.memory import Memory
from memory_middleware.remember.references.question import Question
from memory_middleware.remember.references.rarity import Rarity
from memory_middleware.remember.references.reading import Reading
from memory_middleware.remember.references.rules import followed_rule
from memory_middleware.remember.references.speech import agrees

__all__ = ["find_signs"]

_VERBATIM = 1.0
_QUOTED = 0.9
_CONFIRMED = 0.7
_RULE = 0.8
_LEFT_OUT = 0.5
_SHORTEST = 6
_SHORTEST_CHINESE = 4
_MEMORY_ASKED = 0.7
_QUESTION_KNOWN = 0.5


def find_signs(
    memory: Memory, question: Question, answer: Answer, rarity: Rarity
) -> tuple[dict[str, float], tuple[str, ...]]:
    """Give what each sign is worth, and the texts that show it."""
    signals: dict[str, float] = {}
    shown: list[str] = []
    if _is_verbatim(memory, question, answer):
        signals["verbatim"] = _VERBATIM
        shown.append(memory.text)
    for quote in memory.reading.quotes:
        if quote in answer.told(memory.averse).plain and quote not in question.plain:
            signals["quoted"] = _QUOTED
            shown.append(quote)
    if _is_confirmed(memory, question, answer, rarity):
        signals["confirmed"] = _CONFIRMED
    if (rule := followed_rule(memory, question, answer)) is not None:
        signals["rule"] = _RULE
        shown.append(rule)
    if avoided := _left_out(memory, question, answer):
        signals["left_out"] = min(1.0, _LEFT_OUT * len(avoided))
        shown.extend(avoided)
    return signals, tuple(shown)


def _is_verbatim(memory: Memory, question: Question, answer: Answer) -> bool:
    text = memory.plain
    if len(text) < (_SHORTEST if text.isascii() else _SHORTEST_CHINESE) or text in question.plain:
        return False
    return text in answer.told(memory.averse).plain


def _is_confirmed(memory: Memory, question: Question, answer: Answer, rarity: Rarity) -> bool:
    """A yes to a question that holds the whole memory uses the memory without a word of it."""
    if not question.closed or (memory.about_user and not question.personal):
        return False
    if not agrees(answer.text, question.text):
        return False
    known = _part(question.reading, memory.reading, rarity)
    return known >= _QUESTION_KNOWN and _part(memory.reading, question.reading, rarity) >= _MEMORY_ASKED


def _part(reading: Reading, other: Reading, rarity: Rarity) -> float:
    """Tell which part of what a text says another one says too."""
    weights = {term: term_weight(term, reading, rarity) for term in reading.terms}
    shared = sum(weights[term] for term in reading.terms & other.terms)
    forms = frozenset().union(*other.numbers)
    shared += sum(1.0 for number in reading.numbers if number & forms)
    return shared / ((sum(weights.values()) + len(reading.numbers)) or 1.0)


def _left_out(memory: Memory, question: Question, answer: Answer) -> list[str]:
    wanted = memory.avoids - question.reading.words
    if not wanted:
        return []
    return sorted(wanted & frozenset().union(*(sentence.left_out for sentence in answer.sentences)))
