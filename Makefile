# Every target sets up what it needs (virtual environment, dependencies, a browser) and is quick the second time.
PYTHON ?= $(shell for p in python3.13 python3.12 python3.11 python3; do \
	$$p -c 'import sys, venv, ensurepip; sys.exit(not (3, 11) <= sys.version_info[:2] < (3, 14))' 2>/dev/null && echo $$p && break; done)
VENV ?= .venv
BIN := $(VENV)/bin
# Tests at once: most of them wait for a browser or a server, so that four keep two cores busy.
JOBS ?= 4

# Tests start this package some hundred times: it need not be compiled each time, whatever the shell around says.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: demo test coverage lint format bench sweep agreement-set judge-set fresh setup programs clean

demo: setup
	$(BIN)/workalike demo

test: lint programs
	$(BIN)/pytest -n $(JOBS) --dist worksteal -m "not sweep" --durations=10

# Counting lines and branches costs a third more CPU (measured on the tests of the town), and the table some 17 s.
coverage: programs
	$(BIN)/pytest -n $(JOBS) --dist worksteal -m "not sweep" --cov --cov-report=term:skip-covered

lint: setup
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/pytest -q tests/test_layout.py
	$(call prettier,--check)

format: setup
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .
	$(call prettier,--write)

# Style sheets and scripts, by a prettier that npx fetches once; a machine that cannot have it is told so and goes on.
PRETTIER := npm_config_fetch_retries=0 npm_config_fetch_timeout=10000 npm_config_loglevel=error \
	npx --yes --prefer-offline prettier@3.10.1
prettier = @if $(PRETTIER) --version >/dev/null 2>&1; \
	then $(PRETTIER) --log-level warn $(1) $$(find src -name '*.css' -o -name '*.js'); \
	else echo "prettier cannot be had here by npx: the formatting of style sheets and scripts is left to other machines"; fi

bench: setup $(VENV)/.ray
	$(BIN)/python -m benchmarks

sweep: programs $(VENV)/.ray
	@$(BIN)/python -m tests.programs --swept
	$(BIN)/pytest -n 2 --dist worksteal -m sweep --durations=20

# A set to measure judges on, made in the browser (an hour or more; goes on where it stopped), and a smaller one of it
# for a judge, with the truth apart.
agreement-set: setup
	$(BIN)/workalike agreement-set --out runs/agreement-set

judge-set: setup
	$(BIN)/workalike agreement-set --out runs/agreement-set --judge-set judge-set

# Both commands of the README on a machine with nothing on it; only root can make one.
fresh:
	@command -v debootstrap >/dev/null || DEBIAN_FRONTEND=noninteractive apt-get install -y -q debootstrap
	.ci/fresh

setup: $(VENV)/.ready
	@$(BIN)/workalike doctor --fix --only browser --quiet

$(VENV)/.ready: pyproject.toml constraints.txt
	@test -n "$(PYTHON)" || { echo "Workalike needs Python 3.11, 3.12 or 3.13 with venv and pip; install one, or name it: make PYTHON=/path/to/python3.12"; exit 2; }
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt --editable '.[record,anthropic,hub,dev]'
	@touch $@

# Ray takes 284 MB, so only what runs long installs it; the quick tests that need it are skipped where it is absent.
$(VENV)/.ray: constraints.txt | $(VENV)/.ready
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt --editable '.[ray]'
	@touch $@

# The programs that some tests drive (tests/programs.py lists them). Where they cannot be installed those tests are
# skipped, and say so.
programs: setup | $(VENV)/elsewhere
	@$(BIN)/python -m tests.programs

# What Windows and macOS record with runs on X, too, so tests try it there. It lies apart, since nothing on Linux may
# need it, and without evdev, which it would have compiled.
$(VENV)/elsewhere: constraints.txt | $(VENV)/.ready
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt --no-deps --upgrade \
		--target $@ pynput && touch $@ || echo "pynput could not be installed: its test is skipped"

clean:
	rm -rf $(VENV) .coverage htmlcov .mypy_cache .ruff_cache .pytest_cache .hypothesis .fresh
