"""The function of each verb: takes files and option values, returns an exit status."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator
from typing import Any

from viewer.commands.arguments import UsageError
from viewer.commands.options import Options
from viewer.errors import FormatError
from viewer.scene.document import Document

DONE, UNREAD, USAGE = 0, 1, 2
Values = dict[str, Any]


def info(paths: list[str], values: Values) -> int:
    """Print the contents of a file."""
    from viewer.commands.info import facts
    from viewer.formats import open_document

    document = open_document(_one(paths))
    if values.get("verify"):
        from viewer.commands.package import verify

        verify(document)
    found = facts(document)
    if values.get("define"):
        from viewer.commands.compiled import defines

        tested = defines(document, values["define"])
        found["shader"]["defines"] = tested
    if values.get("json"):
        print(json.dumps(found, ensure_ascii=False, allow_nan=False))
    else:
        from viewer.commands.summary import summary

        print(summary(found))
    return outcome([document])


def tree(paths: list[str], values: Values) -> int:
    """Print the tree of spans, without ever holding all of it."""
    from viewer.commands import tree
    from viewer.formats import open_document

    document = open_document(_one(paths))
    depth = values.get("depth")
    if values.get("json"):
        sys.stdout.writelines(tree.nested(document.root, depth))
        print()
    else:
        sys.stdout.writelines(line + "\n" for line in tree.text(document.root, depth))
    return outcome([document])


def list_package(paths: list[str], values: Values) -> int:
    """Print the files of a package."""
    from viewer.commands import package
    from viewer.formats import open_document

    document = open_document(_one(paths, "PACKAGE"))
    package.package_of(document)
    if values.get("verify"):
        package.verify(document)
    sys.stdout.writelines((package.as_json if values.get("json") else package.as_text)(document))
    return outcome([document])


def extract(paths: list[str], values: Values) -> int:
    """Write the files of a package below a folder."""
    from viewer.commands.extract import extract
    from viewer.formats import open_document

    if not paths or not values.get("output"):
        raise UsageError("needs a PACKAGE and -o DIR")
    document = open_document(paths[0])
    refused = extract(document, paths[1:], values["output"], values.get("force", False))
    return outcome([document]) or (USAGE if refused else DONE)


def render(paths: list[str], values: Values) -> int:
    """Write one or more pictures."""
    from viewer.export.film import SUFFIXES

    if values.get("ui"):
        from viewer.commands.panels import draw_window as draw
    else:
        from viewer.commands.picture import draw
    return _written(paths, values, SUFFIXES, draw)


def bake(paths: list[str], values: Values) -> int:
    """Write the posed vertices."""
    from viewer.commands.bake import write

    return _written(paths, values, (".npz", ".ply"), write)


def _written(paths: list[str], values: Values, suffixes: tuple[str, ...], write: Any) -> int:
    """Open and pose the files, let `write` produce the output, and print the errors."""
    from viewer.commands.session import notices, played, prepare

    if not paths:
        raise UsageError("needs a FILE")
    output = _output(values, suffixes)
    options = Options(**values)
    state = prepare(paths, options)
    if len([document for document in state.documents if document.model]) > 1:
        raise UsageError("one model at a time: the other files are to be animations")
    write(state, options, output)
    for line in notices(state):
        print(f"rigscope: {line}", file=sys.stderr)
    return outcome([*state.documents, *played(state)])


def window(paths: list[str], values: Values) -> int:
    """Open the window and stay until it is closed."""
    from viewer.commands.session import begin
    from viewer.window.window import open_window

    options = Options(**values)
    return open_window(paths, lambda state, size: begin(state, options, size), options.size, options.watch)


def outcome(documents: Iterable[Document]) -> int:
    """Print one line for each error met while reading, and return the exit status."""
    errors = list(_errors(documents))
    for error in errors:
        print(error, file=sys.stderr)
    return UNREAD if errors else DONE


def _errors(documents: Iterable[Document]) -> Iterator[FormatError]:
    for document in documents:
        yield from document.report.errors


def _one(paths: list[str], called: str = "FILE") -> str:
    if len(paths) != 1:
        raise UsageError(f"needs one {called}, not {len(paths) or 'none'}")
    return paths[0]


def _output(values: Values, suffixes: tuple[str, ...]) -> str:
    output = values.pop("output", None)
    if output is None:
        raise UsageError(f"needs -o FILE, with {' or '.join(suffixes)}")
    if not output.lower().endswith(suffixes):
        raise UsageError(f"-o {output}: the name must end with {' or '.join(suffixes)}")
    return str(output)
