"""Who is asking: tokens, JSON web tokens, and one person on this machine."""

from __future__ import annotations

import asyncio
import base64
import json
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import httpx
import jwt
import pytest
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from jwt.algorithms import ECAlgorithm, RSAAlgorithm

from memory_middleware import ConfigError, SchemaError
from memory_middleware_rest import BearerTokens, JwtBearer, hash_token, insecure_single_user, new_token
from memory_middleware_rest.auth.bearer import EitherBearer
from memory_middleware_rest.auth.key_sets import KeySet
from memory_middleware_rest.auth.single import is_loopback
from memory_middleware_rest.problems import ProblemError
from tests.rest.live import Live, live, token_of, tokens

SECRET = "a secret of more than sixty-four bytes, which is enough for all of them"
CLAIMS = {"aud": "memory", "iss": "https://id.example", "sub": "ana"}
SIGNER = rsa.generate_private_key(65537, 2048)
CURVE = ec.generate_private_key(ec.SECP256R1())


def signed(key: Any = SECRET, algorithm: str = "HS256", headers: Any = None, **changes: Any) -> str:
    claims = {**CLAIMS, "exp": int(time.time()) + 60, **changes}
    return jwt.encode({name: one for name, one in claims.items() if one is not None}, key, algorithm, headers)


def key_of(key: Any, kid: str, algorithm: Any = RSAAlgorithm) -> dict[str, Any]:
    return {**json.loads(algorithm.to_jwk(key.public_key())), "kid": kid, "use": "sig"}


def bearer(**more: Any) -> JwtBearer:
    options = {"audience": "memory", "issuer": "https://id.example", "secret": SECRET, **more}
    return JwtBearer(**options)


def owner_of(auth: Any, token: str) -> str:
    found: str = asyncio.run(auth.owner_of(token))
    return found


def unsigned() -> str:
    def part(value: Any) -> str:
        return base64.urlsafe_b64encode(json.dumps(value).encode()).rstrip(b"=").decode()

    return f"{part({'alg': 'none', 'typ': 'JWT'})}.{part({**CLAIMS, 'exp': int(time.time()) + 60})}."


@pytest.mark.parametrize(
    "header",
    [None, "", "Bearer", "Basic YW5hOmFuYQ==", "Bearer wrong", f"bearer{token_of('ana')}", "Bearer \xff"],
)
def test_without_a_known_token_nobody_is_known(header: str | None, shared: Live) -> None:
    headers = {} if header is None else {b"Authorization": header.encode("latin-1")}
    answer = httpx.get(f"{shared.url}/api/v1/memories", headers=headers)
    assert answer.status_code == 401
    assert answer.headers["content-type"] == "application/problem+json"
    assert answer.headers["www-authenticate"].startswith("Bearer")


def test_a_token_opens_every_route_and_no_token_none(tmp_path: Path) -> None:
    with live(tmp_path) as served:
        described = httpx.get(f"{served.url}/api/v1/openapi.json").json()
        for path, operations in described["paths"].items():
            for method in operations:
                answer = httpx.request(method, served.url + path.replace("{kind}", "user"), json={})
                public = path.rpartition("/")[2] in ("health", "ready")
                assert answer.status_code == (200 if public else 401), (method, path)


def test_the_word_bearer_may_be_written_in_any_case(tmp_path: Path) -> None:
    with live(tmp_path) as served:
        headers = {"Authorization": f"bEARER  {token_of('bob')}"}
        assert httpx.get(f"{served.url}/api/v1/stats", headers=headers).json()["owner_id"] == "bob"


@pytest.mark.parametrize("scheme", ["sha256", "scrypt"])
def test_a_hashed_token_is_known(scheme: Any) -> None:
    token = new_token()
    hashed = hash_token(token, scheme=scheme)
    assert token not in hashed
    auth = BearerTokens({hash_token("another", scheme=scheme): "bob", hashed: "ana"})
    assert owner_of(auth, token) == "ana"
    assert owner_of(auth, token) == "ana"
    for wrong in (token[:-1], "", "\udcff"):
        with pytest.raises(ProblemError):
            owner_of(auth, wrong)


def test_guesses_are_remembered_within_bounds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("memory_middleware_rest.auth.tokens._MOST_KNOWN", 2)
    auth = BearerTokens({hash_token("ana's", scheme="scrypt"): "ana"})

    async def all_at_once() -> list[Any]:
        guesses = ["a", "a", "b", "c", "ana's"]
        return await asyncio.gather(*(auth.owner_of(guess) for guess in guesses), return_exceptions=True)

    assert asyncio.run(all_at_once())[-1] == "ana"
    assert len(auth._known) <= 2


