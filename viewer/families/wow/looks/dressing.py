"""Dresses the model of a document in a display or a look of the game's tables."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

import numpy as np
from msgspec.structs import replace

from viewer.arrays import Array
from viewer.errors import MISSING_TEXTURE, NeededFile, ResourceError
from viewer.families.wow.looks.attachments import with_attached
from viewer.families.wow.looks.characters import EXTRAS, CharacterTables, complete_extras, look_of_extra
from viewer.families.wow.looks.displays import MODELS, ModelRows, particle_colors, read_displays, rows_of
from viewer.families.wow.looks.files import files_of
from viewer.families.wow.looks.items import LAST_GEOSET
from viewer.families.wow.looks.look import SEXES, WowLook
from viewer.families.wow.looks.names import name_clips, names_of
from viewer.families.wow.looks.tables import TableLog, TablePlace, expected_tables
from viewer.families.wow.looks.wardrobe import (
    LOOK_KINDS,
    character_tables,
    character_textures,
    dress_character,
    first_look,
    is_character,
    look_without_tables,
)
from viewer.families.wow.m2.mesh.textures import MONSTER, SUFFIX, left_out, picture
from viewer.scene.characters import CharacterLook, Choices
from viewer.scene.document import Document
from viewer.scene.emitter import Emitter, Ramp
from viewer.scene.looks import FIRST, OPAQUE, Display, Displays, Look, distinct_displays
from viewer.scene.material import AT_FIRST, Appearance, ClipTime, Material, TextureStage
from viewer.scene.model import GROUP, Model
from viewer.scene.names import file_name
from viewer.storage.search import FoundResource, SearchPath

FORBIDDEN = ("/", "\\", ":", "\0")
REPORTED = 10
"""At most this number of displays with forbidden names is reported."""
MIDDLE = 0.5
"""The middle of a particle's life, if the emitter's own colours have no middle key."""


class SkinFiles:
    """Finds the files of the textures that a table names: beside the model, else in the model's `folder` of
    the game.
    """

    def __init__(self, document: Document, folder: str) -> None:
        self._search = SearchPath.around(document.path, document.context)
        self._folder = folder
        self._found: dict[str, FoundResource | None] = {}

    def find(self, name: str) -> FoundResource | None:
        """Find the file of a texture name. None also for a name that leaves the folder."""
        key = name.casefold()
        if key not in self._found:
            self._found[key] = None if any(each in name for each in FORBIDDEN) else self._searched(name)
        return self._found[key]

    def _searched(self, name: str) -> FoundResource | None:
        own, file = self._search.own, f"{name}{SUFFIX}"
        stored = own.find(file)
        if stored is not None:
            return FoundResource(file, own.where(stored), own, stored, "table", "game")
        found = self._search.find(f"{self._folder}/{file}", sole=True)
        return replace(found, by="game", how="table") if isinstance(found, FoundResource) else None


def with_displays(document: Document) -> Document:
    """Return a document of an M2 model with what the game's tables contain about the model: its displays, its
    names, and the names of its clips. The model wears its first complete display. A character wears its first
    look whose files exist.

    A model that is in no table is returned unchanged, except for warnings about unusable tables. If it is a
    character, it shows the geosets without items, and the first skin beside it.
    """
    log = TableLog(document.context)
    name_clips(document, log)
    tables = character_tables(document, log)
    choices = tables.choices(files_of(document)) if tables is not None else None
    if tables is None and is_character(document.model):
        document = _without_tables(document)
    found = rows_of(document.path, log)
    if found is not None:
        document = _with_first(document, found, tables)
    elif names := names_of(document.path, log):
        document.displays = Displays(names=names)
    if tables is not None and choices is not None:
        look = first_look(tables, choices)
        document = _in_look(document, (look, look), tables, choices)
    # The paths of these tables are kept, because a picture is drawn again when a table changes or is added.
    expected = expected_tables(document.path, MODELS, document.context) if found is None else ()
    if read := (*log.paths, *expected):
        document.displays = replace(document.displays, tables=tuple(dict.fromkeys(read)))
    if document.bare is not None:
        _warn_of_tables(document.bare, log)
    return _warn_of_tables(document, log)


def _warn_of_tables(document: Document, log: TableLog) -> Document:
    """Return the document. Its report gets the tables that were read, and warnings about tables that do not
    fit.
    """
    for path in log.paths:
        document.report.need(NeededFile("table", file_name(path), (), path, "game", "stored", state="found"))
    for text in log.problems:
        document.report.warn(f"tables of the game: {text}")
    return document


def _without_tables(document: Document) -> Document:
    """The document of a character that no table knows."""
    assert document.model is not None, "a character has a model"
    look, textures = look_without_tables(document.model, document), document.model.textures
    report = document.report.without([left_out(textures[number].kind or 0) for number in look.textures])
    return replace(document, content=dressed(document.model, look), report=report)


def _with_first(document: Document, model: ModelRows, tables: CharacterTables | None) -> Document:
    """The document in its first complete display. A character has displays, but wears none of them at
    first.
    """
    files = SkinFiles(document, model.folder)
    kinds = [each.kind for each in document.model.textures] if document.model is not None else ()
    displays = read_displays(model, kinds, lambda name: files.find(name) is not None)
    model.place.log.problems.extend(islice(_forbidden(displays), REPORTED))
    if not displays.listed:
        return document
    if tables is not None:
        known = complete_extras({each.extra for each in displays.listed}, tables, files_of(document))
        listed = tuple(replace(each, complete=each.extra in known) for each in displays.listed)
        return replace(
            document, displays=Displays(listed, None, (), distinct_displays(listed, characters=True))
        )
    document = replace(document, displays=displays)
    return _wearing(document, displays.choose(FIRST), files, model.place)


def display_files(document: Document) -> set[str]:
    """The paths of all textures that a document's displays name and that exist."""
    found = rows_of(document.path, TableLog(document.context)) if document.displays.listed else None
    if found is None:
        return set()
    files = SkinFiles(document, found.folder)
    names = {name for each in document.displays.distinct for name in each.first.textures if name}
    return {skin.path for skin in map(files.find, names) if skin is not None}


