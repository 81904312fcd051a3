"""Every error this library raises, one root per kind of failure.

MemoryMiddlewareError
  InvalidInputError (also a ValueError): the caller passed something wrong
    ConfigError: a setting, with the path of the key
    SchemaError: a value that does not fit its schema
      MissingFieldError (also a KeyError): a required key is absent
      NoteError: a note file that cannot be read or written as it is
    PromptError: a prompt file or the values for its slots
    TokenizerError: an encoding that is not known, or whose rank file is damaged
  StoreError: the store could not do what was asked
    ConflictError: somebody else changed the row meanwhile
  EmbeddingError: texts could not be turned into vectors
  ExtractionError: rounds could not be turned into facts, which differs from finding none
"""

from __future__ import annotations

from collections.abc import Sequence

__all__ = [
    "ConfigError",
    "ConflictError",
    "EmbeddingError",
    "ExtractionError",
    "InvalidInputError",
    "MemoryMiddlewareError",
    "MissingFieldError",
    "NoteError",
    "PromptError",
    "SchemaError",
    "StoreError",
    "TokenizerError",
]


class MemoryMiddlewareError(Exception):
    """Root of all errors raised on purpose by this library."""


class InvalidInputError(MemoryMiddlewareError, ValueError):
    """The caller passed a wrong value; the message names it and the remedy."""

    def __str__(self) -> str:
        return str(self.args[0]) if self.args else ""


class ConfigError(InvalidInputError):
    """A setting is wrong; the text reads ``path: message``.

    Attributes:
        path: The place in the configuration, such as ``memory[0].config.max_items``.
        problems: Every ``(path, message)`` found, the reported one first. The others
            are attached as notes, so a traceback shows them all.
    """

    def __init__(self, message: str, path: str = "", *, others: Sequence[tuple[str, str]] = ()) -> None:
        self.path = path
        self.problems = ((path, message), *others)
        super().__init__(_at(path, message))
        for other in others:
            self.add_note(f"also {_at(*other)}")


class SchemaError(InvalidInputError):
    """A value does not fit its schema."""


class MissingFieldError(SchemaError, KeyError):
    """A required key is absent."""


class NoteError(SchemaError):
    """A note cannot be read or written as it is."""


class PromptError(InvalidInputError):
    """A prompt file is malformed, or its slots were filled wrongly."""


class TokenizerError(InvalidInputError):
    """An encoding is not known, or its rank file is damaged."""


class StoreError(MemoryMiddlewareError):
    """The store could not do what was asked; nothing acknowledged before is lost."""


class ConflictError(StoreError):
    """Somebody else changed the row between reading and writing it."""


class EmbeddingError(MemoryMiddlewareError):
    """Texts could not be turned into vectors."""


class ExtractionError(MemoryMiddlewareError):
    """Rounds could not be turned into facts; finding none is no error.

    Attributes:
        permanent: Whether trying again cannot help, as after a wrong key.
    """

    def __init__(self, message: str, *, permanent: bool = False) -> None:
        self.permanent = permanent
        super().__init__(message)


def _at(path: str, message: str) -> str:
    return f"{path}: {message}" if path else message
