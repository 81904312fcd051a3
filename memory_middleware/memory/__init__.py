"""The one place that wires the parts: a memory to be opened and put into graphs."""

from memory_middleware.memory.facade import Memory
from memory_middleware.memory.graph_memory import GraphMemory

__all__ = ["GraphMemory", "Memory"]