def _forbidden(displays: Displays) -> Iterator[str]:
    """Yield a line for each distinct display with a texture name that leaves the folder of the model."""
    for each in displays.distinct:
        bad = next((n for n in each.first.textures if any(letter in n for letter in FORBIDDEN)), None)
        if bad is not None:
            yield f"display {each.first.id}: the texture name {bad!r} is no file of the folder"


def worn(document: Document, choice: str | CharacterLook) -> Document:
    """Return a document whose model wears another display or another look, see
    `storage.documents.wearing`.
    """
    return in_look(document, choice) if isinstance(choice, CharacterLook) else in_display(document, choice)


def in_display(document: Document, choice: str) -> Document:
    """Return a document whose model wears another display than before, see `worn`."""
    display = document.displays.choose(choice)
    bare = replace(document.bare or document, displays=document.displays)
    log = TableLog(document.context)
    found = rows_of(document.path, log)
    if display is None or found is None:
        report = bare.report.without(())
        displays = replace(document.displays, worn=None)
        return replace(bare, displays=displays, report=report, unreadable_images={}, character=None)
    worn = _wearing(bare, display, SkinFiles(document, found.folder), found.place)
    tables = character_tables(bare, log)
    if tables is None:
        return _warn_of_tables(worn, log)
    look = look_of_extra(found.place, display.extra) if display.extra else None
    if look is None and display.extra:
        worn.report.warn(f"display {display.id}: {EXTRAS} has no row {display.extra}")
    elif look is not None and (look.race, look.sex) != (tables.race.id, tables.race.sex):
        worn.report.warn(
            f"display {display.id}: its character has race {look.race}, {SEXES[look.sex]}; the model has "
            f"race {tables.race.id}, {SEXES[tables.race.sex]}"
        )
        look = None
    choices = _choices_of(document, tables)
    if look is None:
        look = first_look(tables, choices)
    return _warn_of_tables(_in_look(worn, (look, look), tables, choices), log)


def in_look(document: Document, look: CharacterLook) -> Document:
    """Return a document whose character has another look, and wears no display.

    ResourceError if the model is no character of the race and sex, or its tables are gone.
    """
    bare, log = document.bare or document, TableLog(document.context)
    tables = character_tables(bare, log)
    if tables is None or not isinstance(look, WowLook):
        raise ResourceError("no table of the game has looks of this model")
    if (look.race, look.sex) != (tables.race.id, tables.race.sex):
        raise ResourceError(
            f"the look is one of race {look.race}, {SEXES[look.sex]}; the model has race {tables.race.id}, "
            f"{SEXES[tables.race.sex]}"
        )
    displays = replace(document.displays, worn=None)
    bare = replace(bare, displays=displays, report=bare.report.without(()), unreadable_images={})
    plain = document.character.plain if document.character is not None else look
    plain = plain if isinstance(plain, WowLook) else look
    choices = _choices_of(document, tables)
    worn = _in_look(bare, (look, plain), tables, choices, _attached_before(document, look))
    return _warn_of_tables(worn, log)


def _choices_of(document: Document, tables: CharacterTables) -> Choices:
    """The choices of a character; they are read once."""
    character = document.character
    return tables.choices(files_of(document)) if character is None else character.choices


def _wearing(bare: Document, display: Display | None, files: SkinFiles, place: TablePlace) -> Document:
    if display is None or bare.model is None:
        return bare
    textures, gone = {}, []
    report = bare.report.without(())
    for number, texture in enumerate(bare.model.textures):
        name = display.textures[MONSTER.index(texture.kind)] if texture.kind in MONSTER else ""
        found = files.find(name) if name else None
        if found is not None:
            textures[number] = picture(found.name, found, texture)
            report = report.without((left_out(texture.kind or 0),))
        elif name:
            gone.append(f"{name}{SUFFIX}")
            if texture.path is None:
                textures[number] = replace(texture, name=gone[-1])
    if gone:
        missing = "is missing" if len(gone) == 1 else "are missing"
        report.warn(f"display {display.id}: {', '.join(gone)} {missing}", MISSING_TEXTURE)
    colors = particle_colors(place, display.colors) if display.colors else None
    if display.colors and colors is None:
        report.warn(f"display {display.id}: no table has the particle colours {display.colors}")
    look = Look(textures, display.geosets, display.scale, display.alpha / OPAQUE, colors)
    return replace(
        bare,
        content=dressed(bare.model, look),
        report=report,
        unreadable_images={},
        displays=replace(bare.displays, worn=display),
        bare=bare,
    )


