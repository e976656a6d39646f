"""The documentation as a site: `make site` writes it, and build/site/index.html opens it without a server.

Sphinx reads the pages where they are, so that a link means the same here and in the repository.
"""

from __future__ import annotations

from pathlib import Path

from sphinx.application import Sphinx

project = "Table companion"
author = "table companion maintainers"
extensions = ["myst_parser"]
source_suffix = {".md": "markdown"}
root_doc = "README"
include_patterns = [
    "*.md",
    "docs/**.md",
    "companion/**.md",
    "examples/**.md",
    "firmware_protocol/**.md",
    "hardware_docs/**.md",
]
exclude_patterns = [".venv", "build", "dist", "**/node_modules", "docs/site"]
nitpicky = True

# Anchors as GitHub makes them, for links to a heading.
myst_heading_anchors = 3
# <img> in the Markdown gets its file copied, as ![]() does.
myst_enable_extensions = ["html_image"]

html_theme = "furo"
html_title = project
html_favicon = "../../companion/web/icon.svg"
html_static_path = ["static"]
html_css_files = ["site.css"]
templates_path = ["templates"]
# Sphinx names the first page by its file; a folder opens with index.html.
html_additional_pages = {"index": "first_page.html"}
html_copy_source = False
html_use_index = False
html_show_sphinx = False
html_show_copyright = False
# The excerpts below a search's results are fetched, which a browser refuses for files.
html_show_search_summary = False

CONTENTS = Path(__file__).with_name("contents.md")


def _add_contents(app: Sphinx, docname: str, source: list[str]) -> None:
    """Append the contents of the site to its first page; in the repository the README has a table instead."""
    if docname == app.config.root_doc:
        source[0] += CONTENTS.read_text(encoding="utf-8")


def setup(app: Sphinx) -> None:
    """Connect what this site adds to Sphinx."""
    app.connect("source-read", _add_contents)
