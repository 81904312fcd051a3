"""The example of ``memory demo``: its configuration, its profiles, and the prompts they make."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import yaml

from memory_middleware import (
    AgentMemoryConfig,
    ComposedPrompt,
    MemoryConfig,
    PromptLibrary,
    TokenCounter,
    UserMemoryContent,
    WorkProfileContent,
    compose_prompt,
)
from memory_middleware.resources import resource_folder
from memory_middleware.schemas import validate_content

__all__ = ["AgentDemo", "Demo", "load_demo"]


@dataclass(frozen=True)
class AgentDemo:
    """One agent of the example, and its prompt."""

    name: str
    settings: AgentMemoryConfig
    budget: int
    prompt: ComposedPrompt


@dataclass(frozen=True)
class Demo:
    """The whole example, computed."""

    config_path: Path
    config: MemoryConfig
    counter: TokenCounter
    agents: tuple[AgentDemo, ...]


def load_demo(language: str | None, budget: int | None) -> Demo:
    """Load the example and compose the prompt of each of its agents.

    Args:
        language: ``en`` or ``zh``, instead of the configured one.
        budget: Used for every agent instead of its own.
    """
    folder = resource_folder("memory_middleware_cli", "demo", "../../examples/demo")
    config = MemoryConfig.from_yaml(folder / "memory.yaml")
    language = language or config.language
    prompts = PromptLibrary(config.prompts_dir, language=language)
    profile = yaml.safe_load((folder / _profile_name(language)).read_text(encoding="utf-8"))
    user = validate_content(UserMemoryContent, profile["user"])
    work = validate_content(WorkProfileContent, profile["work"])
    limits = config.inject.budget
    counter = TokenCounter.from_config(limits)
    agents = []
    for name, settings in config.agents.items():
        tokens = budget or settings.budget_tokens or limits.total_tokens
        prompt = compose_prompt(
            settings.role or name,
            user_memory=user,
            work_memory=work,
            prompts=prompts,
            budget=tokens,
            counter=counter,
        )
        agents.append(AgentDemo(name, settings, tokens, prompt))
    return Demo(folder / "memory.yaml", config, counter, tuple(agents))


def _profile_name(language: str) -> str:
    return "profile.yaml" if language == "en" else f"profile.{language}.yaml"
