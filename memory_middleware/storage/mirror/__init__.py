"""Memory kept in somebody else's store: any LangGraph ``BaseStore`` as the truth, a working copy to serve it from."""

from memory_middleware.storage.mirror.guarding import guarded
from memory_middleware.storage.mirror.store import MirrorStore

__all__ = ["MirrorStore", "guarded"]
