"""How texts become vectors."""

from __future__ import annotations

from pydantic import Field

from memory_middleware.config.base import ConfigModel
from memory_middleware.config.field_specs import ADVANCED
from memory_middleware.config.types import OptionalText, Params, Text

__all__ = ["EmbeddingConfig"]


class EmbeddingConfig(ConfigModel):
    """An embedder: ``local`` runs on this machine, the others call a provider."""

    provider: Text = Field(title="Embedding Provider", description="'local', 'openai' or a LangChain provider name")
    model: Text = Field(title="Embedding Model", description="The provider's name of the model")
    api_key: OptionalText = Field(
        None, title="API Key", description="The provider's key", repr=False, json_schema_extra=ADVANCED
    )
    base_url: OptionalText = Field(
        None, title="Base URL", description="Another address of the service", json_schema_extra=ADVANCED
    )
    params: Params = Field(
        default_factory=dict,
        title="Custom Parameters",
        description="Passed on to the embedder",
        json_schema_extra=ADVANCED,
    )
