"""Hangs the models of items on a character: helmets, shoulders, weapons, shields, quivers, and their effects.

Source: re-implementations of the client (whoa, OpenWow); positions measured on a model of 3.3.5a.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import NamedTuple

from msgspec.structs import replace

from viewer.errors import ResourceError, ViewerError
from viewer.families.wow.looks.characters import CharacterTables
from viewer.families.wow.looks.files import GameFiles, picture_path
from viewer.families.wow.looks.items import Items, WornItem
from viewer.families.wow.m2.mesh.textures import picture
from viewer.scene.characters import AttachedModel, WornFile
from viewer.scene.document import Document
from viewer.scene.mesh.hanging import Mount, joined
from viewer.scene.model import Model
from viewer.scene.names import file_name
from viewer.scene.reading_context import ReadingContext
from viewer.storage.documents import open_undressed
from viewer.storage.package_path import on_disk
from viewer.storage.versions import KeptAnswers, path_version

OBJECTS = "Item\\ObjectComponents\\"
OBJECT_SKIN = 2
"""The texture type for which the row of an item names the file."""
HEAD, RIGHT_SHOULDER, LEFT_SHOULDER, RIGHT_HAND, LEFT_HAND, SHIELD, QUIVER = 11, 5, 6, 1, 2, 0, 26
"""The ids of attachments."""
VISUALS, VISUAL_EFFECTS = "ItemVisuals", "ItemVisualEffects"
EFFECTS = 5
"""The number of effects of an item, on its attachments 0 to 4."""
MODEL_BYTES = 64 << 20
"""How many bytes of models are cached."""
_MODELS: KeptAnswers[tuple[str, ReadingContext], Document] = KeptAnswers(MODEL_BYTES)


class Hanging(NamedTuple):
    """A model of an item: its possible names, the name of its texture, and the id of its attachment."""

    item: WornItem
    names: tuple[str, ...]
    skin: str
    attachment: int


def hanging_models(items: Items, tables: CharacterTables, files: GameFiles) -> Iterator[Hanging]:
    """Yield the models that a character's items hang on its attachments."""
    suffix = f"_{tables.race.prefix}{'MF'[tables.race.sex]}"
    for slot, item in items.items():
        (first, second), (skin, other_skin) = item.models, item.skins
        if slot == "head" and first:
            yield _hanging(item, "Head", first, skin, HEAD, suffix)
        elif slot == "shoulder":
            if first:
                yield _hanging(item, "Shoulder", first, skin, LEFT_SHOULDER)
            if second:
                yield _hanging(item, "Shoulder", second, other_skin, RIGHT_SHOULDER)
        elif slot == "quiver" and first:
            yield _hanging(item, "Quiver", first, skin, QUIVER)
        elif slot in ("main-hand", "off-hand", "ranged") and first:
            shield = _hanging(item, "Shield", first, skin, SHIELD)
            if slot == "off-hand" and files.find(shield.names[0]) is not None:
                yield shield
                continue
            left = slot == "off-hand" or (slot == "ranged" and _is_bow(first))
            yield _hanging(item, "Weapon", first, skin, LEFT_HAND if left else RIGHT_HAND)


def _is_bow(name: str) -> bool:
    """Whether a ranged weapon is held in the left hand."""
    return "bow" in name.casefold() and "crossbow" not in name.casefold()


def _hanging(
    item: WornItem, folder: str, model: str, skin: str, attachment: int, suffix: str = ""
) -> Hanging:
    stem = os.path.splitext(model)[0]
    ends = dict.fromkeys((suffix, ""))
    names = tuple(f"{OBJECTS}{folder}\\{stem}{end}.m2" for end in ends)
    return Hanging(item, names, f"{OBJECTS}{folder}\\{skin}" if skin else "", attachment)


def with_attached(
    model: Model, items: Items, tables: CharacterTables, files: GameFiles
) -> tuple[Model, tuple[AttachedModel, ...]]:
    """Return a character's model with the models of its items, and what was attached. A model that is missing
    or broken is left out.
    """
    attached = []
    for each in hanging_models(items, tables, files):
        model, found = _attached(model, each, tables, files)
        attached.append(found)
    return model, tuple(attached)


