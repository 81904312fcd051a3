"""Making chat models look for a block before every call, and with them whatever makes chat models at call time.

A hook hangs on the instance, beside pydantic's fields, so the model's class and all other models stay as they are. It
is made of plain references, so a model with a hook can be copied, deep-copied and pickled, and its copies look too.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from langchain_core.language_models import BaseChatModel
from langchain_core.prompt_values import ChatPromptValue, PromptValue
from langchain_core.runnables import Runnable
from langchain_core.runnables.configurable import DynamicRunnable

from memory_middleware.graph.finding import find_models
from memory_middleware.graph.injecting import current_injection, with_block

__all__ = ["make_ready"]

_OF_DYNAMIC = ("_prepare", "with_config")
_OF_CONFIGURABLE = ("_model", "bind_tools", "with_structured_output", "with_config")


def make_ready(speaker: Runnable[Any, Any]) -> None:
    """Let a model look for a block before every call; without one it does what it always did.

    Args:
        speaker: A chat model, or a runnable that chooses or makes one for every call.
    """
    if isinstance(speaker, BaseChatModel):
        _hang(speaker, "_convert_input", _Looking)
        return
    for name in _OF_DYNAMIC if isinstance(speaker, DynamicRunnable) else _OF_CONFIGURABLE:
        _hang(speaker, name, _Making)


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class _Hook:
    """Stands in for a method of one object."""

    owner: Any
    name: str

    def _original(self) -> Callable[..., Any]:
        return getattr(type(self.owner), self.name).__get__(self.owner)  # type: ignore[no-any-return]


class _Looking(_Hook):
    """Looks for a block when a model reads its input; a model that reads it twice has it once all the same."""

    __slots__ = ()

    def __call__(self, given: Any) -> PromptValue:
        made: PromptValue = self._original()(given)
        injection = current_injection()
        if injection is None or not injection.block:
            return made
        return ChatPromptValue(messages=with_block(made.to_messages(), injection))


class _Making(_Hook):
    """Makes ready whatever a method gives."""

    __slots__ = ()

    def __call__(self, *given: Any, **more: Any) -> Any:
        made = self._original()(*given, **more)
        for speaker in find_models(made):
            make_ready(speaker)
        return made


def _hang(thing: object, name: str, hook: type[_Hook]) -> None:
    if not isinstance(getattr(thing, "__dict__", {}).get(name), _Hook):
        # Pydantic guards its fields, not what stands beside them.
        object.__setattr__(thing, name, hook(thing, name))
