"""Choosing namespaces to list."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence

from langgraph.store.base import ListNamespacesOp, MatchCondition

from memory_middleware.storage.namespaces import Namespace

__all__ = ["list_namespaces"]


def list_namespaces(found: Iterable[Namespace], op: ListNamespacesOp) -> list[Namespace]:
    """Choose from namespaces that come in order."""
    rules = op.match_conditions or ()
    matching: Iterable[Namespace] = (space for space in found if all(_matches(space, rule) for rule in rules))
    if op.max_depth:
        matching = dict.fromkeys(space[: op.max_depth] for space in matching)
    return list(itertools.islice(matching, op.offset, op.offset + op.limit))


def _matches(namespace: Namespace, rule: MatchCondition) -> bool:
    wanted = tuple(rule.path)
    if len(namespace) < len(wanted):
        return False
    labels: Sequence[str] = namespace[: len(wanted)] if rule.match_type == "prefix" else namespace[-len(wanted) :]
    return all(want in ("*", label) for want, label in zip(wanted, labels, strict=True)) if wanted else True
