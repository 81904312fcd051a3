"""Which injected memories an answer visibly used."""

from memory_middleware.remember.references.detector import ReferenceDetector
from memory_middleware.remember.references.rarity import Rarity
from memory_middleware.remember.references.verdict import Injected, Reference, ReferenceSettings

__all__ = ["Injected", "Rarity", "Reference", "ReferenceDetector", "ReferenceSettings"]
