"""The man page rigscope(1), made from the tables of verbs and options and from the pages of the manual."""

from __future__ import annotations

import re
import time
from collections.abc import Iterable, Iterator, Sequence
from textwrap import wrap

from viewer import __version__
from viewer.commands.exit_status import STATUSES
from viewer.commands.options.parser import Option
from viewer.commands.options.table import ALL, LISTS
from viewer.commands.options.verb import EVERY_VERB, FORMS, Verb
from viewer.library.desktop.entries import COMMENT
from viewer.session.manual import pages

WIDTH = 78
ESCAPES = {"\\": "\\e", "-": "\\-", "'": "\\(aq", "`": "\\(ga", "~": "\\(ti", "^": "\\(ha"}
OptionGroup = tuple[str, tuple[Option, ...]]


def man_page() -> str:
    """Return the man page in the macros of `man(7)`. It has ASCII letters only."""
    lines = [
        f'.TH RIGSCOPE 1 {time.strftime("%Y-%m-%d")} "rigscope {__version__}" "User Commands"',
        ".SH NAME",
        f"rigscope \\- {escaped(COMMENT[0].lower() + COMMENT[1:])}",
        ".SH SYNOPSIS",
        "\n.br\n".join(f".B rigscope {escaped(form.form)}" for form in FORMS),
        ".SH DESCRIPTION",
        *_verb(FORMS[0]),
        *(line for verb in FORMS[1:] for line in (f".SS rigscope {escaped(verb.form)}", *_verb(verb))),
        ".SH OPTIONS",
        *_options((*LISTS, ALL)),
        *(line for title, group in _shared() for line in (f".SS {_title(title)}", *_options(group))),
        ".SH EXIT STATUS",
        *(line for status, text in STATUSES.items() for line in _item(str(status), text)),
        ".SH MANUAL",
        *_paragraphs("rigscope help PAGE prints a page of the manual:"),
        *(line for page in pages() for line in _item(page.name, page.about)),
    ]
    return re.sub(r"(?m)^(\.S[HS] .*\n)\.PP\n", r"\1", "\n".join(lines) + "\n")


def escaped(text: str) -> str:
    """Escape a text for roff, which then prints it unchanged.

    The text must not be used at the start of a line if it begins with a dot.
    """
    return "".join(ESCAPES.get(each, each if each.isascii() else f"\\[u{ord(each):04X}]") for each in text)


def _verb(verb: Verb) -> Iterator[str]:
    """Yield the description of a verb and its own options.

    Groups of options that several verbs share are only named, because the section OPTIONS describes them.
    """
    yield from _paragraphs(verb.about)
    shared = [group for group in verb.all_groups if group in _shared()]
    for group in verb.groups:
        if group not in shared:
            yield from _options(group[1])
    if shared:
        titles = ", ".join(_title(title) for title, _ in shared)
        yield from _paragraphs(f"See OPTIONS for: {titles}.")


def _shared() -> Sequence[OptionGroup]:
    """The groups of options that several verbs share: the group of all verbs, and groups with at least two
    options.
    """
    groups = dict.fromkeys(group for form in FORMS for group in form.groups if len(group[1]) > 1)
    return [*(group for group in groups if sum(group in form.groups for form in FORMS) > 1), EVERY_VERB]


def _title(title: str) -> str:
    return title[0].upper() + title[1:]


def _options(options: Iterable[Option]) -> Iterator[str]:
    for option in options:
        yield from _item(option.spelled, option.about)


def _item(name: str, text: str) -> Iterator[str]:
    """A paragraph for an option: its name, and its text indented below."""
    yield from (".TP", f".B {escaped(name)}")
    yield from _filled(text)


def _paragraphs(text: str) -> Iterator[str]:
    """Format paragraphs and tables. A table is a paragraph whose lines are indented by two spaces."""
    for paragraph in text.split("\n\n"):
        if paragraph.startswith("  "):
            yield from (".PP", ".nf", *map(escaped, paragraph.split("\n")), ".fi")
        else:
            yield ".PP"
            yield from _filled(paragraph)


def _filled(text: str) -> Iterator[str]:
    """Format running text without Markdown marks as lines."""
    plain = re.sub(r"\[([^]]+)\]\([^)]*\)|`([^`]*)`", r"\1\2", " ".join(text.split()))
    for line in wrap(plain, WIDTH, break_long_words=False, break_on_hyphens=False):
        yield f"\\&{escaped(line)}" if line[0] in ".'" else escaped(line)
