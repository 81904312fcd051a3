"""The extractor without a model: English and Chinese patterns over what the owner said."""

from __future__ import annotations

import asyncio
from datetime import UTC, date, datetime, tzinfo
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from memory_middleware.errors import InvalidInputError
from memory_middleware.remember.extraction.base import Extraction, ExtractionBatch
from memory_middleware.remember.extraction.rules.calendar_days import Moments
from memory_middleware.remember.extraction.rules.known import Known
from memory_middleware.remember.extraction.rules.outcome import outcome_of
from memory_middleware.remember.extraction.rules.people import People
from memory_middleware.remember.extraction.rules.rounds import RoundReader

__all__ = ["RuleExtractor"]

_LARGE = 20_000


class RuleExtractor:
    """Draws facts and profile patches from dialogue by patterns; no model, no network.

    It reads what the owner said and nothing else; what the assistant asked is context for short answers. Questions,
    suppositions, quotations, irony and secrets give nothing.

    Args:
        zone: The owner's time zone, such as ``Asia/Shanghai``, in which "tomorrow" is counted; UTC unless told.

    Raises:
        InvalidInputError: There is no such zone.
    """

    def __init__(self, *, zone: str | None = None) -> None:
        self._zone = _zone_of(zone)

    def extract(self, batch: ExtractionBatch) -> Extraction:
        """Read a batch."""
        reader = RoundReader(People(batch.known), Known(batch.known))
        asked = asked_id = ""
        if batch.before is not None:
            reader.close(batch.before.id)
            asked, asked_id = batch.before.assistant_response, batch.before.id
        for round_ in batch.rounds:
            moments = Moments(_day_of(round_.created_at, self._zone), self._zone)
            reader.read(round_.id, round_.user_query, moments, asked, asked_id)
            reader.close(round_.id)
            asked, asked_id = round_.assistant_response, round_.id
        return outcome_of(reader, batch)

    async def aextract(self, batch: ExtractionBatch) -> Extraction:
        """Read a batch; a large one in a thread."""
        if sum(len(round_.user_query) for round_ in batch.rounds) < _LARGE:
            return self.extract(batch)
        return await asyncio.to_thread(self.extract, batch)


def _day_of(moment: datetime, zone: tzinfo) -> date:
    try:
        return moment.astimezone(zone).date()
    except OverflowError:
        return moment.date()


def _zone_of(name: str | None) -> tzinfo:
    if name is None:
        return UTC
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError) as error:
        raise InvalidInputError(f"there is no time zone {name!r}; use a name such as 'Asia/Shanghai'") from error
