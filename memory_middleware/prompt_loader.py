"""Prompts are files: one text a prompt, its slots declared and checked when it is loaded.

A prompt file is Markdown with front matter that names its slots; ``{{name}}`` marks where a value
goes. ``router.zh.md`` is the Chinese version of ``router.md``. A folder of the user's can replace
any of them.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from memory_middleware.errors import NoteError, PromptError
from memory_middleware.resources import resource_folder
from memory_middleware.schemas.front_matter import read_frontmatter
from memory_middleware.schemas.problems import did_you_mean

__all__ = ["PromptLibrary", "PromptTemplate"]

_SLOT = re.compile(r"\{\{\s*([A-Za-z_][A-Za-z0-9_]*)\s*\}\}")
_LANGUAGES = ("en", "zh")


@dataclass(frozen=True)
class PromptTemplate:
    """A prompt text with slots.

    An optional slot may be left empty. A paragraph whose slots are all left empty goes with them, so
    that no heading stands over nothing.
    """

    name: str
    text: str
    description: str = ""
    slots: tuple[str, ...] = ()
    optional: tuple[str, ...] = ()

    def render(self, **values: str) -> str:
        """Fill the slots. Values are inserted as they are: braces inside them mean nothing.

        Raises:
            PromptError: A slot has no value, a value has no slot, or a value is no text.
        """
        declared = (*self.slots, *self.optional)
        for name, value in values.items():
            if name not in declared:
                raise PromptError(f"prompt {self.name!r} has no slot {name!r}; {did_you_mean(name, declared)}")
            if not isinstance(value, str):
                raise PromptError(f"slot {name!r} of prompt {self.name!r} takes text, not {value!r}")
        if absent := [name for name in self.slots if name not in values]:
            raise PromptError(f"prompt {self.name!r} needs a value for: {', '.join(absent)}")
        paragraphs = [part for part in self.text.split("\n\n") if not self._is_empty(part, values)]
        return _SLOT.sub(lambda found: values.get(found[1], ""), "\n\n".join(paragraphs)).rstrip("\n") + "\n"

    def _is_empty(self, paragraph: str, values: Mapping[str, str]) -> bool:
        slots = _SLOT.findall(paragraph)
        return bool(slots) and all(slot in self.optional and not values.get(slot) for slot in slots)


class PromptLibrary:
    """The prompts that ship with the library, and the user's own in their place.

    Args:
        overrides: A folder whose files replace shipped prompts of the same name. It may hold only
            some of them.
        language: ``en`` or ``zh``. A prompt without a version in that language is given in English.
    """

    def __init__(self, overrides: str | Path | None = None, *, language: str = "en") -> None:
        if language not in _LANGUAGES:
            raise PromptError(f"unknown prompt language {language!r}; use one of: {', '.join(_LANGUAGES)}")
        self._shipped = resource_folder("memory_middleware", "prompts", "../prompts")
        self._overrides = Path(overrides) if overrides is not None else None
        if self._overrides is not None and not self._overrides.is_dir():
            raise PromptError(f"the prompt folder {str(overrides)!r} does not exist")
        self.language = language
        self._loaded: dict[str, PromptTemplate] = {}
        self._check_overrides()

    def names(self) -> list[str]:
        """List the prompts."""
        return sorted(path.stem for path in self._shipped.glob("*.md") if "." not in path.stem)

    def load(self, name: str) -> PromptTemplate:
        """Give a prompt, read once and then kept.

        Raises:
            PromptError: There is none of that name, or its file is malformed.
        """
        if name not in self._loaded:
            self._loaded[name] = self._read(name)
        return self._loaded[name]

    def render(self, name: str, **values: str) -> str:
        """Fill the slots of a prompt.

        Raises:
            PromptError: As for ``load`` and for ``PromptTemplate.render``.
        """
        return self.load(name).render(**values)

    def _check_overrides(self) -> None:
        """Refuse a file that replaces nothing, since a misspelt name would go unnoticed."""
        known = {f"{name}{suffix}.md" for name in self.names() for suffix in ("", *(f".{word}" for word in _LANGUAGES))}
        for path in sorted(self._overrides.iterdir()) if self._overrides else ():
            if path.suffix.lower() == ".md" and path.name not in known and path.stem.upper() != "README":
                raise PromptError(f"{path.name!r} replaces no prompt; {did_you_mean(path.name.lower(), sorted(known))}")

    def _read(self, name: str) -> PromptTemplate:
        if name not in self.names():
            raise PromptError(f"there is no prompt {name!r}; {did_you_mean(name, self.names())}")
        shipped = _parse(name, self._find(name, self._shipped) or self._shipped / f"{name}.md")
        own = self._find(name, self._overrides) if self._overrides else None
        return _parse(name, own, model=shipped) if own else shipped

    def _find(self, name: str, folder: Path) -> Path | None:
        suffixes = ("",) if self.language == "en" else (f".{self.language}", "")
        candidates = (folder / f"{name}{suffix}.md" for suffix in suffixes)
        return next((path for path in candidates if path.is_file()), None)


def _parse(name: str, path: Path, *, model: PromptTemplate | None = None) -> PromptTemplate:
    """Read a prompt file; one that replaces ``model`` may use its slots and must use the required ones."""
    try:
        data, text = read_frontmatter(path.read_text(encoding="utf-8-sig").replace("\r\n", "\n"))
    except (OSError, UnicodeDecodeError, NoteError) as error:
        raise PromptError(f"cannot read the prompt file {path.name!r}: {error}") from error
    if not isinstance(data, Mapping):
        raise PromptError(f"{path.name}: what stands between the '---' lines must be 'key: value', not {data!r}")
    if not text.strip():
        raise PromptError(f"{path.name}: the prompt is empty")
    slots, optional = _slots(data, "slots", path), _slots(data, "optional_slots", path)
    if model is not None and not (slots or optional):
        slots, optional = model.slots, model.optional
    _check_slots(path, text, slots, optional, model)
    return PromptTemplate(name, text.strip() + "\n", str(data.get("description", "")), slots, optional)


def _slots(data: Mapping[str, Any], key: str, path: Path) -> tuple[str, ...]:
    declared = data.get(key) or {}
    if not isinstance(declared, Mapping):
        raise PromptError(f"{path.name}: {key!r} must map each slot to what it holds, not {declared!r}")
    return tuple(str(slot) for slot in declared)


def _check_slots(
    path: Path, text: str, slots: tuple[str, ...], optional: tuple[str, ...], model: PromptTemplate | None
) -> None:
    if malformed := re.search(r"\{\{.*?(?:\}\}|$)", _SLOT.sub("", text), re.MULTILINE):
        raise PromptError(f"{path.name}: cannot read {malformed[0]!r}; a slot is written {{{{name}}}}")
    used = set(_SLOT.findall(text))
    declared = {*slots, *optional}
    if unknown := sorted(used - declared):
        raise PromptError(f"{path.name}: undeclared slot {unknown[0]!r}; {did_you_mean(unknown[0], sorted(declared))}")
    if unused := sorted(set(slots) - used):
        raise PromptError(f"{path.name}: slot {unused[0]!r} is declared but not used in the text")
    if model is None:
        return
    if foreign := sorted(declared - {*model.slots, *model.optional}):
        known = ", ".join((*model.slots, *model.optional))
        raise PromptError(f"{path.name}: slot {foreign[0]!r} is never filled; known: {known}")
    if missing := sorted(set(model.slots) - declared):
        raise PromptError(f"{path.name}: slot {missing[0]!r} is required by the prompt it replaces")
