"""How a forgetting is told: a line with the words of everything that goes, and what stays."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.text import Text

from memory_middleware_cli.commands.desk import Desk
from memory_middleware_cli.commands.experience import summary
from memory_middleware_cli.commands.printing import plain, short, table

if TYPE_CHECKING:
    from memory_middleware import Receipt

__all__ = ["Words", "read_words", "show_receipt"]

_Row = tuple[str, str, str, str]

_SHOWN = 20
_SHELVES = {
    "rounds": "waiting rounds",
    "waiting": "waiting rounds",
    "short_term": "short-term items",
    "usage": "logged uses",
    "runs": "errors of batches",
    "episode": "episodes",
    "pattern": "patterns",
    "skill": "skills",
}
_DROPPED = ("rounds", "short_term", "turns")


@dataclass(frozen=True, slots=True)
class Words:
    """What a receipt names, in words, which must be read before they are gone.

    Attributes:
        memories: The kind and the words of records and experience, by id.
        profiles: The contents of the profiles, by name.
    """

    memories: dict[str, tuple[str, str]]
    profiles: dict[str, Any]


def read_words(desk: Desk, receipt: Receipt) -> Words:
    """Read the words of what a receipt of a dry run names, as far as they are shown."""
    stored = desk.memory.store.memories
    chosen = [name for part in _parts(receipt).values() for name in part[:_SHOWN]]
    found = {one.id: (one.kind.value, one.content) for one in stored.records.get_many(desk.scope, chosen)}
    lessons = stored.experience.get_many(desk.scope, receipt.experience[:_SHOWN])
    found |= {one.id: (_kind(one), summary(one)[1].plain) for one in lessons}
    profiles = {which: plain(desk.memory.profile(desk.owner, which)) for which in ("user", "work")}
    return Words(found, profiles)


def show_receipt(receipt: Receipt, words: Words, console: Console) -> None:
    """Tell what was forgotten or would be, what was cut out elsewhere, and what stays."""
    console.print("forgotten" if receipt.is_done else "would be forgotten", style="bold")
    head = table("", "")
    for name, value in _head(receipt).items():
        head.add_row(name, Text(value))
    console.print(head)
    made = table("", "kind", "content", "id", wide="content")
    for row in _rows(receipt, words):
        made.add_row(*map(Text, row))
    counts = list(_counts(receipt))
    if made.row_count:
        console.print(made)
    for line in counts if made.row_count or counts else ["nothing fits, so nothing goes"]:
        console.print(line, markup=False)
    if receipt.said_in:
        console.print("it is still told in the dialogue of said_in; --with-sources forgets that too", style="yellow")
    if receipt.kept:
        console.print("what is kept was set by hand; --with-profile forgets that too", style="yellow")


def _head(receipt: Receipt) -> dict[str, str]:
    told = {"owner": receipt.owner_id, "asked": receipt.asked}
    return told | ({"receipt": receipt.id, "at": f"{receipt.at:%Y-%m-%d %H:%M:%S} UTC"} if receipt.is_done else {})


def _parts(receipt: Receipt) -> dict[str, Sequence[str]]:
    """Give the ids of records by what becomes of them."""
    derived = set(receipt.derived)
    return {
        "records": [name for name in receipt.records if name not in derived],
        "derived": receipt.derived,
        "said_in": receipt.said_in,
    }


def _rows(receipt: Receipt, words: Words) -> Iterator[_Row]:
    parts = _parts(receipt)
    said_in = parts.pop("said_in")
    for part, names in {**parts, "experience": receipt.experience}.items():
        yield from _some(part, names, words)
    yield from _cut_short("profile", (_place("profile", name, words) for name in receipt.profile))
    yield from _some("said_in", said_in, words)
    yield from _cut_short("kept", (_place("kept", name, words) for name in receipt.kept))


def _some(part: str, names: Sequence[str], words: Words) -> Iterator[_Row]:
    told = ((name, *words.memories.get(name, ("", ""))) for name in names)
    return _cut_short(part, ((part, kind, " ".join(text.split()), short(name)) for name, kind, text in told))


def _cut_short(part: str, rows: Iterable[_Row]) -> Iterator[_Row]:
    left = 0
    for at, row in enumerate(rows):
        if at < _SHOWN:
            yield row
        else:
            left += 1
    if left:
        yield part, "", f"… and {left} more", ""


def _place(part: str, name: str, words: Words) -> _Row:
    """Tell a place of a profile with what stands there, unless its name says it already."""
    place, _, reason = name.partition(": ")
    value = _value(words.profiles, place)
    return part, "", f"{place}{f' = {value}' if value else ''}{f' ({reason})' if reason else ''}", ""


def _counts(receipt: Receipt) -> Iterator[str]:
    dropped = {name: count for name in _DROPPED if (count := getattr(receipt, name))}
    for title, counts in (("dropped too", dropped), ("cut out of", receipt.cut)):
        if counts:
            yield f"{title}: {', '.join(f'{_SHELVES.get(name, name)} ({count})' for name, count in counts.items())}"


def _value(profiles: dict[str, Any], place: str) -> str:
    """Give the text at a place such as ``user.preferences.communication_style``, or nothing."""
    found: Any = profiles
    for step in place.split("."):
        found = found.get(step) if isinstance(found, dict) else None
    return found if isinstance(found, str) else ""


def _kind(one: object) -> str:
    return {"EpisodeTrace": "episode", "SemanticPattern": "pattern"}.get(type(one).__name__, "skill")