@pytest.mark.parametrize(
    "hashed", ["plain", "sha256:12", "scrypt:9:" + "0" * 32 + ":" + "0" * 64, "scrypt:21:" + "0" * 32 + ":" + "0" * 64]
)
def test_what_is_no_hash_is_refused(hashed: str) -> None:
    with pytest.raises(ConfigError, match=r"tokens\[0\]\.hash"):
        BearerTokens({hashed: "ana"})


def test_tokens_must_be_named() -> None:
    with pytest.raises(ConfigError, match="at least one token"):
        BearerTokens({})


def test_a_json_web_token_names_the_owner(tmp_path: Path) -> None:
    with live(tmp_path, auth=bearer()) as served:
        answer = httpx.get(f"{served.url}/api/v1/stats", headers={"Authorization": f"Bearer {signed()}"})
        assert answer.json()["owner_id"] == "ana"
        late = signed(exp=int(time.time()) - 1)
        refused = httpx.get(f"{served.url}/api/v1/stats", headers={"Authorization": f"Bearer {late}"})
        assert refused.status_code == 401
        assert refused.json()["detail"] == "the token has expired"
        assert refused.headers["www-authenticate"] == 'Bearer error="invalid_token"'


@pytest.mark.parametrize(
    "token",
    [
        signed(exp=None),
        signed(exp=1),
        signed(aud="other"),
        signed(aud=None),
        signed(iss="https://evil.example"),
        signed(iss=None),
        signed(sub=None),
        signed(sub=""),
        signed(sub=7),
        signed(sub=["ana"]),
        signed(nbf=int(time.time()) + 600),
        signed("another secret of more than thirty-two bytes"),
        signed(SECRET, "HS512"),
        signed(SIGNER, "RS256"),
        unsigned(),
        unsigned() + "x",
        "a.b.c",
        "a",
        signed()[:-2],
    ],
    ids=[
        "no end",
        "expired",
        "for others",
        "for nobody",
        "from others",
        "from nobody",
        "no owner",
        "empty owner",
        "a number",
        "a list",
        "not yet",
        "wrong secret",
        "other algorithm",
        "other kind of key",
        "unsigned",
        "unsigned with something",
        "nonsense",
        "a letter",
        "cut off",
    ],
)
def test_a_json_web_token_that_does_not_fit_is_nobodys(token: str) -> None:
    with pytest.raises(ProblemError) as caught:
        owner_of(bearer(), token)
    assert caught.value.status_code == 401


def test_clocks_may_differ_as_far_as_allowed() -> None:
    assert owner_of(bearer(leeway=30), signed(exp=int(time.time()) - 5)) == "ana"
    assert owner_of(bearer(owner_claim="email"), signed(email="ana@example.org")) == "ana@example.org"


def test_keys_are_taken_from_a_file(tmp_path: Path) -> None:
    file = tmp_path / "keys.json"
    listed = [key_of(SIGNER, "one"), {"kty": "oct", "k": "AA", "kid": "two"}, {"kty": "??"}, "nonsense"]
    file.write_text(json.dumps({"keys": listed}), encoding="utf-8")
    auth = bearer(secret=None, jwks=str(file))
    assert owner_of(auth, signed(SIGNER, "RS256", {"kid": "one"})) == "ana"
    assert owner_of(auth, signed(SIGNER, "RS256")) == "ana", "there is one key only"
    other = rsa.generate_private_key(65537, 2048)
    public = key_of(SIGNER, "one")["n"]
    for wrong in (
        signed(other, "RS256", {"kid": "one"}),
        signed(SIGNER, "RS256", {"kid": "unknown"}),
        signed(SIGNER, "RS512", {"kid": "one"}),
        signed(public, "HS256", {"kid": "one"}),
        unsigned(),
        "nonsense",
    ):
        with pytest.raises(ProblemError) as caught:
            owner_of(auth, wrong)
        assert caught.value.status_code == 401


def test_a_new_key_is_found_after_a_pause(tmp_path: Path) -> None:
    file, now = tmp_path / "keys.json", [0.0]
    file.write_text(json.dumps({"keys": [key_of(SIGNER, "one")]}), encoding="utf-8")
    keys = KeySet(file, pause=30, lifetime=1000, clock=lambda: now[0])
    auth = bearer(secret=None, jwks=keys)
    assert keys.key("one") is not None
    file.write_text(json.dumps({"keys": [key_of(SIGNER, "one"), key_of(CURVE, "two", ECAlgorithm)]}), encoding="utf-8")
    token = signed(CURVE, "ES256", {"kid": "two"})
    with pytest.raises(ProblemError):
        owner_of(auth, token)
    now[0] = 31.0
    assert owner_of(auth, token) == "ana"
    assert keys.key(None) is None, "which of the two is not said"
    file.write_text(json.dumps({"keys": []}), encoding="utf-8")
    assert keys.key("one") is not None
    now[0] = 2000.0
    assert keys.key("one") is None


