"""Which files an index is made of."""

from __future__ import annotations

import logging
import os
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path

from memory_middleware.config import FileSourceConfig

__all__ = ["scan_files"]

_log = logging.getLogger(__name__)


def scan_files(sources: Sequence[FileSourceConfig], leave_out: Collection[Path] = ()) -> dict[Path, str]:
    """Find the files of some sources, in order, each with its encoding; the first source of a file counts.

    Args:
        sources: Files and folders; a relative path starts in the working directory. One that does not
            exist is logged and gives nothing.
        leave_out: Files that are not taken.
    """
    found: dict[Path, str] = {}
    for source in sources:
        # The working directory may change; the index must not.
        root = Path(os.path.abspath(Path(source.source_path).expanduser()))
        if not root.exists():
            _log.warning("there is nothing to index at %s", root)
        for path in sorted(_files(root, recursive=source.recursive)):
            if path not in leave_out and _fits(path, source.file_types):
                found.setdefault(path, source.encoding)
    return found


def _files(root: Path, *, recursive: bool) -> Iterator[Path]:
    if root.is_file():
        yield root
        return
    for folder, inner, names in os.walk(root):
        if not recursive:
            inner.clear()
        yield from (path for name in names if (path := Path(folder, name)).is_file() and _is_inside(path, root))


def _is_inside(path: Path, root: Path) -> bool:
    """Tell whether a file lies in a folder; a link that leads out of it could show anything to anybody."""
    inside = path.resolve().is_relative_to(root.resolve())
    if not inside:
        _log.warning("%s is a link out of %s and is not indexed", path, root)
    return inside


def _fits(path: Path, types: Sequence[str] | None) -> bool:
    return not types or path.suffix in {"." + kind.lstrip("*.") for kind in types}
