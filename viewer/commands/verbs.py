"""The function of each verb: takes files and option values, returns an exit status."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from viewer.commands.arguments import UsageError
from viewer.commands.importing import importing
from viewer.commands.options import Options
from viewer.commands.output import print_lines, say
from viewer.errors import FormatError
from viewer.scene.comparison import CompareMode
from viewer.session.interface import FILM_FORMATS

if TYPE_CHECKING:
    from viewer.scene.document import Document
    from viewer.session.state import State

DONE, UNREAD, USAGE = 0, 1, 2
PICTURE_SUFFIXES = tuple(sorted((each.suffix for each in FILM_FORMATS), key=".png".__ne__))
"""What the name of a picture, or of several, ends with; `.png` comes first."""
Values = dict[str, Any]


def info(paths: list[str], values: Values) -> int:
    """Print the contents of a file."""
    path = _one(paths)
    with importing():
        from viewer.commands.info import facts
        from viewer.formats import open_document

    document = open_document(path)
    if values.get("verify"):
        from viewer.commands.package import verify

        verify(document)
    found = facts(document)
    if values.get("define"):
        from viewer.commands.compiled import defines

        tested = defines(document, values["define"])
        found["shader"]["defines"] = tested
    if values.get("json"):
        from viewer.commands.fact_table import json_pieces

        sys.stdout.writelines(json_pieces(found))
        print()
    else:
        from viewer.commands.summary import summary

        print_lines(summary(found))
    return outcome([document])


def tree(paths: list[str], values: Values) -> int:
    """Print the tree of spans without holding the whole tree."""
    path = _one(paths)
    with importing():
        from viewer.commands import tree
        from viewer.formats import open_document

    document = open_document(path)
    depth = values.get("depth")
    if values.get("json"):
        sys.stdout.writelines(tree.nested(document.root, depth))
        print()
    else:
        print_lines(tree.text(document.root, depth))
    return outcome([document])


def formats(paths: list[str], values: Values) -> int:
    """Print the list of formats, or the specification of one format."""
    from viewer.commands import formats
    from viewer.formats.specifications import page

    if len(paths) > 1:
        raise UsageError(f"needs one NAME, not {len(paths)}")
    kinds = [kind for kind in ("json", "markdown", "hexpat") if values.get(kind)]
    if len(kinds) > 1:
        raise UsageError(f"--{kinds[0]} or --{kinds[1]}, not both")
    kind = kinds[0] if kinds else "text"
    if not paths:
        print(formats.listing(kind))
    else:
        sys.stdout.writelines(line + "\n" for line in formats.written(page(paths[0]), kind))
    return DONE


def list_package(paths: list[str], values: Values) -> int:
    """Print the files of a package."""
    path = _one(paths, "PACKAGE")
    with importing():
        from viewer.commands import package
        from viewer.formats import open_document

    document = open_document(path)
    package.package_of(document)
    if values.get("verify"):
        package.verify(document)
    sys.stdout.writelines((package.as_json if values.get("json") else package.as_text)(document))
    return outcome([document])


def extract(paths: list[str], values: Values) -> int:
    """Write the files of a package below a folder."""
    if not paths or not values.get("output"):
        raise UsageError("needs a PACKAGE and -o DIR")
    with importing():
        from viewer.commands.extract import extract
        from viewer.formats import open_document

    document = open_document(paths[0])
    refused = extract(document, paths[1:], values["output"], values.get("force", False))
    return outcome([document]) or (USAGE if refused else DONE)


def integrate(paths: list[str], values: Values) -> int:
    """Install Rigscope on the desktop, or remove it from there."""
    if paths:
        raise UsageError(f"needs no FILE, not {paths[0]}")
    with importing():
        from viewer.commands.integrate import integrate

    return DONE if integrate(values.get("remove", False)) else USAGE


def render(paths: list[str], values: Values) -> int:
    """Write one or more pictures."""
    output = _output(paths, values, PICTURE_SUFFIXES)
    options = Options(**values)
    if options.compare is not None:
        return _compared(paths, options, output)
    if options.ui:
        with importing():
            from viewer.commands.panels import draw_window

        state = _prepared(paths, options)
        return _written([state], paths, options, output, lambda: draw_window(state, options, output))
    with importing():
        from viewer.commands.picture import draw

    state = _prepared(paths, options)
    return _written([state], paths, options, output, lambda: draw([state], options, output))


def _compared(paths: list[str], options: Options, output: str) -> int:
    """Write one or more pictures of several models."""
    side = options.compare is CompareMode.SIDE
    if len(paths) < 2 or (len(paths) > 2 and not side):
        wanted = "two or more models" if side else "two models"
        raise UsageError(f"--compare takes {wanted}, not {len(paths)}")
    with importing():
        from viewer.commands.comparison import opened, together

    states, fitting = zip(*opened(paths, options), strict=True)
    if options.ui:
        with importing():
            from viewer.commands.panels import draw_window

        state = together(states, options)
        return _written([state], paths, options, output, lambda: draw_window(state, fitting[0], output))
    with importing():
        from viewer.commands.picture import draw

    return _written(states, paths, options, output, lambda: draw(states, options, output))


def bake(paths: list[str], values: Values) -> int:
    """Write the posed vertices."""
    output = _output(paths, values, (".npz", ".ply"))
    options = Options(**values)
    with importing():
        from viewer.commands.bake import write

    state = _prepared(paths, options)
    return _written([state], paths, options, output, lambda: write(state, options, output))


def _prepared(paths: list[str], options: Options) -> State:
    """The State of a model and its animations."""
    with importing():
        from viewer.commands.session import prepare

    state = prepare(paths, options)
    if len([document for document in state.documents if document.model]) > 1:
        raise UsageError(
            "one model at a time, unless --compare says how to compare them: the other files are to be "
            "animations"
        )
    return state


def _written(
    states: Sequence[State], paths: list[str], options: Options, output: str, write: Callable[[], None]
) -> int:
    """Let `write` produce the output from the States, and print notices and errors."""
    with importing():
        from viewer.commands.session import notices, played

    documents = [document for state in states for document in state.documents]
    existed = _replaces(output, paths, documents, options)
    write()
    if existed:
        say(f"rigscope: {output}: an earlier file is replaced")
    for line in dict.fromkeys(line for state in states for line in notices(state)):
        say(f"rigscope: {line}")
    return outcome([*documents, *(document for state in states for document in played(state))])


def _replaces(output: str, paths: list[str], documents: Iterable[Document], options: Options) -> bool:
    """Whether there is a file of the output's name; UsageError if a file that is read would be replaced."""
    from viewer.export.film import overwrites
    from viewer.storage.dependencies import inputs_of
    from viewer.storage.package_path import on_disk

    named = (*paths, *options.animation, *(path for _, path in options.texture), options.camera or "")
    inputs = (*map(on_disk, named), *inputs_of(documents))
    used = next((each for each in inputs if overwrites(output, each)), None)
    if used is not None:
        raise UsageError(f"{output} would replace {used}, which is read: choose another name")
    return os.path.exists(output)


