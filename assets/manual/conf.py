"""Sphinx's configuration: the pages of this folder as a site, see `build.py`."""

from __future__ import annotations

project = "Rigscope"
copyright = "Rigscope contributors"
extensions = ["myst_parser"]
source_suffix = {".md": "markdown"}
root_doc = "index"
myst_heading_anchors = 4
"""Headings down to this depth can be linked as `page.md#section`."""
smartquotes = False
language = "en"
html_theme = "furo"
html_title = "Rigscope"
html_favicon = "../icon/rigscope.svg"
html_logo = html_favicon
html_copy_source = False
html_show_sphinx = False
html_show_copyright = False
pygments_style = "default"
pygments_dark_style = "monokai"