@pytest.mark.parametrize("text", ["[]", "{}", "nonsense"])
def test_keys_that_cannot_be_read_are_not_the_callers_fault(text: str, tmp_path: Path) -> None:
    file = tmp_path / "keys.json"
    file.write_text(text, encoding="utf-8")
    for source in (file, tmp_path / "missing.json"):
        with pytest.raises(ProblemError) as caught:
            owner_of(bearer(secret=None, jwks=source), signed(SIGNER, "RS256", {"kid": "one"}))
        assert caught.value.status_code == 503


@contextmanager
def published(text: str) -> Iterator[str]:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.end_headers()
            self.wfile.write(text.encode())

        def log_message(self, *_told: Any) -> None:
            return

    with HTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}/keys"
        server.shutdown()
        thread.join()


def test_keys_are_taken_from_an_address() -> None:
    with published(json.dumps({"keys": [key_of(SIGNER, "one")]})) as address:
        auth = bearer(secret=None, jwks=address)
        assert owner_of(auth, signed(SIGNER, "RS256", {"kid": "one"})) == "ana"


def test_keys_do_not_come_unprotected_from_elsewhere() -> None:
    with pytest.raises(ConfigError, match="https"):
        KeySet("http://id.example/keys")


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"secret": None}, "either a secret or a key set"),
        ({"jwks": "keys.json"}, "either a secret or a key set"),
        ({"secret": "short"}, "32 bytes"),
        ({"secret": "x" * 63, "algorithms": ["HS256", "HS512"]}, "64 bytes"),
        ({"algorithms": ["none"]}, "'none'"),
        ({"algorithms": ["RS256"]}, "'RS256'"),
        ({"algorithms": []}, "not none"),
        ({"secret": None, "jwks": "keys.json", "algorithms": ["HS256"]}, "'HS256'"),
    ],
    ids=str,
)
def test_a_wrong_setting_of_web_tokens_is_told(options: Any, told: str) -> None:
    with pytest.raises(ConfigError, match=told):
        bearer(**options)


def test_both_kinds_of_tokens_can_be_taken() -> None:
    auth = EitherBearer(tokens("bob"), bearer())
    assert owner_of(auth, token_of("bob")) == "bob"
    assert owner_of(auth, signed()) == "ana"
    with pytest.raises(ProblemError):
        owner_of(auth, "nobody's")


@pytest.mark.parametrize("owner", [None, "", 7, "\ud800"], ids=repr)
def test_an_authentication_that_names_nobody_is_refused(owner: Any, tmp_path: Path) -> None:
    with live(tmp_path, auth=lambda: owner) as served:
        assert served.ana.get("/memories").status_code == 401


def test_one_person_on_this_machine_needs_no_token(tmp_path: Path) -> None:
    with live(tmp_path, auth=insecure_single_user("me")) as served:
        assert httpx.get(f"{served.url}/api/v1/stats").json()["owner_id"] == "me"
        local = {"Origin": served.url}
        assert httpx.get(f"{served.url}/api/v1/stats", headers=local).status_code == 200


@pytest.mark.parametrize(
    "headers",
    [
        {"Host": "evil.example"},
        {"Host": "127.0.0.1.evil.example"},
        {"Origin": "https://evil.example"},
        {"Origin": "null"},
        {"Host": "[::"},
    ],
    ids=str,
)
def test_a_page_elsewhere_cannot_ask_through_the_browser(headers: Any, tmp_path: Path) -> None:
    with live(tmp_path, auth=insecure_single_user("me")) as served:
        answer = httpx.post(f"{served.url}/api/v1/forget", json={"everything": True}, headers=headers)
        assert answer.status_code == 403
        assert answer.headers["content-type"] == "application/problem+json"


@pytest.mark.parametrize(
    ("host", "local"),
    [
        ("127.0.0.1", True),
        ("127.8.9.1", True),
        ("localhost", True),
        ("LOCALHOST.", True),
        ("::1", True),
        ("[::1]", True),
        ("0.0.0.0", False),
        ("::", False),
        ("192.168.0.4", False),
        ("example.org", False),
        ("", False),
    ],
)
def test_loopback_is_this_machine_and_nothing_else(host: str, local: bool) -> None:
    assert is_loopback(host) is local
    if local:
        insecure_single_user("me").check_binding(host)
    else:
        with pytest.raises(ConfigError, match="without authentication"):
            insecure_single_user("me").check_binding(host)


def test_one_person_has_a_name() -> None:
    with pytest.raises(SchemaError):
        insecure_single_user("")
