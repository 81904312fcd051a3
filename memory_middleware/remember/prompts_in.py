"""The prompts of a language: somebody's own for all languages, or the shipped ones, each read once."""

from __future__ import annotations

from memory_middleware.prompt_loader import PromptLibrary

__all__ = ["PromptsIn"]


class PromptsIn:
    """Gives the library of a language.

    Args:
        own: A library that serves all languages, instead of the shipped ones.
    """

    def __init__(self, own: PromptLibrary | None = None) -> None:
        self._own = own
        self._shipped: dict[str, PromptLibrary] = {}

    def language(self, name: str) -> PromptLibrary:
        """Give the prompts in ``en`` or ``zh``.

        Raises:
            PromptError: There are none in this language.
        """
        if self._own is not None:
            return self._own
        if name not in self._shipped:
            self._shipped[name] = PromptLibrary(language=name)
        return self._shipped[name]
