"""Upkeep and numbers."""

from __future__ import annotations

from typing import Any

from memory_middleware import ConsolidationReport, MaintenanceReport
from memory_middleware_rest.answers import OwnerStats, StoreStats
from memory_middleware_rest.examples import STATS
from memory_middleware_rest.tables import RouteTable
from memory_middleware_rest.visit import Here

__all__ = ["TABLE"]

TABLE = RouteTable("upkeep")

_UPKEEP = {"owner_id": "ana", "faded": 3, "archived": [], "records": {"active": 3}, "took_ms": 12.5}
_LESSONS = {"patterns_created": 1, "episodes_processed": 4}


@TABLE.add("GET", "/stats", answer=OwnerStats, example=STATS)
def get_stats(visit: Here) -> Any:
    """Count what memory holds and how it is used."""
    stats = visit.memory.stats(visit.owner)
    told = {name: getattr(stats, name) for name in OwnerStats.model_fields if name != "store"}
    shown = {name: getattr(stats, name) for name in StoreStats.model_fields}
    return OwnerStats(**told, store=StoreStats(**shown) if visit.service.store_stats else None)


@TABLE.add("POST", "/maintenance", answer=list[MaintenanceReport], example=[_UPKEEP])
def maintain(visit: Here) -> Any:
    """Do the upkeep of one's memory: fade weights, archive, end what is over, mend links."""
    return visit.memory.maintain(visit.owner)


@TABLE.add("POST", "/maintenance/consolidate", answer=ConsolidationReport, example=_LESSONS)
def consolidate(visit: Here) -> Any:
    """Draw patterns and skills from episodes."""
    return visit.memory.consolidate(visit.owner)
