"""The steps by which a batch of rounds becomes memory: batch, extract, check, reconcile, write, settle."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import datetime

from langgraph.errors import GraphBubbleUp

from memory_middleware.config import MemoryConfig
from memory_middleware.errors import ConflictError, ExtractionError
from memory_middleware.remember.batches import Claim, claim_batch
from memory_middleware.remember.checking import Checked, Refusal, check
from memory_middleware.remember.earlier import round_before
from memory_middleware.remember.extraction.base import Extraction, ExtractionBatch, Extractor
from memory_middleware.remember.failures import CallError, FailureKind, kind_of
from memory_middleware.remember.grounding import is_users_own
from memory_middleware.remember.jokes import joke_about_records
from memory_middleware.remember.likeness import is_near
from memory_middleware.remember.neighbours import known_near, near_in_words, neighbours_of, with_known_subjects
from memory_middleware.remember.reconcile import Operations, ids_of, reconcile
from memory_middleware.remember.said import dialogue_records, keep_sayings, retire_sayings, sayings_of
from memory_middleware.remember.timeline import is_void
from memory_middleware.remember.tombs import without_forgotten, without_forgotten_rounds, without_forgotten_values
from memory_middleware.remember.writing import LearnedProfile, take_back_profile, write_operations, write_profile
from memory_middleware.schemas import times
from memory_middleware.schemas.dialogue import Dialogue, RunState
from memory_middleware.schemas.record import MemoryRecord
from memory_middleware.schemas.scope import Scope
from memory_middleware.storage.repositories import Repositories
from memory_middleware.storage.state import new_holder

__all__ = ["ExtractionPipeline", "ExtractionReport", "Work"]

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class ExtractionReport:
    """What one batch came to.

    Attributes:
        run_id: Its run.
        rounds: How many rounds it read.
        added, superseded, confirmed, contradicted, quarantined: The ids of records.
        refused: What was found and not taken, and why.
        profile: What became of the profile patch.
        error: Why the batch failed; its rounds are kept.
        parked: Whether it failed too often and waits for somebody to look at it.
    """

    run_id: str
    rounds: int
    added: tuple[str, ...] = ()
    superseded: tuple[str, ...] = ()
    confirmed: tuple[str, ...] = ()
    contradicted: tuple[str, ...] = ()
    quarantined: tuple[str, ...] = ()
    refused: tuple[Refusal, ...] = ()
    profile: LearnedProfile = field(default_factory=LearnedProfile)
    error: str | None = None
    parked: bool = False


@dataclass(slots=True)
class Work:
    """A batch on its way through the steps."""

    scope: Scope
    claim: Claim
    now: datetime
    extraction: Extraction = field(default_factory=Extraction)
    checked: Checked = field(default_factory=Checked)
    near: list[str] = field(default_factory=list)
    operations: Operations = field(default_factory=Operations)
    profile: LearnedProfile = field(default_factory=LearnedProfile)
    error: str | None = None
    parked: bool = False

    def report(self) -> ExtractionReport:
        """Tell what came of it."""
        made = self.operations
        return ExtractionReport(
            run_id=self.claim.run.id,
            rounds=len(self.claim.rounds),
            added=tuple(record.id for record in made.added),
            superseded=made.superseded,
            confirmed=made.confirmed,
            contradicted=made.contradicted,
            quarantined=made.quarantined,
            refused=self.checked.refused,
            profile=self.profile,
            error=self.error,
            parked=self.parked,
        )


class ExtractionPipeline:
    """The steps, each a method, so that a graph can show them and a test can stop between them.

    Args:
        memories: Where memory is kept.
        extractor: Draws facts from rounds.
        config: The rules.
        clock: Tells the time.
        after: Called with the scope when a batch is settled, for what may wait until then.
    """

    def __init__(
        self,
        memories: Repositories,
        extractor: Extractor,
        config: MemoryConfig | None = None,
        *,
        clock: Callable[[], datetime] = times.utc_now,
        after: Callable[[Scope], None] | None = None,
    ) -> None:
        self.extractor = extractor
        self._memories = memories
        self._config = config or MemoryConfig()
        self._clock = clock
        self._after = after

    def batch(self, scope: Scope, *, force: bool = False, patient: bool = False) -> Work | None:
        """Claim a batch of the scope's thread, or give none if there is nothing to do.

        Args:
            scope: Whose, in which thread.
            force: Whether fewer rounds than a batch will do.
            patient: Whether a batch that failed a moment ago is left alone for now.
        """
        now = self._clock()
        claim = claim_batch(
            self._memories,
            scope,
            size=self._config.extract.batch_size,
            holder=new_holder(),
            now=now,
            force=force,
            patient=patient,
        )
        return Work(scope, claim, now) if claim else None

    def question(self, work: Work) -> ExtractionBatch:
        """Make what the extractor reads."""
        rounds = tuple(without_forgotten_rounds(self._memories, work.scope, work.claim.rounds))
        wants = getattr(self.extractor, "uses_known", True)
        known = tuple(known_near(self._memories, work.scope, rounds)) if wants else ()
        rules = self._config.extract
        before = round_before(self._memories, work.scope, rounds)
        return ExtractionBatch(rounds, known, rules.max_facts, rules.auto_tag, self._config.language, before)

    def extract(self, work: Work) -> None:
        """Let the extractor read the batch; a failure is noted, and the rounds stay."""
        try:
            work.extraction = self.extractor.extract(self.question(work))
        except ExtractionError as error:
            self.fail(work, error)

    async def aextract(self, work: Work, batch: ExtractionBatch) -> None:
        """Let the extractor read the batch; the async twin, given what to read."""
        try:
            work.extraction = await self.extractor.aextract(batch)
        except ExtractionError as error:
            self.fail(work, error)

    def check(self, work: Work) -> None:
        """Leave out what the rounds do not say, and put aside what is suspicious."""
        work.checked = check(work.extraction, work.claim.rounds, self._config.extract)

    def reconcile(self, work: Work) -> None:
        """Find what is known near to the facts, and decide what they mean for it."""
        memories, scope = self._memories, work.scope
        self._leave_out_forgotten(work)
        facts = with_known_subjects(memories, scope, work.checked.facts)
        told = tuple(joke_about_records(memories, scope, one) for one in work.checked.retractions)
        work.checked = replace(work.checked, facts=facts, retractions=told)
        work.near = near_in_words(memories, scope, work.checked.facts, work.checked.retractions)
        work.operations = self._decide(work)

    def write(self, work: Work) -> None:
        """Write records, profile and dialogue in one transaction, and note that they are written."""
        memories, scope = self._memories, work.scope
        said = self._said(work)
        # Vectors are made before the transaction; nobody should wait for an embedder with the lock in hand.
        changed = work.operations.changed
        memories.records.warm(scope, [*work.operations.added, *said, *changed, *sayings_of(memories, scope, changed)])
        with memories.database.writing():
            self._make_sure(work)
            self._leave_out_forgotten(work)
            said = self._said(work)
            # Somebody may have written since; what is decided now is decided upon what is there now.
            work.operations = self._decide(work)
            write_operations(memories, scope, work.operations)
            for one in sorted(work.checked.retractions, key=lambda one: one.said_at or work.now):
                if one.rounds and is_users_own(one.cited):
                    take_back_profile(memories, scope, set(one.rounds), work.now, one.evidence)
            work.profile = write_profile(memories, scope, work.checked, work.now, self._ended(work))
            keep_sayings(memories, scope, said)
            retire_sayings(memories, scope, memories.records.get_many(scope, work.operations.superseded))
            memories.runs.mark_written(scope, work.claim.run.id, facts=len(work.operations.added))

    def settle(self, work: Work) -> ExtractionReport:
        """Remove exactly the rounds that were read, and tell what came of them."""
        memories, scope = self._memories, work.scope
        with memories.database.writing():
            memories.dialogues.settle(scope, work.claim.rounds)
            memories.runs.finish(scope, work.claim.run.id)
        if self._after is not None:
            self._after(scope)
        return work.report()

    def fail(self, work: Work, error: ExtractionError) -> None:
        """Note a failure; a batch that failed too often is parked, so that the next can go on."""
        counts = not (isinstance(error, CallError) and error.kind is FailureKind.ENDING)
        work.error, work.parked = str(error), self._note_failure(work, str(error), error.permanent, counts=counts)
        _log.warning("a batch of %d rounds was not extracted (%s)", len(work.claim.rounds), error)

    def release(self, work: Work, error: BaseException) -> None:
        """Give a batch back that something unforeseen ended; what fails so again and again is parked too."""
        foreseen = isinstance(error, GraphBubbleUp) or not isinstance(error, Exception)
        foreseen = foreseen or kind_of(error) is FailureKind.ENDING
        self._note_failure(work, repr(error), permanent=False, counts=not foreseen)

    def _note_failure(self, work: Work, error: str, permanent: bool, *, counts: bool = True) -> bool:
        """Note that an attempt failed, if the batch is still ours, and tell whether it is parked now."""
        run, memories = work.claim.run, self._memories
        park = counts and (permanent or run.failures + 1 >= self._config.extract.max_attempts)
        with memories.database.writing():
            if not self._is_ours(work):
                return False
            memories.runs.fail(work.scope, run.id, error, park=park, counts=counts)
            if park:
                memories.dialogues.park(work.scope, run.id, run.round_ids)
        return park

    def _is_ours(self, work: Work) -> bool:
        """Tell whether nobody has taken the batch over, or forgotten it, meanwhile."""
        found = self._memories.runs.get(work.scope, work.claim.run.id)
        return found is not None and found.state is RunState.RUNNING and found.holder == work.claim.run.holder

    def _make_sure(self, work: Work) -> None:
        if not self._is_ours(work):
            raise ConflictError(f"the batch {work.claim.run.id} is in other hands by now; nothing of it was written")
        for one in work.claim.rounds:
            found = self._memories.dialogues.get(work.scope, one.id)
            if found is not None and not _still_says(found, one):
                raise ConflictError(f"words of the round {one.id} were forgotten meanwhile; it is read again")

    def _leave_out_forgotten(self, work: Work) -> None:
        """Let nothing come back that was forgotten in the rounds it comes from, also while they were read."""
        memories, scope, checked = self._memories, work.scope, work.checked
        kept = without_forgotten(memories, scope, checked.facts)
        gone = [one for one in checked.facts if one not in kept]
        patch = without_forgotten_values(memories, scope, checked.profile_patch, gone, work.claim.rounds)
        work.checked = replace(checked, facts=tuple(kept), profile_patch=patch)

    def _decide(self, work: Work) -> Operations:
        return reconcile(
            work.checked.facts,
            work.checked.retractions,
            neighbours_of(self._memories, work.scope, work.checked, [*work.near, *self._own_ids(work)]),
            owner_id=work.scope.owner_id,
            thread_id=work.scope.thread_id,
            now=work.now,
            source=type(self.extractor).__name__,
        )

    def _ended(self, work: Work) -> list[MemoryRecord]:
        """Give the records that this batch has ended, unless they were never meant or are said again."""
        made = work.operations
        ended = self._memories.records.get_many(work.scope, made.superseded)
        return [
            old
            for old in ended
            if not is_void(old) and not any(is_near(old.content, new.content) for new in made.added if new.id != old.id)
        ]

    def _own_ids(self, work: Work) -> list[str]:
        """Give the ids that the facts have if they were read before."""
        scope = work.scope
        return ids_of(work.checked.facts, owner_id=scope.owner_id, thread_id=scope.thread_id, now=work.now)

    def _said(self, work: Work) -> list[MemoryRecord]:
        if not self._config.long_term.keep_dialogue:
            return []
        return dialogue_records(without_forgotten_rounds(self._memories, work.scope, work.claim.rounds))


def _still_says(now: Dialogue, before: Dialogue) -> bool:
    """Tell whether a round says all that it said before; an answer may have grown meanwhile."""
    grown = before.assistant_response in now.assistant_response and before.tool_text in now.tool_text
    return grown and now.user_query == before.user_query
