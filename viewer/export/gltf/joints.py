"""Writes bones as glTF nodes, and the skin that binds vertices to them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from viewer.animation.pose import rest
from viewer.animation.rig import rig
from viewer.arrays import Array
from viewer.export.gltf.axes import Axes
from viewer.export.gltf.buffer import GltfBuffer, Json
from viewer.export.gltf.numbers import decomposed, finite, inverted, plain, unit_rotations
from viewer.scene.maths import IDENTITY, compose, invert
from viewer.scene.skeleton import Skeleton

UNMOVED = "unmoved"
"""Name of the joint for vertices without a bone."""
STILL: Json = {"translation": [0.0, 0.0, 0.0], "rotation": [0.0, 0.0, 0.0, 1.0], "scale": [1.0, 1.0, 1.0]}


class JointTree(NamedTuple):
    """The joints of B bones in the file's axes.

    `parents` [B] are the numbers of the parents, -1 for a root. `inverse_bind` [B, 3, 4] converts from model
    space to joint space. `positions`, `rotations` and `scales` are the rest pose relative to the parents, as
    in `Skeleton`.
    """

    parents: Array
    inverse_bind: Array
    positions: Array
    rotations: Array
    scales: Array


class Joints(NamedTuple):
    """The nodes of the joints: `first` is the node of bone 0, the other bones follow; `roots` have no
    parent.
    """

    first: int
    roots: tuple[int, ...]
    tree: JointTree


def joint_tree(skeleton: Skeleton) -> JointTree:
    """Return the tree of the skeleton's bones, unchanged."""
    matrices = inverse_bind_matrices(skeleton)
    return JointTree(skeleton.parents, matrices, skeleton.positions, skeleton.rotations, skeleton.scales)


def flat_tree(skeleton: Skeleton) -> JointTree:
    """Return a tree in which all joints are roots, for poses that nested joints cannot express."""
    matrices = flat_bind_matrices(skeleton)
    local = decomposed(compose(rest(skeleton).skin, inverted(matrices)))
    return JointTree(np.full(len(skeleton), -1), matrices, *local)


def inverse_bind_matrices(skeleton: Skeleton) -> Array:
    """Return the matrices [B, 3, 4] f64 from model space to bone space at bind time.

    If the file has none, they are computed from the rest pose.
    """
    if skeleton.inverse_bind is not None:
        return skeleton.inverse_bind.astype(np.float64)
    if skeleton.sheared:
        return np.broadcast_to(IDENTITY, (len(skeleton), 3, 4))
    bind = rig(skeleton).bind
    assert bind is not None, "a skeleton without shear has a separate bind pose"
    world = bind.matrices[:, 0]
    flat = np.abs(np.linalg.det(world[:, :, :3])) == 0
    return invert(np.where(flat[:, None, None], IDENTITY, world))


def flat_bind_matrices(skeleton: Skeleton) -> Array:
    """Return the matrices [B, 3, 4] f64 from model space to joints that have the positions of the bones but
    no rotation.

    OGRE scales along the axes of the model. With joints that are not rotated, an uneven scale affects only
    one joint.
    """
    if skeleton.sheared:
        return inverse_bind_matrices(skeleton)
    bind = rig(skeleton).bind
    assert bind is not None, "a skeleton without shear has a separate bind pose"
    matrices = np.broadcast_to(IDENTITY, (len(skeleton), 3, 4)).copy()
    matrices[..., 3] = -bind.positions[:, 0]
    return matrices


def add_joints(buffer: GltfBuffer, names: Sequence[str], tree: JointTree, axes: Axes) -> Joints:
    """Add a node for each bone, in order."""
    first = len(buffer.json.get("nodes", ()))
    positions = plain(axes.vectors(tree.positions))
    rotations = plain(unit_rotations(axes.rotations(tree.rotations)))
    scales = plain(tree.scales)
    children: dict[int, list[int]] = {}
    for bone, parent in enumerate(tree.parents.tolist()):
        children.setdefault(parent, []).append(first + bone)
    for bone, name in enumerate(names):
        node: Json = {
            "name": name or f"bone {bone}",
            "translation": positions[3 * bone : 3 * bone + 3],
            "rotation": rotations[4 * bone : 4 * bone + 4],
            "scale": scales[3 * bone : 3 * bone + 3],
        }
        node = {key: value for key, value in node.items() if value != STILL.get(key)}
        if bone in children:
            node["children"] = children[bone]
        buffer.add("nodes", node)
    return Joints(first, tuple(children.get(-1, ())), tree)


def add_skin(buffer: GltfBuffer, joints: Joints, root: int, axes: Axes, name: str, unmoved: bool) -> int:
    """Add the skin of all bones; return its index. With `unmoved` the skin has a further joint for vertices
    without a bone.
    """
    matrices = axes.matrices(joints.tree.inverse_bind)
    numbers = list(range(joints.first, joints.first + len(matrices)))
    if unmoved:
        node = buffer.add("nodes", {"name": UNMOVED})
        buffer.json["nodes"][root].setdefault("children", []).append(node)
        numbers.append(node)
        matrices = np.concatenate((matrices, IDENTITY[None]))
    columns = np.zeros((len(matrices), 4, 4), np.float32)
    columns[:, :, :3] = finite(matrices).swapaxes(1, 2)
    columns[:, 3, 3] = 1
    accessor = buffer.accessor(columns.reshape(-1, 16))
    skin = {"name": name, "joints": numbers, "inverseBindMatrices": accessor, "skeleton": root}
    return buffer.add("skins", skin)
