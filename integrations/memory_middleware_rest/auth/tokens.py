"""Static bearer tokens, of which the server knows the hashes only."""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets
from collections import OrderedDict
from collections.abc import Mapping
from typing import Literal, NamedTuple

import anyio
import anyio.to_thread

from memory_middleware import ConfigError
from memory_middleware_rest.auth.bearer import Bearer, refused

__all__ = ["BearerTokens", "hash_token", "new_token"]

_SHA256 = re.compile(r"sha256:([0-9a-f]{64})")
_SCRYPT = re.compile(r"scrypt:([0-9]{1,2}):([0-9a-f]{32,128}):([0-9a-f]{64})")
_COST = 14
_MOST_KNOWN = 4096


def new_token() -> str:
    """Make a token that nobody can guess."""
    return f"mm_{secrets.token_urlsafe(32)}"


def hash_token(token: str, *, scheme: Literal["sha256", "scrypt"] = "sha256") -> str:
    """Give what the configuration holds instead of the token.

    Args:
        token: The token.
        scheme: ``sha256`` for a token of ``new_token``, ``scrypt`` for one that people made up.
    """
    if scheme == "sha256":
        return f"sha256:{hashlib.sha256(token.encode()).hexdigest()}"
    salt = secrets.token_bytes(16)
    return f"scrypt:{_COST}:{salt.hex()}:{_scrypt(token, salt, _COST).hex()}"


class _Salted(NamedTuple):
    cost: int
    salt: bytes
    digest: bytes
    owner: str


class BearerTokens(Bearer):
    """Knows owners by their tokens.

    Args:
        owners: The owner for each hashed token, as ``hash_token`` writes it.

    Raises:
        ConfigError: There is none, or one is no hash.
    """

    def __init__(self, owners: Mapping[str, str]) -> None:
        super().__init__("A token that was handed out")
        self._plain: list[tuple[str, str]] = []
        self._salted: list[_Salted] = []
        self._known: OrderedDict[bytes, str | None] = OrderedDict()
        self._slow = anyio.CapacityLimiter(1)  # a stranger's guesses must not take all threads
        if not owners:
            raise ConfigError("name at least one token", "tokens")
        for place, (hashed, owner) in enumerate(owners.items()):
            self._take(hashed, owner, f"tokens[{place}].hash")

    async def owner_of(self, token: str) -> str:
        """Tell whose token it is.

        Raises:
            ProblemError: It is nobody's.
        """
        told = hashlib.sha256(token.encode("utf-8", "surrogatepass"))
        owner = self._of_plain(told.hexdigest())
        if owner is None and self._salted:
            owner = await self._of_salted(token, told.digest())
        if owner is None:
            raise refused("the token is not known here", code="invalid-token")
        return owner

    def _take(self, hashed: str, owner: str, path: str) -> None:
        if found := _SHA256.fullmatch(hashed):
            self._plain.append((found[1], owner))
        elif found := _SCRYPT.fullmatch(hashed):
            cost = int(found[1])
            if not 10 <= cost <= 20:
                raise ConfigError(f"the cost of scrypt must be from 10 to 20, not {cost}", path)
            self._salted.append(_Salted(cost, bytes.fromhex(found[2]), bytes.fromhex(found[3]), owner))
        else:
            raise ConfigError("expected a hashed token; hash_token() makes one", path)

    def _of_plain(self, digest: str) -> str | None:
        found = None
        for known, owner in self._plain:  # all are looked at, so that time tells nothing
            if hmac.compare_digest(known, digest):
                found = owner
        return found

    async def _of_salted(self, token: str, digest: bytes) -> str | None:
        if digest not in self._known:
            async with self._slow:
                if digest not in self._known:
                    self._known[digest] = await anyio.to_thread.run_sync(self._slowly, token)
            while len(self._known) > _MOST_KNOWN:
                self._known.popitem(last=False)
        return self._known.get(digest)

    def _slowly(self, token: str) -> str | None:
        for one in self._salted:
            if hmac.compare_digest(_scrypt(token, one.salt, one.cost), one.digest):
                return one.owner
        return None


def _scrypt(token: str, salt: bytes, cost: int) -> bytes:
    n = 1 << cost
    return hashlib.scrypt(
        token.encode("utf-8", "surrogatepass"), salt=salt, n=n, r=8, p=1, maxmem=2 * 128 * 8 * n, dklen=32
    )