def window(paths: list[str], values: Values) -> int:
    """Open the window and stay until it is closed."""
    with importing():
        from viewer.window.window import open_window

    options = Options(**values)

    def start(state: State, size: tuple[int, int]) -> None:
        """Apply the options to the files that are open."""
        from viewer.commands.session import begin  # imported while the window is open already

        begin(state, options, size)

    return open_window(paths, start, values.get("size"), options.watch)


def outcome(documents: Iterable[Document]) -> int:
    """Print one line for each error met while reading, and return the exit status."""
    errors = list(dict.fromkeys(map(str, _errors(documents))))
    for error in errors:
        say(error)
    return UNREAD if errors else DONE


def _errors(documents: Iterable[Document]) -> Iterator[FormatError]:
    for document in documents:
        yield from document.report.errors


def _one(paths: list[str], called: str = "FILE") -> str:
    if len(paths) != 1:
        raise UsageError(f"needs one {called}, not {len(paths) or 'none'}")
    return paths[0]


def _output(paths: list[str], values: Values, suffixes: tuple[str, ...]) -> str:
    """The file to write, taken out of `values`; UsageError if it or the file to read is missing."""
    if not paths:
        raise UsageError("needs a FILE")
    output = values.pop("output", None)
    if output is None:
        raise UsageError(f"needs -o FILE, with {' or '.join(suffixes)}")
    if not output.lower().endswith(suffixes):
        raise UsageError(f"-o {output}: the name must end with {' or '.join(suffixes)}")
    return str(output)
