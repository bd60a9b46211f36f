# Every target prepares its own environment, in .venv and for the extension in node_modules; nothing
# needs to be installed by hand.

PYTHON ?= python3
BIN := .venv/bin
READY := .venv/.installed
EXTENSION := language/editors/vscode
EXTENSION_READY := $(EXTENSION)/node_modules/.installed
# Only what is not installed yet needs it; without npm itself the extension's tests fail.
REGISTRY_IS_AWAY = [ ! -e $(EXTENSION_READY) ] && command -v npm > /dev/null && \
	! npm ping --prefix $(EXTENSION) --fetch-retries=0 --fetch-timeout=20000 > /dev/null 2>&1
EXAMPLES := $(sort $(wildcard examples/*/*.phe))
MARITIME := examples/maritime
AREAS := $(MARITIME)/areas/areas.geojson $(MARITIME)/areas/points.csv
# What the timelines of the demo are about.
SHOWN := disappeared_in_area fishing_in_closed_area fishing_voyage gap loitering low_speed moored \
	rendezvous suspicious_rendezvous trawling trip tugging underway
SHOW = $(BIN)/phenesthe show build/maritime.jsonl --times iso --only $(SHOWN) --args

.PHONY: demo test check vscode soak bench docs clean

## demo: a day of simulated traffic on local Spark: what vessels did, and how much of it is recognised
demo: $(READY)
	$(BIN)/phenesthe check $(EXAMPLES)
	@mkdir -p build
	$(BIN)/phenesthe ais prepare $(MARITIME)/data/ais.csv.gz --areas $(AREAS) --output build/ais --overwrite
	$(BIN)/phenesthe run maritime.all --input build/ais --output build/maritime.jsonl --overwrite --only $$($(BIN)/python -m examples.maritime names)
	$(BIN)/python -m examples.maritime evaluate --truth $(MARITIME)/data/truth.jsonl --results build/maritime.jsonl
	@echo 'a trawler that switches its transmitter off in a closed area:'
	@$(SHOW) 227990022
	@echo 'a ship that meets another one, which falls silent there:'
	@$(SHOW) 227990005
	@echo 'a tug at work:'
	@$(SHOW) 227990003
	@echo 'ten days that nothing was tuned on, at the nominal noise and at twice as much:'
	$(BIN)/python -m examples.maritime evaluate --noise 1 2 --brief
	@echo 'more: $(MARITIME)/README.md; all levels of noise: $(BIN)/python -m examples.maritime evaluate'

## test: the tests only
test: $(READY)
	$(BIN)/python -m pytest -n auto --dist loadgroup

## check: what continuous integration runs
check: $(READY)
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/python -m pytest -n auto --dist loadgroup
	@if $(REGISTRY_IS_AWAY); then echo 'SKIPPED the extension for Visual Studio Code: the registry of npm cannot be reached'; \
	else $(MAKE) --no-print-directory vscode; fi

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
	find phenesthe tests examples -name __pycache__ -type d -prune -exec rm -rf {} +
