"""Find the textures of a model in the folders beside and above it. The model gives a texture's name, or
leaves the texture to the game.

Source: wowdev.wiki M2, textures. The client fills types 11 to 13 from its table of creatures, which is not
among the model's files.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from itertools import islice
from typing import NamedTuple

from msgspec.structs import replace

from viewer.arrays import Array
from viewer.binary.tables import RecordTables
from viewer.budget import BUDGET
from viewer.errors import MISSING_TEXTURE, Report, counted
from viewer.families.wow.m2.model_files import ModelFiles
from viewer.families.wow.m2.probe import SUFFIXES
from viewer.scene.material import NAMELESS, Texture
from viewer.storage.image import PICTURES, decoders
from viewer.storage.own_picture import is_view
from viewer.storage.resource_folders import resource_indexes
from viewer.storage.search import FoundResource, SearchPath

NAMED = 0
TEXTURE_FILES = "texture_files"
"""The table of file numbers that chunked models have instead of names."""
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
"""Purposes of the textures that a model does not name, by texture type."""
MONSTER = (11, 12, 13)
WRAPS = (1, 2)
SUFFIX = ".blp"


def textures_of(files: ModelFiles, records: RecordTables) -> tuple[Texture, ...]:
    """Return a texture for each record. Missing and guessed files are reported."""
    search, report = files.search, files.report
    rows = records.tables["textures"]
    left = [int(row["type"]) for row in rows if int(row["type"]) != NAMED]
    choices = _image_choices(files.path.stem, search) if left else ImageChoices({}, 0)
    numbers = records.tables.get(TEXTURE_FILES, ())
    made = []
    for number, row in enumerate(rows):
        kind, address = int(row["type"]), _address(row)
        if kind == NAMED:
            stored = records.text(row["name"])
            file = int(numbers[number]) if number < len(numbers) and not stored else 0
            names = files.names_of(file, SUFFIX) if file else (stored,)
            made.append(_named(names, address, search, report))
        else:
            made.append(_left(kind, address, search, choices, report))
    return tuple(made)


def picture(name: str, resource: FoundResource, texture: Texture) -> Texture:
    """Return `texture` with a new name, and with the found image."""
    return Texture(
        name,
        resource.path,
        by=resource.by,
        how=resource.how,
        rivals=resource.rivals,
        **decoders(resource),
        address=texture.address,
        kind=texture.kind,
        choices=texture.choices,
        fitting=texture.fitting,
    )


def _address(row: Array) -> tuple[str, str]:
    u, v = ("wrap" if int(row["flags"]) & bit else "clamp" for bit in WRAPS)
    return u, v


def _named(names: Sequence[str], address: tuple[str, str], search: SearchPath, report: Report) -> Texture:
    """The texture with the first of `names` that has a file. A texture without a name is never searched."""
    plain = Texture(names[0] or NAMELESS, address=address, kind=NAMED)
    searched: tuple[str, ...] = ()
    for name in filter(None, names):
        found = search.find(name, sole=True)
        if isinstance(found, FoundResource):
            return picture(name, found, plain)
        searched += found.searched
    if not names[0]:
        return plain
    paths = tuple(dict.fromkeys(searched))
    report.warn(f"texture {plain.name} is missing; searched {counted(len(paths), 'path')}", MISSING_TEXTURE)
    return Texture(plain.name, searched=paths, address=address, kind=NAMED)


def _left(
    kind: int,
    address: tuple[str, str],
    search: SearchPath,
    choices: ImageChoices,
    report: Report,
) -> Texture:
    """A texture that the model does not name; a monster skin gets the most likely file of the choices."""
    name = KINDS.get(kind, f"type {kind}")
    files = tuple(choices.files.values())
    plain = Texture(name, searched=files, address=address, kind=kind, choices=files, fitting=choices.fitting)
    guesses = tuple(choices.files)
    if kind in MONSTER and guesses:
        guess = guesses[min(MONSTER.index(kind), len(guesses) - 1)]
        found = search.find(guess)
        if isinstance(found, FoundResource):
            return replace(picture(name, found, plain), by="name", how="name")
    offered = f"one of {len(files)} beside the model" if files else "any image"
    report.warn(f"{left_out(kind)}; choose {offered} for it", MISSING_TEXTURE)
    return plain


def left_out(kind: int) -> str:
    """The beginning of a message about a texture type that the model leaves to the game."""
    return f"texture {KINDS.get(kind, f'type {kind}')} (type {kind}) is not in the file"


class ImageChoices(NamedTuple):
    """Image files to choose from, path by name. The names of the first `fitting` files fit the name of the
    model.
    """

    files: dict[str, str]
    fitting: int


def _image_choices(stem: str, search: SearchPath) -> ImageChoices:
    """List the images whose names begin with the model's name, in the model's folder and in the user's
    resource folders. If no name fits, and the model's folder has only one model, list the BLP files whose
    names contain `skin`.
    """
    own, suffixes = search.own, (SUFFIX, *PICTURES)
    names = sorted(own.names(), key=lambda name: (not name.lower().endswith(SUFFIX), name.casefold()))
    fits = _fitting(stem, names)
    named = (name for name in names if name.lower().endswith(suffixes) and fits(name))
    found = {name: own.where(name) for name in named if not is_view(own.where(name), search.context)}
    for index in resource_indexes(search.context):
        for name in islice(sorted(index.beginning(stem, suffixes), key=str.casefold), BUDGET.texture_choices):
            file = index.source.where(name)
            if fits(name) and file not in found.values() and not is_view(file, search.context):
                found[name] = file
    fitting = min(len(found), BUDGET.texture_choices)
    if not found and sum(name.lower().endswith(SUFFIXES) for name in names) == 1:
        skins = (name for name in names if "skin" in name.casefold() and name.lower().endswith(SUFFIX))
        found = {name: own.where(name) for name in skins}
    return ImageChoices(dict(islice(found.items(), BUDGET.texture_choices)), fitting)


def _fitting(stem: str, names: Iterable[str]) -> Callable[[str], bool]:
    """Return a function that tests whether an image's name fits the model `stem`: `RabbitSkin` fits `Rabbit`.
    A name does not fit if `names` lists a model with a longer name that fits, such as `RabbitSki`.
    """
    own = stem.casefold()
    stems = (os.path.splitext(name.casefold())[0] for name in names if name.lower().endswith(SUFFIXES))
    rivals = tuple(each for each in stems if each.startswith(own) and each != own)

    def fits(name: str) -> bool:
        base = name.rpartition("/")[2].casefold()
        return base.startswith(own) and not base.startswith(rivals)

    return fits
