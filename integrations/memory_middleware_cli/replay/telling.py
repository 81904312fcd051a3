"""A replay as plain data: for JSON, and for golden files that a test can hold."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from memory_middleware_cli.replay.result import Injection, Known, Learned, Replay, Told, TurnResult

__all__ = ["plain_replay"]


def plain_replay(replay: Replay, *, spoken: bool = True) -> dict[str, Any]:
    """Tell a replay as plain data: no time of this machine, no random id, the same for the same trace and rules.

    Args:
        replay: What to tell.
        spoken: Whether to tell what was said, too.
    """
    totals = replay.totals
    return {
        "trace": replay.name,
        "config": replay.config,
        "owner": replay.owner,
        "totals": {
            **asdict(totals),
            "referenced_share": round(totals.referenced_share, 3),
            "tokens_a_turn": round(totals.tokens_a_turn, 1),
        },
        "turns": [_turn(turn, spoken) for turn in replay.turns],
        "known": [_known(known) for known in replay.known],
        "profiles": replay.profiles,
    }


def _turn(turn: TurnResult, spoken: bool) -> dict[str, Any]:
    told: dict[str, Any] = {
        "number": turn.number,
        "thread": turn.thread,
        "time": turn.time.isoformat(),
        "agent": turn.agent,
        **({"said": turn.said, "answer": turn.answer} if spoken else {}),
        "injected": [_injection(one) for one in turn.injections],
        "referenced": [one.id for one in turn.referenced],
    }
    return {**told, "learned": _learned(turn.learned)} if turn.learned else told


def _injection(one: Injection) -> dict[str, Any]:
    told: dict[str, Any] = {"agent": one.agent, "tokens": one.tokens, "budget": one.budget, "lines": one.lines}
    if one.records:
        told["records"] = [_told(record) for record in one.records]
    if one.dropped:
        told["dropped"] = one.dropped
    return {**told, "silence": one.silence} if one.silence else told


def _learned(learned: Learned) -> dict[str, Any]:
    told: dict[str, Any] = {}
    for name in ("added", "superseded", "confirmed", "quarantined", "archived", "ended"):
        if records := getattr(learned, name):
            told[name] = [_told(record) for record in records]
    if learned.refused:
        told["refused"] = [{"content": content, "why": why} for content, why in learned.refused]
    if learned.profiles:
        told["profiles"] = sorted(set(learned.profiles))
    return {**told, "errors": list(learned.errors)} if learned.errors else told


def _known(known: Known) -> dict[str, Any]:
    return {
        **_told(known.record),
        "because": known.said,
        "time": known.time.isoformat(),
        "thread": known.thread,
        "weight": round(known.weight, 3),
    }


def _told(record: Told) -> dict[str, str]:
    return asdict(record)
