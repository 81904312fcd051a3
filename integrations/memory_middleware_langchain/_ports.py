"""What this package takes from the graph layer of ``memory_middleware``, in one place."""

from memory_middleware.graph.identity import current_run, find_scope
from memory_middleware.graph.injecting import Injection, with_block
from memory_middleware.graph.port import TurnMemory
from memory_middleware.graph.turning import AgentTurn, TurnRules

__all__ = ["AgentTurn", "Injection", "TurnMemory", "TurnRules", "current_run", "find_scope", "with_block"]
