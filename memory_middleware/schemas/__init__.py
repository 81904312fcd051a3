"""Data only: experience, profiles, records, dialogue, items and notes. No input or output here.

Every public schema can be imported from this package; each is loaded when first asked for.
"""

from typing import TYPE_CHECKING

from memory_middleware.lazy import lazy_exports

if TYPE_CHECKING:
    from memory_middleware.schemas.dialogue import (
        Dialogue,
        ExtractionRun,
        Fact,
        RunState,
        ShortTermItem,
        ThreadSummary,
        Turn,
        UsageEntry,
    )
    from memory_middleware.schemas.episode import EpisodeTrace
    from memory_middleware.schemas.experience_parts import ActionEntry, ErrorEntry, ErrorFix, Link, TaskContext
    from memory_middleware.schemas.front_matter import format_frontmatter, parse_frontmatter
    from memory_middleware.schemas.ids import derive_id
    from memory_middleware.schemas.items import MemoryContentSnapshot, MemoryItem
    from memory_middleware.schemas.merge import merge_patch, validate_content
    from memory_middleware.schemas.notes import (
        MemoryEntry,
        MemoryManifest,
        NoteProblem,
        NoteType,
        format_note,
        parse_memory_type,
        parse_note,
    )
    from memory_middleware.schemas.pattern import SemanticPattern
    from memory_middleware.schemas.profile import (
        MemoryStatus,
        MemoryType,
        Milestone,
        Person,
        Place,
        Preferences,
        Profile,
        Project,
        Routine,
        SchedulingPreferences,
        TeamMember,
        UserMemoryContent,
        WorkHabits,
        WorkProfileContent,
    )
    from memory_middleware.schemas.profile_parts import EntryMeta, TimeWindow
    from memory_middleware.schemas.record import (
        MemoryRecord,
        Provenance,
        RecordKind,
        RecordLink,
        RecordState,
        TrustTier,
    )
    from memory_middleware.schemas.scope import Scope
    from memory_middleware.schemas.skill import ProceduralSkill
    from memory_middleware.schemas.times import parse_utc, to_utc_iso

_HOMES = {
    "dialogue": (
        "Dialogue",
        "ExtractionRun",
        "Fact",
        "RunState",
        "ShortTermItem",
        "ThreadSummary",
        "Turn",
        "UsageEntry",
    ),
    "episode": ("EpisodeTrace",),
    "experience_parts": ("ActionEntry", "ErrorEntry", "ErrorFix", "Link", "TaskContext"),
    "front_matter": ("format_frontmatter", "parse_frontmatter"),
    "ids": ("derive_id",),
    "items": ("MemoryContentSnapshot", "MemoryItem"),
    "merge": ("merge_patch", "validate_content"),
    "notes": (
        "MemoryEntry",
        "MemoryManifest",
        "NoteProblem",
        "NoteType",
        "format_note",
        "parse_memory_type",
        "parse_note",
    ),
    "pattern": ("SemanticPattern",),
    "profile": (
        "MemoryStatus",
        "MemoryType",
        "Milestone",
        "Person",
        "Place",
        "Preferences",
        "Profile",
        "Project",
        "Routine",
        "SchedulingPreferences",
        "TeamMember",
        "UserMemoryContent",
        "WorkHabits",
        "WorkProfileContent",
    ),
    "profile_parts": ("EntryMeta", "TimeWindow"),
    "record": ("MemoryRecord", "Provenance", "RecordKind", "RecordLink", "RecordState", "TrustTier"),
    "scope": ("Scope",),
    "skill": ("ProceduralSkill",),
    "times": ("parse_utc", "to_utc_iso"),
}

__all__ = [
    "ActionEntry",
    "Dialogue",
    "EntryMeta",
    "EpisodeTrace",
    "ErrorEntry",
    "ErrorFix",
    "ExtractionRun",
    "Fact",
    "Link",
    "MemoryContentSnapshot",
    "MemoryEntry",
    "MemoryItem",
    "MemoryManifest",
    "MemoryRecord",
    "MemoryStatus",
    "MemoryType",
    "Milestone",
    "NoteProblem",
    "NoteType",
    "Person",
    "Place",
    "Preferences",
    "ProceduralSkill",
    "Profile",
    "Project",
    "Provenance",
    "RecordKind",
    "RecordLink",
    "RecordState",
    "Routine",
    "RunState",
    "SchedulingPreferences",
    "Scope",
    "SemanticPattern",
    "ShortTermItem",
    "TaskContext",
    "TeamMember",
    "ThreadSummary",
    "TimeWindow",
    "TrustTier",
    "Turn",
    "UsageEntry",
    "UserMemoryContent",
    "WorkHabits",
    "WorkProfileContent",
    "derive_id",
    "format_frontmatter",
    "format_note",
    "merge_patch",
    "parse_frontmatter",
    "parse_memory_type",
    "parse_note",
    "parse_utc",
    "to_utc_iso",
    "validate_content",
]

__getattr__, __dir__ = lazy_exports(
    __name__, {name: f"{__name__}.{module}" for module, names in _HOMES.items() for name in names}
)
