"""Binds two models to one skeleton, as the parts of a character."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from viewer.arrays import Array
from viewer.errors import ResourceError, counted
from viewer.scene.animation import Animation, ClipRig, LazyTracks, Track, match_names
from viewer.scene.material import Texture
from viewer.scene.mesh.joining import (
    JoinedNumbers,
    extended_skeleton,
    joined_lods,
    joined_material,
    with_parts,
)
from viewer.scene.mesh.vertices import lacks_weights
from viewer.scene.model import Collision, Geometry, Model, Morph
from viewer.scene.skeleton import BONELESS, Skeleton

NEAR = 1e-4
"""Two bind poses differ if a matrix differs by more than this share of its largest number."""
LISTED = 5
"""The largest number of names in a note."""
NOWHERE = np.zeros(3)
NO_BONE = -1
SKIN = ("joints", "weights")
READERS = ("decode", "decode_small", "header", "read")
"""The functions of a texture, which differ with each reading."""

Part = TypeVar("Part")


class United(Struct, frozen=True):
    """A model of two, and its `clips`. `note` says which bones of the second have no partner in the first
    (empty: every bone has one). `numbers` [B] are the joined numbers of the second model's bones.
    """

    model: Model
    clips: tuple[Animation, ...]
    note: str
    numbers: Array


def united(
    model: Model, clips: Sequence[Animation], other: Model, others: Sequence[Animation], name: str
) -> United:
    """Return the model with the parts of another model, both bound to one skeleton, and the clips of both.

    A bone of the other model is the bone of the same name, see `match_names`; with pivots, their pivots have
    to agree too. A bone without such a partner is added below the partner of its parent. Where a partner is
    bound in another pose, the vertices get a bone of their own below it, which never moves by itself: so each
    mesh keeps its bind pose, as in the engines. `name` is the owner of the new geometries. Clips of equal
    names become one, and so do morphs. A clip that was made for another rest pose keeps its rig.

    ResourceError if the models have different axes, or skeletons or morphs of different engines.
    """
    below, above = model.skeleton or BONELESS, other.skeleton or BONELESS
    if not np.allclose(model.to_world, other.to_world):
        raise ResourceError("its axes are those of another engine")
    if len(below) and len(above) and _rule(below) != _rule(above):
        raise ResourceError("its skeleton is that of another engine")
    if model.morphs and other.morphs and model.morph_normals != other.morph_normals:
        raise ResourceError("its morphs are those of another engine")
    skeleton, numbers, bound, alone = _common(below, above, name)
    textures, new_textures = _merged(model.textures, other.textures, _is_same_texture)
    add = JoinedNumbers(
        len(model.vertex_buffers),
        len(model.index_buffers),
        np.arange(0),
        textures,
        numbers,
        len(model.textures) + len(new_textures),
    )
    played = {clip.name: clip for clip in reversed(others)}

    def theirs(clip: Animation | None) -> Animation | None:
        """The other model's clip of this name."""
        return None if clip is None else played.get(clip.name)

    made = [joined_material(each, add, theirs) for each in other.materials]
    materials, new_materials = _merged(model.materials, made, lambda one, two: bool(one == two))
    add = replace(add, materials=materials)
    levels = (model.lod_rule, model.lod_strategy) == (other.lod_rule, other.lod_strategy)
    left = model if not len(skeleton) else _bound_to(model, np.arange(len(below)))
    right = other if not len(skeleton) else _bound_to(other, bound)
    morphs, morph_numbers = _morphs(model.morphs, other.morphs, add)
    whole = replace(
        with_parts(left, right, add, NOWHERE, theirs),
        geometries=(*left.geometries, *_united_geometries(right, add, name, levels)),
        skeleton=skeleton if len(skeleton) else model.skeleton,
        materials=(*model.materials, *new_materials),
        textures=(*model.textures, *new_textures),
        morphs=morphs,
        morph_normals=model.morph_normals if model.morphs else other.morph_normals,
        cameras=(*model.cameras, *other.cameras),
        attachments=(*model.attachments, *(replace(e, bone=add.bone(e.bone)) for e in other.attachments)),
        lights=(*model.lights, *(replace(each, bone=add.bone(each.bone)) for each in other.lights)),
        events=(*model.events, *(replace(each, bone=add.bone(each.bone)) for each in other.events)),
        shapes=(*model.shapes, *(replace(e, buffer=e.buffer + add.vertices) for e in other.shapes)),
        bounds=_around(model.bounds, other.bounds),
        collision=_collision(model.collision, other.collision),
        geoset_groups={**other.geoset_groups, **model.geoset_groups},
        candidates=(*model.candidates, *other.candidates),
    )
    moved = [_moved_clip(each, morph_numbers, add.vertices, len(model.shapes)) for each in others]
    fitting = (below, above) if _rests_agree(below, above, numbers) else (below,)
    clips, moved = ([_rigged(each, fitting, skeleton) for each in some] for some in (clips, moved))
    notes = [_note(above, alone, len(below))]
    if not levels and any(len(each.lods) > 1 for each in other.geometries):
        notes.append("its coarser levels of detail are left out, as their rule is another one")
    return United(whole, _clips(clips, moved, alone), "; ".join(filter(None, notes)), numbers)


