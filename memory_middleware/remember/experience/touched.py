"""What a call was about: its target, and the files it read or changed."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from memory_middleware.remember.experience.brief import brief
from memory_middleware.remember.experience.calls import Call

__all__ = ["Touched", "reads_only", "target_of", "touched_by", "words_of_name"]

_TARGET, _PATH = 120, 300
_MOST_PATHS = 50
_WORDS = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+|[^\W\d_a-zA-Z]+")


def _names(listed: str) -> frozenset[str]:
    return frozenset(listed.split())


_READING = _names("read view open cat load get show list ls search grep find glob fetch browse query look")
_CREATING = _names("write create save generate export make upload copy")
_WRITING = _CREATING | _names("edit append insert replace update patch modify move rename apply put add")
_DELETING = _names("delete remove rm unlink erase")
_PATH_NAMES = _names(
    "path paths file files filename filenames filepath filepaths file_path file_paths file_name target_file "
    "target_path source_path dest_path destination_path old_path new_path source destination src dst notebook_path "
    "output_path input_path output_file input_file relative_path absolute_path uri"
)
# Tools that do several things name the one they do here.
_MODES = ("command", "action", "operation", "op", "mode")
_TARGET_NAMES = ("command", "cmd", "script", "code", "query", "url", "pattern", "name", "title", "id", "key", "task")


class Touched(NamedTuple):
    """The files a call read, those it changed, and what it made."""

    read: list[str]
    modified: list[str]
    made: list[str]


def words_of_name(name: str) -> list[str]:
    """Split the name of a tool: ``readFile`` and ``read_file`` are ``read`` and ``file``."""
    return [word.lower() for word in _WORDS.findall(name)]


def reads_only(call: Call) -> bool:
    """Tell a call that looks at something and changes nothing."""
    verbs = _verbs(call)
    return bool(verbs & _READING) and not verbs & (_WRITING | _DELETING)


def target_of(call: Call) -> str:
    """Say in a few words what a call was about: a file, a command, a query, or its arguments."""
    if paths := _paths(call.args):
        return brief(paths[0], _TARGET)
    for name in _TARGET_NAMES:
        if isinstance(call.args.get(name), str | int) and str(call.args[name]).strip():
            return brief(str(call.args[name]), _TARGET)
    return brief(json.dumps(call.args, ensure_ascii=False, default=str), _TARGET) if call.args else ""


def touched_by(call: Call) -> Touched:
    """Tell which files a call that went well read, changed or made, by its name, arguments and artifact."""
    named, kept = _named(call.args), _artifacts(call.artifact)
    if reads_only(call):
        return Touched([*named, *kept], [], [])
    verbs = _verbs(call)
    if verbs & _DELETING:
        return Touched([], named, [])
    if verbs & _WRITING:
        return Touched([], [*named, *kept], [*(named if verbs & _CREATING else ()), *kept])
    return Touched(named, kept, kept)


def _verbs(call: Call) -> set[str]:
    for name in _MODES:
        mode = call.args.get(name)
        # A shell's command is no mode.
        if isinstance(mode, str) and " " not in mode.strip():
            words = set(words_of_name(mode))
            if words & (_READING | _WRITING | _DELETING):
                return words
    return set(words_of_name(call.name))


def _named(args: Mapping[str, Any]) -> list[str]:
    return [brief(path, _PATH) for path in _paths(args)]


def _paths(args: Mapping[str, Any]) -> list[str]:
    found = [path for name, value in args.items() if name.lower() in _PATH_NAMES for path in _texts(value)]
    return list(dict.fromkeys(found))[:_MOST_PATHS]


def _texts(value: Any) -> Iterator[str]:
    for part in value if isinstance(value, list | tuple) else [value]:
        if isinstance(part, str) and part.strip() and "\n" not in part.strip():
            yield part.strip()


def _artifacts(artifact: Any) -> list[str]:
    """Read the names of files out of an artifact: a path, an object that names one, or a list of either."""
    listed = artifact if isinstance(artifact, list | tuple) else [artifact]
    found: list[str] = []
    for part in listed[:_MOST_PATHS]:
        if isinstance(part, Mapping):
            found += _named({str(name): value for name, value in part.items()})
        elif isinstance(part, str) and _is_path(part):
            found.append(brief(part, _PATH))
    return list(dict.fromkeys(found))


def _is_path(text: str) -> bool:
    return (
        len(text) < _PATH and re.fullmatch(r"[^\s<>|]*[\w)\]]\.\w{1,8}|[^\s<>|]*/[^\s<>|]+", text.strip()) is not None
    )
