"""Candidates for a word of a command line: verbs, options, and values.

The tables of options name the kind of each value.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from viewer.commands.options.parser import Option
from viewer.commands.options.table import ALL, LISTS
from viewer.commands.options.verb import FORMS
from viewer.errors import ViewerError
from viewer.scene.names import JOINT

if TYPE_CHECKING:
    from viewer.scene.document import Document
    from viewer.session.documents import OpenDocuments
    from viewer.storage.source import Source

FILES_OPENED = 8
"""The largest number of files on the line that are opened, because candidates may be names in these files."""


class Candidate(NamedTuple):
    """A word that a shell offers, with a short description."""

    text: str
    about: str = ""


class Candidates(NamedTuple):
    """The candidates for a word.

    If `kind` is `words`, only the candidates `words` are offered. If it is `files` or `folders`, the shell
    also lists files or folders itself. The word may have letters before a file name, such as `11=`; `front`
    is the number of these letters.
    """

    words: tuple[Candidate, ...] = ()
    kind: str = "words"
    front: int = 0


class TypedValue(NamedTuple):
    """A value to complete. `text` is the part of the value before the cursor. `paths` are all paths on the
    line, before and after the value.
    """

    text: str
    paths: tuple[str, ...]


class _Read(NamedTuple):
    """The result of reading words: the `paths`, the option that still needs its value, and whether `--` was
    among the words.
    """

    paths: tuple[str, ...]
    pending: Option | None
    ended: bool


def candidates(words: Sequence[str], at: int) -> Candidates:
    """Return the candidates for the word at index `at` of a command line.

    `words` has no quotes and does not contain the program's name. The word ends at the cursor. The result may
    contain candidates that do not begin with the word.
    """
    verb = next((each for each in FORMS if at and words[0] == each.name), FORMS[0])
    first = 1 if verb.name else 0
    options = verb.options if verb.name else (*verb.options, *LISTS, ALL)
    before, after = _read(options, words[first:at]), _read(options, words[at + 1 :])
    place = TypedValue(words[at], before.paths + after.paths)
    if before.pending is not None:
        return _values(before.pending.completes, place)
    if place.text.startswith("-") and not before.ended:
        return _option(options, place)
    offered = _values(verb.completes, place)
    return offered if at else offered._replace(words=(*_verbs(), *offered.words))


def _read(options: Iterable[Option], words: Iterable[str]) -> _Read:
    """Read words of a command line. Invalid words raise no error."""
    known = {flag: option for option in options for flag in option.flags}
    paths, pending, ended = list[str](), None, False
    for word in words:
        if pending is not None:
            pending = None
        elif word == "--" and not ended:
            ended = True
        elif word.startswith("-") and not ended:
            pending = known[word] if word in known and known[word].takes_value(word) else None
        else:
            paths.append(word)
    return _Read(tuple(paths), pending, ended)


def _verbs() -> Iterator[Candidate]:
    return (Candidate(each.name, each.summary) for each in FORMS if each.name)


def _option(options: Sequence[Option], place: TypedValue) -> Candidates:
    """List the options. For a word such as `--option=value`, list the values of that option instead."""
    flag, equals, text = place.text.partition("=")
    option = next((each for each in options if equals and each.takes_value(flag)), None)
    if option is not None:
        return _behind(f"{flag}=", _values(option.completes, place._replace(text=text)))
    if equals:
        return Candidates()
    flags = {flag: each for each in options for flag in each.flags if flag.startswith("--")}
    return Candidates(tuple(Candidate(flag, _clause(each.help)) for flag, each in flags.items()))


def _clause(text: str) -> str:
    """The first clause of a help text."""
    return re.split(r"[:;(]| such as ", text, maxsplit=1)[0].strip(" ,")


def _behind(front: str, offered: Candidates) -> Candidates:
    """Put `front`, the beginning of the word, before each candidate."""
    words = (each._replace(text=front + each.text) for each in offered.words)
    return Candidates(tuple(words), offered.kind, offered.front + len(front))


def _values(completes: tuple[str, ...] | str, place: TypedValue) -> Candidates:
    """List the candidates for a value. `completes` has fixed words, or is a name in `KINDS`, whose function
    finds the candidates.

    The result is empty if a file cannot be read.
    """
    if not isinstance(completes, str):
        return Candidates(tuple(map(Candidate, completes)))
    try:
        found = KINDS[completes](place)
    except (ViewerError, OSError):
        return Candidates()
    return found._replace(words=tuple(filter(_is_line, found.words)))


def _is_line(word: Candidate) -> bool:
    """Whether the text can be typed: control characters would end the line or the candidate."""
    return bool(word.text) and all(" " <= letter != "\x7f" for letter in word.text)


def _words(texts: Iterable[str]) -> Candidates:
    return Candidates(tuple(Candidate(each) for each in dict.fromkeys(texts)))


def _files(place: TypedValue) -> Candidates:
    """List the candidates for a path. The shell lists files itself. After `::`, the candidates are the files
    and folders inside the package.
    """
    package, joint, name = place.text.rpartition(JOINT)
    source = _package(package) if joint else None
    if source is None:
        return Candidates(kind="files")
    front = f"{package}{joint}{'/' if name.startswith('/') else ''}"
    return _behind(front, _words(_level(source.names(deep=True), name.removeprefix("/"))))._replace(front=0)


def _package(path: str) -> Source | None:
    from viewer.scene.reading_context import DEFAULT
    from viewer.storage.package_path import open_package

    return open_package(_expanded(path), DEFAULT)


def _level(names: Iterable[str], start: str) -> Iterator[str]:
    """Yield the names that begin with `start`. A name with a further `/` after `start` is cut behind that
    `/`.
    """
    for name in names:
        if name.startswith(start):
            end = name.find("/", len(start))
            yield name if end < 0 else name[: end + 1]


def _packed(place: TypedValue) -> Candidates:
    """List the candidates for a path. The first path on the line is the package, for which the shell lists
    files. For later paths, the candidates are names of files in the package.
    """
    if not place.paths:
        return Candidates(kind="files")
    inside = _files(TypedValue(f"{place.paths[0]}{JOINT}{place.text}", ()))
    front = len(place.paths[0]) + len(JOINT)
    return _words(each.text[front:] for each in inside.words)


def _nodes(place: TypedValue) -> Candidates:
    """List the candidates for a path in the tree of the first file on the line, a level at a time."""
    document = _document(place.paths[0]) if place.paths else None
    if document is None:
        return _files(place)
    from viewer.edit.paths import joined, labelled, node_at

    above = re.sub(r"[^/\[]*$", "", place.text).rstrip("/[")
    node = node_at(document.root, above)
    return _words(joined(node.stem, label) for label, _ in labelled(node.span.children))


def _documents(place: TypedValue) -> OpenDocuments:
    """Open the files on the line. The model in view is the same as in a window that opens these files."""
    from viewer.session.documents import OpenDocuments, foremost

    opened = [each for path in place.paths[:FILES_OPENED] if (each := _document(path)) is not None]
    return OpenDocuments(opened, foremost(opened) or 0)


def _document(path: str) -> Document | None:
    from viewer.storage.documents import open_document

    try:
        return open_document(_expanded(path))
    except (ViewerError, OSError):
        return None


def _expanded(path: str) -> str:
    """Replace `~` and variables in a path, because shells pass the words on as they are typed."""
    return os.path.expandvars(os.path.expanduser(path))


def _animations(place: TypedValue) -> Candidates:
    opened = _documents(place).opened
    return _words([*(clip.name for each in opened for clip in each.animations), "none"])


def _names(noun: str, end: str = "") -> Callable[[TypedValue], Candidates]:
    """Return the function that lists the names of the parts of a kind, each with `end` behind it."""
    return lambda place: _words(f"{name}{end}" for name in _documents(place).names(noun))


def _geosets(place: TypedValue) -> Candidates:
    model = _documents(place).model
    known = {each.geoset for each in model.geometries if each.geoset is not None} if model else set()
    return _words(map(str, sorted(known)))


def _displays(place: TypedValue) -> Candidates:
    document = _documents(place).document
    listed = document.displays.distinct if document else ()
    shown = (Candidate(str(each.first.id), each.first.title) for each in listed)
    return Candidates((*shown, Candidate("none")))


def _characters(place: TypedValue) -> Candidates:
    document = _documents(place).document
    character = document.character if document else None
    if character is None:
        return Candidates((Candidate("random"),), kind="files")
    return Candidates((Candidate("random"), Candidate(character.look.option, character.title)), kind="files")


def _emitters(place: TypedValue) -> Candidates:
    return _words(map(str, range(len(_documents(place).names("emitter")))))


def _textures(place: TypedValue) -> Candidates:
    """List the types of the textures that the game itself fills in, as words such as `11=`. After the `=`,
    the shell lists files.
    """
    kind, equals, _ = place.text.partition("=")
    if equals:
        return Candidates(kind="files", front=len(kind) + 1)
    model = _documents(place).model
    known = {each.kind for each in model.textures if each.kind} if model else set()
    return _words(f"{each}=" for each in sorted(known))


def _rule(place: TypedValue) -> Candidates:
    from viewer.check.rules import all_rules

    return Candidates(tuple(Candidate(each.id, each.title) for each in all_rules()))


def _rules(place: TypedValue) -> Candidates:
    """Rules and groups of rules. In a list with commas, the last entry is completed."""
    from viewer.check.rules import rule_names

    front, comma, _ = place.text.rpartition(",")
    return _behind(front + comma, _words(rule_names()))


def _formats(place: TypedValue) -> Candidates:
    from viewer.family.registry import pages

    return Candidates(tuple(Candidate(each.name, each.title) for each in pages()))


def _families(place: TypedValue) -> Candidates:
    from viewer.commands.family_check import family_rows

    return _words(row.name for row in family_rows())


def _topics(place: TypedValue) -> Candidates:
    from viewer.session.manual import topics

    return _words(topics())


def _colors(place: TypedValue) -> Candidates:
    from PIL.ImageColor import colormap

    return _words(["transparent", *colormap])


KINDS: dict[str, Callable[[TypedValue], Candidates]] = {
    "file": _files,
    "folder": lambda place: Candidates(kind="folders"),
    "packed": _packed,
    "node": _nodes,
    "animation": _animations,
    "bone": _names("bone"),
    "morph": _names("morph", "="),
    "geoset": _geosets,
    "display": _displays,
    "character": _characters,
    "emitter": _emitters,
    "texture": _textures,
    "image": _names("texture"),
    "geometry": _names("geometry"),
    "rule": _rule,
    "rules": _rules,
    "format": _formats,
    "family": _families,
    "topic": _topics,
    "color": _colors,
}
"""For each kind of argument in the tables of options and verbs, the function that lists its candidates."""
