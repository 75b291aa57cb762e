PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
UV     := $(BIN)/uv
READY  := $(VENV)/.ready
LINK   := build/types/deidstream
.DEFAULT_GOAL := help

.PHONY: help demo test services install check lint types layers unit golden bench format lock schemas clean

help:  ## Show what each word does
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | awk -F ':.*## ' '{printf "  make %-9s %s\n", $$1, $$2}'

$(UV):
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet uv==0.13.8

# The lock names every version with its hashes; --no-deps keeps the resolver out of the editable install.
$(READY): requirements.lock pyproject.toml | $(UV)
	$(UV) pip install --quiet --python $(BIN)/python --require-hashes -r requirements.lock
	$(UV) pip install --quiet --python $(BIN)/python --no-deps -e .
	@touch $@

$(LINK):  # lets mypy and basedpyright see deidstream.* in the checkout
	@mkdir -p $(@D) && ln -sfn ../.. $@

install: $(READY)  ## Make .venv with everything that is locked

demo: $(READY)  ## Run the whole service on this machine, with nothing else installed
	@$(BIN)/deidstream demo

test: $(READY) services  ## Run every test, on real Kafka and real Redis too
	@$(BIN)/python -m pytest

services: $(READY)  # what the broker tests start: Apache Kafka's jars and a Redis server
	@./deploy/services.sh

check: lint types layers test  ## What CI runs

lint: $(READY)  ## Style and formatting
	@$(BIN)/ruff check . && $(BIN)/ruff format --check .

types: $(READY) $(LINK)  ## mypy and basedpyright, both strict
	@$(BIN)/mypy && $(BIN)/basedpyright

layers: $(READY)  ## The import contracts
	@$(BIN)/lint-imports

unit: $(READY)  ## Only the fast tests
	@$(BIN)/python -m pytest -m "not broker and not slow and not chaos"

golden: $(READY)  ## Record anew what the recorded input becomes
	@PYTHONPATH=tests $(BIN)/python -m support.recorded

bench: $(READY)  ## Throughput, latency, batch fill, event-loop lag
	@$(BIN)/python benchmarks/throughput.py

format: $(READY)  ## Let ruff rewrite what it can
	@$(BIN)/ruff check --fix-only --quiet . ; $(BIN)/ruff format --quiet .

schemas: $(READY)  ## Write the wire contracts to schemas/json
	@$(BIN)/deidstream schemas export

lock: $(UV)  ## Resolve the newest versions anew
	$(UV) pip compile --quiet --upgrade --python-version 3.11 --extra dev --generate-hashes --no-header --no-annotate --no-emit-index-url pyproject.toml -o requirements.lock

clean:  ## Remove what make has made
	rm -rf $(VENV) build .cache *.egg-info