def _attached(
    model: Model, hanging: Hanging, tables: CharacterTables, files: GameFiles
) -> tuple[Model, AttachedModel]:
    found = next((each for each in map(files.find, hanging.names) if each is not None), None)
    name = file_name(found.name if found is not None else hanging.names[0])
    skin = picture_path(hanging.skin)
    result = AttachedModel(
        slot=hanging.item.slot,
        name=name,
        path=None if found is None else found.path,
        attachment=hanging.attachment,
        row=hanging.item.source,
        skin=WornFile("item", skin, files.path(skin), hanging.item.source) if skin else None,
    )
    if found is None:
        return model, result
    if found.path == files.model:
        return model, replace(result, trouble="it is the character's own model")
    try:
        mount = _mount(model, hanging.attachment)
        document = _read(found.path, files.search.context)
        other = _usable(document)
        made = joined(
            model,
            _skinned(other, skin, files),
            mount,
            _unique(os.path.splitext(name)[0], model),
            next(iter(document.animations), None),
        )
    except (ViewerError, OSError) as error:
        return model, replace(result, trouble=_reason(error))
    bones = len(model.skeleton) if model.skeleton is not None else 0
    made, faults = _with_effects(made, document, mount, bones, hanging.item, tables, files)
    numbers = tuple(range(len(model.geometries), len(made.geometries)))
    return made, replace(result, geometries=numbers, effect_faults=tuple(faults))


def _read(path: str, context: ReadingContext) -> Document:
    def read() -> Document:
        """Read a model, and record the version of its file."""
        path_version(on_disk(path))
        return open_undressed(path, context)

    return _MODELS.get((path, context), read, lambda document: len(document.data))


def _usable(document: Document) -> Model:
    """The model of a document. ResourceError if it draws nothing."""
    if document.model is None or not document.model.has_surface:
        errors = document.report.errors
        raise ResourceError(errors[0].why if errors else "it has no geometries")
    return document.model


def _mount(model: Model, attachment: int) -> Mount:
    """The first attachment with an id. ResourceError if there is none."""
    found = next((each for each in model.attachments if each.id == attachment), None)
    if found is None:
        raise ResourceError(f"the character has no attachment {attachment}")
    return Mount(found.bone, found.position)


def _unique(name: str, model: Model) -> str:
    """A name that no attached model has yet."""
    known = {each.owner for each in model.geometries}
    return name if name not in known else next(f for n in range(2, 99) if (f := f"{name} {n}") not in known)


def _skinned(model: Model, skin: str, files: GameFiles) -> Model:
    """The model of an item with the texture that its row names."""
    found = files.find(skin) if skin else None
    if found is None:
        return model
    textures = tuple(
        picture(file_name(found.name), found, each) if each.kind == OBJECT_SKIN else each
        for each in model.textures
    )
    return replace(model, textures=textures)


def _with_effects(
    model: Model,
    worn: Document,
    mount: Mount,
    bones: int,
    item: WornItem,
    tables: CharacterTables,
    files: GameFiles,
) -> tuple[Model, list[str]]:
    """The model with the effects of an item on the item's attachments, as far as their models exist. `worn`
    is the item's document; `bones` is the number of the item's first bone. The second value has a line for
    each effect that is not shown.
    """
    points, faults = worn.model.attachments if worn.model is not None else (), []
    for number, name in enumerate(_effect_names(item, tables)):
        at = next((each for each in points if each.id == number), None)
        found = files.find(f"{os.path.splitext(name)[0]}.m2") if name else None
        if at is None or found is None:
            continue
        if found.path == worn.path:
            faults.append(f"{file_name(found.path)}: it is the item's own model")
            continue
        x, y, z = (a + b for a, b in zip(mount.position, at.position, strict=True))
        try:
            document = _read(found.path, files.search.context)
            name = _unique(os.path.splitext(file_name(found.name))[0], model)
            clip = next(iter(document.animations), None)
            model = joined(model, _usable(document), Mount(bones + max(at.bone, 0), (x, y, z)), name, clip)
        except (ViewerError, OSError) as error:  # only the effect is left out
            faults.append(f"{file_name(found.path)}: {_reason(error)}")
    return model, faults


def _reason(error: Exception) -> str:
    return str(getattr(error, "why", None) or error)


def _effect_names(item: WornItem, tables: CharacterTables) -> Iterator[str]:
    """Yield the names of the models of an item's effects; empty texts for unused ones."""
    visuals = tables.place.table(VISUALS, "id", "effect_1") if item.visual else None
    effects = tables.place.table(VISUAL_EFFECTS, "id", "model") if visuals is not None else None
    row = visuals.row_of(item.visual) if visuals is not None else None
    for number in range(1, EFFECTS + 1) if visuals is not None and row is not None else ():
        assert visuals is not None, "the row comes from this table"
        id = int(visuals.records[f"effect_{number}"][row])
        found = effects.row_of(id) if effects is not None and id > 0 else None
        if effects is None or found is None:
            yield ""
        else:
            yield str(effects.value(found, effects.column("model") or 0)).strip()
