# gieok: every command of the project. `make` alone lists them.
.DEFAULT_GOAL := help
PYTHON ?= python3
BIN := .venv/bin
export PIP_DISABLE_PIP_VERSION_CHECK := 1

.PHONY: help demo test check format lint types imports docs bench sim mutants lock assets images clean

help: ## list the commands
	@grep -hE '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 12

demo: .venv/ready-local ## two people over three days and two devices, without any key
	@$(BIN)/gieok demo

test: .venv/ready-dev ## every test, on a real PostgreSQL that starts by itself
	OPENBLAS_NUM_THREADS=1 $(BIN)/pytest -n 3 --dist worksteal $(ARGS)

check: format lint types imports test ## what must be clean before a commit

format: .venv/ready-dev ## formatting as it should be
	$(BIN)/ruff format --check --no-cache .

lint: .venv/ready-dev ## ruff, every rule
	$(BIN)/ruff check --no-cache .

types: .venv/ready-dev ## basedpyright, strict over src
	$(BIN)/basedpyright

imports: .venv/ready-dev ## the layers of the house
	$(BIN)/lint-imports

bench: .venv/ready-bench ## measurements, against peers and floors, in one run
	$(BIN)/python bench/run.py $(ARGS)

.PHONY: client
client: .venv/ready-dev ## the JavaScript client's types anew, from the server's OpenAPI
	$(BIN)/python clients/js/generate_types.py
	npm install --prefix clients/js --no-package-lock --no-audit --no-fund --silent
	npm run --prefix clients/js --silent types

SEEDS ?= 2000
FIRST ?= 1
sim: .venv/ready-dev ## histories of devices from seeds: make sim SEEDS=200000 FIRST=1
	cd tests/simulation && ../../$(BIN)/python simulation.py $(SEEDS) $(FIRST)

mutants: .venv/ready-dev ## rules of sync left out one by one: does the simulation notice?
	cd tests/simulation && ../../$(BIN)/python mutants.py

lock: .venv/ready-dev ## compile requirements/*.txt anew, with hashes
	for extra in local dev bench; do \
	  $(BIN)/pip-compile --quiet --extra $$extra --generate-hashes --strip-extras \
	    --no-emit-index-url --no-emit-trusted-host --no-emit-options --no-header \
	    --no-emit-find-links --unsafe-package gieok -o requirements/$$extra.txt pyproject.toml; \
	done

PICO := 2.1.1
AXE := 4.14.1
STYLES := src/gieok/surfaces/pages/static
assets: ## fetch the pages' stylesheet and the tests' axe from npm again, and check them
	dir=$$(mktemp -d) && (cd $$dir && npm pack --silent @picocss/pico@$(PICO) axe-core@$(AXE)) && \
	tar xzOf $$dir/picocss-pico-$(PICO).tgz package/css/pico.min.css > $(STYLES)/pico.min.css && \
	tar xzOf $$dir/picocss-pico-$(PICO).tgz package/LICENSE.md > $(STYLES)/pico.LICENSE.md && \
	tar xzOf $$dir/axe-core-$(AXE).tgz package/axe.min.js > tests/support/axe/axe.min.js && \
	tar xzOf $$dir/axe-core-$(AXE).tgz package/LICENSE > tests/support/axe/LICENSE && rm -r $$dir
	cd $(STYLES) && sha256sum --check --quiet SHA256SUMS
	cd tests/support/axe && sha256sum --check --quiet SHA256SUMS

images: .venv/ready-dev ## take the documentation's pictures of the pages again
	GIEOK_IMAGES=1 $(BIN)/pytest -q tests/integration/surfaces/pages/test_pages_images.py

clean: ## remove the environment and caches
	rm -rf .venv .pytest_cache .ruff_cache .hypothesis .import_linter_cache

.venv/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
	  || { echo "gieok needs Python 3.11 or newer; set PYTHON=/path/to/python3"; exit 1; }
	$(PYTHON) -m venv .venv

.venv/ready-%: requirements/%.txt .venv/bin/python
	$(BIN)/python -m pip install --quiet --require-hashes -r $<
	$(BIN)/python -m pip install --quiet --no-deps -e .
	@touch $@