def _rule(skeleton: Skeleton) -> tuple[bool, bool]:
    """How an engine computes the matrices of the bones."""
    return skeleton.sheared, skeleton.pivots is not None


def _note(above: Skeleton, alone: Sequence[str], partners: int) -> str:
    if partners and not len(above):
        return "it has no bones, so it does not move"
    if not partners and len(above):
        return "the first model has no bones, so only this one moves"
    if not alone:
        return ""
    listed = ", ".join(alone[:LISTED]) + (f" and {len(alone) - LISTED} more" if len(alone) > LISTED else "")
    return f"{len(alone)} of {counted(len(above), 'bone')} without a partner: {listed}"


def _common(below: Skeleton, above: Skeleton, name: str) -> tuple[Skeleton, Array, Array, list[str]]:
    """The common skeleton; the numbers [B] in it of the bones of `above`, and of the bones to which the
    vertices of `above` are bound; and the names of its bones without a partner.
    """
    count = len(below)
    numbers = _partners(below, above)
    lone = np.flatnonzero(numbers < 0)
    numbers[lone] = count + np.arange(len(lone))
    bound = numbers.copy()
    differ = np.flatnonzero(_binds_differ(below, above, numbers))
    bound[differ] = count + len(lone) + np.arange(len(differ))
    names = [above.names[bone] for bone in lone.tolist()]
    if not count or not len(bound) or (not len(lone) and not len(differ)):
        return (below if count else above), numbers, bound, names if count else []
    rows = np.concatenate((lone, differ))
    parents = np.where(above.parents[lone] < 0, -1, numbers[above.parents[lone]])
    made = extended_skeleton(
        below,
        above,
        rows,
        (*names, *(f"{above.names[bone]} of {name}" for bone in differ.tolist())),
        np.concatenate((parents, numbers[differ])),
        NOWHERE,
    )
    own = slice(count + len(lone), None)  # a bone of its own stays where its partner is
    for values, still in ((made.positions, 0.0), (made.rotations, (0.0, 0.0, 0.0, 1.0)), (made.scales, 1.0)):
        values[own] = still
    roots = above.root is None or below.root is None or numbers[above.root] != below.root
    return replace(made, root=None if roots else below.root), numbers, bound, names


def _partners(below: Skeleton, above: Skeleton) -> Array:
    """The numbers [B] in `below` of the bones of `above`; -1 for a bone without a partner."""
    if above.names == below.names and np.array_equal(above.parents, below.parents):
        numbers = np.arange(len(above))
    else:
        first = {each: bone for bone, each in reversed([*enumerate(above.names)])}
        found = match_names(filter(None, first), below.names).bones
        named = enumerate(above.names)
        numbers = np.array([found.get(each, -1) if first[each] == bone else -1 for bone, each in named], int)
    if below.pivots is not None and above.pivots is not None and len(below):
        apart = np.abs(below.pivots[numbers] - above.pivots).max(axis=1)
        numbers[apart > NEAR * max(1.0, float(np.abs(below.pivots).max()))] = -1
    return numbers


