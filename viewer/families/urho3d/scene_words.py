"""The models to which a prefab or scene may give materials, and these materials, found without parsing it.

The word of a model is the letters and digits of its file name. A use is a model with its materials; it may
be wrong or missing, so that the file is parsed before a use counts.
"""

from __future__ import annotations

import re
from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from collections import Counter
from functools import lru_cache

from viewer.budget import BUDGET
from viewer.scene.names import file_name
from viewer.storage.contents import ANY, SECTION, Scanner
from viewer.storage.markup import is_json
from viewer.storage.source import resource_name

SCENES = (".xml", ".json", ".prefab", ".scene")
"""The suffixes of prefabs and scenes."""
LONGEST = 1 << 13
"""Size in bytes of the longest reference that is scanned."""
SHORT = 512
"""The largest size in bytes of names whose word is kept."""
REFERENCE = "Model;"
"""The beginning of the text of a reference to a model."""
NAMES = rb"[^\"M]*+(?:M(?!odel;)[^\"M]*+)*+"
USES = rb'Model;(%b)"(?:[^M]*+(?:M(?!odel;|aterial;)[^M]*+)*+Material;(%b)")?' % (NAMES, NAMES)
"""What a reference to a model names, and what the next reference names if it refers to materials."""
MODELS = rb'"Model;(%b)"' % NAMES, rb"'Model;(%b)'" % NAMES.replace(b'"', b"'")
"""What a reference to a model names, in each kind of quotes."""
SKIES = rb'"Skybox"(?:[^M"]++|M(?!aterial;)|"(?!Skybox"))*+Material;'
"""From the type of a sky to its material. The material of a sky says nothing about the model."""
Use = tuple[str, tuple[str, ...]]
"""The case-folded resource name of a model that a component draws, and the names of its materials."""
OTHERS = rb"[^a-z0-9]+"
"""What is left out of a file name. In each encoding the letters and digits that remain are the same."""
OTHER = "-"
"""The word of a file name without letters and digits."""
CONTROL = rb"[\0-\x1f]"
XML_ESCAPES = rb"&(?:#0*+([0-9]{1,7})|#x0*+([0-9a-fA-F]{1,6})|\w++);"
JSON_ESCAPES = rb"(?s)\\(?:u([0-9a-fA-F]{4})|(.))"


def words_in(data: bytes) -> list[str]:
    """The words of the models that a prefab or scene may name, and its uses: the word of the model,
    what the references name, and how often. Text in UTF-16 may name any model.
    """
    if b"\0" in data[:4] or data.startswith((BOM_UTF16_BE, BOM_UTF16_LE)):
        return [ANY]
    if is_json(data):
        data = re.sub(JSON_ESCAPES, _json_letter, data) if b"\\" in data else data
    elif b"&" in data:
        data = re.sub(XML_ESCAPES, _xml_letter, data)
    uses = Counter(re.findall(USES, data))
    if b'"Skybox"' in data or b"'Model;" in data:
        uses = Counter(re.findall(USES, re.sub(SKIES, b"", data)))
        uses.update((name, b"") for quoted in MODELS for name in re.findall(quoted, data))
    short = all(len(model) + len(materials) <= SHORT for model, materials in uses)
    return [*filter(None, map(_kept_word if short else _word_of_use, uses.items()))]


def _word_of_use(use: tuple[tuple[bytes, bytes], int]) -> str:
    """The word of a model, what the references name, and how often; the word alone if the names are too long
    or have control characters. Empty if no model is named.
    """
    (model, materials), count = use
    word = _word(model[-LONGEST:].replace(b"\\", b"/").rstrip(b"/. ").rpartition(b"/")[2])
    if materials and len(materials) <= LONGEST and not re.search(CONTROL, model + materials):
        names = model.decode("utf-8", "replace"), materials.decode("utf-8", "replace")
        return f"{word}{SECTION}{names[0]}{SECTION}{names[1]}{SECTION}{count}"
    return word if model else ""


_kept_word = lru_cache(1 << 14)(_word_of_use)
"""`_word_of_use` for names of at most `SHORT` bytes, which many scenes repeat."""


def use_of(text: str) -> tuple[Use, int] | None:
    """The use in a word of `words_in`, without the word of its model, and the number of components that have
    it; None if it names nothing.
    """
    reference, materials, count = text.split(SECTION)
    use = named_use(reference, materials)
    return (use, int(count)) if use is not None else None


def named_use(model: str, materials: str) -> Use | None:
    """The use of a component that names a model and, separated by semicolons, materials; None if it names
    only one of them.
    """
    name = resource_name(model)
    names = tuple(each.strip() for each in materials.split(";", BUDGET.prefab_materials))
    return (name.casefold(), names) if name and any(names) else None


def word_of(model_path: str) -> str:
    """The word of a model, as `words_in` yields it."""
    return _word(file_name(model_path).encode("utf-8", "surrogateescape"))


def _word(name: bytes) -> str:
    return re.sub(OTHERS, b"", name.lower()).decode() or OTHER


def _xml_letter(found: re.Match[bytes]) -> bytes:
    return _letter(int(found[1] or 0) or int(found[2] or b"0", 16))


def _json_letter(found: re.Match[bytes]) -> bytes:
    if found[1]:
        return _letter(int(found[1], 16))
    return found[2] if found[2] in b"/\\" else b""


def _letter(number: int) -> bytes:
    """A letter in ASCII that an escape stands for; nothing for other letters, and for quotes."""
    return bytes((number,)) if 0x20 <= number < 0x7F and number not in b"\"'" else b""


SCANNER = Scanner("urho3d scenes 2", SCENES, words_in, BUDGET.prefab_bytes)
