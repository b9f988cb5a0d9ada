"""The function of each verb: takes files and option values, returns an exit status."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from viewer.commands.exit_status import DONE, USAGE
from viewer.commands.importing import importing
from viewer.commands.options.given_options import Options, Values, export_options
from viewer.commands.options.parser import UsageError
from viewer.commands.options.table import ONLY_MANY
from viewer.commands.output import outcome, print_lines
from viewer.commands.output_names import BAKED_SUFFIXES, PICTURE_SUFFIXES, is_for_many
from viewer.scene.choices import EXPORT_SUFFIXES

if TYPE_CHECKING:
    from viewer.session.state import State


def info(paths: list[str], values: Values) -> int:
    """Print the contents of a file."""
    path = _one(paths)
    with importing():
        from viewer.commands.info.info import facts
        from viewer.formats import open_document

    document = open_document(path)
    if values.get("verify"):
        from viewer.commands.package import verify

        verify(document)
    found = facts(document)
    if values.get("define"):
        from viewer.commands.info.compiled import defines

        tested = defines(document, values["define"])
        found["shader"]["defines"] = tested
    if values.get("json"):
        from viewer.commands.fact_table import json_pieces

        sys.stdout.writelines(json_pieces(found))
        print()
    else:
        from viewer.commands.info.summary import summary

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
    from viewer.commands.format_pages import page

    if len(paths) > 1:
        raise UsageError(f"needs one NAME, not {len(paths)}")
    kinds = [kind for kind in ("json", "markdown") if values.get(kind)]
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


def find(paths: list[str], values: Values) -> int:
    """Print the files of places that a query finds."""
    if len(paths) < 2:
        raise UsageError("needs a PLACE and, as the last word, a QUERY in quotes, such as 'bones>60'")
    with importing():
        from viewer.commands.find import find

    *places, query = paths
    status, lines = find(places, query, values)
    print_lines(lines)
    return status


def check(paths: list[str], values: Values) -> int:
    """Print what is wrong with files, the list of rules, or the page of a rule."""
    with importing():
        from viewer.commands import check

    if values.pop("rules", False):
        check.print_rules(values)
        return DONE
    if explained := values.pop("explain", None):
        print_lines(check.rule_page(explained))
        return DONE
    return check.check_places(paths, values)


def diff(paths: list[str], values: Values) -> int:
    """Print what changed from one file to another."""
    with importing():
        from viewer.commands.diff import diff

    return diff(paths, values)


def integrate(paths: list[str], values: Values) -> int:
    """Install Rigscope on the desktop, or remove it from there."""
    if paths:
        raise UsageError(f"needs no FILE, not {paths[0]}")
    with importing():
        from viewer.commands.integrate import integrate

    return DONE if integrate(values.get("remove", False)) else USAGE


def thumbs(paths: list[str], values: Values) -> int:
    """Write the thumbnails of files."""
    with importing():
        from viewer.commands.thumbs import write_thumbnails

    return write_thumbnails(paths, values)


def render(paths: list[str], values: Values) -> int:
    """Write one or more pictures of a model, or of each of many models."""
    if is_for_many(values.get("output") or ""):
        with importing():
            from viewer.commands.batch.models import render_each

        return render_each(paths, values)
    output = _output(paths, values, PICTURE_SUFFIXES)
    with importing():
        from viewer.commands.one_output import render_one

    return render_one(paths, _options(values), output)


def bake(paths: list[str], values: Values) -> int:
    """Write the posed vertices of a model, or of each of many models."""
    if is_for_many(values.get("output") or ""):
        with importing():
            from viewer.commands.batch.models import bake_each

        return bake_each(paths, values)
    output = _output(paths, values, BAKED_SUFFIXES)
    with importing():
        from viewer.commands.one_output import bake_one

    return bake_one(paths, _options(values), output)


def export(paths: list[str], values: Values) -> int:
    """Write a model as glTF, or its posed mesh, or each of many models."""
    if is_for_many(values.get("output") or ""):
        with importing():
            from viewer.commands.batch.models import export_each

        return export_each(paths, values)
    output = _output(paths, values, EXPORT_SUFFIXES)
    with importing():
        from viewer.commands.one_output import export_one

    options, choices = export_options(_of_one(values))
    return export_one(paths, options, choices, output)


def _options(values: Values) -> Options:
    """The options of a single output."""
    return Options(**_of_one(values))


def _of_one(values: Values) -> Values:
    return {name: value for name, value in values.items() if name not in ONLY_MANY}


def window(paths: list[str], values: Values) -> int:
    """Open the window and stay until it is closed."""
    with importing():
        from viewer.window.window import open_window

    options = Options(**values)

    def start(state: State, size: tuple[int, int]) -> None:
        """Apply the options to the files that are open."""
        from viewer.commands.options.apply_options import begin  # imported while the window is open already

        begin(state, options, size)

    return open_window(paths, start, values.get("size"), options.watch)


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
