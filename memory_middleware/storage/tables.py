"""The tables of the store itself. Times are microseconds since 1970 in UTC."""

from __future__ import annotations

from sqlalchemy import (
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
    text,
)

__all__ = ["Serial", "changes", "embeddings", "items", "meta", "metadata", "namespaces"]

metadata = MetaData()

# SQLite numbers rows by itself only in a column of type INTEGER.
Serial = BigInteger().with_variant(Integer(), "sqlite")

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
    Index("ix_items_expiry", "expires_at", sqlite_where=text("expires_at IS NOT NULL")),
)

namespaces = Table(
    "store_namespaces", metadata, Column("path", Text, primary_key=True), Column("ns", Text, nullable=False)
)

# Only the oldest changes are ever dropped, so SQLite counts on by itself; numbering that outlives the
# last row (AUTOINCREMENT) would write one more page with every commit.
changes = Table(
    "store_changes",
    metadata,
    Column("seq", Serial, primary_key=True, autoincrement=True),
    Column("id", String(40), nullable=False),
    Column("path", Text, nullable=False),
)

embeddings = Table(
    "embedding_cache",
    metadata,
    Column("embedder", String(64), primary_key=True),
    Column("text", String(64), primary_key=True),
    Column("vector", LargeBinary, nullable=False),
    Column("made_at", BigInteger, nullable=False),
    Index("ix_embeddings_age", "made_at"),
)
