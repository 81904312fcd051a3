"""Secrets are found and taken out, and nothing else."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory_middleware.schemas.scrub import SECRET, has_secret, scrub

SECRETS = {
    "my password is hunter2, ok?": "my password is [secret], ok?",
    "密码是abc123。谢谢": "密码是[secret]。谢谢",
    "use sk-proj-abcdefghij1234567890xyz please": "use [secret] please",
    "postgres://bob:s3cret@host/db": "postgres://bob:[secret]@host/db",
    "API key: 9f8e7d6c5b4a": "API key: [secret]",
    "Authorization: Bearer abcdefghijklmnop1234": "Authorization: Bearer [secret]",
    "card 4111 1111 1111 1111 thanks": "card [secret] thanks",
    "card 5500-0055-5555-5559": "card [secret]",
    "PIN is 4821": "PIN is [secret]",
    '{"password": "x9y8z7"}': '{"password": "[secret]"}',
    "token ghp_" + "a1" * 18: "token [secret]",
    "AKIA" + "ABCDEFGH12345678 is it": "[secret] is it",
    "xoxb-123456789012-abcdef": "[secret]",
    "access token = abcdef123": "access token = [secret]",
    "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.abc-def": "[secret]",
    "-----BEGIN RSA PRIVATE KEY-----\nMIIE\nabc=\n-----END RSA PRIVATE KEY-----": "[secret]",
}
HARMLESS = [
    "the password is required",
    "my password is too short",
    "call +351 912 345 678",
    "order 1234567890123456",
    "pin 3 of the chip",
    "token limit = 2000",
    "the sk-learn library",
    "https://example.org:8080/path",
    "我的密码忘记了",
    "0000 0000 0000 0000",
    "version 1.2.3.4.5.6.7.8.9.10.11.12.13",
]


@pytest.mark.parametrize(("text", "clean"), SECRETS.items(), ids=list(SECRETS))
def test_a_secret_is_taken_out(text: str, clean: str) -> None:
    assert scrub(text) == clean
    assert has_secret(text)
    assert scrub(clean) == clean, "once is enough"


@pytest.mark.parametrize("text", HARMLESS)
def test_what_is_no_secret_stays(text: str) -> None:
    assert scrub(text) == text
    assert not has_secret(text)


@given(st.text(max_size=200), st.text(max_size=200))
def test_secrets_are_found_anywhere(before: str, after: str) -> None:
    key = "sk-" + "Zx9" * 10
    assert key not in scrub(f"{before} {key} {after}")
    assert SECRET in scrub(f"{before} {key} {after}")
