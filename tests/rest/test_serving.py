"""Settings of a server, and running one."""

from __future__ import annotations

import contextlib
import socket
import threading
from pathlib import Path
from typing import Any

import httpx
import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient
from starlette.authentication import AuthCredentials, AuthenticationBackend, BaseUser, SimpleUser
from starlette.middleware.authentication import AuthenticationMiddleware

from memory_middleware import ConfigError, Memory, MemoryDir, MemoryMiddlewareError
from memory_middleware_rest import ServerConfig, app_of, hash_token, memory_router, serve, server_of
from memory_middleware_rest.auth import BearerTokens, JwtBearer, SingleUser
from memory_middleware_rest.auth.bearer import EitherBearer
from memory_middleware_rest.serving import listen, url_of

HASHED = hash_token("ana's token")
JWT = {"audience": "memory", "issuer": "https://id.example", "secret": "x" * 32}


def test_settings_are_read_from_yaml(tmp_path: Path) -> None:
    file = tmp_path / "server.yaml"
    file.write_text(
        f"""
host: 0.0.0.0
port: 9000
tokens:
  - owner: ana
    hash: {HASHED}
limits: {{rate: 10, burst: 20, page_size: 50}}
require_match: true
notes: {{path: {tmp_path / "notes"}}}
""",
        encoding="utf-8",
    )
    config = ServerConfig.from_yaml(file)
    assert (config.host, config.port, config.limits.page_size) == ("0.0.0.0", 9000, 50)
    assert isinstance(config.authentication(), BearerTokens)
    assert config.require_match


@pytest.mark.parametrize(
    ("data", "told"),
    [
        ({}, "say who may ask"),
        ({"insecure_single_user": "ana", "tokens": [{"owner": "ana", "hash": HASHED}]}, "say who may ask"),
        ({"insecure_single_user": "ana", "prot": 1}, "did you mean 'port'"),
        ({"insecure_single_user": "ana", "port": 70000}, "^port: "),
        ({"insecure_single_user": "ana", "limits": {"rate": -1}}, r"^limits\.rate: "),
        ({"jwt": {"audience": "memory"}}, r"^jwt\.issuer: "),
        ({"tokens": [{"owner": "", "hash": HASHED}]}, r"^tokens\[0\]\.owner: "),
        ([], "expected mapping"),
    ],
    ids=str,
)
def test_a_wrong_setting_is_told_with_its_place(data: Any, told: str) -> None:
    with pytest.raises(ConfigError, match=told):
        ServerConfig.from_dict(data)


@pytest.mark.parametrize("text", ["a: 1\na: 2\n", "a: [\n"], ids=["twice", "no YAML"])
def test_a_file_that_cannot_be_read_is_told(text: str, tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="not valid YAML"):
        ServerConfig.from_yaml(text)
    with pytest.raises(ConfigError, match="cannot read"):
        ServerConfig.from_yaml(tmp_path / "missing.yaml")


def test_a_secret_does_not_show_in_an_error() -> None:
    with pytest.raises(ConfigError) as caught:
        ServerConfig.from_dict({"jwt": {**JWT, "leeway": 1000}})
    assert "xxxx" not in str(caught.value)
    assert "xxxx" not in str(caught.value.__cause__)


def test_each_way_to_know_who_asks_can_be_set() -> None:
    assert isinstance(ServerConfig(insecure_single_user="ana").authentication(), SingleUser)
    assert isinstance(ServerConfig(jwt=JWT).authentication(), JwtBearer)
    both = ServerConfig(jwt=JWT, tokens=[{"owner": "ana", "hash": HASHED}])
    assert isinstance(both.authentication(), EitherBearer)


def test_notes_are_kept_apart_or_shared(tmp_path: Path) -> None:
    apart = ServerConfig(insecure_single_user="ana", notes={"path": str(tmp_path)}).notes_of()
    assert callable(apart)
    folders = {found.path for owner in ("Ana", "ana", "../ana", "安娜", "a" * 500) if (found := apart(owner))}
    assert len({str(folder).lower() for folder in folders}) == 5
    assert {folder.parent for folder in folders} == {tmp_path.resolve()}
    shared = ServerConfig(insecure_single_user="ana", notes={"path": str(tmp_path), "shared": True}).notes_of()
    assert isinstance(shared, MemoryDir)
    assert ServerConfig(insecure_single_user="ana").notes_of() is None


def test_without_authentication_only_this_machine_is_served(tmp_path: Path) -> None:
    with Memory.open(tmp_path) as memory:
        for host in ("0.0.0.0", "::", "192.168.0.1", "example.org"):
            with pytest.raises(ConfigError, match="without authentication"):
                serve(memory, ServerConfig(insecure_single_user="ana", host=host))


def test_a_configured_server_runs(tmp_path: Path) -> None:
    with Memory.open(tmp_path / "memory") as memory:
        place = socket.socket()
        place.bind(("127.0.0.1", 0))
        port = place.getsockname()[1]
        place.close()
        config = ServerConfig(tokens=[{"owner": "ana", "hash": HASHED}], port=port)
        server = server_of(app_of(memory, config), config)
        thread = threading.Thread(target=server.run)
        thread.start()
        try:
            while not server.started:
                threading.Event().wait(0.005)
            answer = httpx.get(f"http://127.0.0.1:{port}/api/v1/stats", headers={"Authorization": "Bearer ana's token"})
            assert answer.json()["owner_id"] == "ana"
            assert "server" not in answer.headers
        finally:
            server.should_exit = True
            thread.join()


