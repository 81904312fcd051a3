# `make install` once, then the others; .ci/run does the same on a clean checkout.
PY := .venv/bin/python

.PHONY: install format lint test build conformance oldest soak
install: ## set up .venv with everything for development
	python3 -m venv .venv
	.venv/bin/pip install -q -c constraints.txt -e ".[dev]"

format: ## format the code
	$(PY) -m ruff format .
	$(PY) -m ruff check --fix .

lint: ## ruff, mypy strict, layers
	$(PY) -m ruff format --check .
	$(PY) -m ruff check .
	$(PY) -m mypy
	.venv/bin/lint-imports

test: ## all tests, with coverage
	$(PY) -m pytest -n auto --dist loadfile

conformance: ## LangGraph's own store tests, on our store
	$(PY) tests/conformance/run.py

oldest: ## the graph tests on the oldest LangGraph that is supported
	$(PY) tests/conformance/oldest.py

soak: ## kill -9 in the middle of everything, eighty times
	CRASH_ROUNDS=60 $(PY) -m pytest --no-cov tests/storage/test_robust.py -k killed

build: ## sdist and wheel
	$(PY) -m build --no-isolation
