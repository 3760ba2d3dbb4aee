# Every target sets up what it needs (virtual environment, dependencies, a browser) and is quick the second time.
PYTHON ?= $(shell for p in python3.13 python3.12 python3.11 python3; do \
	$$p -c 'import sys, venv, ensurepip; sys.exit(not (3, 11) <= sys.version_info[:2] < (3, 14))' 2>/dev/null && echo $$p && break; done)
VENV ?= .venv
BIN := $(VENV)/bin
JOBS ?= 2

.PHONY: demo test lint format bench sweep setup programs clean

demo: setup
	$(BIN)/workalike demo

test: lint programs
	$(BIN)/pytest -n $(JOBS) -m "not sweep" --cov --cov-report=term:skip-covered --durations=10

lint: setup
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

format: setup
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

bench: setup
	$(BIN)/python -m benchmarks

sweep: setup programs
	$(BIN)/pytest -n $(JOBS) -m sweep --durations=20

setup: $(VENV)/.ready
	@$(BIN)/workalike doctor --fix --only browser --quiet

$(VENV)/.ready: pyproject.toml constraints.txt
	@test -n "$(PYTHON)" || { echo "Workalike needs Python 3.11, 3.12 or 3.13 with venv and pip; install one, or name it: make PYTHON=/path/to/python3.12"; exit 2; }
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt --editable '.[record,anthropic,hub,dev]'
	@touch $@

# The programs that some tests drive. Where they cannot be installed those tests are skipped, and say so.
PROGRAMS := xvfb xauth dbus at-spi2-core zenity mousepad x11-xkb-utils x11-xserver-utils libx11-data zip
programs: $(VENV)/.programs
$(VENV)/.programs: | $(VENV)/.ready
	@if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
		dpkg -s $(PROGRAMS) >/dev/null 2>&1 || { apt-get update >/dev/null 2>&1; \
		DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends $(PROGRAMS) >/dev/null 2>&1 \
		|| echo "some programs for tests could not be installed ($(PROGRAMS)): their tests are skipped"; }; fi
	@touch $@

clean:
	rm -rf $(VENV) .coverage htmlcov .mypy_cache .ruff_cache .pytest_cache .hypothesis
