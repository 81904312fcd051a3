"""The tables, as SQLAlchemy sees them. Times are microseconds since 1970 in UTC."""

from __future__ import annotations

from sqlalchemy import (
    JSON,
    BigInteger,
    Column,
    Float,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    Text,
    UniqueConstraint,
)
from sqlalchemy.dialects.postgresql import JSONB

__all__ = ["changes", "dialogues", "items", "meta", "metadata", "namespaces", "profiles"]

metadata = MetaData()

_Json = JSON().with_variant(JSONB(), "postgresql")
# SQLite numbers rows by itself only in a column of type INTEGER.
_Serial = BigInteger().with_variant(Integer(), "sqlite")

meta = Table(
    "store_meta", metadata, Column("name", String(64), primary_key=True), Column("value", Text, nullable=False)
)

items = Table(
    "store_items",
    metadata,
    Column("id", String(40), primary_key=True),
    Column("path", Text, nullable=False),
    Column("ns", Text, nullable=False),
    Column("key", Text, nullable=False),
    Column("value", Text, nullable=False),
    Column("fields", Text),
    Column("created_at", BigInteger, nullable=False),
    Column("updated_at", BigInteger, nullable=False),
    Column("expires_at", BigInteger),
    Column("ttl", Float),
    Column("terms", Text),
    Column("vectors", LargeBinary),
    Index("ix_items_path", "path", "updated_at"),
    Index("ix_items_expiry", "expires_at"),
)

namespaces = Table(
    "store_namespaces", metadata, Column("path", Text, primary_key=True), Column("ns", Text, nullable=False)
)

changes = Table(
    "store_changes",
    metadata,
    Column("seq", _Serial, primary_key=True, autoincrement=True),
    Column("id", String(40), nullable=False),
    Column("path", Text, nullable=False),
    sqlite_autoincrement=True,
)

# An owner is looked up by the digest of its id: ids may be longer than an index takes, and hold any text.
profiles = Table(
    "memories",
    metadata,
    Column("id", String(36), primary_key=True),
    Column("owner", String(64), nullable=False),
    Column("owner_id", Text, nullable=False),
    Column("memory_type", String(20), nullable=False),
    Column("content", _Json, nullable=False),
    Column("status", String(20), nullable=False),
    Column("version", Integer, nullable=False),
    Column("created_at", BigInteger, nullable=False),
    Column("updated_at", BigInteger, nullable=False),
    UniqueConstraint("owner", "memory_type"),
)

dialogues = Table(
    "dialogue_buffer",
    metadata,
    Column("seq", _Serial, primary_key=True, autoincrement=True),
    Column("owner", String(64), nullable=False),
    Column("entry", String(64), nullable=False),
    Column("session", String(64), nullable=False),
    Column("document", Text, nullable=False),
    UniqueConstraint("owner", "entry"),
    Index("ix_buffer_session", "owner", "session", "seq"),
    sqlite_autoincrement=True,
)
