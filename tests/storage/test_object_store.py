"""The index on an object store: a real S3 server on loopback."""

from __future__ import annotations

import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import boto3
import pytest

from memory_middleware.storage import LanceStore
from tests.storage.workers import TEXT


@pytest.fixture(scope="module")
def bucket() -> Iterator[dict[str, str]]:
    """An S3 server with one bucket; gives the options to reach it."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [sys.executable, "-m", "moto.server", "-H", "127.0.0.1", "-p", str(port)]
    server = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        for _ in range(200):
            try:
                socket.create_connection(("127.0.0.1", port), 0.2).close()
                break
            except OSError:
                time.sleep(0.1)
        access = {"aws_access_key_id": "test", "aws_secret_access_key": "test"}
        address = f"http://127.0.0.1:{port}"
        boto3.client("s3", endpoint_url=address, region_name="us-east-1", **access).create_bucket(Bucket="memory")
        yield {"endpoint": address, "allow_http": "true", "aws_region": "us-east-1", **access}
    finally:
        server.terminate()
        server.wait()


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_two_writers_share_an_index_on_s3(tmp_path: Path, bucket: dict[str, str]) -> None:
    where: dict[str, Any] = {"lance_uri": "s3://memory/index", "storage_options": bucket, "index": TEXT, "view_rows": 5}

    def write(name: str) -> None:
        with LanceStore.open(tmp_path / "memory", **where) as store:
            for at in range(15):
                store.put(("a",), f"{name}{at}", {"text": f"{name}{at} likes tea"})
                if at % 5 == 4:
                    store.flush()

    with ThreadPoolExecutor(2) as pool:
        list(pool.map(write, ("left", "right")))
    with LanceStore.open(tmp_path / "memory", **where) as store:
        assert store.fsck().clean
        assert store.fsck().items == 30
        assert [item.key for item in store.search(("a",), query="left7", limit=1)] == ["left7"]
    assert not (tmp_path / "memory" / "index").exists()
