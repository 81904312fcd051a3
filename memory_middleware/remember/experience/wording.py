"""The words of experience: summaries, descriptions, and how alike two texts are."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable, Sequence
from difflib import SequenceMatcher

from memory_middleware.remember.experience.overlap import jaccard
from memory_middleware.schemas.episode import EpisodeTrace
from memory_middleware.storage.terms import has_cjk, is_common, terms_of

__all__ = [
    "ANTI_PATTERN",
    "bare",
    "describe_goals",
    "goal_words",
    "is_made_by_rules",
    "language_of",
    "says",
    "shared_words",
    "summarise",
    "text_similarity",
    "words_of",
]

ANTI_PATTERN = "anti-pattern"
_REMEMBERED = 16_384
_SHORTEST = 3
_MOST_WORDS = 5
_WORD = re.compile(r"\w+(?:[-']\w+)*")
_CJK_RUN = re.compile(r"[\u3400-\u9fff]+")
_PARTICLES = frozenset("的了在和是把给与及请帮我们个一下并对从到为中")
_SAID: dict[str, dict[str, str]] = {
    "en": {
        "many": "Pattern for {words} tasks ({number} instances)",
        "one": "Pattern from: {goal}",
        "none": "Unknown pattern",
        "steps": "Common actions: ",
        "overcame": "Errors overcome: ",
        "fix": "on {error}: {fix}",
        "avoid": "Avoid: ",
        "met": "When encountering: {error}",
        "before": "Common actions before failure: ",
        "skill": "Steps that {number} successful runs had in common, for tasks such as: {goal}",
        "tool": "Tool: {name}",
        "file": "File: {name}",
        "done": "{step} succeeds",
        "committed": "The change is committed",
    },
    "zh": {
        "many": "“{words}”类任务的模式（{number} 个实例）",
        "one": "来自任务的模式：{goal}",
        "none": "未知模式",
        "steps": "常见步骤：",
        "overcame": "已克服的错误：",
        "fix": "遇到 {error} 时：{fix}",
        "avoid": "避免：",
        "met": "遇到：{error}",
        "before": "失败前的常见操作：",
        "skill": "{number} 次成功执行的共同步骤，适用于这类任务：{goal}",
        "tool": "工具：{name}",
        "file": "文件：{name}",
        "done": "{step} 成功",
        "committed": "改动已提交",
    },
}
_FRAMES = tuple(
    re.compile(pattern, re.DOTALL)
    for pattern in (
        r"Pattern for (.*) tasks \(\d+ instances\)",
        r"“(.*)”类任务的模式（\d+ 个实例）",
        r"Pattern from: (.*)",
        r"来自任务的模式：(.*)",
    )
)
_LISTS = tuple(words[name] for words in _SAID.values() for name in ("steps", "overcame", "before"))
_AVOID = tuple(words["avoid"] for words in _SAID.values())


def says(language: str, what: str, **values: object) -> str:
    """Say something in a language, ``en`` or ``zh``."""
    return _SAID[language][what].format(**values)


def language_of(texts: Iterable[str]) -> str:
    """Tell the language of texts: Chinese if most of them hold its characters, else English."""
    found = [has_cjk(text) for text in texts]
    return "zh" if found and 2 * sum(found) > len(found) else "en"


def summarise(episode: EpisodeTrace) -> str:
    """Say in one sentence how an episode went."""
    ended = "succeeded" if episode.outcome == "success" else "failed"
    actions, errors = len(episode.action_log), len(episode.errors_encountered)
    parts = [
        f"Task '{episode.goal}' {ended}",
        f"after {actions} actions" if actions else "",
        f"with {errors} errors encountered" if errors else "",
        f"in {episode.duration_seconds}s" if episode.duration_seconds > 0 else "",
    ]
    return " ".join(filter(None, parts)) + "."


def describe_goals(goals: Sequence[str]) -> str:
    """Describe what episodes with these goals have in common."""
    language = language_of(goals)
    if not goals:
        return says(language, "none")
    words = _runs(goals) if language == "zh" else _first_words(goals)
    if len(goals) == 1 or not words:
        return says(language, "one", goal=goals[0])
    joined = ("、" if language == "zh" else " ").join(words[:_MOST_WORDS])
    return says(language, "many", words=joined, number=len(goals))


def shared_words(goals: Sequence[str]) -> str:
    """Name a task by the words that most of its goals have, in the order of the first; perhaps nothing."""
    if language_of(goals) == "zh":
        runs = [run for run in _runs(goals) if 2 * sum(run in goal for goal in goals) > len(goals)]
        return "".join(runs[:_MOST_WORDS])
    listed = [set(_first_words([goal])) for goal in goals]
    words = [word for word in _first_words(goals[:1]) if 2 * sum(word in known for known in listed) > len(goals)]
    return " ".join(words[:_MOST_WORDS])


def goal_words(goal: str) -> frozenset[str]:
    """Give the words by which goals are compared: stems, and single Chinese characters; numbers do not count."""
    stems = {term for term in terms_of(goal) if not has_cjk(term) and not term.isdigit()}
    signs = {sign for run in _CJK_RUN.findall(goal) for sign in run if sign not in _PARTICLES}
    return frozenset(stems | signs) or frozenset({goal.strip().casefold()})


@functools.lru_cache(_REMEMBERED)
def words_of(text: str) -> frozenset[str]:
    """Give the words by which texts are compared: of three letters or more, and pairs of Chinese characters."""
    lowered = text.lower()
    plain = {word for word in _WORD.findall(lowered) if len(word) >= _SHORTEST and not has_cjk(word)}
    return frozenset(plain | {term for term in terms_of(lowered) if has_cjk(term)})


def text_similarity(one: str, other: str) -> float:
    """Tell how alike two texts are, from 0 to 1: their shared words among all their words."""
    return jaccard(words_of(one), words_of(other))


@functools.lru_cache(_REMEMBERED)
def bare(pattern: str) -> str:
    """Give what a pattern says without the words that all patterns made by rules have."""
    for prefix in _AVOID:
        pattern = pattern.removeprefix(prefix)
    found = next(filter(None, (frame.fullmatch(pattern) for frame in _FRAMES)), None)
    return found[1] if found else pattern


@functools.lru_cache(_REMEMBERED)
def is_made_by_rules(text: str) -> bool:
    """Tell a description or a list of actions that was made by rules, so that better words may replace it."""
    return text.startswith(_LISTS) or any(frame.fullmatch(text) for frame in _FRAMES)


def _first_words(goals: Iterable[str]) -> list[str]:
    every = (word for goal in goals for word in _WORD.findall(goal.lower()))
    kept = (word for word in every if len(word) >= _SHORTEST and not is_common(word) and not word.isdigit())
    return list(dict.fromkeys(kept))


def _runs(goals: Sequence[str]) -> list[str]:
    """List the runs of characters that the first goal shares with others, in its order."""
    first, found = goals[0], set()
    for other in goals[1:20]:
        for block in SequenceMatcher(None, first, other, autojunk=False).get_matching_blocks():
            run = first[block.a : block.a + block.size].strip(" ，。、：；,.:;")
            if len(run) > 1:
                found.add((block.a, run))
    return list(dict.fromkeys(run for _at, run in sorted(found)))
