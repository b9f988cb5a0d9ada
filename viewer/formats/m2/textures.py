"""The textures that a model names, and the textures that it leaves to the program: found beside and above the
model.

Source: wowdev.wiki M2, textures; the client fills types 11 to 13 from its table of creatures, which is not
part of the model's files.
"""

from __future__ import annotations

from functools import partial
from itertools import islice
from pathlib import PurePath

from viewer.arrays import Array
from viewer.errors import MISSING_TEXTURE, Report, counted
from viewer.formats.m2.records import M2Records
from viewer.scene.material import Texture
from viewer.storage.image import read_image
from viewer.storage.resource_folders import resource_indexes
from viewer.storage.search import Found, SearchPath

NAMED = 0
TEXTURE_FILES = "texture_files"
"""The table of the file numbers that chunked models have in place of names."""
KINDS = {
    1: "body skin",
    2: "cape or object skin",
    3: "blade",
    4: "handle",
    5: "environment",
    6: "hair",
    7: "facial hair",
    8: "skin extra",
    9: "UI skin",
    10: "mane",
    11: "monster skin 1",
    12: "monster skin 2",
    13: "monster skin 3",
    14: "item icon",
    15: "guild background",
    16: "guild emblem",
    17: "guild border",
    18: "guild emblem of a tabard",
    19: "eyes",
}
"""The purpose of a texture of each type that the file does not name."""
MONSTER = (11, 12, 13)
WRAPS = (1, 2)
SUFFIX = ".blp"
MOST_CHOICES = 256


def textures_of(path: PurePath, records: M2Records, report: Report) -> tuple[Texture, ...]:
    """A texture for each record; missing files and guessed files are reported as warnings."""
    search = SearchPath.around(path)
    rows = records.tables["textures"]
    left = [int(row["type"]) for row in rows if int(row["type"]) != NAMED]
    choices = _image_choices(path.stem, search) if left else {}
    guesses = _guesses(path.stem, tuple(choices))
    files = records.tables.get(TEXTURE_FILES, ())
    made = []
    for number, row in enumerate(rows):
        kind, address = int(row["type"]), _address(row)
        if kind == NAMED:
            filed = f"{int(files[number])}{SUFFIX}" if number < len(files) else ""
            made.append(_named(records.text(row["name"]) or filed, address, search, report))
        else:
            made.append(_left(kind, address, search, choices, guesses, report))
    return tuple(made)


def picture(name: str, found: Found, texture: Texture) -> Texture:
    """The texture with the image that was found for it."""
    return Texture(
        name,
        found.path,
        decode=partial(read_image, found),
        address=texture.address,
        kind=texture.kind,
        choices=texture.choices,
    )


def _address(row: Array) -> tuple[str, str]:
    u, v = ("wrap" if int(row["flags"]) & bit else "clamp" for bit in WRAPS)
    return u, v


def _named(name: str, address: tuple[str, str], search: SearchPath, report: Report) -> Texture:
    plain = Texture(name or "nameless", address=address, kind=NAMED)
    found = search.find(name)
    if isinstance(found, Found):
        return picture(plain.name, found, plain)
    textures_searched = counted(len(found.searched), "place")
    report.warn(f"texture {plain.name} is missing; {textures_searched} searched", MISSING_TEXTURE)
    return Texture(plain.name, searched=found.searched, address=address, kind=NAMED)


def _left(
    kind: int,
    address: tuple[str, str],
    search: SearchPath,
    choices: dict[str, str],
    guesses: tuple[str, ...],
    report: Report,
) -> Texture:
    """A texture that the file leaves to the program: for a monster's skin the most likely file."""
    name = KINDS.get(kind, f"type {kind}")
    files = tuple(choices.values())
    plain = Texture(name, searched=files, address=address, kind=kind, choices=files)
    if kind in MONSTER and guesses:
        guess = guesses[min(MONSTER.index(kind), len(guesses) - 1)]
        found = search.find(guess)
        if isinstance(found, Found):
            report.note(f"texture {name} (type {kind}) is not in the file; {guess} is used")
            return picture(name, found, plain)
    offered = f"one of {len(choices)} beside the model" if choices else "any image"
    report.warn(f"texture {name} (type {kind}) is not in the file; choose {offered} for it", MISSING_TEXTURE)
    return plain


def _image_choices(stem: str, search: SearchPath) -> dict[str, str]:
    """The paths of the BLP files of the model's folder by name; then, of the user's resource folders, those
    whose names begin as the model's name.
    """
    own = search.sources[0]
    near = sorted((name for name in own.names() if name.lower().endswith(SUFFIX)), key=str.casefold)
    found = {name: own.where(name) for name in near[:MOST_CHOICES]}
    for index in resource_indexes():
        for name in islice(sorted(index.beginning(stem, (SUFFIX,)), key=str.casefold), MOST_CHOICES):
            file = index.source.where(name)
            if file not in found.values() and len(found) < MOST_CHOICES:
                found[name] = file
    return found


def _guesses(stem: str, choices: tuple[str, ...]) -> tuple[str, ...]:
    """The likely files of a monster's skins: names that begin as the model's name, or else any skin."""
    folded = stem.casefold()
    own = tuple(name for name in choices if name.rpartition("/")[2].casefold().startswith(folded))
    return own or tuple(name for name in choices if "skin" in name.casefold())
