"""Names the outputs of many files. `{name}` stands for a file's name."""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from itertools import count
from typing import NamedTuple

from msgspec.structs import replace

from viewer.errors import ResourceError
from viewer.library.extraction import FORBIDDEN, folded, refusal
from viewer.library.file_sources import SourceFile
from viewer.library.gallery.writer import is_gallery_folder
from viewer.library.outcome import Outcome
from viewer.scene.names import FRAME, JOINT, NAME, any_frame
from viewer.scene.reading_context import ReadingContext
from viewer.storage.listing import list_folder
from viewer.storage.own_picture import is_replaceable
from viewer.storage.writing import unused_path

UNMARKED = (
    "is no picture that Rigscope drew and stays; pictures of earlier versions have no mark: delete them once"
)


class OutputPlan(NamedTuple):
    """The outputs of models, all below the folder `root`.

    `names` has the name of each output, with `/`, by the path of its model. `refused` are the models that get
    no output.
    """

    root: str
    names: dict[str, str]
    refused: tuple[Outcome, ...]


def plan_outputs(models: Sequence[SourceFile], pattern: str) -> OutputPlan:
    """Choose the outputs of models; the folders below the named place are kept.

    Models that would have the same output keep their suffixes: `a.mdl.png` and `a.mesh.png`. Models of
    several places keep the folders by which the places differ: `A/x.png` and `B/x.png`. The others of those
    that still differ only in case get a number: `x (2).png`. In a name of a package, `_` replaces characters
    that some systems cannot store; the name is refused if it leads out of the folder.
    """
    pattern = pattern.replace(os.sep, "/")
    root, last = _split(pattern)
    own = {each.path: _storable(each) for each in models}
    names = {each.path: _filled(last, own[each.path], _stem) for each in models}
    same = _shared(names)
    alike = [each for each in models if folded(names[each.path]) in same]
    places = _places(alike)
    ways: tuple[tuple[dict[str, str], Callable[[str], str]], ...] = (
        ({}, str),
        (places, _stem),
        (places, str),
    )
    for folders, stem in ways:
        tried = names | {
            each.path: _filled(last, f"{folders.get(each.root, '')}{own[each.path]}", stem) for each in alike
        }
        same = _shared(tried)
        names |= {each.path: tried[each.path] for each in alike if folded(tried[each.path]) not in same}
        alike = [each for each in alike if folded(tried[each.path]) in same]
    taken = {folded(name) for name in names.values()}
    taken -= {folded(names[each.path]) for each in alike}
    for each in alike:
        names[each.path] = _numbered(names[each.path], taken)
    refused = []
    for each in models:
        why = refusal(names[each.path]) if _is_inside(each) else ""
        if why:
            refused.append(Outcome(each.path, error=ResourceError(f"not written, {why}")))
            del names[each.path]
    return OutputPlan(root, names, tuple(refused))


def _is_inside(file: SourceFile) -> bool:
    """Whether a file is in a package."""
    return file.path == f"{file.root}{JOINT}{file.name}"


def _storable(file: SourceFile) -> str:
    """The name of a file; in a package, with `_` in place of characters that some systems cannot store."""
    return re.sub(f"[{re.escape(FORBIDDEN)}]", "_", file.name) if _is_inside(file) else file.name


def _places(files: Iterable[SourceFile]) -> dict[str, str]:
    """The path of each root of the files below the folder of all these roots, with `/` at its end. Empty if
    they have no common folder, as on two drives.
    """
    roots = {each.root: os.path.abspath(each.root) for each in files}
    try:
        common = os.path.commonpath(roots.values())
    except ValueError:
        return {}
    below = {root: os.path.relpath(path, common).replace(os.sep, "/") for root, path in roots.items()}
    return {root: "" if path == "." else f"{path}/" for root, path in below.items()}


def _numbered(name: str, taken: set[str]) -> str:
    """The name, with the first number that makes it no other name of `taken`, to which it is added."""
    stem, suffix = os.path.splitext(name)
    names = (f"{stem}{f' ({number})' if number > 1 else ''}{suffix}" for number in count(1))
    unused = next(each for each in names if folded(each) not in taken)
    taken.add(folded(unused))
    return unused


def without_outputs(context: ReadingContext, plan: OutputPlan, files: Iterable[str]) -> ReadingContext:
    """The context in which a batch reads its `files`: the folder of the outputs belongs to no project. If one
    of the files is below this folder, none of the outputs is guessed instead.
    """
    root = os.path.abspath(plan.root)
    front = os.path.join(root, "")
    if any(os.path.abspath(file).startswith(front) for file in files):
        return replace(context, outputs=tuple(os.path.join(root, name) for name in plan.names.values()))
    return replace(context, left_out=(root,))


def without_pictures(plan: OutputPlan) -> OutputPlan:
    """Refuse the outputs that would replace a picture that is no view; see `is_replaceable`. In the folder of
    a gallery every file may be replaced.
    """
    names, refused = dict(plan.names), list(plan.refused)
    for path, name in plan.names.items():
        output = os.path.join(plan.root, name)
        kept = (each for each in _written_over(output) if not is_replaceable(each))
        picture = None if is_gallery_folder(os.path.dirname(output)) else next(kept, None)
        if picture is not None:
            refused.append(Outcome(path, error=ResourceError(f"not written, {picture} {UNMARKED}")))
            del names[path]
    return OutputPlan(plan.root, names, tuple(refused))


def _written_over(output: str) -> list[str]:
    """The files that an output may replace: those with any number if its frames are numbered."""
    folder, name = os.path.split(output)
    if not FRAME.search(name):
        return [output]
    numbered = any_frame(output)
    listed = list_folder(folder) if os.path.isdir(folder) else ()
    return [each.path for each in listed if numbered.fullmatch(each.path)]


def plan_unused(files: Sequence[SourceFile], folder: str, suffix: str) -> OutputPlan:
    """Choose an output directly in `folder` for each file: the file's name, with a number where a file exists
    or another output has the name.
    """
    taken: set[str] = set()
    names = {}
    for each in files:
        path = unused_path(os.path.join(folder, _stem(each.name.rpartition("/")[2])), suffix, taken)
        taken.add(path)
        names[each.path] = os.path.basename(path)
    return OutputPlan(folder, names, ())


def written_line(written: int, total: int, what: str, where: str) -> str:
    """The line after many outputs: `3 of 4 files written to out`. `what` is their noun, `where` the file or
    folder that has them, empty for the current folder.
    """
    some = f"{written:,} of " if written != total else ""
    return f"{some}{total:,} {what if total == 1 else f'{what}s'} written to {os.path.normpath(where)}"


def _split(pattern: str) -> tuple[str, str]:
    """Split a pattern into its fixed folder and the rest, which begins at the folder or file name with
    `{name}`.
    """
    head = pattern[: pattern.index(NAME)]
    end = head.rfind("/") + 1
    return pattern[:end] or ".", pattern[end:]


def _filled(last: str, name: str, stem: Callable[[str], str]) -> str:
    """Return the name of the output for the model `name`. Both names may begin with subfolders."""
    folder, slash, base = name.rpartition("/")
    return f"{folder}{slash}{last.replace(NAME, stem(base))}"


def _stem(base: str) -> str:
    return os.path.splitext(base)[0]


def _shared(names: dict[str, str]) -> set[str]:
    """Return the output names that several models would have."""
    return {name for name, number in Counter(map(folded, names.values())).items() if number > 1}
