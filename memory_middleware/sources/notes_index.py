"""The text of ``MEMORY.md``: which lines list notes, how they change, and how much of it is shown.

A line lists a note if it is a list item that begins with a link to a Markdown file beside the index.
Every other line is its writer's own and stays as it is.
"""

from __future__ import annotations

import codecs
import re
import unicodedata
from collections.abc import Collection, Mapping
from urllib.parse import quote, unquote

from memory_middleware.sources.notes_names import is_note_name

__all__ = [
    "MAX_INDEX_BYTES",
    "MAX_INDEX_LINES",
    "cut_index",
    "drop_line",
    "entry_file",
    "index_line",
    "put_line",
    "sync_lines",
]

MAX_INDEX_LINES = 200
MAX_INDEX_BYTES = 25_000

_MOST_DESCRIPTION = 100
_LEAD = re.compile(r"\ufeff?[ \t]*")
_ENTRY = re.compile(
    r"""\ufeff?[ \t]*[-*+][ \t]+
    \[(?:[^\[\]]|\[[^\[\]]*\])*\]                                     # a title, brackets in pairs
    \(<?(?:\./)?(?P<target>(?:[^/<>()]|\([^/<>()]*\))+?\.md)>?        # a file here, parentheses in pairs
    (?:[ \t]+"[^"]*")?\)                                              # perhaps a tooltip
    """,
    re.VERBOSE,
)
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]")
_UNSAFE = re.compile(rf"[%()\[\]<>\\]|{_CONTROL.pattern}")


def index_line(filename: str, description: str) -> str:
    """Write the line of a note."""
    text = " ".join(description.splitlines())[:_MOST_DESCRIPTION]
    text = text.encode("utf-8", "replace").decode()  # front matter can spell what no file can hold
    return f"{_link(filename)} — {text}"


def entry_file(line: str) -> str | None:
    """Give the file that a line lists, or nothing for any other line."""
    found = _ENTRY.match(line)
    if found is None:
        return None
    name = unicodedata.normalize("NFC", unquote(found["target"]))
    return name if is_note_name(name) and "/" not in name else None


def put_line(text: str, filename: str, description: str) -> str:
    """List a note: its first line is written anew, or one is added at the end."""
    key, line = unicodedata.normalize("NFC", filename), index_line(filename, description)
    lines = text.split("\n")
    for at, old in enumerate(lines):
        if entry_file(old) == key:
            lead, end = _LEAD.match(old), "\r" if old.endswith("\r") else ""
            lines[at] = f"{lead[0] if lead else ''}{line}{end}"
            return "\n".join(lines)
    return _append(text, line)


def drop_line(text: str, filename: str) -> str:
    """Remove every line that lists a file."""
    key = unicodedata.normalize("NFC", filename)
    lines = text.split("\n")
    return _keep(lines, [entry_file(line) != key for line in lines])


def sync_lines(text: str, notes: Mapping[str, str], files: Collection[str]) -> tuple[str, list[str], list[str]]:
    """Make an index list what there is; lines that are right stay as they are.

    Args:
        text: The index.
        notes: Descriptions by file that must be listed.
        files: All files that may be listed.

    Returns:
        The new text, the files that were added, and the lines that were removed.
    """
    allowed = {unicodedata.normalize("NFC", name) for name in files}
    lines = text.split("\n")
    names = [entry_file(line) for line in lines]
    right = [name is None or name in allowed for name in names]
    removed = [line.removesuffix("\r") for line, stays in zip(lines, right, strict=True) if not stays]
    result, listed, added = _keep(lines, right), set(names), []
    for filename, description in notes.items():
        if (key := unicodedata.normalize("NFC", filename)) not in listed:
            result = _append(result, index_line(filename, description))
            listed.add(key)
            added.append(filename)
    return result, added, removed


def cut_index(data: bytes) -> tuple[str, list[str], bool]:
    """Take as much of an index as may be shown.

    Lines and bytes are those of the file; a final line end does not begin another line. Only a
    first line that passes the limit alone is cut within.

    Returns:
        The text, its lines, and whether anything is left out.
    """
    data = data.removeprefix(codecs.BOM_UTF8)
    body, cut = data[:MAX_INDEX_BYTES], len(data) > MAX_INDEX_BYTES
    if cut and b"\n" in body:
        body = body[: body.rindex(b"\n") + 1]
    text = codecs.getincrementaldecoder("utf-8")("replace").decode(body, final=not cut).replace("\r\n", "\n")
    lines = text.removesuffix("\n").split("\n") if text else []
    if len(lines) > MAX_INDEX_LINES:
        lines, cut = lines[:MAX_INDEX_LINES], True
    return ("\n".join(lines) if cut else text), lines, cut


def _link(filename: str) -> str:
    """Write the link of a file; characters that would end it early are written as in addresses."""
    plain = f"- [{filename.removesuffix('.md')}]({filename})"
    found = _ENTRY.match(plain)
    if found and unquote(found["target"]) == filename and not _CONTROL.search(filename):
        return plain
    shown = _UNSAFE.sub(lambda found: quote(found[0], safe=""), filename)
    return f"- [{shown.removesuffix('.md')}]({shown})"


def _keep(lines: list[str], stays: list[bool]) -> str:
    kept = [line for line, stay in zip(lines, stays, strict=True) if stay]
    if kept and not stays[-1]:
        kept[-1] = kept[-1].removesuffix("\r")  # the line end went with the last line
    return "\n".join(kept)


def _append(text: str, line: str) -> str:
    """Add a line at the end; whether the text ends with a line end stays as it is."""
    end = "\r\n" if "\r\n" in text else "\n"
    if not text.strip("\ufeff"):
        return f"{text}{line}"
    return f"{text}{line}{end}" if text.endswith("\n") else f"{text}{end}{line}"
