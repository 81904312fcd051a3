"""A summary by a chat model."""

from __future__ import annotations

from collections.abc import Sequence

from langchain_core.language_models import BaseChatModel
from langchain_core.messages import HumanMessage

from memory_middleware.config import ModelConfig
from memory_middleware.prompt_loader import PromptLibrary
from memory_middleware.remember.polite_model import PoliteModel
from memory_middleware.remember.turns import message_text
from memory_middleware.schemas.scrub import scrub

__all__ = ["ModelSummarizer"]


class ModelSummarizer:
    """Lets a model fold rounds into the summary.

    Args:
        model: A chat model, its configuration, or a name such as ``openai:gpt-4o-mini``.
        prompts: Where the prompt comes from, instead of the shipped one.
        timeout: Seconds for one summary.
    """

    def __init__(
        self,
        model: BaseChatModel | str | ModelConfig,
        *,
        prompts: PromptLibrary | None = None,
        timeout: float | None = 60.0,
    ) -> None:
        self._model = PoliteModel(model, timeout=timeout, run_name="memory.summarize")
        self._prompts = prompts or PromptLibrary()

    def summarize(self, previous: str, rounds: Sequence[str], max_tokens: int) -> str:
        """Give the new summary.

        Raises:
            ExtractionError: The model gave none.
        """
        text = self._prompts.render(
            "summarizer", rounds=scrub("\n\n".join(rounds)), max_tokens=str(max_tokens), previous_summary=previous
        )
        return message_text(self._model.ask([HumanMessage(text)]))
