"""Recognise files of other programs, so that errors name them. Such files may have the suffix of a readable
format.

Source: the published headers of each format (Valve and Quake `studio.h`, Conitec's MDL description,
Simulink's text format, the glTF and TGA specifications, the Git LFS specification).
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple

from viewer.binary.span import UNKNOWN, Span
from viewer.errors import FormatError, NeedState, Report
from viewer.scene.document import Document
from viewer.scene.reading_context import ReadingContext
from viewer.storage.package_path import read_path
from viewer.storage.source import HEAD

LFS = re.compile(rb"version https://git-lfs\.github\.com/spec/.*?^size (\d{1,18})$", re.S | re.M)
UNITY = re.compile(rb"^--- !u!\d+ &-?\d+[^\n]*\n(\w{1,64}):", re.M)
OGRE_XML = re.compile(rb"(?:\xef\xbb\xbf)?\s*(?:<[?!][^>]*>\s*)*<(mesh|skeleton)[\s/>]")
TGA_HEADER = 18


class ForeignFormat(NamedTuple):
    """A format that Rigscope does not read. A file has this format if it begins with `magic` and has one of
    the `suffixes` (empty: any suffix). `name` follows "is" in messages.
    """

    magic: bytes | tuple[bytes, ...]
    name: str
    suffixes: tuple[str, ...] = ()


WEB_PAGES = (b"<!DOCTYPE html", b"<!doctype html", b"<html")
TEXTS = (b"version https://git-lfs", *WEB_PAGES)
"""The beginnings of pointers of Git LFS and of web pages."""
POINTER, WEB_PAGE = "a Git LFS pointer", "a web page"
OGRE = (".mesh", ".skeleton")
FORMATS = (
    ForeignFormat(b"IDPO", "a Quake model (.mdl)"),
    ForeignFormat(b"IDP2", "a Quake II model (.md2)"),
    ForeignFormat(b"IDP3", "a Quake III model (.md3)"),
    ForeignFormat(b"IDSQ", "a sequence file of a Half-Life model"),
    ForeignFormat((b"MDL2", b"MDL3", b"MDL4", b"MDL5", b"MDL7"), "a 3D GameStudio model (.mdl)"),
    ForeignFormat((b"MDLX", b"MDLH"), "a Warcraft III model, or a model with the same magic"),
    ForeignFormat(
        (b"Model {", b"Model{", b"# MathWorks OPC Text Package"), "a Simulink model (.mdl)", (".mdl",)
    ),
    ForeignFormat((b"RSRC", b"RSCC"), "a Godot resource"),
    ForeignFormat(b"version ", "a Roblox mesh", (".mesh",)),
    ForeignFormat((b"MeshVersionFormatted", b"MeshVersionUnformatted"), "a mesh of Medit (INRIA)"),
    ForeignFormat((b"MFEM mesh", b"MFEM NURBS"), "a mesh of MFEM"),
    ForeignFormat(b"UnityFS\0", "a Unity asset bundle"),
    ForeignFormat(b"\0\5\x16\7", "an AppleDouble file, in which a Mac keeps the attributes of another file"),
    ForeignFormat(
        b"PTCH",
        "a patch (PTCH), which the game applies to the file of the same name in an older archive",
    ),
    ForeignFormat(
        b"\x84\xcc\xfa\x75",
        "a file that the protector of its client encrypted; only tools of the client's server unpack it",
    ),
    ForeignFormat(b"PKZF", "an archive of a later program of the studio of 天龙八部 (PKZF)"),
    ForeignFormat(
        b"sket", "a skeleton of an unknown engine (sket), which only its own program can open", OGRE
    ),
    ForeignFormat(
        b"geom", "a geometry of an unknown engine (geom), which only its own program can open", OGRE
    ),
    ForeignFormat(b"RIFF", "an animated cursor of Windows", (".ani",)),
    ForeignFormat(b"-----BEGIN PGP", "a key or signature of OpenPGP", (".asc",)),
    ForeignFormat((b"ncols ", b"NCOLS "), "a grid of Esri", (".asc",)),
    ForeignFormat(b"glTF", "a binary glTF file (.glb)"),
    ForeignFormat(b"Kaydara FBX Binary", "an FBX file"),
    ForeignFormat(b"BLENDER", "a Blender file"),
    ForeignFormat(b"\x89PNG\r\n\x1a\n", "a PNG picture"),
    ForeignFormat(b"\xff\xd8\xff", "a JPEG picture"),
    ForeignFormat(b"DDS ", "a DDS picture"),
    ForeignFormat((b"GIF87a", b"GIF89a"), "a GIF picture"),
    ForeignFormat((b"II*\0", b"MM\0*"), "a TIFF picture"),
    ForeignFormat(b"8BPS", "a Photoshop picture (.psd)"),
    ForeignFormat(b"\xabKTX 11\xbb", "a KTX picture, which holds pixels as graphics cards store them"),
    ForeignFormat(b"\xabKTX 20\xbb", "a KTX2 picture, which holds pixels as graphics cards store them"),
    ForeignFormat(
        (b"PVR\3", b"\3RVP"), "a PVR picture, which holds pixels as graphics cards of PowerVR store them"
    ),
    *(
        ForeignFormat(magic, f"a table of World of Warcraft {since} ({magic.decode()}), which is not read")
        for magic, since in (
            (b"WDB2", "4 and 5"),
            (b"WCH2", "4"),
            (b"WDB5", "7"),
            (b"WDB6", "7"),
            (b"WDC1", "7.3 and later"),
            (b"WDC2", "8 and later"),
            (b"WDC3", "8.1 and later"),
            (b"WDC4", "10 and later"),
            (b"WDC5", "10.2 and later"),
        )
    ),
    ForeignFormat(b"REVM", "a building of World of Warcraft (.wmo)", (".wmo",)),
    ForeignFormat(b"REVM", "a map tile of World of Warcraft (.adt)", (".adt",)),
    ForeignFormat(b"REVM", "a map of World of Warcraft (.wdt)", (".wdt",)),
    ForeignFormat(b"REVM", "a low-resolution map of World of Warcraft (.wdl)", (".wdl",)),
    ForeignFormat(b"REVM", "a building or map of World of Warcraft, made of chunks"),
    ForeignFormat((b"PK\3\4", b"PK\5\6"), "a zip archive"),
    ForeignFormat(b"\x1f\x8b\x08", "a file packed by gzip"),
    ForeignFormat(WEB_PAGES, f"{WEB_PAGE}, perhaps of a failed download"),
)
"""Formats with a distinctive magic."""


OWN_SUFFIXES = {
    ".ani": ("an animated cursor of Windows",),
    ".anim": ("an animation clip of Unity",),
    ".asc": ("a key or signature of OpenPGP", "a grid of Esri"),
}
"""The names of formats by the usual suffix of their files. Formats whose names contain this suffix are not
listed.
"""


def has_own_suffix(name: str, suffix: str) -> bool:
    """Return whether files of a format usually have this suffix. `name` is a result of `foreign_format`."""
    return f"({suffix}" in name or name in OWN_SUFFIXES.get(suffix, ())


def foreign_format(data: bytes, suffix: str) -> str | None:
    """Return the name of a file's format, with its article; None if it is not recognised. `suffix` is in
    lower case with its dot.
    """
    head = bytes(data[:HEAD])
    for recognise in RECOGNISERS:
        name = recognise(head, suffix)
        if name is not None:
            return name
    return next(
        (
            each.name
            for each in FORMATS
            if head.startswith(each.magic) and (not each.suffixes or suffix in each.suffixes)
        ),
        None,
    )


def stand_in(head: bytes | None) -> tuple[NeedState, str]:
    """Whether a file whose first bytes are `head` is only there in place of the file that was meant: a
    pointer of Git LFS, a web page, or a file without bytes. Return its state and the reason; `found` and no
    reason for any other file, and for unknown bytes.
    """
    if head is None:
        return "found", ""
    if not head:
        return "unreadable", "is empty"
    name = foreign_format(head, "") if head.startswith(TEXTS) else None
    return state_of(name) if name and name.startswith((POINTER, WEB_PAGE)) else ("found", "")


def state_of(name: str) -> tuple[NeedState, str]:
    """The state of a needed file in a format that Rigscope does not read, and the reason. `name` is a result
    of `foreign_format`.
    """
    state: NeedState = "unreadable" if name.startswith(WEB_PAGE) else "unsupported"
    return "pointer" if name.startswith(POINTER) else state, f"is {name}"


def _lfs_pointer(head: bytes, suffix: str) -> str | None:
    """The name of the format if the file is a Git LFS pointer, a text in place of a file of a repository."""
    found = LFS.match(head)
    if found is None:
        return None
    return f"{POINTER}, not the file itself: `git lfs pull` fetches its {int(found[1]):,} bytes"


def _unity_asset(head: bytes, suffix: str) -> str | None:
    if not head.startswith(b"%YAML") or b"tag:unity3d.com" not in head:
        return None
    kind = UNITY.search(head)
    if kind is not None and kind[1] == b"AnimationClip":
        return "an animation clip of Unity"
    return f"a Unity asset ({kind[1].decode('ascii', 'replace')})" if kind else "a Unity asset"


def _studio_model(head: bytes, suffix: str) -> str | None:
    """The name of the format if the file is a model of Half-Life (version 10) or of the Source engine
    (version 44 and above).
    """
    if not head.startswith(b"IDST"):
        return None
    version = int.from_bytes(head[4:8], "little")
    return f"a {'Half-Life' if version <= 10 else 'Source engine'} model (.mdl, version {version})"


def _ogre_xml(head: bytes, suffix: str) -> str | None:
    """The name of the format if the file is a mesh or skeleton of OGRE in XML."""
    found = OGRE_XML.match(head)
    if found is None:
        return None
    return f"an OGRE {found[1].decode()} in XML, which OgreXMLConverter converts to the binary format"


def _tga_picture(head: bytes, suffix: str) -> str | None:
    """The name of the format if the file is a TGA picture with the suffix `.blp`. The header is tested,
    because TGA has no magic.
    """
    if suffix != ".blp" or len(head) < TGA_HEADER:
        return None
    width, height = (int.from_bytes(head[at : at + 2], "little") for at in (12, 14))
    sound = head[1] in (0, 1) and head[2] in (1, 2, 3, 9, 10, 11) and head[16] in (8, 15, 16, 24, 32)
    return "a TGA picture with the name of a BLP picture" if sound and width and height else None


RECOGNISERS: tuple[Callable[[bytes, str], str | None], ...] = (
    _lfs_pointer,
    _unity_asset,
    _studio_model,
    _ogre_xml,
    _tga_picture,
)
"""Functions that recognise a format for which a magic is not enough."""


UNKNOWN_FORMAT = "unknown format"
ARTICLE = re.compile(r"^an? ")


def unread_document(path: str, error: FormatError, context: ReadingContext) -> Document:
    """Make a document of only the bytes of a file that failed to open; its report has the `error`.

    FormatError if the bytes cannot be read. An empty file has no bytes and no format.
    """
    place, data = read_path(path, context)
    name = foreign_format(data, place.suffix.lower()) if data else None
    report = Report()
    report.fail(error)
    root = Span(place.name, 0, len(data), UNKNOWN, error=error.why)
    format = UNKNOWN_FORMAT if name is None else ARTICLE.sub("", name.partition(",")[0])
    return Document(str(place), format, "", data, root, None, report, context=context)
