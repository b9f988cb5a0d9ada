"""The command line: finds the verb, runs it and turns the outcome into an exit status.

Exit status: 0 done; 1 a file could not be read, or not completely; 2 bad usage, a name that does not exist,
or an output that cannot be written; 3 no usable OpenGL.
"""

from __future__ import annotations

import codecs
import gc
import io
import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

from viewer import __version__
from viewer.commands.arguments import UsageError, parse
from viewer.errors import FormatError, GraphicsError, ResourceError, ShaderError, ViewerError

if TYPE_CHECKING:
    from viewer.commands.usage import Verb

DONE, UNREAD, USAGE, GRAPHICS = range(4)
INTERRUPTED = 130


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command line and return the exit status; without `argv` it is that of the process."""
    _speak_utf8()
    try:
        status = _run(list(sys.argv[1:] if argv is None else argv))
        sys.stdout.flush()
        if argv is None:
            gc.freeze()  # the process ends: skip the last collection of all objects
        return status
    except BrokenPipeError:
        return _nobody_listens()
    except KeyboardInterrupt:
        return INTERRUPTED
    except ViewerError as error:
        return _fail(error)
    except OSError as error:
        _let_go_of_output()
        return _fail(UsageError(f"{error.filename or 'output'}: {error.strerror or error}"))


def _run(argv: list[str]) -> int:
    """Run the command. A word counts as a verb only in first position: `./info` is a file of that name."""
    with _importing():
        from viewer.commands import usage
    verb = next((verb for verb in usage.VERBS if argv[:1] == [verb.name]), None)
    if verb is not None:
        return _perform(verb, argv[1:])
    listed = [option.name for option in usage.LISTS if argv[:1] and argv[0] in option.flags]
    if listed:
        print(_listing(listed[0]))
        return DONE
    return _perform(usage.WINDOW, argv)


@contextmanager
def _importing() -> Iterator[None]:
    """Import modules with the garbage collector off: modules stay, and looking at them costs 25 ms of 120."""
    fresh = "viewer.formats" not in sys.modules
    gc.disable()
    try:
        yield
    finally:
        if fresh:
            gc.freeze()
        gc.enable()


def _perform(verb: Verb, arguments: list[str]) -> int:
    values, paths = parse(verb.options, arguments)
    if values.pop("help", False):
        print(verb.help if verb.name else _listing("help"))
        return DONE
    return verb.run(paths, values)


def _listing(name: str) -> str:
    """The text that `--help`, `--version` or a list option prints."""
    if name == "version":
        return f"rigscope {__version__}"
    from viewer.commands import listings, usage

    if name == "help":
        return usage.help_text()
    if name == "list_bindings":
        from viewer.session import settings

        return listings.bindings(settings.read(settings.default_path()))
    return listings.formats()


def _fail(error: ViewerError) -> int:
    """Print the error in one line and return the exit status that it means."""
    line = " ".join(str(error).split())
    print(line if isinstance(error, FormatError) else f"rigscope: {line}", file=sys.stderr)
    if isinstance(error, FormatError):
        return UNREAD
    if isinstance(error, UsageError | ResourceError):
        return USAGE
    return GRAPHICS if isinstance(error, GraphicsError | ShaderError) else UNREAD


def _speak_utf8() -> None:
    """Make the output UTF-8 whatever the locale is, file names included."""
    codecs.register_error("filename", _filename)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="filename")


def _filename(error: UnicodeError) -> tuple[str | bytes, int]:
    r"""Decode the bytes that Python hides in a file name as UTF-8; bytes that are not UTF-8 become `\udcff`,
    as in JSON."""
    assert isinstance(error, UnicodeEncodeError)
    try:
        hidden = error.object[error.start : error.end].encode("utf-8", "surrogateescape")
        hidden.decode("utf-8")
    except UnicodeError:
        return codecs.backslashreplace_errors(error)
    return hidden, error.end


def _nobody_listens() -> int:
    """End quietly when the reader of a pipe has gone away."""
    _discard_output()
    return DONE


def _let_go_of_output() -> None:
    """Stop flushing an output that cannot be written: a second error at exit would change the exit status."""
    try:
        sys.stdout.flush()
    except OSError:
        _discard_output()


def _discard_output() -> None:
    """Redirect the output to nowhere, so that the interpreter's last flush cannot fail."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
