# `make install` once, then the others; .ci/run does the same on a clean checkout.
PY := .venv/bin/python

.PHONY: install format lint test build
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
	$(PY) -m pytest

build: ## sdist and wheel
	$(PY) -m build --no-isolation
