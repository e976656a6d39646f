# The commands of README.md and .ci/run by short names; tests/end_to_end/test_maintaining.py compares them.
.PHONY: install demo test check release site

install:
	python3 -m venv .venv && .venv/bin/pip install --quiet -e '.[test,lint]'

demo:
	python3 -m venv .venv && .venv/bin/pip install --quiet -e '.[virtual]' && .venv/bin/companion demo

test:
	python3 -m venv .venv && .venv/bin/pip install --quiet -e '.[test]' && .venv/bin/python -m pytest -n 4 --dist worksteal

check: install
	.venv/bin/ruff check .
	.venv/bin/ruff format --check .
	.venv/bin/mypy
	.venv/bin/mypy --platform win32 -p companion -p firmware_protocol
	.venv/bin/mypy --platform darwin -p companion -p firmware_protocol
	.venv/bin/mypy .ci/release
	.venv/bin/mypy .ci/program
	.venv/bin/lint-imports
	PYTHON=.venv/bin/python .ci/stubs
	.venv/bin/check-jsonschema --builtin-schema vendor.github-workflows .github/workflows/*.yml

release:
	python3 .ci/release $(VERSION)

site:
	python3 -m venv .venv && .venv/bin/pip install --quiet -e '.[docs]'
	.venv/bin/sphinx-build --fail-on-warning --keep-going --quiet -c docs/site . build/site
