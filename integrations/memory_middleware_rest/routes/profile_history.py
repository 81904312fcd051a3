"""Earlier versions of the profiles, and whether they are in use."""

from __future__ import annotations

from typing import Any

from fastapi import Response

from memory_middleware import MemoryType
from memory_middleware_rest.answers import HistoryOfProfile, ProfileState, ProfileVersionRow
from memory_middleware_rest.bodies import StatusChange
from memory_middleware_rest.etags import ETAG, version_tag
from memory_middleware_rest.examples import USER
from memory_middleware_rest.fields import Limit
from memory_middleware_rest.route_class import PROFILES
from memory_middleware_rest.tables import RouteTable
from memory_middleware_rest.visit import Here

__all__ = ["TABLE"]

TABLE = RouteTable(PROFILES)

_VERSION = {"version": 2, "source": "user", "changed_at": "2026-03-01T09:30:00Z", "content": USER}
_STATE = {"status": "active", "version": 2}


@TABLE.add("GET", "/memories/{kind}/history", answer=HistoryOfProfile, example={"versions": [_VERSION]})
def get_profile_history(visit: Here, kind: MemoryType, limit: Limit = 20) -> Any:
    """List the last versions of a profile, the newest first; PUT one of them to undo what came after it."""
    found = visit.memory.store.memories.profiles.history.newest(visit.scope, kind, limit=visit.rows(limit))
    return HistoryOfProfile(versions=[ProfileVersionRow(**one._asdict()) for one in found])


@TABLE.add("GET", "/memories/{kind}/status", answer=ProfileState, example=_STATE, headers=ETAG)
def get_profile_status(visit: Here, kind: MemoryType, response: Response) -> Any:
    """Tell whether a profile is in use, and its version."""
    profile = visit.memory.store.memories.profiles.load(visit.scope, kind)
    response.headers["ETag"] = version_tag(profile.version)
    return ProfileState(status=profile.status, version=profile.version)


@TABLE.add("PUT", "/memories/{kind}/status", answer=ProfileState, example=_STATE, headers=ETAG)
def put_profile_status(visit: Here, kind: MemoryType, body: StatusChange, response: Response) -> Any:
    """Enable or disable a profile; its content stays."""
    profile = visit.memory.store.memories.profiles.set_status(visit.scope, kind, body.status)
    response.headers["ETag"] = version_tag(profile.version)
    return ProfileState(status=profile.status, version=profile.version)
