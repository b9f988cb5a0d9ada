"""Selects the verb of a command line, runs it and returns the exit status."""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from typing import TYPE_CHECKING

from viewer.commands.exit_status import DONE, GRAPHICS, UNREAD, USAGE
from viewer.commands.options.parser import UsageError, parse
from viewer.commands.output import notice, say
from viewer.errors import FormatError, GraphicsError, ResourceError, ShaderError, ViewerError
from viewer.scene import names

if TYPE_CHECKING:
    from collections.abc import Sequence

    from viewer.commands.usage import Verb
    from viewer.session.preferences import Preferences


def run(argv: list[str]) -> int:
    """Run one command line and return the exit status; print a `ViewerError` in one line."""
    try:
        return _run(argv)
    except ViewerError as error:
        return fail(error)
    except MemoryError:
        return fail(ViewerError("there is not enough memory"))


def _run(argv: list[str]) -> int:
    """Run the command. Only the first word can be a verb; `./info` means a file that is called info."""
    with importing():
        from viewer.commands import usage
        from viewer.commands.options import table
    verb = next((verb for verb in usage.VERBS if argv[:1] == [verb.name]), None)
    if verb is not None:
        return _perform(verb, argv[1:])
    lists = (*table.LISTS, table.ALL)
    listed = [option.name for option in lists if argv[:1] and argv[0] in option.flags]
    if listed:
        print(_listing("all" if listed[0] == "help" and argv[1:2] == ["--all"] else listed[0]))
        return DONE
    if argv and not argv[0].startswith("-") and not {*table.HELP.flags} & {*argv}:
        _expect_file(argv[0], [each.name for each in usage.VERBS])
    return _perform(usage.WINDOW, argv, [flag for option in table.LISTS for flag in option.flags])


def _expect_file(word: str, verbs: Sequence[str]) -> None:
    """Raise an error if the first word is neither a verb nor an existing path.

    UsageError if the word may be a misspelt verb, FormatError for any other word.
    """
    from viewer.commands.options.given_options import existing_files

    if word.isalpha() and not os.path.lexists(word):
        raise UsageError(str(names.unknown("verb or file", word, verbs)))
    existing_files([word], {})


def _refuse_verb_behind_options(arguments: Sequence[str], paths: Sequence[str]) -> None:
    """Raise a UsageError if the first word is an option and a path is the name of a verb."""
    from viewer.commands import usage

    verbs = [each.name for each in usage.VERBS]
    if paths and arguments[0].startswith("-") and paths[0] in verbs and not os.path.lexists(paths[0]):
        raise UsageError(f"{paths[0]} is a verb: the verb comes first, and the options behind it")


def _perform(verb: Verb, arguments: list[str], other_flags: Sequence[str] = ()) -> int:
    values, paths = parse(verb.options, arguments, other_flags)
    if not verb.name:
        _refuse_verb_behind_options(arguments, paths)
    if values.pop("help", False):
        print(verb.help if verb.name else _listing("help"))
        return DONE
    from viewer.commands.options.given_options import is_for_many
    from viewer.commands.reading import take_reading

    without_plugins = values.pop("no_plugins", False) and _stop_plugins()
    try:
        take_reading(values)
        verb.check(paths, values)
        if verb.draws and not is_for_many(values["output"] or ""):
            from viewer.gpu.driver import load_driver

            load_driver()
        module, _, name = verb.run.partition(":")
        with importing():
            function = getattr(import_module(module), name)
        status: int = function(paths, values)
        return status
    finally:
        _say_faults()
        if without_plugins:
            _use_plugins(True)


def _stop_plugins() -> bool:
    """Use no plugins from now on. Whether they were used before."""
    from viewer.family.registry import uses_plugins

    used = uses_plugins()
    if used:
        _use_plugins(False)
    return used


def _use_plugins(allowed: bool) -> None:
    from viewer.family.registry import use_plugins

    use_plugins(allowed)


def _say_faults() -> None:
    """Print a line for each fault of a plugin."""
    registry = sys.modules.get("viewer.family.registry")
    for line in registry.take_faults() if registry is not None else ():
        notice(line)


def _listing(name: str) -> str:
    """The text that `--help` or a list option prints."""
    from viewer.commands import usage

    if name == "help":
        return usage.short_help()
    if name == "all":
        return usage.help_text()
    if name == "list_bindings":
        from viewer.session import settings

        return bindings(settings.read(settings.default_path()))

    from viewer.family.registry import formats

    listed = [*formats()]
    width = max(len(each.name) for each in listed)
    return "\n".join(f"{each.name:<{width}}  {' '.join(each.suffixes)}" for each in listed)


def bindings(preferences: Preferences | None = None) -> str:
    """List the name, keys and title of each action that has keys in these preferences."""
    from viewer.actions import ACTIONS
    from viewer.actions.bindings import active
    from viewer.session.preferences import Preferences

    keys = active(preferences or Preferences())
    rows = [(each.name, "  ".join(keys[each.name]), each.title) for each in ACTIONS if keys[each.name]]
    wide = [max(len(row[column]) for row in rows) for column in (0, 1)]
    return "\n".join(f"{name:<{wide[0]}}  {keys:<{wide[1]}}  {title}" for name, keys, title in rows)


@contextmanager
def importing() -> Iterator[None]:
    """Import modules with garbage collection off.

    Otherwise the collector would take 25 of 120 ms to search the new objects.
    """
    fresh = "viewer.storage.documents" not in sys.modules
    gc.disable()
    try:
        yield
    finally:
        if fresh:
            gc.freeze()
        gc.enable()


def fail(error: ViewerError) -> int:
    """Print the error in one line and return its exit status."""
    line = " ".join(str(error).split())
    (say if isinstance(error, FormatError) else notice)(line)
    if isinstance(error, FormatError):
        return UNREAD
    if isinstance(error, UsageError | ResourceError):
        return USAGE
    return GRAPHICS if isinstance(error, GraphicsError | ShaderError) else UNREAD
