"""`rigscope help`: the pages of the manual in the terminal, and the man page."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

from viewer.commands.exit_status import DONE
from viewer.commands.options.given_options import Values
from viewer.commands.options.parser import UsageError
from viewer.commands.output import print_lines
from viewer.errors import ResourceError
from viewer.session.manual import at, pages, topic

WIDEST = 100
"""The longest line of text in a wide terminal, in characters."""


def show_help(words: Sequence[str], values: Values) -> int:
    """Print a page or a section of the manual, or the list of pages; return the exit status.

    UsageError for an unknown topic; the error lists similar topics.
    """
    if values.get("man"):
        from viewer.commands.man_page import man_page  # imported late, because it imports all formats

        sys.stdout.write(man_page())
        return DONE
    name = " ".join(words)
    try:
        text = _text(name) if name else _list_of_pages()
    except ResourceError as error:
        raise UsageError(str(error)) from None
    if sys.stdout.isatty():
        _print_styled(text)
    else:
        print_lines(text.split("\n"))
    return DONE


def _text(name: str) -> str:
    """The sections of a topic, or of a link such as `export#pictures-and-films`. The manual does not have the
    rules of plugins; they tell about themselves.
    """
    try:
        found = (at(name),) if "#" in name else topic(name)
    except ResourceError:
        from viewer.check.rules import all_rules  # imported late, because it imports all rules

        page = next((rule.page for rule in all_rules() if rule.id == name), None)
        if page is None:
            raise
        return page
    return "\n\n".join(each.text.strip() for each in found)


def _list_of_pages() -> str:
    """The names of all pages with their first sentences."""
    rows = [f"- **{each.name}**: {each.about}" for each in pages()]
    topics = "`rigscope help TOPIC` prints a page. TOPIC is one of these, a verb, a rule or another heading:"
    return "\n".join(["# Manual", "", topics, "", *rows])


def _print_styled(text: str) -> None:
    """Print Markdown in the terminal; a text that is longer than the screen opens in the pager.

    NO_COLOR switches colours off.
    """
    from rich.console import Console
    from rich.markdown import Markdown

    console = Console()
    width = min(console.width, WIDEST)
    page = Markdown(text, hyperlinks=False)
    if len(console.render_lines(page, console.options.update(width=width))) < console.height:
        console.print(page, width=width)
        return
    os.environ.setdefault("LESS", "-FRX")
    with console.pager(styles=not console.no_color):
        console.print(page, width=width)
