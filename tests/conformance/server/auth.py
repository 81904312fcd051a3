"""Lets everybody find only what is their own."""

from __future__ import annotations

from typing import Any

from langgraph_sdk import Auth

auth = Auth()


@auth.authenticate
async def who(authorization: str | None) -> str:
    return (authorization or "Bearer nobody").removeprefix("Bearer ")


@auth.on.store.search
async def only_mine(ctx: Auth.types.AuthContext, value: Any) -> dict[str, str]:
    return {"owner": ctx.user.identity}
