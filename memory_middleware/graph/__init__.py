"""LangGraph parts: the extractor subgraph, the worker that runs it, and what wraps agents."""
