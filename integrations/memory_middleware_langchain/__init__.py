"""Memory for agents made with LangChain's ``create_agent``."""

try:
    import langchain.agents.middleware  # noqa: F401
except ImportError as error:  # pragma: no cover
    raise ImportError(
        "AgentMemory needs LangChain 1.3 or newer: pip install 'langgraph-memory-middleware[langchain]'"
    ) from error

from memory_middleware_langchain.middleware import AgentMemory

__all__ = ["AgentMemory"]
