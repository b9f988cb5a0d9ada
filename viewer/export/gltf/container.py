"""The files of an export: one `.glb`, or a `.gltf` with its buffer and pictures beside it.

Source: glTF 2.0 specification, section 4 (GLB).
"""

from __future__ import annotations

import os
import struct
from collections.abc import Callable
from urllib.parse import quote

from viewer.export.gltf.buffer import GltfBuffer, Json
from viewer.export.gltf.images import Picture
from viewer.export.gltf.materials import Place
from viewer.storage.writing import replaced

MAGIC, VERSION = 0x46546C67, 2
JSON_CHUNK, BINARY_CHUNK = 0x4E4F534A, 0x004E4942
MOST_BYTES = (1 << 32) - 1
"""The size that a GLB can state."""
SAFE = "-_.() "
LONGEST = 80


class PictureFiles:
    """Pictures that are written beside the file `output`; `names` are those of the files."""

    def __init__(self, output: str) -> None:
        self._stem = os.path.splitext(os.path.basename(output))[0]
        self.pictures: dict[str, Picture] = {}

    def place(self, name: str, picture: Picture) -> Json:
        """Plan a file for a picture."""
        base = os.path.splitext(name.replace("\\", "/").rpartition("/")[2])[0]
        safe = (
            "".join(c if c.isalnum() or c in SAFE else "_" for c in base)[:LONGEST].strip(". ") or "texture"
        )
        chosen, number = f"{self._stem}_{safe}{picture.suffix}", 1
        while chosen.casefold() in {each.casefold() for each in self.pictures}:
            chosen, number = f"{self._stem}_{safe}_{number}{picture.suffix}", number + 1
        self.pictures[chosen] = picture
        return {"uri": quote(chosen), "name": name}

    def write(self, folder: str) -> None:
        """Write the files."""
        for name, picture in self.pictures.items():
            with replaced(os.path.join(folder, name)) as file:
                file.write(picture.data)


def embedding(buffer: Callable[[], GltfBuffer]) -> Place:
    """Store pictures in the buffer."""

    def place(name: str, picture: Picture) -> Json:
        return {"bufferView": buffer().view(picture.data), "mimeType": picture.media, "name": name}

    return place


def write_glb(buffer: GltfBuffer, output: str) -> None:
    """Write one file with the JSON and the binary part."""
    content = buffer.json | ({"buffers": [{"byteLength": buffer.size}]} if buffer.size else {})
    text = b"".join(buffer.text(content))
    text += b" " * (-len(text) % 4)
    size = 12 + 8 + len(text) + (8 + buffer.size if buffer.size else 0)
    with replaced(output) as file:
        file.write(
            struct.pack("<3I", MAGIC, VERSION, size) + struct.pack("<2I", len(text), JSON_CHUNK) + text
        )
        if buffer.size:
            file.write(struct.pack("<2I", buffer.size, BINARY_CHUNK))
            file.writelines(buffer.parts())


def write_gltf(buffer: GltfBuffer, output: str) -> None:
    """Write a JSON file, and first the file of its buffer beside it."""
    stem = os.path.splitext(output)[0]
    content = dict(buffer.json)
    if buffer.size:
        content["buffers"] = [{"byteLength": buffer.size, "uri": quote(os.path.basename(stem) + ".bin")}]
        with replaced(stem + ".bin") as file:
            file.writelines(buffer.parts())
    with replaced(output) as file:
        file.writelines(buffer.text(content))
