"""The models to which a prefab or scene may give materials, found without parsing it: the letters and digits
of their file names.
"""

from __future__ import annotations

import re
from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from collections.abc import Iterator

from viewer.scene.names import file_name
from viewer.storage.contents import ANY, Scanner
from viewer.storage.markup import is_json

SCENES = (".xml", ".json", ".prefab", ".scene")
"""The suffixes of prefabs and scenes."""
LARGEST = 32 << 20
"""Size in bytes of the largest file that is scanned."""
REFERENCE = "Model;"
"""The beginning of the text of a reference to a model."""
REFERENCES = re.compile(REFERENCE.encode())
OTHERS = re.compile(rb"[^a-z0-9]+")
"""What is left out of a file name. In each encoding the letters and digits that remain are the same."""
XML_ESCAPES = re.compile(rb"&(?:#0*+([0-9]{1,7})|#x0*+([0-9a-fA-F]{1,6})|\w++);")
JSON_ESCAPES = re.compile(rb"\\(?:u([0-9a-fA-F]{4})|(.))", re.S)


def words_in(data: bytes) -> Iterator[str]:
    """Yield the words of the models that a prefab or scene may name. Text in UTF-16 may name any model."""
    if b"\0" in data[:4] or data.startswith((BOM_UTF16_BE, BOM_UTF16_LE)):
        yield ANY
        return
    if is_json(data):
        data = JSON_ESCAPES.sub(_json_letter, data) if b"\\" in data else data
    elif b"&" in data:
        data = XML_ESCAPES.sub(_xml_letter, data)
    for found in REFERENCES.finditer(data):
        quote = data[max(found.start() - 1, 0) : found.start()]
        end = data.find(quote, found.end()) if quote in (b'"', b"'") else -1
        if end >= 0:
            name = data[found.end() : end].replace(b"\\", b"/").rstrip(b"/. ")
            yield _word(name.rpartition(b"/")[2])


def word_of(model_path: str) -> str:
    """The word of a model, as `words_in` yields it."""
    return _word(file_name(model_path).encode("utf-8", "surrogateescape"))


def _word(name: bytes) -> str:
    return OTHERS.sub(b"", name.lower()).decode()


def _xml_letter(found: re.Match[bytes]) -> bytes:
    return _letter(int(found[1] or 0) or int(found[2] or b"0", 16))


def _json_letter(found: re.Match[bytes]) -> bytes:
    if found[1]:
        return _letter(int(found[1], 16))
    return found[2] if found[2] in b"/\\" else b""


def _letter(number: int) -> bytes:
    """A letter in ASCII that an escape stands for; nothing for other letters, and for quotes."""
    return bytes((number,)) if 0x20 <= number < 0x7F and number not in b"\"'" else b""


SCANNER = Scanner("urho3d scenes 1", SCENES, words_in, LARGEST)
