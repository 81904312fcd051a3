"""Telling stories to a memory: round by round, on their days."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, ToolMessage

from memory_middleware import Memory, Scope
from memory_middleware.remember.extraction.base import Extraction, ExtractionBatch, Retraction
from memory_middleware.schemas.dialogue import Dialogue
from memory_middleware.schemas.profile_places import entry_name
from tests.remember.storybook.book import Round, Story

__all__ = ["StoryExtractor", "tell"]


def tell(memory: Memory, owner: str, story: Story) -> None:
    """Let a memory observe a story, and extract what is left of it in the end."""
    for kind, patch in story.by_hand.items():
        memory.update_profile(owner, kind, patch)
    said: dict[str, list[BaseMessage]] = {}
    for at, one in enumerate(story.rounds):
        thread = said.setdefault(one.thread, [])
        thread += _messages(story, at, one)
        memory.observe(Scope(owner, one.thread), thread, now=one.when)
    memory.flush(owner)


def _messages(story: Story, at: int, one: Round) -> list[BaseMessage]:
    tool = [ToolMessage(one.tool, tool_call_id=f"call-{at}", id=f"tool-{at}")] if one.tool else []
    answer = one.assistant or ("好的。" if story.lang == "zh" else "I see.")
    return [HumanMessage(one.user, id=f"said-{at}"), *tool, AIMessage(answer, id=f"answer-{at}")]


class StoryExtractor:
    """Finds what the stories list, as a perfect extractor would.

    Args:
        told: The stories by owner.
    """

    uses_known = False

    def __init__(self, told: Mapping[str, Story]) -> None:
        self._told = told

    def extract(self, batch: ExtractionBatch) -> Extraction:
        found = [(one, _told_in(self._told[one.owner_id], one)) for one in batch.rounds]
        patch, removals = _joined(self._meant([told for _, told in found], batch.rounds[0].owner_id))
        return Extraction(
            tuple(fact.cited(one.id) for one, told in found for fact in told.facts),
            tuple(end for one, told in found for end in self._retractions(one, told)),
            patch,
            removals,
        )

    async def aextract(self, batch: ExtractionBatch) -> Extraction:
        return self.extract(batch)

    def _meant(self, told: list[Round], owner: str) -> list[Round]:
        """Leave out rounds that a later one of the same batch takes back, unless that is taken back too."""
        rounds = self._told[owner].rounds
        gone: set[int] = set()
        for at in sorted((rounds.index(one) for one in told), reverse=True):
            if at not in gone:
                gone.update(rounds[at].takes_back)
        return [one for one in told if rounds.index(one) not in gone]

    def _retractions(self, one: Dialogue, told: Round) -> Iterable[Retraction]:
        yield from (Retraction(subject, attribute, evidence=(one.id,)) for subject, attribute in told.ends)
        rounds = self._told[one.owner_id].rounds
        for at in told.takes_back:
            joke = Dialogue.create(one.owner_id, rounds[at].thread, rounds[at].user, "", message_ids=(f"said-{at}",))
            yield Retraction(evidence=(one.id,), rounds=(joke.id,))


def _told_in(story: Story, one: Dialogue) -> Round:
    return next(told for at, told in enumerate(story.rounds) if one.message_ids == (f"said-{at}",))


def _joined(rounds: Iterable[Round]) -> tuple[dict[str, Any], dict[str, Any]]:
    """Join what rounds change in the profiles; what a later round takes out is not put in, and the other way round."""
    patch: dict[str, Any] = {}
    removals: dict[str, Any] = {}
    for one in rounds:
        _put(patch, removals, one.profile)
        _put(removals, patch, one.removes)
    return patch, removals


def _put(into: dict[str, Any], out_of: dict[str, Any], told: Mapping[str, Any]) -> None:
    for key, value in told.items():
        if isinstance(value, Mapping):
            _put(into.setdefault(key, {}), out_of.setdefault(key, {}), value)
        elif isinstance(value, list):
            into[key] = [*_others(into, key, value), *value]
            out_of[key] = _others(out_of, key, value)
        else:
            into[key] = value
            out_of.pop(key, None)


def _others(tree: Mapping[str, Any], key: str, entries: list[Any]) -> list[Any]:
    """List the entries that are none of these; namesakes are told apart by their relation."""
    return [old for old in tree.get(key, []) if not any(_is_same(old, entry) for entry in entries)]


def _is_same(one: Any, other: Any) -> bool:
    relations = {entry["relationship"] for entry in (one, other) if isinstance(entry, dict) and "relationship" in entry}
    return entry_name(one) == entry_name(other) and len(relations) < 2
