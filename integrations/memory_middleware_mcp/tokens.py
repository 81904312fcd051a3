"""Bearer tokens that tell the owner; only their hashes are kept."""

from __future__ import annotations

import hashlib
import hmac
import re
from collections.abc import Mapping

from mcp.server.auth.provider import AccessToken

from memory_middleware import InvalidInputError

__all__ = ["HashedTokens", "hash_token"]


def hash_token(token: str) -> str:
    """Give the hash of a token, to be written into a configuration."""
    return hashlib.sha256(token.encode("utf-8")).hexdigest()


class HashedTokens:
    """Knows tokens by their hashes.

    Args:
        owners: The hash of each token, and the owner it stands for.

    Raises:
        InvalidInputError: A hash is none, or an owner is empty.
    """

    def __init__(self, owners: Mapping[str, str]) -> None:
        for hashed, owner in owners.items():
            if not re.fullmatch("[0-9a-f]{64}", hashed) or not isinstance(owner, str) or not owner:
                raise InvalidInputError(
                    f"a token is given as its SHA-256 in hexadecimal and an owner, not as {hashed[:8]!r}… and {owner!r}"
                )
        self._owners = dict(owners)

    async def verify_token(self, token: str) -> AccessToken | None:
        """Tell whose token it is, or none."""
        given = hash_token(token)
        found = [owner for hashed, owner in self._owners.items() if hmac.compare_digest(hashed, given)]
        return AccessToken(token=token, client_id=found[0], scopes=[], subject=found[0]) if found else None
