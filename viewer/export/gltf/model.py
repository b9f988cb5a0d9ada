"""Writes a model as the objects of a glTF file."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

import numpy as np
from msgspec import Struct, field

from viewer.arrays import Array
from viewer.errors import counted
from viewer.export.gltf.axes import Axes
from viewer.export.gltf.buffer import INDICES, VERTICES, GltfBuffer, Json
from viewer.export.gltf.clips import ClipWriter, fitting_tree
from viewer.export.gltf.joints import STILL, Joints, add_joints, add_skin
from viewer.export.gltf.materials import MaterialTable, StorePicture
from viewer.export.gltf.numbers import decomposed, finite, plain
from viewer.export.gltf.options import ExportOptions, ExportStep
from viewer.export.gltf.points import PointWriter
from viewer.export.gltf.surface import (
    MODES,
    ExportPart,
    Skinning,
    made_tangents,
    normals,
    part_of,
    positions,
    skinning,
    tangents,
)
from viewer.export.gltf.targets import NO_TARGETS, target_objects, targets_of
from viewer.render.mesh.material_block import to_linear
from viewer.scene.animation import Animation
from viewer.scene.maths import IDENTITY
from viewer.scene.mesh.vertices import VertexMotion, column_of, four_floats, values
from viewer.scene.model import Model, Primitive
from viewer.scene.reading_context import DEFAULT, ReadingContext

UV_SETS = ("uv0", "uv1", "uv2", "uv3")
U16 = 1 << 16
SURFACE = 0.3
"""Share 0..1 of the reported progress at which the clips begin."""


class ExportSource(Struct, frozen=True, eq=False):
    """A model to export.

    `to_world` [4, 4] converts from the file's axes to viewer space; None uses the model's matrix. `paths` are
    files that the user chose for textures, by texture number. With a `motion` the vertices are written posed,
    without skeleton and clips.
    """

    model: Model
    animations: tuple[Animation, ...] = ()
    to_world: Array | None = None
    paths: Mapping[int, str] = field(default_factory=dict)
    context: ReadingContext = DEFAULT
    motion: VertexMotion | None = None


def exported_parts(model: Model, options: ExportOptions, axes: Axes) -> list[ExportPart]:
    """Return the exported geometries. The front of their faces is the visible side."""
    mirrored = axes.mirrored or (options.keep_axes and np.linalg.det(model.to_world[:3, :3]) < 0)
    found = []
    for number, geometry in enumerate(model.geometries):
        material = geometry.material
        inside_out = material is not None and model.materials[material].cull == "front"
        if number not in options.hidden:
            part = part_of(model, number, options.lod, inside_out != bool(mirrored))
            found += [part] if part else []
    return found


class ModelWriter:
    """Writes one model into a `GltfBuffer`.

    `messages` lists parts that were left out, corrected or approximated.
    """

    def __init__(
        self, source: ExportSource, options: ExportOptions, store_picture: StorePicture | None
    ) -> None:
        model = source.model
        self.buffer = GltfBuffer()
        self.messages: list[str] = []
        self._source, self._options, self._model = source, options, model
        to_world = model.to_world if source.to_world is None else source.to_world
        self._axes = Axes.of(to_world, options.keep_axes)
        self._mended: Counter[str] = Counter()
        self._parts = exported_parts(model, options, self._axes)
        posed = source.motion is not None
        self._targets = NO_TARGETS if posed else targets_of(model, source.animations)
        self._skeleton = model.skeleton if not posed and model.skeleton and len(model.skeleton) else None
        self._materials = MaterialTable(
            self.buffer, model, store_picture, source.paths, source.context, self._say
        )

    def write(self, step: ExportStep = lambda share: None) -> None:
        """Write all parts of the model; `step` receives the progress."""
        model, buffer = self._model, self.buffer
        step(0.0)
        root = buffer.add("nodes", self._root_node())
        joints, extent = None, self._extent()
        if self._skeleton is not None:
            tree = fitting_tree(self._skeleton, self._source.animations, extent, self._say)
            joints = add_joints(buffer, self._skeleton.names, tree, self._axes)
            buffer.json["nodes"][root]["children"] = list(joints.roots)
        scene = [root]
        moving = self._add_meshes(root, scene, joints)
        if self._source.motion is None:
            PointWriter(buffer, self._axes, root, joints).add_all(model)
        clips = ClipWriter(buffer, self._axes, extent, self._options.fps, self.messages)
        for number, animation in enumerate(self._source.animations):
            step(SURFACE + (1 - SURFACE) * number / len(self._source.animations))
            clips.add(animation, self._skeleton, joints, self._targets, moving)
        buffer.json["scene"] = 0
        buffer.add("scenes", {"nodes": scene})
        self.messages += [
            f"{counted(number, 'value')}: {text}" for text, number in self._mended.items() if number
        ]
        self._report_effects()

    def _say(self, text: str) -> None:
        self.messages.append(text)

    def _root_node(self) -> Json:
        node: Json = {"name": self._model.name or "model"}
        if not np.array_equal(self._axes.root, IDENTITY):
            position, rotation, scale = decomposed(self._axes.root)
            parts = {"translation": plain(position), "rotation": plain(rotation), "scale": plain(scale)}
            node |= {key: value for key, value in parts.items() if value != STILL[key]}
        return node

    def _extent(self) -> float:
        """Return the length of the diagonal of the box around the vertices, in the file's units."""
        found = [positions(self._model, part) for part in self._parts]
        points = np.concatenate([np.zeros((0, 3), np.float32), *found])
        points = points[np.isfinite(points).all(axis=1)]
        return float(np.linalg.norm(np.ptp(points, axis=0))) if len(points) else 0.0

    def _add_meshes(self, root: int, scene: list[int], joints: Joints | None) -> list[int]:
        """Add one mesh for the geometries with bones, and one mesh for all other geometries. Return the nodes
        that have morph targets.
        """
        bound = [(part, self._skinning(part)) for part in self._parts]
        moving = []
        for skinned in (True, False):
            group = [(part, skin) for part, skin in bound if (skin is not None) == skinned]
            if not group:
                continue
            node: Json = {"name": self._model.name or "mesh", "mesh": self._mesh(group)}
            if skinned and joints is not None:
                unmoved = any(skin is not None and skin.unmoved for _, skin in group)
                node["skin"] = add_skin(self.buffer, joints, root, self._axes, node["name"], unmoved)
                scene.append(self.buffer.add("nodes", node))
                number = scene[-1]
            else:
                number = self.buffer.add("nodes", node)
                self.buffer.json["nodes"][root].setdefault("children", []).append(number)
            moving += [number] if len(self._targets) else []
        return moving

    def _skinning(self, part: ExportPart) -> Skinning | None:
        return None if self._skeleton is None else skinning(self._model, part, self._mended)

    def _mesh(self, group: Sequence[tuple[ExportPart, Skinning | None]]) -> int:
        made: Json = {"name": self._model.name or "mesh", "primitives": []}
        made["primitives"] = [self._primitive(part, skin) for part, skin in group]
        if len(self._targets):
            weights = dict(self._options.morphs)
            initial = [weights.get(number, morph.weight) for number, morph in enumerate(self._model.morphs)]
            made["weights"] = plain(np.array([*initial, *(0.0 for _ in self._targets.shapes)]))
            made["extras"] = {"targetNames": list(self._targets.names)}
        return self.buffer.add("meshes", made)

    def _primitive(self, part: ExportPart, skin: Skinning | None) -> Json:
        buffer, model = self.buffer, self._model
        motion = self._source.motion
        points = finite(positions(model, part, motion))
        attributes = {"POSITION": buffer.accessor(self._axes.vectors(points), VERTICES, bounded=True)}
        turned = normals(model, part, points, self._mended, motion)
        if turned is not None:
            attributes["NORMAL"] = buffer.accessor(self._axes.vectors(turned), VERTICES)
            self._add_tangents(part, attributes, points, turned)
        uv_sets = self._add_coordinates(part, attributes)
        self._add_colors(part, attributes)
        if skin is not None:
            attributes["JOINTS_0"] = buffer.accessor(skin.joints, VERTICES)
            weights = skin.weights
            attributes["WEIGHTS_0"] = buffer.accessor(weights, VERTICES, normalized=weights.dtype == np.uint8)
        corners = part.corners.astype(np.uint16) if len(part.rows) < U16 else part.corners
        made: Json = {
            "attributes": attributes,
            "indices": buffer.accessor(corners, INDICES),
            "mode": part.mode,
        }
        material = part.geometry.material
        if material is not None and self._options.materials:
            made["material"] = self._materials.number(material, uv_sets)
        if len(self._targets):
            made["targets"] = target_objects(
                buffer, model, part, self._targets, self._axes, turned is not None
            )
        if part.geometry.name:
            made["extras"] = {"name": part.geometry.name}
        return made

    def _add_tangents(self, part: ExportPart, attributes: Json, points: Array, turned: Array) -> None:
        """Add the tangents of the file. If a normal map needs missing tangents, compute them."""
        model = self._model
        along = None if self._source.motion is not None else tangents(model, part, self._mended)
        if along is None and self._is_bumped(part):
            stored = values(model, part.lod, "uv0", part.rows)
            if stored is not None:
                along = made_tangents(points, turned, finite(stored)[:, :2], part)
        if along is not None:
            along[:, :3] = self._axes.vectors(along[:, :3])
            along[:, 3] *= -1 if self._axes.mirrored else 1
            attributes["TANGENT"] = self.buffer.accessor(along, VERTICES)

    def _is_bumped(self, part: ExportPart) -> bool:
        """Return whether the part consists of triangles with a normal map."""
        material = part.geometry.material
        mapped = material is not None and "normal" in self._model.materials[material].units
        return mapped and part.mode == MODES[Primitive.TRIANGLES] and self._options.materials

    def _add_coordinates(self, part: ExportPart, attributes: Json) -> tuple[str, ...]:
        """Add the UV sets; return their names in the order of glTF's indices."""
        found: list[str] = []
        for semantic in UV_SETS:
            stored = values(self._model, part.lod, semantic, part.rows)
            if stored is not None:
                coordinates = np.ascontiguousarray(finite(stored)[:, :2])
                attributes[f"TEXCOORD_{len(found)}"] = self.buffer.accessor(coordinates, VERTICES)
                found.append(semantic)
        return tuple(found)

    def _add_colors(self, part: ExportPart, attributes: Json) -> None:
        """Add vertex colours: linear colours if the material multiplies by them, else a custom attribute."""
        found = column_of(self._model, part.lod, "color0")
        if found is None:
            return
        material = part.geometry.material
        shown = material is not None and self._model.materials[material].vertex_color
        stored = finite(four_floats(found[0][part.rows], found[1]))
        if shown:
            stored[:, :3] = to_linear(stored[:, :3])
            attributes["COLOR_0"] = self.buffer.accessor(np.clip(stored, 0, 1), VERTICES)
        else:
            attributes["_COLOR_0"] = self.buffer.accessor(stored, VERTICES)

    def _report_effects(self) -> None:
        model = self._model
        lost = [(len(model.emitters), "emitter"), (len(model.ribbons), "ribbon")]
        said = " and ".join(counted(count, noun) for count, noun in lost if count)
        if said:
            self.messages.append(f"left out {said}: glTF has no particles")
        layered = sum(1 for each in model.geometries if each.layers)
        if layered:
            self.messages.append(
                f"{counted(layered, 'geometry', 'geometries')}: material layers above the first are left out"
            )
        turning = model.skeleton.billboards if model.skeleton is not None else None
        count = 0 if turning is None else int(np.count_nonzero(turning))
        if count:
            self.messages.append(
                f"{counted(count, 'billboard bone')}: exported without turning to the camera"
            )
