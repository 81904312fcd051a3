"""Who is asking: bearer tokens, JSON web tokens, the host's own user, or one person on this machine."""

from memory_middleware_rest.auth.host import host_user
from memory_middleware_rest.auth.json_web_tokens import JwtBearer
from memory_middleware_rest.auth.single import SingleUser, insecure_single_user, is_loopback
from memory_middleware_rest.auth.tokens import BearerTokens, hash_token, new_token

__all__ = [
    "BearerTokens",
    "JwtBearer",
    "SingleUser",
    "hash_token",
    "host_user",
    "insecure_single_user",
    "is_loopback",
    "new_token",
]
