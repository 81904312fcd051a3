"""Other shapes of configuration files that are read as ours.

Each rule moves a part to where our tree has it and remembers where it stood, so that errors name
the place the user wrote.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

from memory_middleware.errors import ConfigError
from memory_middleware.schemas.problems import Loc, join_path

__all__ = ["Layout", "read_layout"]

_AGENT_PARTS = ("extract", "summarize")
_ROLES = ("router", "worker")


class Layout:
    """Settings being brought into our shape.

    Attributes:
        data: The settings.
        path: Where they stand in a larger document, for messages.
    """

    def __init__(self, data: Mapping[str, Any], path: str) -> None:
        self.data: dict[str, Any] = dict(data)
        self.path = path
        self._moves: dict[Loc, Loc] = {}

    def written(self, loc: Loc) -> Loc:
        """Tell where the user wrote what stands at a place now."""
        for end in range(len(loc), 0, -1):
            if loc[:end] in self._moves:
                return (*self._moves[loc[:end]], *loc[end:])
        return loc

    def lift(self, parts: Mapping[str, Any], keys: Iterable[str], before: Loc) -> None:
        """Move parts to the top.

        Raises:
            ConfigError: The top has a part of that name already.
        """
        for key in keys:
            if key in self.data:
                self.fail(f"given twice, here and at {self.name((key,))}", (*before, key))
            self.data[key] = parts[key]
            self._moves[(key,)] = (*before, key)

    def move(self, now: Loc, before: Loc) -> None:
        """Remember a part that stands elsewhere now."""
        self._moves[now] = before

    def name(self, loc: Loc) -> str:
        """Tell the path of a place."""
        return join_path(self.path, loc)

    def fail(self, message: str, loc: Loc) -> None:
        """Complain about a place as the user wrote it.

        Raises:
            ConfigError: Always.
        """
        raise ConfigError(message, self.name(self.written(loc)))


def read_layout(data: Mapping[str, Any], path: str = "") -> Layout:
    """Bring a graph file of declared stores, or a file of memory settings, into our shape.

    Raises:
        ConfigError: A part has no fitting shape, is given twice, or two nodes share an id.
    """
    layout = Layout({key: value for key, value in data.items() if key != "vars"}, path)
    _lift_graph(layout)
    _lift_settings(layout)
    _lift_agent_parts(layout)
    _lift_nodes(layout)
    return layout


def _lift_graph(layout: Layout) -> None:
    """A whole graph file, of which the stores and the nodes concern us."""
    graph = layout.data.get("graph")
    if isinstance(graph, Mapping):
        del layout.data["graph"]
        layout.data.pop("version", None)
        layout.lift(graph, [key for key in ("memory", "nodes") if key in graph], ("graph",))


def _lift_settings(layout: Layout) -> None:
    """``memory:`` as a table of settings instead of a list of stores, each of which has a name and a type."""
    memory = layout.data.get("memory")
    if isinstance(memory, Mapping) and "name" not in memory and "type" not in memory:
        del layout.data["memory"]
        layout.lift(memory, memory, ("memory",))


def _lift_agent_parts(layout: Layout) -> None:
    """``extract`` and ``summarize`` inside ``memory_agent``."""
    agent = layout.data.get("memory_agent")
    if isinstance(agent, Mapping):
        layout.data["memory_agent"] = {key: value for key, value in agent.items() if key not in _AGENT_PARTS}
        layout.lift(agent, [key for key in _AGENT_PARTS if key in agent], layout.written(("memory_agent",)))


def _lift_nodes(layout: Layout) -> None:
    """``nodes`` of a graph file, of which only the memories concern us."""
    if "nodes" not in layout.data:
        return
    nodes, agents = layout.data["nodes"] or [], layout.data.get("agents") or {}
    if not isinstance(nodes, list | tuple):
        layout.fail("expected list", ("nodes",))
    if not isinstance(agents, Mapping):
        layout.fail("expected mapping", ("agents",))
    found = [_read_node(layout, at, node) for at, node in enumerate(nodes)]
    counts = Counter(name for name, _ in found)
    if doubles := sorted(name for name, count in counts.items() if count > 1):
        layout.fail(f"duplicate node ids detected: {', '.join(doubles)}", ("nodes",))
    for at, (name, _) in enumerate(found):
        if name in agents:
            layout.fail(f"agent {name!r} is given twice, here and at {layout.name(('agents', name))}", ("nodes", at))
        layout.move(("agents", name), (*layout.written(("nodes",)), at, "config"))
    del layout.data["nodes"]
    layout.data["agents"] = {**agents, **dict(found)}


def _read_node(layout: Layout, at: int, node: object) -> tuple[str, dict[str, Any]]:
    if not isinstance(node, Mapping):
        layout.fail("expected mapping", ("nodes", at))
    assert isinstance(node, Mapping)
    if not isinstance(node.get("id"), str):
        layout.fail("expected string", ("nodes", at, "id"))
    config = node.get("config") or {}
    if not isinstance(config, Mapping):
        layout.fail("expected mapping", ("nodes", at, "config"))
    kept = {key: config[key] for key in ("memories", "budget_tokens") if key in config}
    # In a graph file a node's role is often its system prompt.
    if config.get("role") in _ROLES:
        kept["role"] = config["role"]
    return node["id"], kept
