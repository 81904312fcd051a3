"""Writes ``docs/configuration.md`` from the configuration classes: ``python docs/make_configuration.py``."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from memory_middleware import MemoryConfig, config
from memory_middleware.config import ConfigModel

__all__ = ["TARGET", "render"]

TARGET = Path(__file__).with_name("configuration.md")

INTRODUCTION = """# Configuration

Generated from the code by `python docs/make_configuration.py`; do not edit.

`MemoryConfig` is one frozen tree. It is built from keyword arguments, from a dict (`MemoryConfig.from_dict`), from YAML
(`MemoryConfig.from_yaml`) or from TOML (`MemoryConfig.from_toml`). Every field has a default that works with no key and
no network.

- In files, `${NAME}` and `${NAME:-default}` are replaced from the file's `vars`, then from the environment, and read as
  what the field wants; `$$` is a plain `$`. A variable that is not set and has no default is an error.
- Mistakes raise `ConfigError` with the text `path: message`, such as
  `agents.router.memories[0].topk: unknown key 'topk'; did you mean 'top_k'?`. All problems found are in its `problems`.
- `field_specs()` of every class describes its fields, so that a user interface can render forms.
- Stages are `pre_gen_thinking` (also `pre`, `plan`), `gen`, `post_gen_thinking` (also `critique`) and `finished`. No
  stage means all.
- Attachments may name the built-in sources `profile`, `long_term`, `short_term` and `experience` without declaring
  them.
"""

SECTIONS: tuple[tuple[str, type[ConfigModel]], ...] = (
    ("(top level)", MemoryConfig),
    ("storage", config.StorageConfig),
    ("embedding, memory[].config.embedding", config.EmbeddingConfig),
    ("memory[]", config.MemoryStoreConfig),
    ("memory[].config of type simple", config.SimpleMemoryConfig),
    ("memory[].config of type file", config.FileMemoryConfig),
    ("memory[].config.file_sources[]", config.FileSourceConfig),
    ("memory[].config of type blackboard", config.BlackboardMemoryConfig),
    ("memory[].config of type notes", config.NotesMemoryConfig),
    ("memory[].config of type mem0", config.Mem0MemoryConfig),
    ("memory[].config of type experience", config.ExperienceMemoryConfig),
    ("agents.NAME", config.AgentMemoryConfig),
    ("agents.NAME.memories[]", config.MemoryAttachmentConfig),
    ("inject", config.InjectConfig),
    ("inject.budget", config.BudgetConfig),
    ("inject.budget.shares", config.BudgetShares),
    ("short_term", config.ShortTermConfig),
    ("long_term", config.LongTermConfig),
    ("memory_agent", config.ModelConfig),
    ("extract", config.ExtractConfig),
    ("summarize", config.SummarizeConfig),
)


def render() -> str:
    """Give the whole page."""
    return "\n".join((INTRODUCTION, *(_section(place, kind) for place, kind in SECTIONS)))


def _section(place: str, kind: type[ConfigModel]) -> str:
    lines = [f"## {place}", "", f"`{kind.__name__}`. {(kind.__doc__ or '').splitlines()[0]}", ""]
    lines += ["| key | type | default | meaning |", "|---|---|---|---|"]
    for spec in kind.field_specs().values():
        default = "required" if spec.required else _default(spec.default, spec.child)
        meaning = ". ".join(filter(None, (spec.description, _allowed(spec.enum))))
        lines.append(f"| `{spec.name}` | {spec.type.replace('|', 'or')} | {default} | {meaning} |")
    return "\n".join((*lines, ""))


def _allowed(words: tuple[str, ...]) -> str:
    return f"One of: {', '.join(f'`{word}`' for word in words)}" if words else ""


def _default(value: Any, child: object) -> str:
    if child is not None:
        return "see below"
    return "none" if value is None else f"`{value}`"


if __name__ == "__main__":
    TARGET.write_text(render(), encoding="utf-8")
