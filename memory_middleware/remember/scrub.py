"""Secrets are taken out before anything is stored."""

from memory_middleware.schemas.scrub import has_secret, scrub

__all__ = ["has_secret", "scrub"]
