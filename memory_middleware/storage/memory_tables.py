"""The tables of memory: profiles, what is typed among the items, and the journal.

An owner is looked up by the digest of its id: ids may be longer than an index takes, and hold any text.
Other ids of callers are digests for the same reason.
"""

from __future__ import annotations

from sqlalchemy import (
    JSON,
    BigInteger,
    Column,
    Float,
    ForeignKey,
    Index,
    Integer,
    String,
    Table,
    Text,
    UniqueConstraint,
)

from memory_middleware.storage.tables import Serial, metadata

__all__ = [
    "dialogues",
    "edits",
    "experience",
    "links",
    "profile_fields",
    "profile_history",
    "profiles",
    "records",
    "runs",
    "short_term",
    "summaries",
    "tombstones",
    "turns",
    "usage",
    "weights",
]

_Digest = String(64)
_Item = String(40)

profiles = Table(
    "memories",
    metadata,
    Column("id", String(36), primary_key=True),
    Column("owner", _Digest, nullable=False),
    Column("owner_id", Text, nullable=False),
    Column("memory_type", String(20), nullable=False),
    Column("content", JSON, nullable=False),  # not JSONB, which cannot hold the character NUL
    Column("status", String(20), nullable=False),
    Column("version", Integer, nullable=False),
    Column("created_at", BigInteger, nullable=False),
    Column("updated_at", BigInteger, nullable=False),
    UniqueConstraint("owner", "memory_type"),
)

# Who set which part of a profile, and which rounds said so.
profile_fields = Table(
    "profile_fields",
    metadata,
    Column("owner", _Digest, primary_key=True),
    Column("memory_type", String(20), primary_key=True),
    Column("place", _Digest, primary_key=True),
    Column("document", Text, nullable=False),
)

profile_history = Table(
    "profile_history",
    metadata,
    Column("owner", _Digest, primary_key=True),
    Column("memory_type", String(20), primary_key=True),
    Column("version", Integer, primary_key=True),
    Column("document", Text, nullable=False),
    Column("changed_at", BigInteger, nullable=False),
)

# The columns by which records are looked up. What a record says is the value of its item.
records = Table(
    "memory_records",
    metadata,
    Column("id", _Item, ForeignKey("store_items.id", ondelete="CASCADE"), primary_key=True),
    Column("owner", _Digest, nullable=False),
    Column("record", _Digest, nullable=False),
    Column("kind", String(20), nullable=False),
    Column("state", String(20), nullable=False),
    Column("address", _Digest),
    Column("source", _Digest),
    Column("thread", _Digest),
    Column("turn", BigInteger),
    Column("pinned", Integer, nullable=False),
    Column("updated_at", BigInteger, nullable=False),
    UniqueConstraint("owner", "record"),
    Index("ix_records_state", "owner", "state", "updated_at"),
    Index("ix_records_address", "owner", "address"),
    Index("ix_records_thread", "owner", "thread", "turn"),
)

experience = Table(
    "memory_experience",
    metadata,
    Column("id", _Item, ForeignKey("store_items.id", ondelete="CASCADE"), primary_key=True),
    Column("owner", _Digest, nullable=False),
    Column("entry", _Digest, nullable=False),
    Column("kind", String(20), nullable=False),
    Column("subject", _Digest),
    Column("outcome", String(20)),
    Column("importance", Float, nullable=False),
    Column("happened_at", BigInteger, nullable=False),
    UniqueConstraint("owner", "kind", "entry"),
    Index("ix_experience_time", "owner", "kind", "happened_at"),
    Index("ix_experience_subject", "owner", "kind", "subject"),
)

links = Table(
    "memory_links",
    metadata,
    Column("origin", _Item, ForeignKey("store_items.id", ondelete="CASCADE"), primary_key=True),
    Column("target", _Digest, primary_key=True),
    Column("relation", String(64), primary_key=True),
    Column("owner", _Digest, nullable=False),
    Column("strength", Float, nullable=False),
    Index("ix_links_target", "owner", "target"),
)

