"""The page of a bone: its pose, its rest pose, its vertices."""

from __future__ import annotations

from collections import defaultdict

import numpy as np
from imgui_bundle import imgui

from viewer.animation.pose import Pose
from viewer.scene.animation import match
from viewer.scene.choices import Shading
from viewer.scene.items import AnimationItem, BoneItem, Item
from viewer.scene.mesh.vertices import moved_by_bones
from viewer.scene.model import NO_MODEL, Model
from viewer.scene.parts import geometry_name
from viewer.scene.skeleton import Skeleton
from viewer.session.state import State
from viewer.ui.kit.texts import ExactText
from viewer.ui.kit.widgets import Memo
from viewer.ui.properties.page_widgets import (
    array_text,
    field,
    heading,
    jump,
    link,
    matrix,
    missing,
    section,
    short,
    table,
)

SHOWN = 12
"""The largest number of listed children."""


class BonePage:
    """The page. It caches the children of bones, and the vertices that bones move."""

    def __init__(self) -> None:
        self._moved = Memo()
        self._below = Memo()

    def __call__(self, state: State, item: Item) -> None:
        """Draw the page of a bone."""
        skeleton, bone = state.skeleton, item.number
        if skeleton is None:
            return
        heading(state, item)
        self._family(state, skeleton, bone)
        pose = state.playback.posed()
        if pose is not None:
            with section("Pose") as shown:
                if shown:
                    _pose(pose, bone)
        with section("Rest pose", opened=False) as shown:
            if shown:
                _rest(skeleton, bone)
        self._weights(state, bone)
        with section("Keyframes") as shown:
            if shown:
                _keys(state, skeleton, bone)

    def _family(self, state: State, skeleton: Skeleton, bone: int) -> None:
        parent = int(skeleton.parents[bone])
        link(state, "Parent", BoneItem(parent) if parent >= 0 else None, _name(skeleton, parent))
        below = self._below.get(skeleton, lambda: _below(skeleton))[bone]
        for number, child in enumerate(below[:SHOWN]):
            link(state, "" if number else "Children", BoneItem(child), _name(skeleton, child))
        if len(below) > SHOWN:
            field("", f"and {len(below) - SHOWN} more")
        unit = (state.model or NO_MODEL).unit
        hitbox = skeleton.hitboxes[bone] if bone < len(skeleton.hitboxes) else None
        if hitbox is not None and hitbox.radius is not None:
            field("Hit sphere", ExactText.of(f"radius {hitbox.radius:.5g} {unit}", hitbox.radius))
        if hitbox is not None and hitbox.box is not None:
            matrix(f"Corners of the hit box, {unit}", hitbox.box)

    def _weights(self, state: State, bone: int) -> None:
        model = state.model
        if model is None:
            return
        with section("Weights") as shown:
            if not shown:
                return
            rows = [row for row in self._moved.get(model, lambda: _moved(model)) if row[1][bone]]
            if not rows:
                missing("No vertices are weighted to this bone.")
                return
            cells = [(geometry_name(model, n), f"{c[bone]}", short(w[bone])) for n, c, w in rows]
            table("moved", ("geometry", "vertices", "sum of weights"), cells)
            on = state.options.shading is Shading.WEIGHTS
            if imgui.checkbox("Show the weights in the view", on)[0]:
                state.options.shading = Shading.LIT if on else Shading.WEIGHTS


def _name(skeleton: Skeleton, bone: int) -> str:
    return skeleton.names[bone] or f"#{bone}" if bone >= 0 else ""


def _below(skeleton: Skeleton) -> dict[int, list[int]]:
    found: dict[int, list[int]] = defaultdict(list)
    for bone, parent in enumerate(skeleton.parents.tolist()):
        found[parent].append(bone)
    return found


def _moved(model: Model) -> list[tuple[int, np.ndarray, np.ndarray]]:
    return [(number, *moved_by_bones(model, geometry)) for number, geometry in enumerate(model.geometries)]


def _pose(pose: Pose, bone: int) -> None:
    field("Position", short(pose.positions[bone]), "Now, relative to the parent")
    field("Rotation", short(pose.rotations[bone]), "Now, relative to the parent: x y z w")
    field("Scale", short(pose.scales[bone]), "Now, relative to the parent")
    world = pose.world[bone]
    field("In the model", short(world[:, 3]), "Position of the joint now, in model space")
    matrix("Model-space matrix", world)


def _rest(skeleton: Skeleton, bone: int) -> None:
    field("Position", array_text(skeleton.positions[bone]), "Relative to the parent")
    field("Rotation", array_text(skeleton.rotations[bone]), "Relative to the parent: x y z w")
    field("Scale", array_text(skeleton.scales[bone]), "Relative to the parent")
    if skeleton.inverse_bind is None:
        missing("The file has no inverse bind matrices.")
    else:
        matrix("Inverse bind matrix", skeleton.inverse_bind[bone])


def _keys(state: State, skeleton: Skeleton, bone: int) -> None:
    """Draw links to the animations that move the bone, with their numbers of keyframes."""
    found = 0
    for number, animation in enumerate(state.playback.animations):
        targets = [t for t, moved in match(animation, skeleton.names).bones.items() if moved == bone]
        tracks = [track for track in animation.tracks if track.target in targets]
        if not tracks:
            continue
        found += 1
        jump(state, AnimationItem(number), animation.name or f"#{number}")
        imgui.same_line()
        field("", ", ".join(f"{track.path} {len(track.times)}" for track in tracks))
    if not found:
        missing("No animation moves this bone.")
