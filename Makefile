# Every target prepares its own environment, in .venv and for the extension in node_modules; nothing
# needs to be installed by hand.

PYTHON ?= python3
BIN := .venv/bin
READY := .venv/.installed
EXTENSION := language/editors/vscode
EXTENSION_READY := $(EXTENSION)/node_modules/.installed
EXAMPLES := $(sort $(wildcard examples/*/*.phe))

.PHONY: demo test check vscode soak bench docs clean

## demo: recognise what happened to a vessel on local Spark, the same without Spark, and draw it
demo: $(READY)
	$(BIN)/phenesthe check $(EXAMPLES)
	@mkdir -p build
	$(BIN)/phenesthe run examples/port_calls/port_calls.phe --input examples/port_calls/port_calls.sample.jsonl --output build/demo.jsonl --overwrite
	$(BIN)/phenesthe run examples/port_calls/port_calls.phe --input examples/port_calls/port_calls.sample.jsonl --output build/local.jsonl --overwrite --engine local
	cmp build/demo.jsonl build/local.jsonl
	$(BIN)/phenesthe show build/demo.jsonl

## test: the tests only
test: $(READY)
	$(BIN)/python -m pytest

## check: what continuous integration runs
check: $(READY) vscode
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/python -m pytest

## vscode: test and bundle the extension for Visual Studio Code
vscode: $(EXTENSION_READY)
	cd $(EXTENSION) && npm test && npm run build

## soak: many thousand random and broken programs
soak: $(READY)
	$(BIN)/python -m tests.soak

## bench: how long checking takes
bench: $(READY)
	$(BIN)/python -m tests.benchmarks

## docs: write the pages and pictures that are made from the code
docs: $(READY)
	$(BIN)/python -m tests.tools.write_pages
	$(BIN)/python -m tests.tools.drawings
	$(BIN)/python -m tests.tools.editor_pictures

$(READY): pyproject.toml
	$(PYTHON) -m venv .venv
	$(BIN)/pip install -q -e '.[dev]'
	touch $(READY)

$(EXTENSION_READY): $(EXTENSION)/package-lock.json
	cd $(EXTENSION) && npm ci
	touch $(EXTENSION_READY)

clean:
	rm -rf $(addprefix $(EXTENSION)/,build dist node_modules)
	rm -rf .venv build dist .mypy_cache .pytest_cache .ruff_cache .hypothesis .benchmarks
	find phenesthe tests -name __pycache__ -type d -prune -exec rm -rf {} +