def test_a_port_in_use_is_told_with_the_remedy(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken, Memory.open(tmp_path) as memory:
        port = taken.getsockname()[1]
        config = ServerConfig(insecure_single_user="ana", port=port)
        with pytest.raises(
            MemoryMiddlewareError,
            match=f"^cannot listen on 127.0.0.1:{port}: address in use; choose another with port$",
        ):
            serve(memory, config)


def test_an_address_that_is_not_of_this_machine_is_told() -> None:
    config = ServerConfig(tokens=[{"owner": "ana", "hash": HASHED}], host="192.0.2.1", port=0)
    with pytest.raises(MemoryMiddlewareError, match="^cannot listen on 192.0.2.1:0: .*; choose another with --host$"):
        listen(config, option="--{}")


@pytest.mark.parametrize("hosts", [("127.0.0.1", "192.0.2.1"), ("192.0.2.1", "127.0.0.1")], ids=["last", "first"])
def test_one_address_of_a_name_may_be_missing(hosts: tuple[str, ...], monkeypatch: pytest.MonkeyPatch) -> None:
    found = [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (host, 0)) for host in hosts]
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_given, **_more: found)
    [one] = listen(ServerConfig(insecure_single_user="ana", host="localhost", port=0))
    with one:
        assert one.getsockname()[0] == "127.0.0.1"


def test_a_name_in_use_at_one_of_its_addresses_is_in_use(monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        found = [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (host, port)) for host in ("127.0.0.2", "127.0.0.1")]
        monkeypatch.setattr(socket, "getaddrinfo", lambda *_given, **_more: found)
        with pytest.raises(MemoryMiddlewareError, match="address in use"):
            listen(ServerConfig(insecure_single_user="ana", host="localhost", port=port))


def test_a_host_that_nobody_knows_is_told() -> None:
    config = ServerConfig(tokens=[{"owner": "ana", "hash": HASHED}], host="not a host", port=0)
    with pytest.raises(MemoryMiddlewareError, match="^cannot listen on not a host:0: .*; choose another with host$"):
        listen(config)


def test_a_free_port_is_taken_and_told() -> None:
    with contextlib.ExitStack() as held:
        sockets = [held.enter_context(one) for one in listen(ServerConfig(insecure_single_user="ana", port=0))]
        port = sockets[0].getsockname()[1]
        assert port > 0
        assert url_of("127.0.0.1", sockets) == f"http://127.0.0.1:{port}"
        assert url_of("::1", sockets) == f"http://[::1]:{port}"


class Known(BaseUser):
    def __init__(self, name: str) -> None:
        self._name = name

    @property
    def is_authenticated(self) -> bool:
        return True

    @property
    def identity(self) -> str:
        return self._name


class Unnamed(Known):
    username = "old style"

    @property
    def identity(self) -> str:
        raise NotImplementedError


class Backend(AuthenticationBackend):
    async def authenticate(self, conn: Any) -> Any:
        name = conn.headers.get("x-user")
        if not name:
            return None
        return AuthCredentials(), _USERS.get(name, Known)(name)


_USERS: dict[str, Any] = {"simple": SimpleUser, "unnamed": Unnamed}


def test_the_routes_live_in_another_app_with_its_own_users(tmp_path: Path) -> None:
    app = FastAPI()
    app.add_middleware(AuthenticationMiddleware, backend=Backend())
    with Memory.open(tmp_path) as memory:
        app.include_router(memory_router(memory))
        inner = memory_router(memory, auth=lambda: "admin", prefix="/inner")
        app.include_router(inner, prefix="/nested", include_in_schema=False)
        with TestClient(app) as client:
            assert client.get("/api/v1/stats").status_code == 401
            assert client.get("/api/v1/stats", headers={"X-User": "ana"}).json()["owner_id"] == "ana"
            assert client.get("/api/v1/stats", headers={"X-User": "simple"}).json()["owner_id"] == "simple"
            assert client.get("/api/v1/stats", headers={"X-User": "unnamed"}).json()["owner_id"] == "old style"
            assert client.get("/nested/inner/stats").json()["owner_id"] == "admin"
            missing = client.get("/api/v1/records/a%2Fb", headers={"X-User": "ana"})
            assert missing.headers["content-type"] == "application/problem+json"
            assert missing.json()["detail"] == "there is no record 'a/b'"
            refused = client.delete("/nested/inner/memories/user")
            assert (refused.status_code, refused.headers["allow"]) == (405, "GET, PATCH, PUT")
            assert client.get("/openapi.json").status_code == 200


def test_without_users_of_its_own_the_other_app_serves_nobody(tmp_path: Path) -> None:
    app = FastAPI()
    with Memory.open(tmp_path) as memory:
        app.include_router(memory_router(memory))
        with TestClient(app) as client:
            assert client.get("/api/v1/stats").status_code == 401
            assert client.get("/api/v1/health").status_code == 200
