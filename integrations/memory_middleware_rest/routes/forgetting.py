"""Forgetting, with a dry run and a receipt."""

from __future__ import annotations

from typing import Any

from memory_middleware import InvalidInputError, Receipt, Scope
from memory_middleware_rest.bodies import ForgetRequest
from memory_middleware_rest.examples import RECEIPT
from memory_middleware_rest.finding import missing
from memory_middleware_rest.tables import RouteTable
from memory_middleware_rest.visit import Here, Visit

__all__ = ["TABLE"]

TABLE = RouteTable("forgetting")


@TABLE.add("POST", "/forget", answer=Receipt, example=RECEIPT, errors=(404,))
def forget(visit: Here, body: ForgetRequest) -> Any:
    """Forget by exactly one of the ways; another owner's memory is out of reach."""
    if body.ids is None:
        return _forgotten(visit, body)
    try:
        return _forgotten(visit, body)
    except InvalidInputError as error:
        raise missing("memory of all these", ", ".join(body.ids), "no-memory") from error


def _forgotten(visit: Visit, body: ForgetRequest) -> Receipt:
    return visit.memory.forget(
        Scope(visit.owner, body.thread_id),
        ids=body.ids,
        query=body.query,
        source=body.source,
        thread=body.thread_id is not None,
        everything=bool(body.everything),
        with_sources=body.with_sources,
        with_profile=body.with_profile,
        dry_run=body.dry_run,
    )
