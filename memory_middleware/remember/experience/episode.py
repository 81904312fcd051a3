"""The trace of a worker's run, made of its messages."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from datetime import UTC, date, datetime
from itertools import chain
from typing import Any

from langchain_core.messages import AIMessage, BaseMessage, HumanMessage

from memory_middleware.errors import InvalidInputError
from memory_middleware.remember.experience.brief import brief
from memory_middleware.remember.experience.calls import Call, find_calls
from memory_middleware.remember.experience.failures import Failure, failure_of
from memory_middleware.remember.experience.moments import moment_of
from memory_middleware.remember.experience.outcome import outcome_of
from memory_middleware.remember.experience.resolutions import resolutions
from memory_middleware.remember.experience.steps import FAILED
from memory_middleware.remember.experience.touched import Touched, target_of, touched_by, words_of_name
from memory_middleware.remember.suspicion import without_attacks
from memory_middleware.remember.turns import message_text, without_blocks
from memory_middleware.schemas import times
from memory_middleware.schemas.episode import EpisodeTrace
from memory_middleware.schemas.experience_parts import ActionEntry, ErrorEntry
from memory_middleware.schemas.ids import derive_id
from memory_middleware.schemas.messages import to_plain
from memory_middleware.schemas.scope import Scope
from memory_middleware.storage.repositories.experience import ExperienceRepository

__all__ = ["episode_from_run", "keep_episode", "last_run"]


_GOAL, _RESULT, _NAME = 500, 160, 80
_MOST_ACTIONS, _LAST, _MOST_FILES = 500, 100, 200
_ID_DIGITS = 8
_MONTH = 31
_COMMITTED = re.compile(r"\[[^\s\]]{1,100} (?:\(root-commit\) )?([0-9a-f]{7,40})\]")
_HASH = re.compile(r"\b[0-9a-f]{7,40}\b")

Judged = list[tuple[Call, Failure | None]]


def episode_from_run(
    messages: Sequence[BaseMessage],
    *,
    agent: str | None = None,
    task_id: str | None = None,
    thread_id: str | None = None,
    goal: str | None = None,
    phase: str = "ACT",
    started: datetime | None = None,
    ended: datetime | None = None,
) -> EpisodeTrace:
    """Make the trace of a run; the same messages give the same trace.

    What tools returned is kept as short results and errors only, without secrets, fences or control characters.

    Args:
        messages: The run, from the task to the last word; see ``last_run`` for threads with several turns.
        agent: Who worked; by default the name of its messages, or ``worker``.
        task_id: Which task it was; by default the thread, or an id derived from the goal.
        thread_id: In which thread.
        goal: What was to be reached; by default what the first human message says.
        phase: ``REASON``, ``ACT``, ``REFLECT`` or ``VERIFY``.
        started: When it began; by default what the first message tells, and now if none does.
        ended: When it ended; by default what the last message tells.

    Raises:
        InvalidInputError: There are no messages, or something among them is none.
    """
    run = _checked(messages)
    moments = [moment for message in run if (moment := moment_of(message)) is not None]
    first = _aware(started) if started else min(moments, default=None)
    last = _aware(ended) if ended else max(moments, default=None)
    judged: Judged = [(call, failure_of(call)) for call in find_calls(run)]
    touched = [touched_by(call) for call, failure in judged if failure is None and call.answer is not None]
    aim = _told(goal or "") or _goal(run)
    files = _files(touched)
    begun = first or times.utc_now()
    return EpisodeTrace(
        id=_identity(run, begun),
        task_id=task_id or thread_id or derive_id("task", aim)[: len("task_") + _ID_DIGITS],
        timestamp=begun,
        duration_seconds=max(0, round((last - first).total_seconds())) if first and last else 0,
        agent=agent or _agent(run),
        phase=phase,
        goal=aim,
        action_log=[_action(call, failure, first) for call, failure in _shortened(judged)],
        outcome=outcome_of(run, judged, changed=bool(files.modified or files.made)),
        errors_encountered=_errors(judged),
        artifacts_produced=files.made,
        git_commit=_commit(judged),
        tokens_used=sum(_tokens(message) for message in run),
        files_read=files.read,
        files_modified=files.modified,
    )


def last_run(messages: Sequence[BaseMessage]) -> list[BaseMessage]:
    """Give the messages from the last human one on: the last run of a thread."""
    start = max((at for at, message in enumerate(messages) if isinstance(message, HumanMessage)), default=0)
    return list(messages[start:])


def keep_episode(experience: ExperienceRepository, scope: Scope, episode: EpisodeTrace) -> bool:
    """Write an episode unless it is there; tell whether it was new.

    A run whose messages tell no time has another day in its id tomorrow; within a month it is known by the rest.

    Raises:
        SchemaError: The episode is not valid; the message tells why.
    """
    if experience.get_many(scope, _possible_ids(episode)):
        return False
    experience.put(scope, [episode])
    return True


def _possible_ids(episode: EpisodeTrace) -> list[str]:
    day = episode.timestamp.toordinal()
    days = range(max(date.min.toordinal(), day - _MONTH), min(date.max.toordinal(), day + _MONTH) + 1)
    rest = episode.id[-_ID_DIGITS:]
    return [episode.id, *(f"ep-{date.fromordinal(one):%Y-%m-%d}-{rest}" for one in days)]


def _checked(messages: Sequence[BaseMessage]) -> list[BaseMessage]:
    """Check the messages and leave out repeats of one id, of which the last one counts."""
    for message in messages:
        if not isinstance(message, BaseMessage):
            raise InvalidInputError(f"a run is made of LangChain messages, not {message!r}")
    if not messages:
        raise InvalidInputError("a run without messages is no episode; pass the task and what followed")
    unique = {message.id or f"at {at}": message for at, message in enumerate(messages)}
    return list(unique.values())


def _identity(run: Sequence[BaseMessage], begun: datetime) -> str:
    parts = [message.id or _content(message) for message in run]
    return f"ep-{begun:%Y-%m-%d}-{derive_id('ep', *parts)[3 : 3 + _ID_DIGITS]}"


def _content(message: BaseMessage) -> str:
    told: list[Any] = [message.type, to_plain(message.content), to_plain(getattr(message, "tool_calls", None))]
    return json.dumps([*told, getattr(message, "tool_call_id", None)])


def _goal(run: Sequence[BaseMessage]) -> str:
    speakers = (message for kind in ("human", "ai") for message in run if message.type.lower().startswith(kind))
    return next(filter(None, map(_told, map(message_text, speakers))), "no task was told")


def _told(text: str) -> str:
    """Tell a task in short, without injected memory, and without what tries to steer whoever reads it later."""
    return brief(without_attacks(without_blocks(text)), _GOAL)


def _agent(run: Sequence[BaseMessage]) -> str:
    names = (message.name for message in run if isinstance(message, AIMessage) and message.name)
    return brief(next(names, ""), _NAME) or "worker"


def _shortened(judged: Judged) -> Judged:
    """Leave out the middle of a run that is too long: how it ended tells most."""
    return judged if len(judged) <= _MOST_ACTIONS else [*judged[: _MOST_ACTIONS - _LAST], *judged[-_LAST:]]


def _action(call: Call, failure: Failure | None, begun: datetime | None) -> ActionEntry:
    since = (call.asked_at - begun).total_seconds() if call.asked_at and begun else 0.0
    result = brief(call.answer or "", _RESULT) if failure is None else f"{FAILED}{failure.kind}: {failure.message}"
    return ActionEntry(brief(call.name, _NAME) or "tool", target_of(call), result, max(0, round(since)))


def _errors(judged: Judged) -> list[ErrorEntry]:
    overcome = resolutions(judged)
    met = ((failure, overcome[at]) for at, (_call, failure) in enumerate(judged) if failure is not None)
    return [ErrorEntry(failure.kind, failure.message, resolution) for failure, resolution in met][:_MOST_FILES]


def _files(touched: Sequence[Touched]) -> Touched:
    """Join what calls touched, each name once, in the order of the calls."""
    groups = zip(*touched, strict=True) if touched else ((), (), ())
    return Touched(*(list(dict.fromkeys(chain.from_iterable(group)))[:_MOST_FILES] for group in groups))


def _commit(judged: Judged) -> str | None:
    """Find the newest commit that a tool made: what git prints after one, or the answer of a tool that commits."""
    for call, failure in reversed(judged):
        answer = (call.answer or "")[:4000]
        if failure is not None:
            continue
        if found := _COMMITTED.search(answer):
            return found[1]
        if "commit" in words_of_name(call.name) and (plain := _HASH.search(answer)):
            return plain[0]
    return None


def _tokens(message: BaseMessage) -> int:
    usage = message.usage_metadata if isinstance(message, AIMessage) else None
    if not usage:
        return 0
    return usage.get("total_tokens") or usage.get("input_tokens", 0) + usage.get("output_tokens", 0)


def _aware(moment: datetime) -> datetime:
    return moment.astimezone(UTC) if moment.tzinfo else moment.replace(tzinfo=UTC)
