"""Writes the files of an export: one `.glb`, or a `.gltf` with its buffer and pictures beside it.

Source: glTF 2.0 specification, section 4 (GLB).
"""

from __future__ import annotations

import errno
import os
import struct
from collections.abc import Callable, Iterable
from urllib.parse import quote

from viewer.errors import printable
from viewer.export.gltf.buffer import GltfBuffer, Json
from viewer.export.gltf.images import PictureFile
from viewer.export.gltf.materials import StorePicture
from viewer.scene.names import file_name
from viewer.storage.writing import is_same_file, replaced

MAGIC, VERSION = 0x46546C67, 2
JSON_CHUNK, BINARY_CHUNK = 0x4E4F534A, 0x004E4942
GLB_BYTES = (1 << 32) - 1
"""Largest size of a GLB in bytes."""
SAFE = "-_.() "
NAME_BYTES = 80
"""Limits of picture file names: the allowed characters besides letters and digits, and the largest number of
bytes.
"""


class PictureFiles:
    """Pictures beside the file `output`; none of them replaces a file of `inputs`.

    A name that some systems cannot store is changed; `messages` reports it.
    """

    def __init__(self, output: str, inputs: Iterable[str] = ()) -> None:
        self._folder, name = os.path.split(output)
        self._stem = os.path.splitext(name)[0]
        self._inputs = tuple(inputs)
        self.pictures: dict[str, PictureFile] = {}
        self.messages: list[str] = []

    def add(self, name: str, picture: PictureFile) -> Json:
        """Keep a picture; return its glTF `images` object."""
        return {"uri": uri(self.keep(name, picture)), "name": name}

    def keep(self, name: str, picture: PictureFile) -> str:
        """Choose a file name for a picture, and keep it for `write`; return the file name."""
        base = os.path.splitext(file_name(name))[0]
        safe = "".join(c if c.isalnum() or c in SAFE else "_" for c in base)
        safe = safe.encode()[:NAME_BYTES].decode(errors="ignore").strip(". ") or "texture"
        chosen, number = f"{self._stem}_{safe}{picture.suffix}", 1
        while self._is_taken(chosen):
            chosen, number = f"{self._stem}_{safe}_{number}{picture.suffix}", number + 1
        if safe != base:
            self.messages.append(f"texture {printable(name)} is written as {printable(chosen)}")
        self.pictures[chosen] = picture
        return chosen

    def _is_taken(self, name: str) -> bool:
        path = os.path.join(self._folder, name)
        return name.casefold() in {each.casefold() for each in self.pictures} or any(
            is_same_file(path, each) for each in self._inputs
        )

    def write(self) -> None:
        """Write the added pictures; OSError if a file cannot be written."""
        for name, picture in self.pictures.items():
            with replaced(os.path.join(self._folder, name)) as file:
                file.write(picture.data)


def uri(name: str) -> str:
    """Return the relative URI of a file name."""
    return quote(os.fsencode(name))


def embedding(buffer: Callable[[], GltfBuffer]) -> StorePicture:
    """Return a function that stores pictures in the buffer of the glTF file."""

    def store(name: str, picture: PictureFile) -> Json:
        """Store a picture as a buffer view."""
        return {"bufferView": buffer().view(picture.data), "mimeType": picture.media, "name": name}

    return store


def write_glb(buffer: GltfBuffer, output: str) -> None:
    """Write a `.glb` with the JSON and the binary part."""
    content = buffer.json | ({"buffers": [{"byteLength": buffer.size}]} if buffer.size else {})
    text = b"".join(buffer.text(content))
    text += b" " * (-len(text) % 4)
    size = 12 + 8 + len(text) + (8 + buffer.size if buffer.size else 0)
    if size > GLB_BYTES:
        raise OSError(errno.EFBIG, "a .glb can have at most 4 GiB: choose .gltf", output)
    with replaced(output) as file:
        file.write(
            struct.pack("<3I", MAGIC, VERSION, size) + struct.pack("<2I", len(text), JSON_CHUNK) + text
        )
        if buffer.size:
            file.write(struct.pack("<2I", buffer.size, BINARY_CHUNK))
            file.writelines(buffer.parts())


def write_gltf(buffer: GltfBuffer, output: str) -> None:
    """Write the file with the buffer, then the JSON file `.gltf` beside it."""
    stem = os.path.splitext(output)[0]
    content = dict(buffer.json)
    if buffer.size:
        content["buffers"] = [{"byteLength": buffer.size, "uri": uri(os.path.basename(stem) + ".bin")}]
        with replaced(stem + ".bin") as file:
            file.writelines(buffer.parts())
    with replaced(output) as file:
        file.writelines(buffer.text(content))
