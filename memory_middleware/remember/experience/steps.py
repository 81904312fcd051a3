"""Actions as steps that compare across runs, and the steps that runs have in common."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from memory_middleware.schemas.experience_parts import ActionEntry
from memory_middleware.sources.similarity import longest_common_length

__all__ = ["FAILED", "CommonSteps", "Step", "common_steps", "is_failed", "step_name", "steps_of", "subject_of"]

FAILED = "error: "
"""How the result of an action begins that failed."""


def _names(listed: str) -> frozenset[str]:
    return frozenset(listed.split())


_SHELLS = _names("bash sh shell zsh terminal run_command run_shell execute_command exec cmd powershell run")
_WRAPPERS = _names("sudo env time nohup")
_SILENT = _names("cd export set source . echo true")
_GROUPS = _names("git npm pnpm yarn pip uv poetry docker kubectl cargo go make apt brew conda gh python python3")
_PARTS = re.compile(r"&&|\|\||[;|\n]")
_PATH = re.compile(r"[^\s:{}]*?(?<=[\w)\]])(\.[A-Za-z][A-Za-z0-9]{0,7})")
_COMMAND = re.compile(r"[\w./-]+")
_MOST_STEPS, _MOST_SEQUENCES = 60, 24
# Fewer steps are no procedure, and one sequence has nothing in common.
_LEAST = 2


class Step(NamedTuple):
    """What was done, as other runs may have done it too, and the kind of file it was done to."""

    name: str
    kind: str


class CommonSteps(NamedTuple):
    """Steps that some sequences have in common, in order, and which sequences these are."""

    names: tuple[str, ...]
    support: frozenset[int]


def is_failed(action: ActionEntry) -> bool:
    """Tell an action that failed by its result."""
    return action.output is not None and action.output.lower().startswith(FAILED.strip())


def subject_of(tool: str, target: str) -> str:
    """Tell what a call is about, so that it can be told again: a file, a query, or the command of a shell."""
    if tool.lower() in _SHELLS:
        return _command(target)
    return "" if target.startswith("{") else target


def step_name(tool: str, target: str) -> str:
    """Name a step by its tool; a shell's by its command too."""
    return f"{tool} {_command(target)}".strip() if tool.lower() in _SHELLS else tool


def steps_of(actions: Iterable[ActionEntry]) -> tuple[Step, ...]:
    """List the actions that went well as steps, repeats in a row once."""
    found: list[Step] = []
    for action in actions:
        if is_failed(action) or not action.tool:
            continue
        step = _step(action.tool, action.input or "")
        if not found or found[-1].name != step.name:
            found.append(step)
        elif found[-1].kind != step.kind:
            found[-1] = step._replace(kind="")
    return tuple(found[:_MOST_STEPS])


def common_steps(sequences: Sequence[Sequence[str]]) -> CommonSteps | None:
    """Find the steps that several sequences have in common, in their order; none if there are not two of them.

    It starts with the sequence that is nearest to all, and goes on with the next nearest. One that would
    take away more than half of the steps is left aside. The order of the sequences does not matter.
    """
    letters = {name: chr(0x10000 + at) for at, name in enumerate(sorted({name for one in sequences for name in one}))}
    coded = ["".join(letters[name] for name in one) for one in sequences]
    ranked = sorted(Counter(coded).items(), key=lambda found: (-found[1], found[0]))[:_MOST_SEQUENCES]
    kept = _fold([text for text, _count in ranked], dict(ranked))
    if kept is None:
        return None
    common, texts = kept
    support = frozenset(at for at, text in enumerate(coded) if text in texts)
    if len(support) < _LEAST:
        return None
    names = {letter: name for name, letter in letters.items()}
    return CommonSteps(tuple(names[letter] for letter in common), support)


def _fold(texts: Sequence[str], counts: dict[str, int]) -> tuple[str, set[str]] | None:
    if not texts:
        return None
    nearness = {one: sum(longest_common_length(one, other) * counts[other] for other in texts) for one in texts}
    base = max(texts, key=lambda text: (nearness[text], text))
    order = sorted(texts, key=lambda text: (-longest_common_length(base, text), -counts[text], text))
    common, used = base, {base}
    for text in order:
        shared = _shared(common, text)
        if text != base and len(shared) >= max(_LEAST, (len(common) + 1) // 2):
            common = shared
            used.add(text)
    return (common, used) if len(common) >= _LEAST else None


def _shared(one: str, other: str) -> str:
    """Give the longest common subsequence of two texts."""
    best = [[""] * (len(other) + 1) for _ in range(len(one) + 1)]
    for at, letter in enumerate(one):
        for there, other_letter in enumerate(other):
            longer = best[at][there] + letter if letter == other_letter else ""
            best[at + 1][there + 1] = max(longer, best[at][there + 1], best[at + 1][there], key=len)
    return best[-1][-1]


def _step(tool: str, target: str) -> Step:
    found = None if tool.lower() in _SHELLS else _PATH.fullmatch(target)
    return Step(step_name(tool, target), f"*{found[1]}" if found else "")


def _command(text: str) -> str:
    """Name the command of a shell line: ``cd x && git commit -m y`` is ``git commit``."""
    for part in _PARTS.split(text):
        words = [word for word in part.split() if "=" not in word]
        while words and words[0] in _WRAPPERS:
            words.pop(0)
        if words and words[0] not in _SILENT and _COMMAND.fullmatch(words[0]):
            name = words[0].rpartition("/")[2] or words[0]
            return f"{name} {_subcommand(words)}".strip() if name in _GROUPS else name
    return ""


def _subcommand(words: Sequence[str]) -> str:
    plain = [word for word in words[1:4] if re.fullmatch(r"-m|[a-z][a-z-]{1,20}", word)]
    return " ".join(plain[:2]) if plain[:1] == ["-m"] else " ".join(plain[:1])
