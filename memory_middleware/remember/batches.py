"""Claiming a batch of rounds, so that one extractor at a time works on a thread, and none is lost."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from memory_middleware.errors import InvalidInputError
from memory_middleware.schemas.dialogue import Dialogue, ExtractionRun, RunState
from memory_middleware.schemas.scope import Scope
from memory_middleware.storage.repositories import Repositories
from memory_middleware.storage.state import is_dead

__all__ = ["Claim", "claim_batch", "retry_parked"]

_HOLD = timedelta(minutes=10)
_FIRST_PAUSE = timedelta(seconds=30)


@dataclass(frozen=True, slots=True)
class Claim:
    """A batch that is ours for a while.

    Attributes:
        run: The run it belongs to.
        rounds: Its rounds, the oldest first.
        is_written: Whether an earlier attempt has kept its facts already, so that only settling is left.
    """

    run: ExtractionRun
    rounds: tuple[Dialogue, ...]
    is_written: bool = False


def claim_batch(
    memories: Repositories,
    scope: Scope,
    *,
    size: int,
    holder: str,
    now: datetime,
    force: bool = False,
    patient: bool = False,
) -> Claim | None:
    """Claim the next batch of the scope's thread, or give none if there is nothing to do now.

    A batch that failed before comes first, and the rounds after it wait for it: what was said later must be
    read later. It is tried again after a pause that grows.

    Args:
        memories: Where the rounds wait.
        scope: Whose, in which thread.
        size: Rounds of a batch.
        holder: Who claims it; a name for this claim alone, since threads of one process claim too.
        now: The present moment.
        force: Claim fewer rounds than a batch, too, and a failed batch before its pause is over.
        patient: Let the pause of a failed batch end in any case.
    """
    thread = _thread(scope)
    with memories.database.writing():
        for run in memories.runs.unfinished(scope, thread):
            if _is_held(run, now) or ((patient or not force) and _is_pausing(run, now)):
                return None
            rounds = _rounds(memories, scope, run)
            if not rounds:
                memories.runs.finish(scope, run.id)
                continue
            written = run.state is RunState.WRITTEN
            return Claim(run if written else _begin(memories, scope, rounds, holder, now), rounds, written)
        waiting = tuple(memories.dialogues.batch(scope, thread, size))
        if not waiting or (len(waiting) < size and not force):
            return None
        return Claim(_begin(memories, scope, waiting, holder, now), waiting)


def retry_parked(memories: Repositories, scope: Scope, run_id: str | None = None) -> list[ExtractionRun]:
    """Let parked runs be tried again, all of the owner or one, and list them.

    Raises:
        InvalidInputError: There is no such parked run.
    """
    with memories.database.writing():
        parked = memories.runs.in_state(scope, RunState.PARKED, limit=10_000)
        chosen = [run for run in parked if run_id in (None, run.id)]
        if run_id is not None and not chosen:
            raise InvalidInputError(f"there is no parked run {run_id!r} of this owner")
        for run in chosen:
            memories.dialogues.unpark(scope, run.id)
            memories.runs.retry(scope, run.id)
    return chosen


def _begin(
    memories: Repositories, scope: Scope, rounds: tuple[Dialogue, ...], holder: str, now: datetime
) -> ExtractionRun:
    names = [one.id for one in rounds]
    return memories.runs.begin(scope, _thread(scope), names, holder=holder, held_until=now + _HOLD)


def _rounds(memories: Repositories, scope: Scope, run: ExtractionRun) -> tuple[Dialogue, ...]:
    found = (memories.dialogues.get(scope, name) for name in run.round_ids)
    return tuple(one for one in found if one is not None)


def _is_held(run: ExtractionRun, now: datetime) -> bool:
    if run.state is not RunState.RUNNING or run.holder is None or run.held_until is None:
        return False
    return run.held_until > now and not is_dead(str(run.holder))


def _is_pausing(run: ExtractionRun, now: datetime) -> bool:
    if run.state is not RunState.FAILED or run.ended_at is None or run.failures < 1:
        return False
    pause: timedelta = _FIRST_PAUSE * 2 ** min(run.failures - 1, 10)
    return now < run.ended_at + pause


def _thread(scope: Scope) -> str:
    if not scope.thread_id:
        raise InvalidInputError("a batch belongs to a thread; give the scope a thread_id")
    return scope.thread_id
