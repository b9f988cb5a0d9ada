"""The facts of `rigscope info` about needs, displays, looks, dimensions and collision of a model."""

from __future__ import annotations

from typing import Any

from viewer.scene.characters import Character
from viewer.scene.looks import Display, Displays
from viewer.scene.model import Collision, Model
from viewer.scene.needs import Need

Facts = dict[str, Any]


def need(need: Need) -> Facts:
    """The facts of a need. `items` are written as in findings of `check`."""
    return {
        "kind": need.kind,
        "name": need.name,
        "items": [str(item) for item in need.items],
        "required": need.required,
        "state": need.state,
        "found": need.found,
        "by": need.by,
        "how": need.how,
        "help": need.help or None,
        "searched": need.searched,
        "offered": need.offered,
        "why": need.error,
        "rule": need.rule or None,
        "effect": need.effect,
    }


def display(displays: Displays, display: Display) -> Facts:
    """The facts of a display of a creature. `number` is the number of the distinct display to which it
    belongs.
    """
    return {
        "id": display.id,
        "number": displays.number_of(display),
        "textures": display.textures,
        "scale": display.scale,
        "alpha": display.alpha,
        "geosets": display.geosets,
        "colors": display.colors,
        "extra": display.extra,
        "complete": display.complete,
        "chosen": display == displays.worn,
    }


def looks(character: Character) -> Facts:
    """The facts of the look of a character. `layers` are the textures of the look, from the lowest layer to
    the highest, with the rows that name these textures. `models` hang on attachments.
    """
    files = (*character.layers, *character.textures)
    return {
        **character.facts,
        "name": character.title,
        "layers": [
            {"part": each.part, "name": each.name, "found": each.path, "row": each.row} for each in files
        ],
        "models": [
            {
                "slot": each.slot,
                "name": each.name,
                "found": each.path,
                "row": each.row,
                "attachment": each.attachment,
                "geometries": list(each.geometries),
                "why": each.trouble,
            }
            for each in character.attached
        ],
    }


def collision(collision: Collision) -> Facts:
    """The size of the collision mesh."""
    return {"vertices": len(collision.vertices), "triangles": len(collision.triangles)}


def dimensions(model: Model) -> Facts | None:
    """The size of the model in its rest pose, along the axes of the file; None without vertices."""
    if not model.geometries:
        return None
    from viewer.view.lengths import dimensions  # imported late, because only models have a size

    found = dimensions(model)
    return (
        None
        if found is None
        else {"unit": found.name, "units": list(found.units), "metres": list(found.metres) or None}
    )
