"""Texts for a Linux desktop: file types, a desktop entry and a thumbnailer entry.

Sources: freedesktop.org, Shared MIME-info Database 0.22 (file types and their magic), Desktop Entry
Specification 1.5 (quoting of `Exec`); gnome-desktop `gnome-desktop-thumbnail.c` (thumbnailer entries).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from xml.sax.saxutils import escape, quoteattr

from viewer.family.format import Format
from viewer.family.registry import formats
from viewer.scene.files import Role

NAME, WINDOW_CLASS = "rigscope", "Rigscope"
"""The name of the program's files, and the WM_CLASS of its windows on X11."""
COMMENT = "View the animated models of Urho3D, OGRE and World of Warcraft"
TOPS: Mapping[Role, str] = {"model": "model", "picture": "image"}
"""First part of media types, by the role of the format. For any other role the first part is
`application`.
"""
DRAWN: tuple[Role, ...] = ("model", "picture")
"""Roles whose files are drawn as pictures."""
PRIORITY = 80
"""Priority of a format's magic, 0 to 100; from 80 on a matching magic counts more than the suffix of the
file.
"""
RESERVED = frozenset(" \t\n\"'\\><~|&;$*?#()`")
"""Characters of a word in `Exec` that require quotes around the word."""
ESCAPED = frozenset('"`$\\')


def media_type(format: Format) -> str:
    """Return the media type of a format, such as `model/x-ogre-mesh`."""
    return f"{TOPS.get(format.role, 'application')}/x-{format.name.lower().replace(' ', '-')}"


def media_types(*roles: Role) -> tuple[str, ...]:
    """Return the media types of all formats, or of the formats with one of `roles`."""
    return tuple(media_type(each) for each in formats() if not roles or each.role in roles)


def mime_package() -> str:
    """Return the XML of all formats with their suffixes and magics."""
    types = "\n".join("\n".join(_mime_type(each)) for each in formats())
    space = "http://www.freedesktop.org/standards/shared-mime-info"
    return f'<?xml version="1.0" encoding="UTF-8"?>\n<mime-info xmlns="{space}">\n{types}\n</mime-info>\n'


def _mime_type(format: Format) -> Iterator[str]:
    yield f"  <mime-type type={quoteattr(media_type(format))}>"
    yield f"    <comment>{escape(format.name)}</comment>"
    yield f'    <icon name="{NAME}"/>'
    if format.magics:
        yield f'    <magic priority="{PRIORITY}">'
        for magic in format.magics:
            yield f'      <match type="string" offset="0" value={quoteattr(_string(magic))}/>'
        yield "    </magic>"
    yield from (f"    <glob pattern={quoteattr('*' + suffix)}/>" for suffix in format.suffixes)
    yield "  </mime-type>"


def _string(magic: bytes) -> str:
    """Return bytes as text with C escapes, such as `\\x00\\x10[MeshSerializer_v`."""
    return "".join(chr(byte) if 32 < byte < 127 and byte != 92 else f"\\x{byte:02x}" for byte in magic)


def desktop_entry(command: Sequence[str]) -> str:
    """Return the desktop entry with which file managers open files; `command` is the command line of the
    program, word by word.
    """
    return _entry(
        "Desktop Entry",
        Type="Application",
        Name="Rigscope",
        GenericName="Model Viewer",
        Comment=COMMENT,
        TryExec=command[0],
        Exec=f"{exec_words(command)} %F",
        Icon=NAME,
        StartupWMClass=WINDOW_CLASS,
        Terminal="false",
        Categories="Graphics;3DGraphics;Viewer;",
        Keywords="model;mesh;skeleton;animation;",
        MimeType=_list(media_types()),
    )


def thumbnailer_entry(command: Sequence[str]) -> str:
    """Return the entry with which file managers draw thumbnails. They use a picture only if the command ends
    with 0, so a missing part must not change the exit status.
    """
    return _entry(
        "Thumbnailer Entry",
        TryExec=command[0],
        Exec=f"{exec_words(command)} thumbs %i -o %o --size %sx%s --no-strict",
        MimeType=_list(media_types(*DRAWN)),
    )


def exec_words(command: Sequence[str]) -> str:
    """Return the value of the key `Exec` for a command line: words are quoted if necessary, and `%` is
    doubled.
    """
    return " ".join(_word(word).replace("%", "%%") for word in command)


def _word(word: str) -> str:
    if word and RESERVED.isdisjoint(word):
        return word
    return '"' + "".join(f"\\{each}" if each in ESCAPED else each for each in word) + '"'


def _entry(group: str, **values: str) -> str:
    """Return the text of a desktop entry's group of keys; backslashes are doubled."""
    rows = (f"{key}={value}".replace("\\", "\\\\") for key, value in values.items())
    return "\n".join([f"[{group}]", *rows, ""])


def _list(names: Sequence[str]) -> str:
    return "".join(f"{name};" for name in names)
