"""The kinds of parts of a document, a row for each. Outline, menus, look-ups, completion, `info`, `find` and
`diff` read these rows. The page of Properties, the comparison and the index of a kind are entries in tables
of their rooms.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Any

from msgspec import Struct

from viewer.arrays import Color
from viewer.scene import items, part_facts
from viewer.scene.animation import Animation, listing_order
from viewer.scene.document import Document
from viewer.scene.items import Item, NumberedItem
from viewer.scene.model import NO_MODEL, Model, members
from viewer.scene.names import paired, short_name
from viewer.scene.part_facts import Describe, Facts
from viewer.scene.shader import CompiledShader
from viewer.scene.skeleton import Skeleton

MODEL_ICON = "\uf1b3"
"""The icon of a model inside another one."""


class PartOwner(Struct, frozen=True):
    """What has parts: a model, its animations, and a compiled shader."""

    model: Model
    animations: Sequence[Animation] = ()
    shader: CompiledShader | None = None

    @classmethod
    def shown(cls, document: Document | None, animations: Sequence[Animation] | None = None) -> PartOwner:
        """The owner of the parts that the window shows: a picture has the quad on which it is drawn.

        `animations` are the animations that can be played (None: the animations of the document).
        """
        if document is None:
            return cls(NO_MODEL)
        offered = document.animations if animations is None else animations
        content = document.content
        shader = content if isinstance(content, CompiledShader) else None
        return cls(document.model or NO_MODEL, offered, shader)

    @classmethod
    def stored(cls, document: Document) -> PartOwner:
        """The owner of the parts that the file stores: a model, or a lone skeleton as a model of bones only;
        any other content has no parts.
        """
        model = document.model if isinstance(document.content, Model | Skeleton) else None
        return cls(model or NO_MODEL, document.animations)


def _plain(describe: Callable[[Any], Facts]) -> Callable[[Model], Describe]:
    """Make `PartKind.facts` for parts whose facts do not depend on other parts of the model."""
    return lambda model: lambda number, part: describe(part)


def _with_model(describe: Callable[[Model, int, Any], Facts]) -> Callable[[Model], Describe]:
    """Make `PartKind.facts` for parts whose facts depend on the model."""
    return lambda model: partial(describe, model)


class PartKind(Struct, frozen=True):
    """A kind of part. `parts` lists the parts of an owner in the order of their numbers; a bone is its name.

    `facts` makes, for a model, the function that returns the facts of a part for `info`; `json` is the key of
    the list in JSON (empty: the plural).

    `name` is the name in the file; if `is_file`, it may be a path, and the window shows only its last part.
    `icon` is a letter of the icon font. `label` and `detail` are the texts of a part in the outline, and
    `order` lists the numbers of the parts there. `lost`: the outline marks the part, because its file was not
    found. `missing` is the name of a missing file for which the user can choose another (empty: none).

    Only for markers: `switch` is the display option that shows the points of these parts in the picture
    (empty: only selected ones are shown), and `color` is the colour of the points.
    """

    item: type[NumberedItem]
    plural: str
    icon: str
    parts: Callable[[PartOwner], Sequence[Any]]
    facts: Callable[[Model], Describe] = _plain(lambda part: {})
    name: Callable[[Any], str] = lambda part: str(getattr(part, "name", ""))
    label: Callable[[int, Any], str] = lambda number, part: part.name or f"#{number}"
    detail: Callable[[Any], str] = lambda part: ""
    order: Callable[[Sequence[Any]], Iterable[int]] = lambda parts: range(len(parts))
    lost: Callable[[Any], bool] = lambda part: False
    missing: Callable[[Any], str] = lambda part: ""
    is_file: bool = False
    switch: str = ""
    color: Color = (1.0, 1.0, 1.0, 1.0)
    json: str = ""

    @property
    def noun(self) -> str:
        """The singular noun."""
        return self.item.kind

    @property
    def key(self) -> str:
        """The key of the list of these parts in JSON."""
        return self.json or self.plural


MODEL_PARTS = (
    PartKind(
        items.GeometryItem,
        "geometries",
        "\uf1b2",
        lambda owner: owner.model.geometries,
        _with_model(part_facts.geometry),
    ),
    PartKind(
        items.BoneItem,
        "bones",
        "\uf5d7",
        lambda owner: owner.model.skeleton.names if owner.model.skeleton else (),
        _with_model(part_facts.bone),
        name=lambda name: name,
        label=lambda number, name: name or f"#{number}",
    ),
    PartKind(
        items.MaterialItem,
        "materials",
        "\uf53f",
        lambda owner: owner.model.materials,
        _with_model(part_facts.material),
        label=lambda number, material: short_name(material.name) or f"material {number}",
        lost=lambda material: material.missing,
        missing=lambda material: material.name if material.missing else "",
        is_file=True,
    ),
    PartKind(
        items.TextureItem,
        "textures",
        "\uf03e",
        lambda owner: owner.model.textures,
        part_facts.textures,
        label=lambda number, texture: short_name(texture.name),
        lost=lambda texture: texture.path is None and bool(texture.searched),
        missing=lambda texture: "" if texture.decode is not None else texture.name,
        is_file=True,
    ),
    PartKind(items.MorphItem, "morphs", "\uf118", lambda owner: owner.model.morphs, _plain(part_facts.morph)),
    PartKind(
        items.CameraItem,
        "cameras",
        "\uf03d",
        lambda owner: owner.model.cameras,
        _plain(part_facts.camera),
        label=lambda number, camera: camera.name,
        detail=lambda camera: "moves" if camera.motion else "",
    ),
    PartKind(
        items.AttachmentItem,
        "attachments",
        "\uf0c1",
        lambda owner: owner.model.attachments,
        _plain(part_facts.attachment),
        label=lambda number, attachment: f"{attachment.name} {attachment.id}",
        switch="attachments",
        color=(0.45, 0.85, 0.55, 1.0),
    ),
    PartKind(
        items.EventItem,
        "events",
        "\uf0e7",
        lambda owner: owner.model.events,
        _plain(part_facts.event),
        label=lambda number, event: event.name,
        switch="events",
        color=(0.96, 0.66, 0.30, 1.0),
        json="event_points",
    ),
    PartKind(
        items.LightItem,
        "lights",
        "\uf0eb",
        lambda owner: owner.model.lights,
        _plain(part_facts.light),
        label=lambda number, light: f"{light.type} light {number}",
        switch="light_markers",
        color=(1.0, 0.93, 0.55, 1.0),
    ),
    PartKind(
        items.EmitterItem,
        "emitters",
        "\uf06d",
        lambda owner: owner.model.emitters,
        _with_model(part_facts.emitter),
        label=lambda number, emitter: f"{emitter.type} emitter {number}",
        color=(0.86, 0.52, 0.95, 1.0),
    ),
    PartKind(
        items.RibbonItem,
        "ribbons",
        "\uf72e",
        lambda owner: owner.model.ribbons,
        _plain(part_facts.ribbon),
        label=lambda number, ribbon: f"ribbon {number}",
        color=(0.60, 0.72, 0.98, 1.0),
    ),
    PartKind(
        items.ModelItem,
        "models of particles",
        MODEL_ICON,
        lambda owner: owner.model.references,
        _plain(part_facts.reference),
        label=lambda number, reference: reference.bare_name,
        lost=lambda reference: reference.model is None,
        json="models",
    ),
    PartKind(
        items.AnimationItem,
        "animations",
        "\uf008",
        lambda owner: owner.animations,
        _with_model(part_facts.animation),
        detail=lambda animation: f"{animation.duration:.2f} s",
        order=listing_order,
        missing=lambda animation: animation.missing_file.name if animation.missing_file else "",
    ),
)
"""The kinds of parts of a model, in the order of the outline."""
SHADER_PARTS = (
    PartKind(
        items.ParameterItem,
        "parameters",
        "\uf1de",
        lambda owner: owner.shader.parameters if owner.shader else (),
        label=lambda number, parameter: parameter.name,
        detail=lambda parameter: parameter.register,
    ),
    PartKind(
        items.UnitItem,
        "texture units",
        "\uf03e",
        lambda owner: owner.shader.units if owner.shader else (),
        label=lambda number, unit: unit.name,
        detail=lambda unit: unit.register,
    ),
)
"""The kinds of parts of a compiled shader."""
PART_KINDS: dict[type[Item], PartKind] = {kind.item: kind for kind in (*MODEL_PARTS, *SHADER_PARTS)}
NAMED = (items.MorphItem, items.GeometryItem, items.BoneItem)
"""The kinds of items that belong together in two documents if they have the same name. The settings of a view
refer to them by number.
"""


def part_of(owner: PartOwner, item: Item) -> Any:
    """The part that an item stands for; None if it does not exist or its kind has no row."""
    parts = PART_KINDS[type(item)].parts(owner) if type(item) in PART_KINDS else ()
    return parts[item.number] if 0 <= item.number < len(parts) else None


def part_name(owner: PartOwner, item: Item) -> str:
    """The name of a part as in the file; empty if it has no name or does not exist."""
    part = part_of(owner, item)
    return "" if part is None else PART_KINDS[type(item)].name(part)


def kind_named(noun: str) -> PartKind:
    """The kind of parts of a model with this singular noun."""
    return next(each for each in MODEL_PARTS if each.noun == noun)


def part_names(owner: PartOwner, noun: str) -> Sequence[str]:
    """The names of all parts of a kind, by number."""
    kind = kind_named(noun)
    return [kind.name(part) for part in kind.parts(owner)]


def geometry_name(model: Model, number: int) -> str:
    """The name of a geometry in the window.

    A geometry of a geoset has no name, so the name of its material is returned.
    """
    geometry = model.geometries[number]
    name = geometry.name or f"geometry {number}"
    if geometry.geoset is not None and geometry.material is not None:
        name = model.materials[geometry.material].name or name
    return name


def names_of(document: Document, kind: type[Item]) -> Sequence[str]:
    """The names of all parts of a kind in a file, by number; empty if it has none."""
    return part_names(PartOwner.stored(document), kind.kind)


def counterpart(item: Item | None, document: Document, other: Document) -> Item | None:
    """Find the part of `other` that matches an item of `document`: the bone, geometry or morph with the same
    name, or the geoset with the same id. None if there is none.
    """
    if isinstance(item, items.GeosetItem):
        return item if other.model is not None and members(other.model, item.number) else None
    if not isinstance(item, NAMED):
        return None
    kind = type(item)
    number = paired(names_of(document, kind), names_of(other, kind)).get(item.number)
    return None if number is None else item.sibling(number)
