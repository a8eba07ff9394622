# symcontact_ros without a ROS 2 distribution (or with one: source it first).
# `make` lists what there is.

PYTHON ?= python3
VENV ?= .venv
MODEL ?= bouncing_circle
DURATION ?=
VIEW ?=
DETECTOR ?=
PYTEST_ARGS ?=
ONLY ?=
COLD ?=
QUICK ?=
WORKERS ?= auto

BIN := $(VENV)/bin
# An environment keeps its Python, unless one is named: make run PYTHON=python3.12
BOOTSTRAP = $(PYTHON) tools/bootstrap.py $(VENV) $(if $(filter file,$(origin PYTHON)),,--this-python)
PYTEST = $(BIN)/python -m pytest -n $(WORKERS) --maxprocesses 4 $(if $(COLD),--cold)
# This simulator talks to this machine only, unless told otherwise.
export ROS_AUTOMATIC_DISCOVERY_RANGE ?= LOCALHOST

define NEED_PYTHON
@command -v $(PYTHON) >/dev/null 2>&1 || { echo 'setup: $(PYTHON) not found: install Python 3.10 to 3.13 (Debian, Ubuntu: apt install python3 python3-venv) or name one, e.g. make run PYTHON=python3.11' >&2; exit 1; }
endef

.PHONY: help setup setup-dev run demo quick test test-deep lint benchmarks validation pictures paper zoo docs clean

help:
	@echo 'make run     run a scenario as a ROS 2 node: MODEL=bouncing_circle DURATION=5 DETECTOR=sat VIEW=1'
	@echo 'make demo    balance a pole between walls, and change it in a page'
	@echo 'make test    run the tests; PYTEST_ARGS="-k name" for some of them, WORKERS=1 for one at a time,'
	@echo '             COLD=1 with an empty cache of compiled code'
	@echo 'make quick   ruff, and the short tests of every part'
	@echo 'make setup   only prepare $(VENV) (included in the commands above)'
	@echo 'make test-deep   every night: also the long runs, all random cases, the fast code; begins with an empty cache'
	@echo 'make lint    ruff and mypy'
	@echo 'make benchmarks   measure beside peers and write docs/benchmarks.md (11 minutes); ONLY=articulated, QUICK=1'
	@echo 'make validation   run the physics cases and write docs/validation.md'
	@echo 'make pictures   draw every picture of README and docs (10 minutes)'
	@echo 'make paper   run, draw and measure the paper, and write docs/paper.md (4 minutes)'
	@echo 'make zoo     load and run every robot of two packages and write docs/zoo.md (half an hour)'
	@echo 'make docs    build the documentation as pages in build/docs, which need no network'
	@echo 'make clean   remove $(VENV) and build artefacts'

setup:
	$(NEED_PYTHON)
	@$(BOOTSTRAP)

setup-dev:
	$(NEED_PYTHON)
	@$(BOOTSTRAP) --dev

run: setup
	@$(BIN)/symcontact node $(MODEL) $(if $(DURATION),--duration $(DURATION)) $(if $(DETECTOR),--detector $(DETECTOR)) $(if $(VIEW),--view)

demo: setup
	@$(BIN)/symcontact demo

quick: setup-dev
	@$(BIN)/ruff check --quiet . && $(BIN)/ruff format --quiet --check .
	@$(PYTEST) -m 'quick and not deep' $(PYTEST_ARGS)

test: setup-dev
	@$(PYTEST) -m 'not deep' $(PYTEST_ARGS)

test-deep: setup-dev
	@SYMCONTACT_TEST_CASES=all $(PYTEST) --cold $(PYTEST_ARGS)

lint: setup-dev
	@$(BIN)/ruff check . && $(BIN)/ruff format --check . && $(BIN)/mypy

benchmarks: setup-dev
	@$(BIN)/python tools/benchmarks_page.py $(if $(ONLY),--only $(ONLY)) $(if $(QUICK),--quick)

validation: setup-dev
	@$(BIN)/python tools/validation.py

pictures: setup-dev
	@$(BIN)/python tools/pictures.py

paper: setup-dev
	@$(BIN)/python tools/paper.py

zoo: setup-dev
	@$(BIN)/python tools/zoo.py

docs: setup-dev
	@$(BIN)/python tools/docs.py

clean:
	rm -rf $(VENV) build install log *.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis .nox
