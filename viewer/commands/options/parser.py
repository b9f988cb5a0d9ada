"""Parses the command line by tables of options, and formats the help texts.

`argparse` is not used, for three reasons: the first word may be a verb or a file, options may come between
files, and a repeatable option must never take the next file as a value.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple

from viewer.errors import ViewerError
from viewer.scene import names

WIDTH = 100
INDENT = 28


class UsageError(ViewerError):
    """A wrong command line."""


class Option(NamedTuple):
    """An option: `flag` with a value named `metavar`, or a switch if `metavar` is empty.

    `convert` makes the value from the text; its ValueError says what is expected. `repeat` collects the
    values of a repeated option in a tuple. `negated` adds a `--no-…` form, which sets the value False.
    `short` is a flag of one letter. `completes` is what a shell offers for the value: a list of words, or a
    name in `completion.candidates.KINDS`. `old` are switches of earlier versions and the values that they
    stand for; they are accepted but not listed. If the option itself is given too, its value counts.
    """

    flag: str
    help: str
    metavar: str = ""
    convert: Callable[[str], Any] = str
    repeat: bool = False
    negated: bool = False
    short: str = ""
    completes: tuple[str, ...] | str = ()
    old: tuple[tuple[str, Any], ...] = ()

    @property
    def name(self) -> str:
        """The key of the option's value: `--no-grid` and `--grid` → `grid`."""
        return flag_name(self.flag)

    @property
    def flags(self) -> tuple[str, ...]:
        """All spellings of the option."""
        opposite = (f"--no-{self.flag[2:]}",) if self.negated else ()
        return (*((self.short,) if self.short else ()), self.flag, *opposite)

    @property
    def spelled(self) -> str:
        """The option as help texts show it, such as `-o, --output FILE` or `--[no-]grid`."""
        flag = self.flag.replace("--", "--[no-]", 1) if self.negated else self.flag
        return ", ".join(filter(None, (self.short, f"{flag} {self.metavar}".rstrip())))

    @property
    def about(self) -> str:
        """The help text, and whether the option is repeatable."""
        return self.help + ("; repeatable" if self.repeat else "")

    @property
    def mark(self) -> str:
        """The mark between the parts of a value, such as the `x` of WIDTHxHEIGHT; empty for a single part."""
        return next((each for each in "=:x" if each in self.metavar), "")

    def takes_value(self, flag: str) -> bool:
        """Whether this spelling of the option needs a value."""
        return bool(self.metavar) and flag in (self.flag, self.short)


def flag_name(flag: str) -> str:
    """Return the key of the value that a long flag sets: `--bake-pose` → `bake_pose`."""
    return flag[2:].replace("-", "_")


def parse(
    options: Sequence[Option], arguments: Iterable[str], others: Iterable[str] = (), divided: bool = False
) -> tuple[dict[str, Any], list[str]]:
    """Split the words into option values by name, and the remaining words. The word `--` ends the options; if
    `divided`, it stays among the words, and options may follow.

    UsageError for an unknown option; the error lists similar options of `options` and of `others`.
    """
    known = {flag: option for option in options for flag in (*dict(option.old), *option.flags)}
    values: dict[str, Any] = {}
    words: list[str] = []
    rest = iter(arguments)
    for argument in rest:
        if argument == "--" and divided:
            words.append(argument)
        elif argument == "--":
            words += rest
        elif argument.startswith("-") and argument != "-":
            flag, equals, given = argument.partition("=")
            option = _known(known, flag, others)
            _store(values, option, flag, given if equals else None, rest)
        else:
            words.append(argument)
    return values, words


def _known(known: dict[str, Option], flag: str, others: Iterable[str]) -> Option:
    if flag not in known:
        raise UsageError(str(names.unknown("option", flag, [*known, *others])))
    return known[flag]


def _store(values: dict[str, Any], option: Option, flag: str, given: str | None, rest: Iterable[str]) -> None:
    """Store the option's value in `values`. If the word has no `=`, the value is the next word."""
    if not option.takes_value(flag):
        if given is not None:
            raise UsageError(f"{flag} takes no value")
        if flag in (old := dict(option.old)):
            values.setdefault(option.name, old[flag])
            return
        values[option.name] = not option.negated or not flag.startswith("--no-")
        return
    text = next(iter(rest), None) if given is None else given
    if text is None:
        raise UsageError(f"{flag} needs {option.metavar}")
    try:
        value = option.convert(text)
    except ValueError as error:
        raise UsageError(f"{flag} {option.metavar}: {error}") from None
    values[option.name] = (*values.get(option.name, ()), value) if option.repeat else value


def describe(title: str, options: Iterable[Option]) -> str:
    """Format a titled list of options for a help text."""
    return "\n".join([f"{title}:", *map(_line, options)])


def _line(option: Option) -> str:
    import textwrap  # imported late, because only help texts need it

    left, lines = f"  {option.spelled}", textwrap.wrap(option.about, WIDTH - INDENT)
    head = [f"{left:<{INDENT}}{lines[0]}"] if len(left) < INDENT - 1 else [left, " " * INDENT + lines[0]]
    return "\n".join(head + [" " * INDENT + line for line in lines[1:]])
