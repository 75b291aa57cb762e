PYTHON ?= $(shell ./deploy/choose_python.sh)
VENV   := .venv
BIN    := $(VENV)/bin
UV     := $(BIN)/uv
READY  := $(VENV)/.ready
SMALL  := $(VENV)/.ready-for-the-demo
LINK   := build/types/deidstream
# Three processes side by side on two cores, each on one thread: two of them mostly wait (ADR 21).
# Bytecode is kept, for tests start many processes.
TEST_PROCESSES ?= 3
PYTEST = PYTHONDONTWRITEBYTECODE= OMP_NUM_THREADS=1 $(BIN)/python -m pytest -n $(TEST_PROCESSES)
.DEFAULT_GOAL := help

.PHONY: help demo unit test fuzz nightly durations services install check lint types layers golden structure chaos chaos-defects soak bench bench-record docs sbom release audit format lists lock schemas clean

help:  ## List the targets
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | awk -F ':.*## ' '{printf "  make %-9s %s\n", $$1, $$2}'

$(UV):
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet uv==0.13.8

# The lock names every version with its hashes; --no-deps keeps the resolver out of the editable install.
# Without bytecode, each process compiles what it imports where PYTHONDONTWRITEBYTECODE is set or .venv is read-only.
$(READY) $(SMALL): export UV_COMPILE_BYTECODE = 1
$(READY): requirements.lock pyproject.toml | $(UV)
	@echo "installs the locked packages into $(VENV): 7.8 GB, one to four minutes, most of it torch"
	$(UV) pip install --quiet --python $(BIN)/python --require-hashes -r requirements.lock
	$(UV) pip install --quiet --python $(BIN)/python --no-deps -e . -e study
	@touch $@

# The same versions without torch, and so without CUDA; "make install" adds what is not there.
$(SMALL): requirements.lock pyproject.toml deploy/without-torch.txt | $(UV)
	@echo "installs into $(VENV) what the demo and the pages need: 0.5 GB, under a minute"
	$(UV) pip install --quiet --python $(BIN)/python --verify-hashes --constraints requirements.lock \
	  --override deploy/without-torch.txt -r pyproject.toml --extra demo
	$(UV) pip install --quiet --python $(BIN)/python --no-deps -e .
	@touch $@

$(LINK):  # mypy and basedpyright find deidstream.* in the checkout by this link
	@mkdir -p $(@D) && ln -sfn ../.. $@

install: $(READY)  ## Create .venv from the lock file, with all that the tests need

demo: $(or $(wildcard $(READY)),$(SMALL))  ## Run the whole service on this machine; nothing else is needed
	@$(BIN)/deidstream demo

unit: TEST_PROCESSES := 2
unit: $(READY)  ## Run the fast tests, in two minutes: for every commit
	@$(PYTEST) -m "not broker and not browser and not chaos and not helm and not nightly and not slow and not training"

test: $(READY) services  ## Run what decides about a change, on real servers: about 20 minutes
	@$(PYTEST) -m "not nightly and not training"

nightly: $(READY) services  ## Run every test with many more examples, notes and races
	@$(UV) pip install --quiet --python $(BIN)/python 'pyspark>=3.5' 'ray[data]>=2.40'  # clusters bring these: not in the lock
	@TEST_PROFILE=nightly $(PYTEST)

durations: $(READY) services  ## Record how long tests take, on a quiet machine: tests/durations.tsv
	@TEST_TIMES=tests/durations.tsv $(PYTEST) -m "not nightly and not training"

services: $(READY)  # fetches what the tests start: Kafka, Redis, PostgreSQL, Chromium with axe-core, promtool, helm
	@./deploy/services.sh

# Types are checked beside the tests: these wait a good deal.
check: lint layers  ## Run what CI runs
	@$(MAKE) --no-print-directory --jobs=2 types test

lint: $(READY)  ## Check style and formatting
	@$(BIN)/ruff check . && $(BIN)/ruff format --check .