def _binds_differ(below: Skeleton, above: Skeleton, numbers: Array) -> Array:
    """[B]: whether a bone of `above` is bound in another pose than its partner."""
    shared = numbers < len(below)
    one, two = below.inverse_bind, above.inverse_bind
    if one is None or two is None or below.pivots is not None or not shared.any():
        return np.zeros(len(above), bool)
    apart = np.abs(one[np.where(shared, numbers, 0)] - two)
    turned = apart[..., :3].max(axis=(1, 2)) > NEAR * np.abs(two[..., :3]).max(axis=(1, 2))
    placed = apart[..., 3].max(axis=1) > NEAR * max(float(np.abs(two[..., 3]).max()), NEAR)
    differ: Array = shared & (turned | placed)
    return differ


def _merged(
    known: Sequence[Part], others: Sequence[Part], same: Callable[[Part, Part], bool]
) -> tuple[Array, list[Part]]:
    """Append to `known` those of `others` that are not the `same` as a known one. Return the numbers [N] of
    `others` in the result, and the appended ones.
    """
    numbers, new = [], list[Part]()
    for each in others:
        number = next((n for n, other in enumerate(known) if same(each, other)), len(known) + len(new))
        numbers.append(number)
        if number >= len(known):
            new.append(each)
    return np.array(numbers, int), new


def _is_same_texture(one: Texture, other: Texture) -> bool:
    """Whether two textures are the same file, found or not, sampled in the same way."""
    told = (name for name in Texture.__struct_fields__ if name not in READERS)
    return (one.path is not None or one.decode is None) and all(
        getattr(one, name) == getattr(other, name) for name in told
    )


def _bound_to(model: Model, bones: Array) -> Model:
    """The model with its vertices bound to the joined bones `bones` [B]. Without bones, the vertices have no
    joints. If all weights are zero, there are none, and the first bone moves the vertices, see
    `lacks_weights`.
    """
    unread = SKIN if not len(bones) else SKIN[1:] if lacks_weights(model) else ()
    if not unread and np.array_equal(bones, np.arange(len(bones))):
        return model
    numbers = np.full(len(bones), bones[0]) if len(bones) and unread else bones
    buffers = (
        replace(each, elements=tuple(e for e in each.elements if e.semantic not in unread))
        for each in model.vertex_buffers
    )
    geometries = (
        replace(each, bone_map=_looked_up(each.bone_map, numbers) if len(bones) else None)
        for each in model.geometries
    )
    return replace(model, vertex_buffers=tuple(buffers), geometries=tuple(geometries))


def _looked_up(bones: Array | None, numbers: Array) -> Array:
    """The bone map [P] with the joined numbers; a joint without a bone stays without one."""
    count = len(numbers)
    stored = np.arange(count) if bones is None or not len(bones) else np.asarray(bones, np.int64)
    known = (stored >= 0) & (stored < count)
    return np.where(known, numbers[np.where(known, stored, 0)], NO_BONE)


def _united_geometries(other: Model, add: JoinedNumbers, name: str, levels: bool) -> Iterator[Geometry]:
    """The geometries of the other model; without `levels` only with their finest levels of detail."""
    for each in other.geometries:
        center_bone = add.bone(each.center_bone)
        yield replace(
            each,
            lods=joined_lods(each, add)[: None if levels else 1],
            material=None if each.material is None else add.material(each.material),
            layers=tuple(map(add.material, each.layers)),
            center_bone=None if center_bone < 0 else center_bone,
            owner=each.owner or name,
        )


