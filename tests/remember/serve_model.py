"""Serves a small real model on loopback until its input is closed: ``python serve_model.py model.gguf key``."""

from __future__ import annotations

import importlib
import sys


def main() -> None:
    """Load the model, tell the address in one line, and wait."""
    xllamacpp = importlib.import_module("xllamacpp")
    settings = xllamacpp.CommonParams()
    settings.model.path, settings.api_keys = sys.argv[1], [sys.argv[2]]
    settings.model_alias = {"small"}
    settings.hostnames, settings.port = ["127.0.0.1"], 0
    settings.n_ctx, settings.n_parallel = 4096, 1
    # More threads than free cores wait for each other by spinning.
    settings.cpuparams.n_threads = settings.cpuparams_batch.n_threads = 1
    settings.use_jinja, settings.ui, settings.offline, settings.verbosity = True, False, True, 0
    server = xllamacpp.Server(settings)
    sys.stdout.write(f"{server.listening_address}/v1\n")
    sys.stdout.flush()
    sys.stdin.read()


if __name__ == "__main__":
    main()
