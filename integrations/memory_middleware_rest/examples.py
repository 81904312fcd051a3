"""Examples for the OpenAPI description."""

from __future__ import annotations

from typing import Any

__all__ = [
    "EDIT",
    "EPISODE",
    "PATTERN",
    "RECEIPT",
    "RECORD",
    "REPORT",
    "RUN",
    "SKILL",
    "STATS",
    "TURN",
    "USAGE",
    "USER",
    "WORK",
]

_MOMENT = "2026-03-01T09:30:00Z"

USER: dict[str, Any] = {"occupation": "designer", "timezone": "Europe/Lisbon", "people": [{"name": "Marta"}]}
WORK: dict[str, Any] = {"occupation": "designer", "expertise": ["typography"], "current_projects": []}
RECORD: dict[str, Any] = {
    "id": "mem-5f1c",
    "owner_id": "ana",
    "kind": "fact",
    "content": "The owner is allergic to nuts",
    "tags": ["health"],
    "state": "active",
    "created_at": _MOMENT,
    "updated_at": _MOMENT,
}
EDIT: dict[str, Any] = {
    "version": 1,
    "before": {"content": "The owner is allergic to almonds"},
    "after": {"content": "The owner is allergic to nuts"},
    "changed_at": _MOMENT,
}
USAGE: dict[str, Any] = {
    "memory_id": "mem-5f1c",
    "session_id": "monday",
    "query": "What can I cook?",
    "was_referenced": True,
    "used_at": _MOMENT,
    "delta": 0.0,
}
TURN: dict[str, Any] = {
    "id": "turn-1",
    "owner_id": "ana",
    "session_id": "monday",
    "agent": "router",
    "query": "What can I cook?",
    "round_id": "dlg-1",
    "injected": ["mem-5f1c"],
    "referenced": ["mem-5f1c"],
    "tokens": 42,
    "budget": 2000,
    "happened_at": _MOMENT,
    "extracted": [],
    "superseded": [],
}
RUN: dict[str, Any] = {
    "id": "run-1",
    "owner_id": "ana",
    "session_id": "monday",
    "round_ids": ["dlg-1"],
    "state": "parked",
    "failures": 3,
    "error": "the model did not answer",
    "started_at": _MOMENT,
}
REPORT: dict[str, Any] = {"run_id": "run-1", "rounds": 5, "added": ["mem-5f1c"]}
RECEIPT: dict[str, Any] = {
    "id": "forgotten-1",
    "owner_id": "ana",
    "asked": "ids: ['mem-5f1c']",
    "is_done": True,
    "records": ["mem-5f1c"],
    "derived": [],
    "experience": [],
    "profile": [],
    "rounds": 0,
    "short_term": 0,
    "turns": 0,
    "said_in": [],
    "kept": [],
    "cut": {},
    "at": _MOMENT,
}
STATS: dict[str, Any] = {
    "owner_id": "ana",
    "records": {"fact": {"active": 3}},
    "weights": [0, 0, 3],
    "growth": {"2026-03-01": 3},
    "injected": 7,
    "referenced": 2,
    "experience": {"episode": 0, "pattern": 0, "skill": 0},
    "rounds": 1,
    "parked": 0,
    "turns": 4,
    "store": None,
}
EPISODE: dict[str, Any] = {
    "id": "ep-2026-03-01-0a1b2c3d",
    "task_id": "deploy",
    "timestamp": _MOMENT,
    "duration_seconds": 40,
    "agent": "worker",
    "context": {"phase": "ACT", "goal": "deploy the page", "files_involved": []},
    "action_log": [{"t": 0, "action": "run", "target": "make deploy", "result": "done"}],
    "outcome": "success",
    "errors_encountered": [],
    "artifacts_produced": [],
    "git_commit": None,
    "tokens_used": 900,
    "files_read": [],
    "files_modified": [],
    "importance": 0.6,
    "access_count": 0,
}
PATTERN: dict[str, Any] = {
    "id": "sem-0a1b2c3d",
    "pattern": "Run the tests before deploying",
    "category": "deploy",
    "conditions": [],
    "correct_approach": "make test && make deploy",
    "incorrect_approach": "",
    "confidence": 0.7,
    "source_episodes": ["ep-2026-03-01-0a1b2c3d"],
    "usage_count": 1,
    "links": [{"to": "ep-2026-03-01-0a1b2c3d", "relation": "derived_from", "strength": 1.0}],
    "importance": 0.5,
    "access_count": 0,
}
SKILL: dict[str, Any] = {
    "id": "skill-deploy",
    "name": "deploy",
    "description": "Put the page online",
    "prerequisites": [],
    "steps": ["make test", "make deploy"],
    "common_errors": [{"error": "no token", "fix": "log in"}],
    "exit_criteria": [],
    "importance": 0.5,
    "access_count": 0,
}
