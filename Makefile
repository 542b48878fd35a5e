# One entry for those who work on Scenograph; CONTRIBUTING.md says when to use which.
RUN := uv run --locked

.PHONY: check format test fast pictures bench

check: ## lint, format, types, import contracts, declared dependencies
	$(RUN) ruff check .
	$(RUN) ruff format --check .
	$(RUN) basedpyright --warnings
	$(RUN) lint-imports
	$(RUN) deptry src

format: ## mend what the linter and the formatter can
	$(RUN) ruff check --fix .
	$(RUN) ruff format .

test: ## everything, as CI runs it
	$(RUN) pytest

fast: ## what needs no server, no browser and no long search: under a minute
	$(RUN) pytest -m "not slow" -n auto

pictures: ## draw the golden scenes anew and show every picture that changed, before and after
	$(RUN) pytest tests/golden --update-golden -q
	$(RUN) scripts/review_pictures.py

bench: ## seconds of each stage; the other figures have scripts of their own in benchmarks/
	$(RUN) benchmarks/stages.py
