"""Content parts of messages as stored blocks: text, attachments as data URIs, anything else whole.

A part is split into a *block*, in the stores' own form, and a *shell*, what the block does not
say. ``decode_part`` joins the two to exactly the part it was.
"""

from __future__ import annotations

import copy
import hashlib
import re
from typing import Any, NamedTuple
from urllib.parse import unquote_to_bytes

__all__ = ["decode_part", "describe_block", "encode_part", "is_message", "role_of"]

Part = str | dict[str, Any]

_MEDIA = {
    "image": "image",
    "image_url": "image",
    "input_image": "image",
    "audio": "audio",
    "input_audio": "audio",
    "video": "video",
    "file": "file",
    "input_file": "file",
    "document": "file",
    "media": "file",
}
_BASE64_PLACES = (("base64",), ("data",), ("source", "data"), ("input_audio", "data"))
_URI_PLACES = (("url",), ("image_url",), ("image_url", "url"), ("file_data",), ("file", "file_data"))
_DATA_URI = re.compile(r"data:([^;,]*)([^,]*),", re.IGNORECASE)
_ROLES = {
    "human": "user",
    "HumanMessageChunk": "user",
    "ai": "assistant",
    "AIMessageChunk": "assistant",
    "SystemMessageChunk": "system",
    "ToolMessageChunk": "tool",
    "function": "tool",
}


class _Payload(NamedTuple):
    """Where in a part its data stands, and the data as a URI; ``skip`` characters of it are ours."""

    at: tuple[str, ...]
    uri: str
    skip: int


def is_message(value: object) -> bool:
    """Tell a LangChain message, without asking it to translate its content."""
    return hasattr(type(value), "content_blocks")


def role_of(message: object) -> str:
    """Tell the role of a message in the stores' words: user, assistant, system or tool."""
    kind = str(getattr(message, "type", "user"))
    return str(getattr(message, "role", None) or _ROLES.get(kind, kind))


def describe_block(block: dict[str, Any]) -> str:
    """Tell a block in words."""
    kind = block.get("type", "data")
    if kind == "text" and block.get("text"):
        return str(block["text"])
    attachment = block.get("attachment")
    if isinstance(attachment, dict):
        return f"[{kind} attachment: {attachment.get('name') or attachment.get('attachment_id')}]"
    data = block.get("data") if isinstance(block.get("data"), dict) else {}
    if told := block.get("text") or (data or {}).get("text"):
        return str(told)
    return "" if kind == "text" else f"[{(data or {}).get('type', kind)} block]"


def encode_part(part: Part) -> tuple[dict[str, Any], dict[str, Any]]:
    """Split a content part into its block and its shell."""
    if isinstance(part, str):
        return {"type": "text", "text": part}, {"form": "string"}
    if part.get("type") == "text" and isinstance(part.get("text"), str):
        rest = {key: value for key, value in part.items() if key != "text"}
        return {"type": "text", "text": part["text"]}, {"form": "text", "rest": copy.deepcopy(rest)}
    payload = _find_payload(part) if part.get("type") in _MEDIA else None
    if payload:
        return _encode_media(part, payload)
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


def _find_payload(part: dict[str, Any]) -> _Payload | None:
    for at in _URI_PLACES:
        value = _inner(part, *at)
        if isinstance(value, str) and _DATA_URI.match(value):
            return _Payload(at, value, 0)
    if _inner(part, "source", "type") not in (None, "base64") or part.get("source_type") not in (None, "base64"):
        return None
    for at in _BASE64_PLACES:
        value = _inner(part, *at)
        if isinstance(value, str) and value:
            mime = part.get("mime_type") or _inner(part, "source", "media_type") or "application/octet-stream"
            prefix = f"data:{mime};base64,"
            return _Payload(at, prefix + value, len(prefix))
    return None


def _encode_media(part: dict[str, Any], payload: _Payload) -> tuple[dict[str, Any], dict[str, Any]]:
    rest = copy.deepcopy(part)
    home = rest
    for key in payload.at[:-1]:
        home = home[key]
    del home[payload.at[-1]]
    found = _DATA_URI.match(payload.uri)
    mime, options = (found[1], found[2]) if found else ("", "")
    encoded = payload.uri[found.end() :] if found else ""
    attachment = {
        "attachment_id": _identity(part) or hashlib.sha256(encoded.encode("utf-8", "replace")).hexdigest()[:16],
        "mime_type": mime or None,
        "name": _name(part),
        "size": _size(encoded, "base64" in options.lower()),
        "data_uri": payload.uri,
    }
    kind = _MEDIA[part["type"]]
    if part["type"] == "media":
        kind = next((known for known in ("image", "audio", "video") if mime.startswith(known)), kind)
    shell = {"form": "media", "rest": rest, "at": list(payload.at), "skip": payload.skip}
    return {"type": kind, "attachment": _without_none(attachment)}, shell


def _encode_whole(part: dict[str, Any]) -> dict[str, Any]:
    block: dict[str, Any] = {"type": _MEDIA.get(str(part.get("type")), "data"), "data": copy.deepcopy(part)}
    identity = _identity(part)
    if identity and block["type"] != "data":
        found = {"attachment_id": identity, "mime_type": part.get("mime_type"), "name": _name(part)}
        block["attachment"] = _without_none(found)
    return block


def _identity(part: dict[str, Any]) -> str | None:
    places = (("id",), ("file_id",), ("url",), ("image_url",), ("image_url", "url"), ("source", "url"), ("file_url",))
    values = (_inner(part, *at) for at in places)
    return next((value for value in values if isinstance(value, str) and value and not _DATA_URI.match(value)), None)


def _name(part: dict[str, Any]) -> str | None:
    places = (("name",), ("filename",), ("title",), ("file", "filename"), ("extras", "filename"))
    values = (_inner(part, *at) for at in places)
    return next((value for value in values if isinstance(value, str) and value), None)


def _size(encoded: str, base64: bool) -> int:
    if base64:
        return max(0, len(encoded) * 3 // 4 - encoded[-2:].count("="))
    return len(unquote_to_bytes(encoded))


def _inner(part: dict[str, Any], *at: str) -> Any:
    value: Any = part
    for key in at:
        value = value.get(key) if isinstance(value, dict) else None
    return value


def _without_none(data: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in data.items() if value is not None}
