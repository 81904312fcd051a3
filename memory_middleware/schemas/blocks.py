"""Content parts of messages as stored blocks: text, attachments as data URIs, anything else whole.

A part is split into a *block*, in the stores' own form, and a *shell*, what the block does not
say. ``decode_part`` joins the two to exactly the part it was.
"""

from __future__ import annotations

import copy
import hashlib
from typing import Any

__all__ = ["decode_part", "describe_block", "encode_part", "role_of"]

Part = str | dict[str, Any]

_MEDIA = {
    "image": "image",
    "image_url": "image",
    "audio": "audio",
    "input_audio": "audio",
    "video": "video",
    "file": "file",
    "document": "file",
}
# Where providers put base64 data or a data URI.
_PAYLOADS = (
    ("base64",),
    ("data",),
    ("source", "data"),
    ("image_url", "url"),
    ("file", "file_data"),
    ("input_audio", "data"),
)
_ROLES = {
    "human": "user",
    "HumanMessageChunk": "user",
    "ai": "assistant",
    "AIMessageChunk": "assistant",
    "SystemMessageChunk": "system",
    "ToolMessageChunk": "tool",
    "function": "tool",
}


def role_of(message: object) -> str:
    """Tell the role of a message in the stores' words: user, assistant, system or tool."""
    kind = str(getattr(message, "type", "user"))
    return str(getattr(message, "role", None) or _ROLES.get(kind, kind))


def describe_block(block: dict[str, Any]) -> str:
    """Tell a block in words."""
    kind = block.get("type", "data")
    if kind == "text" and block.get("text"):
        return str(block["text"])
    if attachment := block.get("attachment"):
        return f"[{kind} attachment: {attachment.get('name') or attachment.get('attachment_id')}]"
    data = block.get("data") or {}
    if told := block.get("text") or data.get("text"):
        return str(told)
    return "" if kind == "text" else f"[{data.get('type', kind)} block]"


def encode_part(part: Part) -> tuple[dict[str, Any], dict[str, Any]]:
    """Split a content part into its block and its shell."""
    if isinstance(part, str):
        return {"type": "text", "text": part}, {"form": "string"}
    if part.get("type") == "text" and isinstance(part.get("text"), str):
        rest = {key: value for key, value in part.items() if key != "text"}
        return {"type": "text", "text": part["text"]}, {"form": "text", "rest": copy.deepcopy(rest)}
    if part.get("type") in _MEDIA and (at := _payload_place(part)):
        return _encode_media(part, at)
    return _encode_whole(part), {"form": "whole"}


def decode_part(block: dict[str, Any], shell: dict[str, Any]) -> Part:
    """Join a block and its shell to the part they were."""
    if shell["form"] == "string":
        return str(block["text"])
    if shell["form"] == "whole":
        return dict(copy.deepcopy(block["data"]))
    part: dict[str, Any] = copy.deepcopy(shell["rest"])
    if shell["form"] == "text":
        return {**part, "text": block["text"]}
    *parents, last = shell["at"]
    home = part
    for key in parents:
        home = home[key]
    home[last] = block["attachment"]["data_uri"][shell["skip"] :]
    return part


def _payload_place(part: dict[str, Any]) -> tuple[str, ...] | None:
    for at in _PAYLOADS:
        value: Any = part
        for key in at:
            value = value.get(key) if isinstance(value, dict) else None
        if isinstance(value, str) and value and (at[-1] != "url" or value.startswith("data:")):
            return at
    return None


def _encode_media(part: dict[str, Any], at: tuple[str, ...]) -> tuple[dict[str, Any], dict[str, Any]]:
    rest = copy.deepcopy(part)
    home = rest
    for key in at[:-1]:
        home = home[key]
    payload = str(home.pop(at[-1]))
    prefix = "" if payload.startswith("data:") else f"data:{_mime(part) or 'application/octet-stream'};base64,"
    uri = prefix + payload
    encoded = uri.partition(",")[2]
    attachment = {
        "attachment_id": part.get("id") or hashlib.sha256(encoded.encode()).hexdigest()[:16],
        "mime_type": uri[len("data:") :].partition(";")[0],
        "name": _name(part),
        "size": len(encoded) * 3 // 4 - encoded[-2:].count("="),
        "data_uri": uri,
    }
    block = {"type": _MEDIA[part["type"]], "attachment": _without_none(attachment)}
    return block, {"form": "media", "rest": rest, "at": list(at), "skip": len(prefix)}


def _encode_whole(part: dict[str, Any]) -> dict[str, Any]:
    block = {"type": _MEDIA.get(str(part.get("type")), "data"), "data": copy.deepcopy(part)}
    where = part.get("url") or part.get("file_id") or _inner(part, "image_url", "url") or _inner(part, "source", "url")
    if where and block["type"] != "data":
        found = {"attachment_id": part.get("id") or where, "mime_type": part.get("mime_type"), "name": _name(part)}
        block["attachment"] = _without_none(found)
    return block


def _mime(part: dict[str, Any]) -> Any:
    return part.get("mime_type") or _inner(part, "source", "media_type")


def _name(part: dict[str, Any]) -> Any:
    direct = part.get("name") or part.get("filename") or part.get("title")
    return direct or _inner(part, "file", "filename") or _inner(part, "extras", "filename")


def _inner(part: dict[str, Any], outer: str, key: str) -> Any:
    value = part.get(outer)
    return value.get(key) if isinstance(value, dict) else None


def _without_none(data: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in data.items() if value is not None}
