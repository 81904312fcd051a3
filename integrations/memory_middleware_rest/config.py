"""The settings of a server, apart from those of the memory it serves."""

from __future__ import annotations

import hashlib
import re
from pathlib import Path
from typing import Annotated, Self

from pydantic import Field, model_validator

from memory_middleware import ConfigModel, MemoryDir
from memory_middleware_rest.auth import BearerTokens, JwtBearer, SingleUser, insecure_single_user
from memory_middleware_rest.auth.bearer import EitherBearer
from memory_middleware_rest.limits import Limits
from memory_middleware_rest.visit import Authenticate, NotesOf

__all__ = ["JwtConfig", "NotesConfig", "ServerConfig", "TokenConfig"]

Words = Annotated[str, Field(min_length=1)]


class TokenConfig(ConfigModel):
    """A token, as ``hash_token`` writes it, and whose it is."""

    owner: Words
    hash: Words


class JwtConfig(ConfigModel):
    """How JSON web tokens are checked; see ``JwtBearer``."""

    audience: Words
    issuer: Words
    secret: Words | None = None
    jwks: Words | None = None
    algorithms: tuple[str, ...] | None = None
    owner_claim: Words = "sub"
    leeway: Annotated[float, Field(ge=0, le=300)] = 0.0


class NotesConfig(ConfigModel):
    """Where notes are: a folder for each owner below ``path``, or one folder for all."""

    path: Words
    shared: bool = False


class ServerConfig(ConfigModel):
    """Everything about a server.

    Attributes:
        host: The address to listen at.
        port: The port; 0 takes a free one.
        tokens: Static bearer tokens.
        jwt: JSON web tokens.
        insecure_single_user: The one owner of a server on this machine that asks for no token.
        limits: How much one may ask for.
        require_match: Whether a change must name the version it changes.
        notes: Where notes are.
    """

    host: Words = "127.0.0.1"
    port: Annotated[int, Field(ge=0, le=65_535)] = 8420
    tokens: tuple[TokenConfig, ...] = ()
    jwt: JwtConfig | None = None
    insecure_single_user: Words | None = None
    limits: Limits = Field(default_factory=Limits)
    require_match: bool = False
    notes: NotesConfig | None = None

    @model_validator(mode="after")
    def _someone_is_known(self) -> Self:
        checked = bool(self.tokens) or self.jwt is not None
        if checked == (self.insecure_single_user is not None):
            raise ValueError("say who may ask: tokens or jwt, else insecure_single_user")
        return self

    def authentication(self) -> Authenticate:
        """Make the dependency that tells who asks.

        Raises:
            ConfigError: A token or the key does not fit.
        """
        if self.insecure_single_user is not None:
            return insecure_single_user(self.insecure_single_user)
        tokens = BearerTokens({one.hash: one.owner for one in self.tokens}) if self.tokens else None
        web_tokens = JwtBearer(**self.jwt.model_dump()) if self.jwt else None
        if tokens and web_tokens:
            return EitherBearer(tokens, web_tokens)
        return tokens or web_tokens  # type: ignore[return-value]  # one of them is there, as was checked

    def notes_of(self) -> MemoryDir | NotesOf | None:
        """Tell where the notes of each owner are.

        Raises:
            StoreError: The folder cannot be made.
        """
        if self.notes is None:
            return None
        root = Path(self.notes.path)
        if self.notes.shared:
            return MemoryDir(root)
        return lambda owner: MemoryDir(root / _folder(owner))

    def check_binding(self, auth: Authenticate) -> None:
        """Refuse to serve one user without authentication where others can reach it.

        Raises:
            ConfigError: The address is not that of this machine alone.
        """
        if isinstance(auth, SingleUser):
            auth.check_binding(self.host)


def _folder(owner: str) -> str:
    """Name the folder of an owner: readable, and different for different owners on every file system."""
    readable = re.sub(r"[^a-z0-9]+", "-", owner.lower())[:32].strip("-")
    return f"{readable or 'owner'}-{hashlib.sha256(owner.encode()).hexdigest()[:16]}"
