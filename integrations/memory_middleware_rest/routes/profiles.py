"""The profiles, as the original protocol serves them; versions guard against lost updates."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from fastapi import Response

from memory_middleware import ConflictError, InvalidInputError, MemoryStatus, MemoryType
from memory_middleware.schemas import Profile, UserMemoryContent, WorkProfileContent
from memory_middleware_rest.answers import AllMemories
from memory_middleware_rest.bodies import UserMemoryPatch, UserMemoryUpdate, WorkMemoryPatch, WorkMemoryUpdate
from memory_middleware_rest.etags import ANY, CURRENT, ETAG, is_current, tagged, version_tag
from memory_middleware_rest.examples import USER, WORK
from memory_middleware_rest.faults import schema_problems
from memory_middleware_rest.fields import IfMatch, IfNoneMatch
from memory_middleware_rest.preconditions import stale, version_required
from memory_middleware_rest.problems import ProblemError
from memory_middleware_rest.route_class import PROFILES
from memory_middleware_rest.tables import RouteTable
from memory_middleware_rest.visit import Here, Visit

__all__ = ["TABLE", "changed_profile"]

TABLE = RouteTable(PROFILES)

_CHANGE_ERRORS = (409, 412, 428)
_BOTH = {"user_memory": USER, "work_memory": WORK}


@TABLE.add("GET", "/memories", answer=AllMemories, example=_BOTH, headers=ETAG, also=CURRENT)
def get_memories(visit: Here, response: Response, if_none_match: IfNoneMatch = None) -> Any:
    """Give both profiles; null stands for one that is disabled."""
    user, work = (visit.memory.store.memories.profiles.load(visit.scope, kind) for kind in MemoryType)
    made = AllMemories(user_memory=_shown(user), work_memory=_shown(work))
    return tagged(response, version_tag(user.version, work.version), if_none_match) or made


@TABLE.add(
    "GET", "/memories/", answer=AllMemories, example=_BOTH, include_in_schema=False, operation_id="get_memories_slash"
)
def get_memories_below(visit: Here, response: Response, if_none_match: IfNoneMatch = None) -> Any:
    """Give both profiles, under the address that the original protocol writes."""
    return get_memories(visit, response, if_none_match)


@TABLE.add("GET", "/memories/user", answer=UserMemoryContent | None, example=USER, headers=ETAG, also=CURRENT)
def get_user_memory(visit: Here, response: Response, if_none_match: IfNoneMatch = None) -> Any:
    """Give the user profile, or null while it is disabled."""
    return _given(visit, MemoryType.USER, response, if_none_match)


@TABLE.add("GET", "/memories/work", answer=WorkProfileContent | None, example=WORK, headers=ETAG, also=CURRENT)
def get_work_memory(visit: Here, response: Response, if_none_match: IfNoneMatch = None) -> Any:
    """Give the work profile, or null while it is disabled."""
    return _given(visit, MemoryType.WORK, response, if_none_match)


@TABLE.add("PUT", "/memories/user", answer=UserMemoryContent, example=USER, headers=ETAG, errors=_CHANGE_ERRORS)
def put_user_memory(visit: Here, body: UserMemoryUpdate, response: Response, if_match: IfMatch = None) -> Any:
    """Replace the user profile."""
    return _put(visit, MemoryType.USER, body.content, response, if_match)


@TABLE.add("PUT", "/memories/work", answer=WorkProfileContent, example=WORK, headers=ETAG, errors=_CHANGE_ERRORS)
def put_work_memory(visit: Here, body: WorkMemoryUpdate, response: Response, if_match: IfMatch = None) -> Any:
    """Replace the work profile."""
    return _put(visit, MemoryType.WORK, body.content, response, if_match)


@TABLE.add("PATCH", "/memories/user", answer=UserMemoryContent, example=USER, headers=ETAG, errors=_CHANGE_ERRORS)
def patch_user_memory(visit: Here, body: UserMemoryPatch, response: Response, if_match: IfMatch = None) -> Any:
    """Change parts of the user profile: objects merge, lists are replaced, null clears."""
    return _patched(visit, MemoryType.USER, body.content, response, if_match)


@TABLE.add("PATCH", "/memories/work", answer=WorkProfileContent, example=WORK, headers=ETAG, errors=_CHANGE_ERRORS)
def patch_work_memory(visit: Here, body: WorkMemoryPatch, response: Response, if_match: IfMatch = None) -> Any:
    """Change parts of the work profile: objects merge, lists are replaced, null clears."""
    return _patched(visit, MemoryType.WORK, body.content, response, if_match)


def changed_profile(
    visit: Visit, kind: MemoryType, if_match: str | None, change: Callable[[int | None], Profile]
) -> Profile:
    """Change a profile, if it has still the version that the request names.

    Args:
        visit: Who asks.
        kind: Which profile.
        if_match: The header that names the version.
        change: Changes the profile, given the version that it must have or none.

    Raises:
        ProblemError: It has another version, or none is named though it must be.
    """
    version = _wanted(visit, kind, if_match)
    try:
        return change(version)
    except ConflictError as error:
        raise stale() if version is not None else error from error


def _wanted(visit: Visit, kind: MemoryType, if_match: str | None) -> int | None:
    if if_match is None:
        if visit.service.require_match:
            raise version_required()
        return None
    if if_match.strip(" \t") == ANY:
        return None
    version = visit.memory.store.memories.profiles.load(visit.scope, kind).version
    if not is_current(if_match, version_tag(version)):
        raise stale()
    return version


def _given(visit: Visit, kind: MemoryType, response: Response, if_none_match: str | None) -> Any:
    profile = visit.memory.store.memories.profiles.load(visit.scope, kind)
    return tagged(response, version_tag(profile.version), if_none_match) or _shown(profile)


def _put(visit: Visit, kind: MemoryType, content: Any, response: Response, if_match: str | None) -> Any:
    profiles = visit.memory.store.memories.profiles
    changed = changed_profile(
        visit, kind, if_match, lambda version: profiles.put(visit.scope, kind, content, version=version)
    )
    response.headers["ETag"] = version_tag(changed.version)
    return changed.content


def _patched(visit: Visit, kind: MemoryType, patch: dict[str, Any], response: Response, if_match: str | None) -> Any:
    profiles = visit.memory.store.memories.profiles
    try:
        changed = changed_profile(
            visit, kind, if_match, lambda version: profiles.patch(visit.scope, kind, patch, version=version)
        )
    except InvalidInputError as error:
        problems = schema_problems(error, ("body", "content"))
        raise ProblemError(422, f"{problems[0].field}: {problems[0].msg}", errors=problems) from error
    response.headers["ETag"] = version_tag(changed.version)
    return changed.content


def _shown(profile: Profile) -> Any:
    return profile.content if profile.status is MemoryStatus.ACTIVE else None
