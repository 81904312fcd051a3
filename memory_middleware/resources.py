"""Where the data files live: inside an installed wheel, or in a checkout beside the packages."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path

__all__ = ["resource_folder"]


def resource_folder(package: str, name: str, checkout: str) -> Path:
    """Find a folder of data files that the wheel carries inside a package.

    Args:
        package: The package that carries the folder once it is installed.
        name: The folder's name inside that package.
        checkout: Where the same folder stands in a checkout, relative to the package's folder.

    Returns:
        The installed folder if there is one. It is looked for first, because a neighbour of an
        installed package could be anybody's.
    """
    home = Path(str(files(package)))
    installed = home / name
    return installed if installed.is_dir() else (home / checkout).resolve()
