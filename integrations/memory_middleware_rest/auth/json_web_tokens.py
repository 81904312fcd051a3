"""JSON web tokens, checked: who signed them, how, for whom, and until when."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import anyio.to_thread
import jwt

from memory_middleware import ConfigError
from memory_middleware_rest.auth.bearer import Bearer, refused
from memory_middleware_rest.auth.key_sets import KeySet
from memory_middleware_rest.problems import ProblemError

__all__ = ["JwtBearer"]

_SHARED = {"HS256": 32, "HS384": 48, "HS512": 64}
"""The algorithms for a secret, and how many bytes it must have."""

_SIGNED = ("RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA")


class JwtBearer(Bearer):
    """Knows owners by JSON web tokens.

    Args:
        audience: Whom tokens must be for.
        issuer: Who must have made them.
        secret: The secret that both sides share, of as many bytes as the algorithm's digest.
        jwks: The public keys of the issuer, a file or an ``https://`` address, instead of a secret.
        algorithms: The allowed ones; ``HS256`` for a secret, ``RS256`` and ``ES256`` for keys by default.
        owner_claim: The claim that names the owner.
        leeway: Seconds by which clocks may differ.

    Raises:
        ConfigError: Not exactly one of secret and keys was given, or an algorithm does not fit it.
    """

    def __init__(
        self,
        *,
        audience: str,
        issuer: str,
        secret: str | None = None,
        jwks: str | Path | KeySet | None = None,
        algorithms: Sequence[str] | None = None,
        owner_claim: str = "sub",
        leeway: float = 0.0,
    ) -> None:
        super().__init__("A JSON web token")
        if (secret is None) == (jwks is None):
            raise ConfigError("give either a secret or a key set", "jwt")
        self._algorithms = _chosen(secret, algorithms)
        self._secret = secret
        self._keys = jwks if isinstance(jwks, KeySet) or jwks is None else KeySet(jwks)
        self._audience = audience
        self._issuer = issuer
        self._claim = owner_claim
        self._leeway = leeway

    async def owner_of(self, token: str) -> str:
        """Tell whose token it is.

        Raises:
            ProblemError: It is not valid, or the keys cannot be read.
        """
        try:
            key = await self._key(token)
            told = jwt.decode(
                token,
                key,
                algorithms=self._algorithms,
                audience=self._audience,
                issuer=self._issuer,
                leeway=self._leeway,
                options={"require": ["exp", "aud", "iss", self._claim], "verify_sub": False},
            )
        except jwt.ExpiredSignatureError as error:
            raise refused("the token has expired", code="expired-token") from error
        except (jwt.PyJWTError, ValueError) as error:
            raise refused("the token is not valid", code="invalid-token") from error
        owner = told[self._claim]
        if not isinstance(owner, str) or not owner:
            raise refused("the token names no owner", code="invalid-token")
        return owner

    async def _key(self, token: str) -> Any:
        if self._keys is None:
            return self._secret
        head = jwt.get_unverified_header(token)
        if head.get("alg") not in self._algorithms:
            raise jwt.InvalidAlgorithmError("this algorithm is not allowed")
        try:
            found = await anyio.to_thread.run_sync(self._keys.key, head.get("kid"))
        except (OSError, ValueError) as error:
            raise ProblemError(503, "the keys of the issuer cannot be read now") from error
        if found is None:
            raise jwt.InvalidKeyError("nobody here knows this key")
        return found


def _chosen(secret: str | None, algorithms: Sequence[str] | None) -> list[str]:
    """Give the allowed algorithms, all of them fit for the key.

    Raises:
        ConfigError: One does not fit, or the secret is too short for it.
    """
    fitting = _SIGNED if secret is None else tuple(_SHARED)
    usual = ("RS256", "ES256") if secret is None else ("HS256",)
    chosen = list(usual if algorithms is None else algorithms)
    wrong = [name for name in chosen if name not in fitting]
    if wrong or not chosen:
        told = repr(wrong[0]) if wrong else "none"
        raise ConfigError(f"choose out of {', '.join(fitting)}, not {told}", "jwt.algorithms")
    least = max(_SHARED.get(name, 0) for name in chosen)
    if secret is not None and len(secret.encode()) < least:
        raise ConfigError(f"the secret must have {least} bytes at least", "jwt.secret")
    return chosen
