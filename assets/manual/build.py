#!/usr/bin/env python3
"""Writes the manual as a site: `python3 dev.py manual`, or this file.

`--facts` writes the facts of the program into the pages, `--pictures` draws their pictures again. A folder is
where the site goes, in place of `build/manual`.
"""

from __future__ import annotations

import shutil
import sys
from collections.abc import Sequence
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path[:0] = [str(HERE), str(ROOT)]


def build(folder: Path) -> int:
    """Write the site into `folder`, without network; the exit status. A warning is an error."""
    from sphinx.cmd.build import main

    source, trees = (folder.parent / f"{folder.name}.{name}" for name in ("source", "trees"))
    write_source(source)
    strict = ("-W", "--keep-going", "-n", "-q")
    return main([*strict, "-b", "html", "-c", str(HERE), "-d", str(trees), str(source), str(folder)])


def write_source(folder: Path) -> None:
    """Write the pages, and a page for each layout, which the program itself prints."""
    import facts

    from viewer.commands.formats import markdown
    from viewer.family.registry import pages

    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(HERE, folder, ignore=shutil.ignore_patterns("*.py", "__pycache__"))
    add_contents(folder / "index.md", facts.PAGES)
    add_contents(folder / "formats.md", [f"layouts/{page.name}" for page in pages()], "All fields")
    (folder / "layouts").mkdir()
    for page in pages():
        (folder / "layouts" / f"{page.name}.md").write_text("\n".join(markdown(page)), encoding="utf-8")


def add_contents(page: Path, names: Sequence[str], title: str = "") -> None:
    """Let Sphinx list pages below a page: in the sidebar, and below `title` in the page."""
    head = f"## {title}\n\n```{{toctree}}\n:maxdepth: 1" if title else "```{toctree}\n:hidden:"
    with page.open("a", encoding="utf-8") as file:
        file.write("\n".join(("", head, "", *names, "```", "")))


def main(argv: list[str]) -> int:
    """Do what the arguments say; the exit status. The manual knows no plugins."""
    from viewer.family.registry import use_plugins

    use_plugins(False)
    if argv[:1] == ["--facts"]:
        import facts

        print("\n".join(facts.write()) or "every page has the facts of now")
        return 0
    if argv[:1] == ["--pictures"]:
        import draw_pictures

        return draw_pictures.main(argv[1:])
    folder = Path(argv[0]).resolve() if argv else ROOT / "build" / "manual"
    status = build(folder)
    if status == 0:
        print(folder / "index.html")
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
