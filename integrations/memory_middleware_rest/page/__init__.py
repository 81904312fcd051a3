"""A web page over the API: what the agent knows and what happened, for the owner to see, mend and forget."""

from __future__ import annotations

from pathlib import Path

from fastapi import FastAPI
from starlette.requests import Request
from starlette.responses import FileResponse, Response
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

__all__ = ["PAGE_HEADERS", "mount_page"]

_STATIC = Path(__file__).with_name("static")
# Some systems take scripts for plain text, which browsers refuse to run.
_TYPES = {".css": "text/css; charset=utf-8", ".js": "text/javascript; charset=utf-8", ".svg": "image/svg+xml"}

PAGE_HEADERS = {
    "Content-Security-Policy": (
        "default-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; object-src 'none'"
    ),
    "Cache-Control": "no-cache",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
}
"""What every file of the page is sent with: nothing may come from elsewhere, and nobody may frame it."""


def mount_page(app: FastAPI) -> None:
    """Serve the page at ``/`` of an app whose routes of the memory begin at ``/api/v1``.

    The page holds no data and asks for no token; what it shows comes from the API, which does. All other addresses
    answer as before, since only ``/`` and ``/page`` are taken.
    """
    app.add_route("/", _index, methods=["GET"], include_in_schema=False)
    app.mount("/page", _PageFiles(directory=_STATIC), name="page")


class _PageFiles(StaticFiles):
    async def get_response(self, path: str, scope: Scope) -> Response:
        """Give a file with the headers of the page."""
        answer = await super().get_response(path, scope)
        answer.headers.update(PAGE_HEADERS)
        if kind := _TYPES.get(Path(path).suffix):
            answer.headers["Content-Type"] = kind
        return answer


async def _index(_request: Request) -> Response:
    return FileResponse(_STATIC / "index.html", headers=PAGE_HEADERS)
