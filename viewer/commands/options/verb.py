"""A verb of the command line as data."""

from __future__ import annotations

from typing import NamedTuple

from viewer.commands.options.given_options import Check, any_files
from viewer.commands.options.parser import Option, describe
from viewer.commands.options.table import HELP, NO_PLUGINS

EVERY_VERB = ("plugins", (NO_PLUGINS,))
"""The options that every verb has, as a group."""


class Verb(NamedTuple):
    """A verb of the command line.

    `synopsis` is the usage text after the program's name; `groups` are options with a title. `run` names the
    verb's function, `module:name`. The function takes the files and the values of the options, and returns
    the exit status. Before its module is imported, `check` refuses wrong files and values. `completes` is
    what a shell offers for words that are not options, see `Option`. A verb that `draws` needs OpenGL. The
    words of a `divided` verb are files, `--`, and parts of these files; see `given_options.divided`.
    """

    name: str
    synopsis: str
    about: str
    groups: tuple[tuple[str, tuple[Option, ...]], ...]
    run: str
    check: Check = any_files
    completes: tuple[str, ...] | str = "file"
    draws: bool = False
    divided: bool = False

    @property
    def options(self) -> tuple[Option, ...]:
        """All options of the verb."""
        return (*(option for _, group in self.all_groups for option in group), HELP)

    @property
    def all_groups(self) -> tuple[tuple[str, tuple[Option, ...]], ...]:
        """The groups of the verb, and the group that every verb has."""
        return (*self.groups, EVERY_VERB)

    @property
    def help(self) -> str:
        """The text of `rigscope VERB --help`."""
        lists = [describe(title, group) for title, group in self.all_groups]
        return "\n\n".join([f"usage: rigscope {self.synopsis}\n\n{self.about}", *lists])

    @property
    def form(self) -> str:
        """The synopsis without `[options]`."""
        return self.synopsis.removesuffix(" [options]")

    @property
    def summary(self) -> str:
        """The first clause of the description."""
        first = self.about.split(". ")[0].split(":")[0].removesuffix(".")
        return first[0].lower() + first[1:]


FORMS: list[Verb] = []
"""The window, as a verb with an empty name, and all verbs. The module `usage` fills this list; verbs read the
list here, because they cannot import `usage`.
"""
