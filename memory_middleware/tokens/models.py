"""Which encoding counts for which model, and how much to add where it is another's tokenizer."""

from __future__ import annotations

import re
from typing import NamedTuple

__all__ = ["UNKNOWN_FACTOR", "ModelTokens", "tokens_for_model"]

UNKNOWN_FACTOR = 1.25


class ModelTokens(NamedTuple):
    """An encoding, and the factor that makes its counts safe for a model."""

    encoding: str
    factor: float


# The first pattern that matches wins. Factors are measured counts of other vocabularies against
# o200k_base: Llama 3, Qwen 3, DeepSeek, Gemma and Mistral stay below 1.25 in prose and code of
# either language, Claude below 1.5.
_MODELS = (
    (r"gpt-4o|gpt-4\.1|gpt-4\.5|gpt-[5-9]|chatgpt-4o|o[1-9](?:$|[-.])", ModelTokens("o200k_base", 1.0)),
    (r"gpt-4|gpt-3\.5|gpt-35|text-embedding-", ModelTokens("cl100k_base", 1.0)),
    (r".*claude", ModelTokens("o200k_base", 1.5)),
)


def tokens_for_model(model: str) -> ModelTokens:
    """Choose how to count for a model; a provider in front (``openai:``, ``azure/``) or a tag behind is ignored."""
    names = re.split(r"[:/]", model.strip().lower())
    for pattern, tokens in _MODELS:
        if any(re.match(pattern, name) for name in names):
            return tokens
    return ModelTokens("o200k_base", UNKNOWN_FACTOR)
