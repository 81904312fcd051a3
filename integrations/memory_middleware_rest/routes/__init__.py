"""All routes, one module for each subject; the first that fits a path answers."""

from memory_middleware_rest.routes import (
    edits,
    experience,
    forgetting,
    journal,
    moving,
    notes,
    profile_history,
    profiles,
    record_parts,
    records,
    review,
    upkeep,
)

__all__ = ["TABLES"]

TABLES = (
    profiles.TABLE,
    profile_history.TABLE,
    record_parts.TABLE,
    edits.TABLE,
    records.TABLE,
    review.TABLE,
    forgetting.TABLE,
    experience.TABLE,
    notes.TABLE,
    journal.TABLE,
    upkeep.TABLE,
    moving.TABLE,
)