types: $(READY) $(LINK)  ## Run mypy and basedpyright, both strict
	@nice $(BIN)/mypy && nice $(BIN)/basedpyright

layers: $(READY)  ## Check the import contracts
	@$(BIN)/lint-imports

fuzz: $(READY)  ## Fuzz what reads any bytes, for FUZZ_SECONDS (600)
	@$(UV) pip install --quiet --python $(BIN)/python --require-hashes -r tests/hostile/requirements.lock
	@mkdir -p build/fuzz/found
	@PYTHONPATH=tests $(BIN)/python tests/hostile/fuzz.py -max_total_time=$${FUZZ_SECONDS:-600} -timeout=10 -max_len=400 \
	  -artifact_prefix=build/fuzz/ build/fuzz/found tests/hostile/corpus

golden: $(READY)  ## Rewrite the recorded output of the recorded input
	@PYTHONPATH=tests $(BIN)/python -m support.recorded

structure: $(READY)  ## Print sizes, layers and wording of the source
	@$(BIN)/python benchmarks/structure.py

chaos: $(READY) services  ## Run the fault matrix with its report (ROWS=W1,K1 CHAOS_SCALE=4 RESUME=1)
	@PYTHONPATH=tests $(BIN)/python -m harness --rows "$(ROWS)" $(if $(RESUME),--resume)

chaos-defects: $(READY) services  ## Plant a defect for each invariant and see the harness catch it
	@PYTHONPATH=tests $(BIN)/python -m harness --defects --rows "$(ROWS)" --scale 0.4 --out build/chaos-defects

soak: $(READY) services  ## Run for long with faults at random, then with too much load (SOAK_MINUTES=30)
	@PYTHONPATH=tests $(BIN)/python -m harness --rows S1,S2 --jobs 1 --out build/soak

mutation: $(READY)  ## Change the verifier in every small way, and see a test fail
	@$(BIN)/python benchmarks/mutation.py

bench: $(READY)  ## Measure the path of a note by turns with the engine alone, then a whole worker
	@$(BIN)/deidstream bench
	@$(BIN)/deidstream bench --worker

bench-record: ENGINE ?= openvino
bench-record: $(READY)  ## Record the ratio that a nightly test compares with, on a quiet machine (ENGINE=torch-int8)
	@DEIDSTREAM_MODEL_ENGINE=$(ENGINE) $(BIN)/deidstream bench --most 64 --rounds 7 --json benchmarks/bench-$(ENGINE).json

docs: $(READY)  ## Build the documentation as pages: build/site/index.html
	@NO_MKDOCS_2_WARNING=true $(BIN)/mkdocs build --strict

sbom: $(READY)  ## Write what a deployment installs to build/sbom.json (CycloneDX)
	@$(BIN)/python benchmarks/sbom.py build/sbom.json

release: $(READY)  ## Build, list and sign what a release hands out: build/release (KEY=FILE)
	@./deploy/release.sh "$(KEY)"

audit: $(READY)  ## Compare the lock with published advisories, where they can be reached
	@$(BIN)/python benchmarks/advisories.py $(UV) tool run --quiet pip-audit==2.9.0

format: $(READY)  ## Rewrite with ruff what it can
	@$(BIN)/ruff check --fix-only --quiet . ; $(BIN)/ruff format --quiet .

lists: $(READY)  ## Make the lists of models/data that come from other packages
	@$(BIN)/python benchmarks/build_lists.py

schemas: $(READY)  ## Write the wire contracts to schemas/json
	@$(BIN)/deidstream schemas export

lock: $(UV)  ## Resolve the newest versions
	$(UV) pip compile --quiet --upgrade --python-version 3.11 --extra dev --generate-hashes --no-header --no-annotate --no-emit-index-url --no-emit-package deidstream --no-emit-package deidstream-study pyproject.toml -o requirements.lock

clean:  ## Remove what make has created
	rm -rf $(VENV) build .cache *.egg-info
