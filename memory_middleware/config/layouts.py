"""Other shapes of configuration files that are read as ours.

Each rule moves a part to where our tree has it and remembers where it stood, so that errors name
the place the user wrote.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any, NamedTuple

from memory_middleware.errors import ConfigError
from memory_middleware.schemas.problems import Problem, join_path

__all__ = ["Layout", "read_layout"]

_SETTINGS = ("enabled", "max_history", "short_term", "long_term", "inject")
_AGENT_PARTS = ("extract", "summarize")
_AGENT_FIELDS = ("role", "memories", "budget_tokens")


class Layout(NamedTuple):
    """Settings in our shape, and ``(where it is now, where it stood)`` for each moved part."""

    data: dict[str, Any]
    moves: tuple[tuple[str, str], ...]

    def told(self, problem: Problem) -> Problem:
        """Name the place the user wrote."""
        for now, before in self.moves:
            rest = problem.path[len(now) :]
            if problem.path.startswith(now) and rest[:1] in ("", ".", "["):
                return Problem(before + rest, problem.message)
        return problem


def read_layout(data: Mapping[str, Any], path: str = "") -> Layout:
    """Bring a graph file of declared stores, or a file of memory settings, into our shape.

    Raises:
        ConfigError: A part has no fitting shape, or two nodes share an id.
    """
    settings = {key: value for key, value in data.items() if key != "vars"}
    moves: list[tuple[str, str]] = []
    if isinstance(settings.get("graph"), Mapping):
        graph = settings.pop("graph")
        settings.pop("version", None)
        for key in ("memory", "nodes"):
            if key in graph:
                settings[key] = graph[key]
                moves.append((join_path(path, (key,)), join_path(path, ("graph", key))))
    _lift_settings(settings, moves, path)
    _lift_agent_parts(settings, moves, path)
    _lift_nodes(settings, moves, path)
    return Layout(settings, tuple(moves))


def _lift_settings(settings: dict[str, Any], moves: list[tuple[str, str]], path: str) -> None:
    """``memory:`` as a table of settings instead of a list of stores."""
    memory = settings.get("memory")
    if not isinstance(memory, Mapping) or "name" in memory or "type" in memory:
        return
    if not any(key in memory for key in _SETTINGS):
        return
    del settings["memory"]
    for key, value in memory.items():
        settings.setdefault(key, value)
        moves.append((join_path(path, (key,)), join_path(path, ("memory", key))))


def _lift_agent_parts(settings: dict[str, Any], moves: list[tuple[str, str]], path: str) -> None:
    """``extract`` and ``summarize`` inside ``memory_agent``."""
    agent = settings.get("memory_agent")
    if not isinstance(agent, Mapping):
        return
    settings["memory_agent"] = {key: value for key, value in agent.items() if key not in _AGENT_PARTS}
    for key in _AGENT_PARTS:
        if key in agent:
            settings.setdefault(key, agent[key])
            moves.append((join_path(path, (key,)), join_path(path, ("memory_agent", key))))


def _lift_nodes(settings: dict[str, Any], moves: list[tuple[str, str]], path: str) -> None:
    """``nodes`` of a graph file, of which only the memories concern us."""
    if "nodes" not in settings:
        return
    place = join_path(path, ("nodes",))
    nodes = settings.pop("nodes") or []
    if not isinstance(nodes, list | tuple):
        raise ConfigError("expected list", place)
    agents = dict(settings.get("agents") or {})
    ids: Counter[str] = Counter()
    for at, node in enumerate(nodes):
        name, config = _read_node(node, join_path(place, (at,)))
        ids[name] += 1
        agents[name] = {key: config[key] for key in _AGENT_FIELDS if key in config}
        moves.append((join_path(path, ("agents", name)), join_path(place, (at, "config"))))
    if doubles := sorted(name for name, count in ids.items() if count > 1):
        raise ConfigError(f"duplicate node ids detected: {', '.join(doubles)}", place)
    settings["agents"] = agents


def _read_node(node: object, place: str) -> tuple[str, Mapping[str, Any]]:
    if not isinstance(node, Mapping):
        raise ConfigError("expected mapping", place)
    if not isinstance(node.get("id"), str):
        raise ConfigError("expected string", join_path(place, ("id",)))
    config = node.get("config") or {}
    if not isinstance(config, Mapping):
        raise ConfigError("expected mapping", join_path(place, ("config",)))
    return node["id"], config
