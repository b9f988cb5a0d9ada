"""The rule for the encoding of names."""

from __future__ import annotations

from collections.abc import Iterator

from viewer.binary.code_pages import LATIN, PAGES
from viewer.check.check_context import CheckContext
from viewer.check.rule import Found, Rule, listed
from viewer.scene.finding import Severity
from viewer.scene.names import file_name
from viewer.scene.needs import needs_of
from viewer.scene.package import Package

OTHERS = {**{page: name for page, (name, _) in PAGES.items()}, LATIN: "a code page with one byte per letter"}
"""Encodings other than UTF-8, and how texts name each of them."""
SOUGHT_NAMES = 64
"""The largest number of names that are searched for in the bytes of a file."""


def not_utf8(context: CheckContext) -> Iterator[Found]:
    """Report names that are not in UTF-8. The encoding is guessed from the bytes of the names."""
    data = context.document.data
    found: dict[str, list[tuple[str, int]]] = {}
    strange = (name for name in dict.fromkeys(_names(context)) if not name.isascii())
    for name, _ in zip(strange, range(SOUGHT_NAMES), strict=False):
        if name.encode("utf-8", "surrogateescape") in data:
            continue
        for encoding in OTHERS:
            raw = name.encode(encoding, "ignore")
            if raw in data and not _is_utf8(raw):
                found.setdefault(encoding, []).append((name, data.index(raw)))
                break
    for encoding, names in found.items():
        some = listed([name for name, _ in names])
        yield Found(f"{_counted(len(names))} in {OTHERS[encoding]}, not in UTF-8: {some}", offset=names[0][1])


def _counted(number: int) -> str:
    return "1 name is" if number == 1 else f"{number} names are"


def _is_utf8(raw: bytes) -> bool:
    try:
        raw.decode()
    except UnicodeDecodeError:
        return False
    return True


def _names(context: CheckContext) -> Iterator[str]:
    """Yield the names that the file itself may contain."""
    document, model = context.document, context.shapes
    if context.skeleton is not None:
        yield from context.skeleton.names
    yield from (each.name for each in model.geometries)
    yield from (each.name for each in model.materials)
    yield from (each.name for each in model.textures)
    yield from (each.name for each in model.morphs)
    yield from (clip.name for _, clip in context.own_clips)
    yield from (each.name for each in needs_of(document) if each.found is None)
    yield from (file_name(each.path) for each in document.attached)
    if isinstance(document.content, Package):
        yield from document.content.names


RULES = (
    Rule(
        "bytes/name-encoding",
        Severity.NOTE,
        "Names are not in UTF-8",
        not_utf8,
        {
            "Urho3D": (
                "The engine reads names as UTF-8: names in another encoding look wrong, and the "
                "engine finds nothing by these names."
            ),
            "OGRE": "OGRE compares bytes: scripts and files with names in another encoding are not found.",
            "WoW": "The client reads names in its own code page.",
        },
        "Use only ASCII letters in names, both in the file and wherever the names are used.",
        "2 names are in GB18030, not in UTF-8: 白骆驼, 马",
    ),
)