def _morphs(
    own: Sequence[Morph], others: Sequence[Morph], add: JoinedNumbers
) -> tuple[tuple[Morph, ...], Array]:
    """The morphs of both models, and the joined numbers [M] of the other's. Morphs of equal names are one."""
    morphs, numbers = [*own], []
    named = {each.name: number for number, each in reversed([*enumerate(own)]) if each.name}
    for each in others:
        targets = tuple(replace(target, buffer=target.buffer + add.vertices) for target in each.targets)
        number = named.get(each.name, len(morphs))
        if number == len(morphs):
            morphs.append(replace(each, targets=targets))
        else:
            morphs[number] = replace(morphs[number], targets=(*morphs[number].targets, *targets))
        numbers.append(number)
    return tuple(morphs), np.array(numbers, int)


def _moved_clip(clip: Animation, morphs: Array, buffers: int, shapes: int) -> Animation:
    """The clip with the joined numbers of morphs, buffers and shapes."""
    if not clip.moves_vertices:
        return clip
    return replace(
        clip,
        morph_tracks=tuple(replace(each, morphs=morphs[each.morphs]) for each in clip.morph_tracks),
        shape_tracks=tuple(
            replace(each, buffer=each.buffer + buffers, shapes=each.shapes + shapes)
            for each in clip.shape_tracks
        ),
    )


def _rests_agree(below: Skeleton, above: Skeleton, numbers: Array) -> bool:
    """Whether all bones of `above` rest on their parents as their partners do."""
    shared = np.flatnonzero(numbers < len(below))
    rests = ((each.positions, each.rotations, each.scales) for each in (below, above))
    return all(
        np.allclose(one[numbers[shared]], two[shared], NEAR, NEAR) for one, two in zip(*rests, strict=True)
    )


def _rigged(clip: Animation, fitting: Sequence[Skeleton], skeleton: Skeleton) -> Animation:
    """The clip; if it was made for one of the skeletons `fitting`, its keys fit the common skeleton too."""
    if clip.rig is None or all(clip.rig.skeleton is not each for each in fitting):
        return clip
    return replace(clip, rig=ClipRig(skeleton, clip.rig.to_world))


def _clips(
    own: Sequence[Animation], others: Sequence[Animation], alone: Sequence[str]
) -> tuple[Animation, ...]:
    """The clips of both models. Of clips with equal names, the first moves the common bones, and the second
    adds what moves the bones `alone` and the vertices of its model.
    """
    made, taken = [], set[int]()
    for clip in own:
        number = next((n for n, each in enumerate(others) if each.name == clip.name and n not in taken), None)
        made.append(clip if number is None else _both(clip, others[number], frozenset(alone)))
        taken |= set() if number is None else {number}
    return (*made, *(each for number, each in enumerate(others) if number not in taken))


def _both(clip: Animation, other: Animation, alone: frozenset[str]) -> Animation:
    targets = tuple(each for each in other.targets if each in alone) if alone else ()
    if not targets and not other.moves_vertices:
        return clip
    fields = {name: getattr(clip, name) for name in Animation.__struct_fields__ if name != "tracks"}
    fields |= {
        "duration": max(clip.duration, other.duration),
        "targets": (*clip.targets, *(each for each in targets if each not in clip.targets)),
        "morph_tracks": (*clip.morph_tracks, *other.morph_tracks),
        "shape_tracks": (*clip.shape_tracks, *other.shape_tracks),
    }

    def tracks() -> Iterator[Track]:
        """The tracks of both."""
        yield from clip.tracks
        yield from (each for each in other.tracks if each.target in targets)

    return Animation(tracks=LazyTracks(tracks), **fields)


def _around(one: Array | None, other: Array | None) -> Array | None:
    """The box [2, 3] around two boxes."""
    if one is None or other is None:
        return other if one is None else one
    return np.stack((np.minimum(one[0], other[0]), np.maximum(one[1], other[1])))


def _collision(one: Collision | None, other: Collision | None) -> Collision | None:
    if one is None or other is None:
        return other if one is None else one
    return Collision(
        np.concatenate((one.vertices, other.vertices)),
        np.concatenate((one.triangles, other.triangles + len(one.vertices))),
    )
