"""``profile show``, ``set``, ``patch`` and ``history``."""

from __future__ import annotations

import json
from pathlib import Path

from memory_middleware.schemas import UserMemoryContent, WorkProfileContent
from tests.cli.conftest import Shell

USER = {"primary_language": "zh-CN", "preferences": {"communication_style": "brief"}}


def test_a_profile_is_patched_and_shown(shell: Shell) -> None:
    shell("profile", "patch", "user", json.dumps(USER), "--owner", "ana")
    assert "preferences.communication_style" in shell("profile", "show")
    data = shell.json("profile", "show")
    assert set(data) == {"user", "work"}
    assert data["user"]["content"]["primary_language"] == "zh-CN"
    assert list(shell.json("profile", "show", "work")) == ["work"]
    assert "nothing yet" in shell("profile", "show", "work")


def test_a_profile_is_set_from_a_file_or_a_pipe(shell: Shell, tmp_path: Path) -> None:
    content = UserMemoryContent.model_validate(USER).model_dump_json()
    file = tmp_path / "user.json"
    file.write_text(content, encoding="utf-8")
    first = shell.json("profile", "set", "user", str(file), "--owner", "ana")
    again = shell.json("profile", "set", "user", "-", piped=content)
    assert first["content"] == again["content"]
    work = WorkProfileContent().model_dump_json()
    assert "work · active" in shell("profile", "set", "work", work)


def test_versions_are_listed_with_what_they_changed(shell: Shell) -> None:
    shell("profile", "patch", "user", '{"primary_language": "zh-CN"}', "--owner", "ana")
    shell("profile", "patch", "user", '{"primary_language": null, "interests": ["tea", "chess"]}')
    told = shell("profile", "history", "user")
    for part in ("primary_language: zh-CN", "primary_language: gone", "interests: tea, chess", " user "):
        assert part in told
    versions = shell.json("profile", "history", "user", "--limit", "1")["versions"]
    assert [one["version"] for one in versions] == [3]
    assert "no versions yet" in shell("profile", "history", "work")


def test_what_is_no_profile_is_told(shell: Shell, tmp_path: Path) -> None:
    assert "unknown key" in shell("profile", "patch", "user", '{"shoe": 1}', "--owner", "ana", code=2)
    assert "this is no JSON" in shell("profile", "patch", "user", "{", "--owner", "ana", code=2)
    assert "cannot read" in shell("profile", "set", "user", str(tmp_path / "none.json"), "--owner", "ana", code=2)
    assert "a JSON object is wanted, not list" in shell(
        "profile", "set", "user", "-", "--owner", "ana", piped="[]", code=2
    )
    assert "cannot read" in shell("profile", "set", "user", "-", "--owner", "ana", piped=b"\xff\xfe\xff", code=2)
    assert shell("profile", "patch", "home", "{}", "--owner", "ana", code=2)


def test_entries_are_shown_in_words(shell: Shell) -> None:
    patch = {"people": [{"name": "李雷", "role": "朋友"}, {"name": "Ola"}]}
    shell("profile", "patch", "user", json.dumps(patch), "--owner", "ana")
    assert "李雷 朋友, Ola" in shell("profile", "show", "user")
