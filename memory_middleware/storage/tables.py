"""The tables, as SQLAlchemy sees them. Times are microseconds since 1970 in UTC."""

from __future__ import annotations

from sqlalchemy import (
    JSON,
    BigInteger,
    Boolean,
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

__all__ = ["changes", "embeddings", "items", "meta", "metadata", "namespaces", "profiles"]

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
    Column("fresh", Boolean, nullable=False),
    sqlite_autoincrement=True,
)

profiles = Table(
    "memories",
    metadata,
    Column("id", String(36), primary_key=True),
    Column("owner_id", Text, nullable=False),
    Column("memory_type", String(20), nullable=False),
    Column("content", _Json, nullable=False),
    Column("status", String(20), nullable=False),
    Column("version", Integer, nullable=False, default=1),
    Column("created_at", BigInteger, nullable=False),
    Column("updated_at", BigInteger, nullable=False),
    UniqueConstraint("owner_id", "memory_type"),
)

embeddings = Table(
    "embedding_cache",
    metadata,
    Column("id", String(64), primary_key=True),
    Column("vector", LargeBinary, nullable=False),
    Column("used_at", BigInteger, nullable=False),
    Index("ix_embedding_used", "used_at"),
)
