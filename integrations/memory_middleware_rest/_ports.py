"""What this package takes from ``memory_middleware`` beyond its public names, in one place."""

from memory_middleware.schemas.problems import list_problems
from memory_middleware.schemas.profile import content_class
from memory_middleware.schemas.scrub import scrub
from memory_middleware.schemas.yaml_text import YamlProblem, load_yaml
from memory_middleware.storage.documents import record_namespace
from memory_middleware.storage.namespaces import item_id, path_of
from memory_middleware.storage.owners import digest

__all__ = [
    "YamlProblem",
    "content_class",
    "digest",
    "item_id",
    "list_problems",
    "load_yaml",
    "path_of",
    "record_namespace",
    "scrub",
]