weights = Table(
    "memory_weights",
    metadata,
    Column("id", _Item, ForeignKey("memory_records.id", ondelete="CASCADE"), primary_key=True),
    Column("owner", _Digest, nullable=False),
    Column("weight", Float, nullable=False),
    Column("access_count", BigInteger, nullable=False),
    Column("last_accessed", BigInteger),
    # The weight was changed last at changed_at. It is what the uses after based_at make of base.
    Column("changed_at", BigInteger),
    Column("base", Float),
    Column("based_at", BigInteger),
    Index("ix_weights_owner", "owner", "weight"),
)

usage = Table(
    "memory_usage_log",
    metadata,
    Column("seq", Serial, primary_key=True, autoincrement=True),
    Column("memory", _Item, ForeignKey("memory_records.id", ondelete="CASCADE"), nullable=False),
    Column("owner", _Digest, nullable=False),
    Column("turn", _Digest, nullable=False),
    Column("document", Text, nullable=False),
    Column("was_referenced", Integer, nullable=False),
    Column("used_at", BigInteger, nullable=False),
    UniqueConstraint("memory", "turn"),
    Index("ix_usage_time", "owner", "used_at"),
)

# What people changed in a record by hand, so that it can be taken back.
edits = Table(
    "record_edits",
    metadata,
    Column("memory", _Item, ForeignKey("memory_records.id", ondelete="CASCADE"), primary_key=True),
    Column("version", Integer, primary_key=True),
    Column("owner", _Digest, nullable=False),
    Column("document", Text, nullable=False),
    Column("changed_at", BigInteger, nullable=False),
    Index("ix_edits_owner", "owner", "memory", "version"),
)

short_term = Table(
    "short_term_items",
    metadata,
    Column("seq", Serial, primary_key=True, autoincrement=True),
    Column("owner", _Digest, nullable=False),
    Column("thread", _Digest, nullable=False),
    Column("entry", _Digest, nullable=False),
    Column("document", Text, nullable=False),
    UniqueConstraint("owner", "thread", "entry"),
    Index("ix_short_term_thread", "owner", "thread", "seq"),
)

dialogues = Table(
    "dialogue_buffer",
    metadata,
    Column("seq", Serial, primary_key=True, autoincrement=True),
    Column("owner", _Digest, nullable=False),
    Column("entry", _Digest, nullable=False),
    Column("session", _Digest, nullable=False),
    Column("document", Text, nullable=False),
    Column("parked", String(40)),
    UniqueConstraint("owner", "entry"),
    Index("ix_buffer_session", "owner", "session", "seq"),
    sqlite_autoincrement=True,
)

runs = Table(
    "extraction_runs",
    metadata,
    Column("id", String(40), primary_key=True),
    Column("owner", _Digest, nullable=False),
    Column("session", _Digest, nullable=False),
    Column("state", String(20), nullable=False),
    Column("document", Text, nullable=False),
    Column("started_at", BigInteger, nullable=False),
    Index("ix_runs_state", "owner", "state", "started_at"),
)

turns = Table(
    "memory_turns",
    metadata,
    Column("seq", Serial, primary_key=True, autoincrement=True),
    Column("owner", _Digest, nullable=False),
    Column("entry", _Digest, nullable=False),
    Column("thread", _Digest, nullable=False),
    Column("document", Text, nullable=False),
    Column("happened_at", BigInteger, nullable=False),
    UniqueConstraint("owner", "entry"),
    Index("ix_turns_thread", "owner", "thread", "seq"),
    Index("ix_turns_time", "owner", "happened_at"),
)

summaries = Table(
    "thread_summaries",
    metadata,
    Column("owner", _Digest, primary_key=True),
    Column("thread", _Digest, primary_key=True),
    Column("document", Text, nullable=False),
)

# What was forgotten, as digests only, so that the same words of the same round do not bring it back.
tombstones = Table(
    "memory_tombstones",
    metadata,
    Column("owner", _Digest, primary_key=True),
    Column("mark", _Digest, primary_key=True),
    Column("made_at", BigInteger, nullable=False),
)
