"""Instructions and memories in Markdown: CLAUDE.md, AGENTS.md, MEMORY.md and the notes it lists."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from memory_middleware import InvalidInputError, NoteError, NoteType, RecordKind
from memory_middleware.schemas import derive_id, parse_note
from memory_middleware_cli.commands.arguments import read_text
from memory_middleware_cli.commands.foreign.taking import ForeignMemory

__all__ = ["read_markdown"]

_COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
_HEADING = re.compile(r"(#{1,6})\s+(.+?)\s*#*$")
_BULLET = re.compile(r"\s*(?:[-*+]|\d+[.)])\s+(.*)$")
_LINK = re.compile(r"\[([^\]]+)\]\(([^)\s]+)\)")
_FENCE = ("```", "~~~")
_INSTRUCTIONS = ("claude", "agents", "agent", "gemini", "copilot-instructions")
_KINDS = {
    NoteType.USER: RecordKind.FACT,
    NoteType.FEEDBACK: RecordKind.FEEDBACK,
    NoteType.PROJECT: RecordKind.PROJECT,
    NoteType.REFERENCE: RecordKind.REFERENCE,
}


def read_markdown(file: Path | None) -> Iterator[ForeignMemory]:
    """Read a file: each point and each paragraph is a memory, with the headings it stands under.

    Files named CLAUDE.md and AGENTS.md tell agents how to behave, so what they say is feedback.

    Raises:
        InvalidInputError: The file cannot be read, or holds nothing.
    """
    text, name = read_text(file), file.name if file and str(file) != "-" else "stdin.md"
    kind = RecordKind.FEEDBACK if name.lower().removesuffix(".md").removesuffix(".local") in _INSTRUCTIONS else None
    found = False
    for headings, said in _pieces(_COMMENT.sub("", text)):
        note = _note(said, file)
        if note is None:
            content = ": ".join((*headings[-1:], _LINK.sub(r"\1", said)))
            note = ForeignMemory(content, _source(name, content), None, kind or RecordKind.FACT, headings)
        found = True
        yield note
    if not found:
        raise InvalidInputError(f"there is nothing to import in {name!r}")


def _pieces(text: str) -> Iterator[tuple[tuple[str, ...], str]]:
    """Cut a text into points and paragraphs, each with its headings; the title of the whole is none of them."""
    headings: list[tuple[int, str]] = []
    piece: list[str] = []
    fenced = False
    for line in [*text.splitlines(), ""]:
        is_fence = line.strip().startswith(_FENCE)
        heading = None if fenced else _HEADING.match(line)
        bullet = None if fenced else _BULLET.match(line)
        if piece and not fenced and (heading or bullet or not line.strip()):
            yield _under(headings), " ".join(piece)
            piece = []
        if heading:
            level = len(heading[1])
            headings = [*(one for one in headings if one[0] < level), (level, heading[2])]
        elif not is_fence and line.strip():
            piece.append(bullet[1].strip() if bullet else line.strip())
        fenced ^= is_fence
    if piece:
        yield _under(headings), " ".join(piece)


def _under(headings: list[tuple[int, str]]) -> tuple[str, ...]:
    return tuple(name for level, name in headings if level > 1)


def _note(said: str, file: Path | None) -> ForeignMemory | None:
    """Read the note that a line of an index lists, if it is there."""
    link = _LINK.search(said)
    if link is None or file is None or not link[2].endswith(".md") or "/" in link[2]:
        return None
    path = file.parent / link[2]
    if not path.is_file():
        return None
    try:
        note = parse_note(read_text(path), filename=path.name)
    except NoteError:
        return None
    told = " ".join(filter(None, (note.name and f"{note.name}:", note.content.strip() or note.description)))
    return ForeignMemory(told, _source(path.name, told), None, _KINDS[note.mem_type])


def _source(name: str, content: str) -> str:
    return f"markdown:{name}:{derive_id('text', content)}"
