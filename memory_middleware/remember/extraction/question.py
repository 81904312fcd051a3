"""The question put to a model: the rounds under short ids, without secrets, and what is known nearby."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import datetime

from memory_middleware.prompt_loader import PromptLibrary
from memory_middleware.remember.extraction.answer_schema import profile_fields
from memory_middleware.remember.extraction.base import ExtractionBatch
from memory_middleware.schemas.dialogue import Dialogue
from memory_middleware.schemas.scrub import scrub

__all__ = ["halved", "question_text"]

_LONGEST = 8000
_LONGEST_TOOL_TEXT = 800
_LEAST = 40
_GAP = " […] "
_WEEKDAYS = {
    "en": "Monday Tuesday Wednesday Thursday Friday Saturday Sunday",
    "zh": "星期一 星期二 星期三 星期四 星期五 星期六 星期日",
}
_SPEAKERS = {"en": ("User", "Assistant", "Tool"), "zh": ("用户", "助手", "工具")}


def question_text(batch: ExtractionBatch, prompts: PromptLibrary) -> str:
    """Write the prompt for a batch."""
    return prompts.render(
        "extractor",
        dialogue="\n\n".join(_round(at, said, prompts.language) for at, said in enumerate(batch.rounds, 1)),
        max_facts=str(batch.max_facts),
        today=_day(batch.today, prompts.language),
        known_facts="\n".join(f"- {_line(record.content)}" for record in batch.known),
        profile_fields=profile_fields(),
    )


def halved(batch: ExtractionBatch) -> ExtractionBatch:
    """Give the batch with half of its text: the longest texts lose most, short ones stay whole."""
    shown = [(_shown(said.user_query), _shown(said.assistant_response)) for said in batch.rounds]
    sizes = sorted(len(text) for texts in shown for text in texts)
    most = _cap(sizes, sum(sizes) // 2)
    rounds = tuple(
        said.model_copy(
            update={
                "user_query": _shortened(query, most),
                "assistant_response": _shortened(response, most),
                "tool_text": "",
            }
        )
        for said, (query, response) in zip(batch.rounds, shown, strict=True)
    )
    return replace(batch, rounds=rounds, known=batch.known[: len(batch.known) // 2])


def _cap(sizes: Sequence[int], room: int) -> int:
    """Find the length at which texts must be cut so that all of them fit the room; their sizes come in order."""
    left = room
    for at, size in enumerate(sizes):
        share = left // (len(sizes) - at)
        if size > share:
            return max(_LEAST, share)
        left -= size
    return _LEAST


def _round(at: int, said: Dialogue, language: str) -> str:
    texts = (_shown(said.user_query), _shown(said.assistant_response), _shown(said.tool_text, _LONGEST_TOOL_TEXT))
    return "\n".join(
        [f"[t{at}] {_day(said.created_at, language)}", *_speeches(zip(_SPEAKERS[language], texts, strict=True))]
    )


def _speeches(spoken: Iterable[tuple[str, str]]) -> Iterable[str]:
    # Lines of a text are set in, so that no text can pretend to be another round.
    return (f"{speaker}: " + "\n  ".join(text.strip().splitlines()) for speaker, text in spoken if text.strip())


def _day(moment: datetime, language: str) -> str:
    """Write a date with its weekday, so that "next Friday" can be reckoned."""
    return f"{moment.date().isoformat()} ({_WEEKDAYS[language].split()[moment.weekday()]})"


def _line(text: str) -> str:
    return " ".join(scrub(text).split())


def _shown(text: str, most: int = _LONGEST) -> str:
    # A secret that is cut in two would not be known for one, so scrubbing comes first.
    return _shortened(scrub(text), most)


def _shortened(text: str, most: int) -> str:
    """Keep the beginning and the end of a text."""
    if len(text) <= most:
        return text
    tail = most // 3
    return text[: most - tail - len(_GAP)] + _GAP + text[-tail:]
