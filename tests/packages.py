"""Packages for tests: small ones of our own, and the corpus' ninja with all that belongs to it."""

from __future__ import annotations

import struct
from pathlib import Path

from tests.synthetic import animation_bytes, model_bytes
from viewer.families.urho3d.package.writer import package_bytes

MATERIAL = """<material><technique name="Techniques/Diff.xml"/>
<texture unit="diffuse" name="Textures/P.png"/></material>"""
POST = "Models/Post.mdl"


def png(color: tuple[int, int, int] = (200, 40, 40)) -> bytes:
    """A picture of one colour."""
    import io

    from PIL import Image

    out = io.BytesIO()
    Image.new("RGB", (4, 4), color).save(out, "PNG")
    return out.getvalue()


def post_files() -> list[tuple[str, bytes]]:
    """A model with a material, a texture and an animation."""
    return [
        (POST, model_bytes()),
        ("Models/Post_Bend.ani", animation_bytes()),
        ("Materials/Post.xml", MATERIAL.encode()),
        ("Textures/P.png", png()),
    ]


def write_package(folder: Path, magic: str = "UPAK", files: list[tuple[str, bytes]] | None = None) -> Path:
    """`Data.pak` with the files, or with those of `post_files`."""
    path = folder / "Data.pak"
    path.write_bytes(package_bytes(post_files() if files is None else files, magic))
    return path


def ninja_files(corpus: Path) -> list[tuple[str, bytes]]:
    """The ninja, its animations, material and texture."""
    root = corpus / "urho3d" / "Data"
    found = [path for path in sorted(root.rglob("*Ninja*")) if path.is_file()]
    return [(path.relative_to(root).as_posix(), path.read_bytes()) for path in found]


NINJA = "Models/NinjaSnowWar/Ninja.mdl"


HOSTILE_NAMES = {
    "../out": "leads out",
    "a/../../out": "leads out",
    "a/..": "leads out",
    "..": "leads out",
    "..\\out": "leads out",
    "a\\..\\..\\out": "leads out",
    "/etc/passwd": "absolute",
    "//server/share/x": "absolute",
    "\\\\server\\share\\x": "absolute",
    "\\\\?\\C:\\x": "absolute",
    "\\windows\\x": "absolute",
    "C:/x": "drive",
    "c:x": "drive",
    "Z:\\x": "drive",
    "a/C:/x": "has one of",
    "file.txt:stream": "has one of",
    "a<b": "has one of",
    'say "hi"': "has one of",
    "a|b": "has one of",
    "what?": "has one of",
    "all*": "has one of",
    "": "empty",
    ".": "empty",
    "./": "empty",
    " ": "empty",
    "///": "empty",
    "a\nb": "control",
    "a\x1b[2Jb": "control",
    "a\x00b": "control",
    "a\x7fb": "control",
    "a\x9bb": "control",
    "photo\u202egpj.exe": "control",
    "CON": "device",
    "con.txt": "device",
    "a/NUL/b": "device",
    "aux.tar.gz": "device",
    "com1": "device",
    "LPT9.x": "device",
    "COM¹": "device",
    "CONIN$": "device",
    "prn .txt": "device",
    "trailing.": "dot or a space",
    "trailing /x": "dot or a space",
    "a/.../x": "dot or a space",
    "x" * 300: "longer than 255 bytes",
    "ü" * 200: "longer than 255 bytes",
    "ab/" * 400 + "x": "longer than 1024",
    "half \ud800": "control",
}
"""Names that no file is extracted under, and a part of the reason."""


U32 = struct.Struct("<I").pack


def block_file(*blocks: tuple[int, int, bytes], size: int = 100) -> bytes:
    """An ULZ4 package with one file of these blocks: what they claim to make, to take, and what they are."""
    entry = b"a\0" + struct.pack("<III", 26, size, 0)
    body = b"".join(struct.pack("<HH", made, taken) + data for made, taken, data in blocks)
    return b"ULZ4" + U32(1) + U32(0) + entry + body


LITERAL = b"\x30abc"
LYING = {
    "a block larger than the file": (
        block_file((101, 4, LITERAL)),
        "of 101 bytes exceeds the 100 bytes left",
    ),
    "a block without bytes": (block_file((0, 0, b"")), "a block is empty"),
    "a block behind the end": (block_file((100, 60_000, LITERAL)), "ends 100 bytes before"),
    "a cut head": (block_file((3, 4, LITERAL)) + b"\x61", "ends 97 bytes before"),
}
"""Packages with a block that lies, and a part of what is said."""

ENTRY = b"a\0" + struct.pack("<III", 0, 0xFFFFFFFF, 0)
HOSTILE_PACKAGES = {
    "ten million files declared": b"UPAK" + U32(10_000_000) + U32(0) + ENTRY,
    "ten million files in a few": b"UPAK" + U32(10_000_000) + U32(0) + (b"\0" + bytes(12)) * 200_000,
    "a name without an end": b"UPAK" + U32(3) + U32(0) + b"n" * 2_000_000,
    "files that claim gigabytes": b"ULZ4" + U32(50_000) + U32(0) + ENTRY * 50_000,
    "blocks that never end": b"ULZ4"
    + U32(1)
    + U32(0)
    + b"a\0"
    + struct.pack("<III", 26, 0xFFFFFFFF, 0)
    + b"\1\0\1\0\x10" * 200_000,
    "a directory outside": b"RPAK" + U32(5) + U32(0) + U32(0) + struct.pack("<q", 1 << 60),
    "a directory before the file": b"RLZ4" + U32(5) + U32(0) + U32(0) + struct.pack("<q", -5),
    "a directory over the header": b"RLZ4" + U32(1) + U32(0) + U32(0) + struct.pack("<q", 0) + bytes(100),
}


def sharing_package(count: int, data: bytes) -> bytes:
    """A package whose `count` files are all the same bytes of it."""
    names = [f"{number:04}.bin".encode() + b"\0" for number in range(count)]
    at = 12 + sum(map(len, names)) + 12 * count
    entry = struct.pack("<III", at, len(data), 0)
    listed = b"".join(name + entry for name in names)
    return b"UPAK" + U32(count) + U32(0) + listed + data + U32(at + len(data) + 4)
