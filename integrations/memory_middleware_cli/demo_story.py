"""The story of ``memory demo``: five conversations over six weeks, run through a real router/worker graph."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from memory_middleware import MemoryConfig
from memory_middleware.resources import resource_folder
from memory_middleware_cli import replay

if TYPE_CHECKING:
    from memory_middleware_cli.replay.result import Replay, TurnResult
    from memory_middleware_cli.replay.trace import Trace

__all__ = ["Demo", "load_story", "run_demo"]


@dataclass(frozen=True)
class Demo:
    """A story and its rules, before it runs.

    Attributes:
        trace: The story; where it has no answer, the graph answers with what it remembers.
        config: The rules.
    """

    trace: Trace
    config: MemoryConfig

    @property
    def budgets(self) -> dict[str, int]:
        """The tokens that memory may take in the prompt of each agent."""
        total = self.config.inject.budget.total_tokens
        return {name: agent.budget_tokens or total for name, agent in self.config.agents.items()}


def load_story(language: str | None, budget: int | None) -> Demo:
    """Load the story.

    Args:
        language: ``en`` or ``zh``, instead of the configured one.
        budget: Used for every agent instead of its own.
    """
    folder = resource_folder("memory_middleware_cli", "demo", "../../examples/demo")
    config = MemoryConfig.from_yaml(folder / "memory.yaml")
    chosen = language or config.language
    agents = {
        name: agent.model_copy(update={"budget_tokens": budget or agent.budget_tokens})
        for name, agent in config.agents.items()
    }
    story = "story.jsonl" if chosen == "en" else f"story.{chosen}.jsonl"
    return Demo(replay.read_trace(folder / story), config.model_copy(update={"language": chosen, "agents": agents}))


def run_demo(demo: Demo, done: Callable[[TurnResult], None] | None = None) -> Replay:
    """Run the story on a new embedded memory in a temporary folder."""
    return replay.replay(demo.trace, demo.config, name="memory.yaml", done=done)