def _in_look(
    document: Document,
    looks: tuple[WowLook, WowLook],
    tables: CharacterTables,
    choices: Choices,
    before: Document | None = None,
) -> Document:
    """Return the document with its character in the first of `looks`; the second of `looks` is the look in
    which the model opens. If `before` is given, the models of the items are taken from this document.
    """
    model = document.model
    if model is None:
        return document
    files = files_of(document)
    character, items, lines = dress_character(looks, tables, files, choices)
    look = Look(character_textures(model, character, files), character.geosets, last=LAST_GEOSET)
    report = document.report.without(map(left_out, LOOK_KINDS))
    for text in lines:
        report.warn(f"look: {text}")
    if before is not None and before.model is not None and before.character is not None:
        model, attached = _with_parts_of(model, before.model), before.character.attached
    else:
        model, attached = with_attached(model, items, tables, files)
    character = replace(character, attached=attached)
    for each in attached:
        if each.trouble:
            report.warn(f"look: {each.name} ({each.slot}) is not shown: {each.trouble}")
        for text in each.effect_faults:
            report.warn(f"look: an effect of {each.name} ({each.slot}) is not shown: {text}")
    if gone := [file_name(each.name) for each in character.missing]:
        missing = "is missing" if len(gone) == 1 else "are missing"
        names = tuple(dict.fromkeys(gone))
        needs = [NeededFile("texture", name) for name in names]
        report.warn(f"look: {', '.join(names)} {missing}", MISSING_TEXTURE, *needs)
    return replace(
        document,
        content=dressed(model, look),
        report=report,
        unreadable_images={},
        character=character,
        bare=document.bare or document,
    )


def _attached_before(document: Document, look: CharacterLook) -> Document | None:
    """Return the document if the models of the look's items are already attached to its model; None if they
    must be attached first.
    """
    character = document.character
    same = character is not None and character.look.items == look.items and document.displays.worn is None
    return document if same else None


def _with_parts_of(model: Model, whole: Model) -> Model:
    """The model with the attached models of `whole`, which is the same model in another look."""
    return replace(
        whole,
        textures=(*model.textures, *whole.textures[len(model.textures) :]),
        geometries=(*model.geometries, *whole.geometries[len(model.geometries) :]),
    )


def dressed(model: Model, look: Look) -> Model:
    """Return the model with the textures, geosets, size, opacity and particle colours of a look."""
    textures = tuple(look.textures.get(number, each) for number, each in enumerate(model.textures))
    groups = {geoset // GROUP for geoset in look.geosets}
    geometries = tuple(
        replace(each, shown=each.geoset in look.geosets)
        if each.geoset is not None
        and (each.geoset // GROUP in groups if look.last is None else each.geoset <= look.last)
        else each
        for each in model.geometries
    )
    materials, emitters, to_world = model.materials, model.emitters, model.to_world
    if look.alpha < 1.0:
        materials = tuple(_faded(each, look.alpha) for each in materials)
    if look.colors is not None:
        emitters = tuple(_recolored(each, look.colors) for each in emitters)
    if look.scale != 1.0:
        to_world = np.asarray(to_world @ np.diag((look.scale, look.scale, look.scale, 1.0)))
        to_world.flags.writeable = False
    return replace(
        model,
        textures=textures,
        geometries=geometries,
        materials=materials,
        emitters=emitters,
        to_world=to_world,
    )


def _faded(material: Material, alpha: float) -> Material:
    """The material with its opacity multiplied by `alpha`."""
    second = material.second or TextureStage()
    still = Appearance(
        material.diffuse, material.u_offset, material.v_offset, second.u_offset, second.v_offset
    )
    motion = material.motion

    def faded(time: ClipTime) -> Appearance:
        """The animated values with the opacity multiplied."""
        found = still if motion is None else motion(time)
        return found._replace(diffuse=(*found.diffuse[:3], found.diffuse[3] * alpha))

    return replace(material, diffuse=faded(AT_FIRST).diffuse, motion=faded)


def _recolored(emitter: Emitter, colors: Array) -> Emitter:
    """The emitter with the colours of its slot; the alpha values of the emitter stay."""
    if emitter.color_slot is None:
        return emitter
    own = emitter.colors.times
    middle = float(own[1]) if len(own) == 3 else MIDDLE
    times = np.array((0.0, middle, 1.0))
    return replace(
        emitter,
        colors=Ramp(times, np.asarray(colors[emitter.color_slot], np.float64)),
        troubles=tuple(each for each in emitter.troubles if "each creature" not in each),
    )
