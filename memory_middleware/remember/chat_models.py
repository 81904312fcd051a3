"""Chat models from configuration or from a name."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from langchain_core.language_models import BaseChatModel

from memory_middleware.config import ModelConfig
from memory_middleware.errors import ExtractionError
from memory_middleware.remember.failures import tell

__all__ = ["build_chat_model", "model_name"]


def build_chat_model(model: BaseChatModel | str | ModelConfig) -> BaseChatModel:
    """Give a chat model: a ready one as it is, one from configuration, or one named as ``openai:gpt-4o-mini``.

    What is built here does not retry by itself, since whoever calls it does.

    Raises:
        ExtractionError: A package is missing, or the provider or a setting is not known.
    """
    if isinstance(model, BaseChatModel):
        return model
    config = ModelConfig(model=model) if isinstance(model, str) else model
    if not config.model:
        raise ExtractionError("the model has no name; set one such as 'openai:gpt-4o-mini'", permanent=True)
    named = {"model_provider": config.provider, "api_key": config.api_key, "base_url": config.base_url}
    if config.base_url and not config.provider and ":" not in config.model:
        named["model_provider"] = "openai"  # what nearly every service with an address of its own speaks
    if config.base_url and not config.api_key:
        named["api_key"] = "none"
    return _built(config.model, {key: value for key, value in named.items() if value}, config.timeout)


def model_name(model: BaseChatModel) -> str:
    """Tell how a model is called in messages."""
    told = getattr(model, "model_name", None) or getattr(model, "model", None)
    return told if isinstance(told, str) else type(model).__name__


def _built(name: str, named: dict[str, Any], timeout: float) -> BaseChatModel:
    try:
        module = importlib.import_module("langchain.chat_models")
    except ImportError as error:
        wanted = "pip install 'langgraph-memory-middleware[models]'"
        raise ExtractionError(
            f"a model by name ({name!r}) needs the package 'langchain': {wanted}", permanent=True
        ) from error
    build: Callable[..., BaseChatModel] = module.init_chat_model
    with suppress(Exception):  # few models take neither of the two
        return build(name, **named, timeout=timeout, max_retries=0)
    try:
        return build(name, **named)
    except Exception as error:
        raise ExtractionError(f"cannot build the chat model {name!r}: {tell(error)}", permanent=True) from error
