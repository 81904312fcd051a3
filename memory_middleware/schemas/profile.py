"""The two documents kept for every owner: ``user`` and ``work``."""

from __future__ import annotations

from enum import StrEnum
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from memory_middleware.schemas.profile_parts import (
    EntryMeta,
    Minutes,
    Moment,
    Name,
    ProfilePart,
    StrictDate,
    TimeWindow,
    TimeZone,
)

__all__ = [
    "MemoryStatus",
    "MemoryType",
    "Milestone",
    "Person",
    "Place",
    "Preferences",
    "Profile",
    "ProfileContent",
    "Project",
    "Routine",
    "SchedulingPreferences",
    "TeamMember",
    "UserMemoryContent",
    "WorkHabits",
    "WorkProfileContent",
    "content_class",
]


class MemoryType(StrEnum):
    """Which of the two profile documents."""

    USER = "user"
    WORK = "work"


class MemoryStatus(StrEnum):
    """Whether a profile document is in use."""

    ACTIVE = "active"
    DISABLED = "disabled"


class Person(ProfilePart):
    """Somebody in the owner's life."""

    name: Name
    relationship: str | None = None
    role: str | None = None
    preferred_contact_channel: str | None = None
    notes: str | None = None
    meta: EntryMeta = Field(default_factory=EntryMeta)


class Place(ProfilePart):
    """Somewhere the owner goes, or avoids."""

    name: Name
    category: str | None = None
    address: str | None = None
    timezone: TimeZone | None = None
    commute_minutes: Minutes | None = None
    preference: Literal["like", "neutral", "avoid"] | None = None
    notes: str | None = None
    meta: EntryMeta = Field(default_factory=EntryMeta)


class Preferences(ProfilePart):
    """How the owner likes to be talked to and to live."""

    communication_style: str | None = None
    language_preference: list[str] = []
    location_preference: str | None = None
    work_lifestyle: str | None = None
    notification_preference: list[str] = []


class SchedulingPreferences(ProfilePart):
    """When the owner wants to meet, to work, and to be left alone."""

    productive_windows: list[TimeWindow] = []
    preferred_meeting_windows: list[TimeWindow] = []
    no_meeting_windows: list[TimeWindow] = []
    deep_work_windows: list[TimeWindow] = []
    preferred_meeting_duration_minutes: list[Minutes] = []
    meeting_buffer_minutes: Minutes | None = None
    max_meetings_per_day: Minutes | None = None
    notes: str | None = None


class Routine(ProfilePart):
    """Something the owner does again and again."""

    name: Name
    description: str | None = None
    cadence: str | None = None
    time_windows: list[TimeWindow] = []
    importance: str | None = None
    meta: EntryMeta = Field(default_factory=EntryMeta)


class UserMemoryContent(ProfilePart):
    """The ``user`` profile: the person, for the router."""

    occupation: str | None = None
    timezone: TimeZone | None = None
    primary_language: str | None = None
    people: list[Person] = []
    places: list[Place] = []
    preferences: Preferences = Field(default_factory=Preferences)
    scheduling_preferences: SchedulingPreferences = Field(default_factory=SchedulingPreferences)
    interests: list[str] = []
    avoid_topics: list[str] = []
    custom_rules: list[str] = []
    recurring_routines: list[Routine] = []


class Milestone(ProfilePart):
    """A step of a project."""

    name: Name
    due_date: StrictDate | None = None
    status: str | None = None
    notes: str | None = None


class Project(ProfilePart):
    """Something the owner is working on."""

    name: Name
    description: str | None = None
    status: Literal["planned", "active", "paused", "completed"] | None = None
    priority: str | None = None
    deadline: StrictDate | None = None
    collaborators: list[str] = []
    key_milestones: list[Milestone] = []
    notes: str | None = None
    meta: EntryMeta = Field(default_factory=EntryMeta)


class WorkHabits(ProfilePart):
    """When and how the owner works."""

    available_hours: list[TimeWindow] = []
    deep_work_blocks: list[TimeWindow] = []
    preferred_meeting_windows: list[TimeWindow] = []
    no_meeting_windows: list[TimeWindow] = []
    preferred_meeting_duration_minutes: list[Minutes] = []
    notification_channel: str | None = None
    notes: str | None = None


class TeamMember(ProfilePart):
    """Somebody the owner works with."""

    name: Name
    role: str | None = None
    relationship: str | None = None
    preferred_contact_channel: str | None = None
    notes: str | None = None
    meta: EntryMeta = Field(default_factory=EntryMeta)


class WorkProfileContent(ProfilePart):
    """The ``work`` profile: the job, for the worker."""

    occupation: str | None = None
    expertise: list[str] = []
    preferred_tools: list[str] = []
    current_projects: list[Project] = []
    work_habits: WorkHabits = Field(default_factory=WorkHabits)
    team_members: list[TeamMember] = []
    team_context: str | None = None
    work_rules: list[str] = []


ProfileContent = UserMemoryContent | WorkProfileContent


class Profile(BaseModel):
    """A profile document as it is kept; ``version`` counts its changes."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    id: str
    owner_id: str
    memory_type: MemoryType
    content: ProfileContent
    status: MemoryStatus
    version: int
    created_at: Moment
    updated_at: Moment


def content_class(memory_type: MemoryType) -> type[UserMemoryContent] | type[WorkProfileContent]:
    """Tell which model holds the content of a profile document."""
    return UserMemoryContent if memory_type is MemoryType.USER else WorkProfileContent
