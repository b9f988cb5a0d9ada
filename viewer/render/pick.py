"""Picking: renders item numbers into a few pixels around the pointer.

The numbers are read one frame later, so that the CPU never waits for the GPU.
"""

from __future__ import annotations

import numpy as np
from msgspec import Struct

from viewer.animation.effects.random_hash import WORD
from viewer.animation.pose import Pose, moves
from viewer.arrays import Array
from viewer.gpu.pipeline import Pipeline
from viewer.gpu.shader import Composer
from viewer.gpu.target import clear, release_framebuffers
from viewer.render.frame import Frame
from viewer.render.mesh.geometry_resources import prepared, visible
from viewer.render.mesh.mesh_resources import MeshResources
from viewer.scene.items import ParticleItem, RibbonItem
from viewer.scene.mesh.surface_points import SurfacePoint, surface_weights
from viewer.scene.mesh.vertices import corners, influences, posed
from viewer.scene.skeleton import Skeleton
from viewer.view.bone_lines import bone_lines
from viewer.view.camera import Matrices

REGION = 9
"""Width and height of the picked region in pixels: odd, because the pointer is in the middle."""
REACH = 9.0
"""A bone is picked if its axis is at most this far from the pointer, in pixels."""


class Hit(Struct, frozen=True):
    """The nearest surface under the pointer.

    `number` is the number of the primitive within level `level` of the geometry. `vertex` is the corner of
    this primitive that is nearest to the pointer on the screen, as a row of the vertex buffer with the number
    `stream`. `bone` has the largest weight at this corner (None: no bones). `point` is in viewer space.
    `surface` describes the same point by the corners of the primitive; `near` is the distance from the
    pointer to the corner in pixels.
    """

    geometry: int
    level: int
    number: int
    stream: int
    vertex: int
    bone: int | None
    point: tuple[float, float, float]
    surface: SurfacePoint
    near: float


class EffectHit(Struct, frozen=True):
    """The nearest particle or ribbon under the pointer; `point` is in viewer space."""

    item: ParticleItem | RibbonItem
    point: tuple[float, float, float]


class Picker:
    """Picks the item at a pixel and returns it one frame later.

    Its programs belong to the composer.
    """

    def __init__(self, composer: Composer) -> None:
        ctx = composer.ctx
        size = (REGION, REGION)
        self._composer = composer
        self._numbers = ctx.texture(size, 4, dtype="u4")
        self._depth = ctx.depth_renderbuffer(size)
        self._target = ctx.framebuffer([self._numbers], self._depth)
        self._read, self._read_specks = (ctx.buffer(reserve=REGION * REGION * 16) for _ in range(2))
        self._nothing = np.zeros(REGION * REGION * 4, np.uint32)
        self._asked: tuple[Frame, Array, tuple[int, ...]] | None = None
        self._newest: tuple[int, ...] = ()
        self._effect_hit: EffectHit | None = None

    def ask(self, mesh: MeshResources, frame: Frame, pixel: Array) -> None:
        """Render item numbers into a small square around `pixel` [2] (origin: lower left)."""
        levels = [-1] * len(mesh.model.geometries)
        clear(self._target, (REGION, REGION))
        self._numbers.write(self._nothing)
        eye, projection = frame.matrices.towards_viewer
        projection = around(pixel, frame.size) @ projection
        mesh.write(frame.pose, frame.options, frame.display, eye, projection)
        for item in visible(mesh, frame.display, frame.matrices):
            defines = mesh.deformation.defines(mesh.buffers, item.lod)
            program = self._composer.program("mesh.vert", "pick.frag", defines)
            program.set(geometry=item.number)
            cull, front = item.gpu_material.material.cull, frame.matrices.front_face
            array, bindings = prepared(mesh, item, program), mesh.bindings(item.lod)
            pipeline = Pipeline(array, self._target, bindings, cull=cull, front_face=front)
            pipeline.draw(item.lod.primitive, item.count, item.lod.start)
            levels[item.number] = item.level
        self._target.read_into(self._read, components=4, dtype="u4")
        self._newest = self._draw_specks(mesh, frame, eye, projection)
        self._asked = frame, np.asarray(pixel, float), tuple(levels)

    def _draw_specks(
        self, mesh: MeshResources, frame: Frame, eye: Array, projection: Array
    ) -> tuple[int, ...]:
        """Draw the numbers of particles and ribbons in front of the surfaces.

        Returns the number of the newest birth of each emitter. `answer` needs this number to identify a
        picked particle.
        """
        if not mesh.model.effects:
            return ()
        particles, lights = mesh.particles, mesh.lights(frame.options, frame.pose, eye)
        self._numbers.write(self._nothing)
        view_parameters = frame.parameters(self._target, eye, projection, lights)
        mesh.ribbons.draw_numbers(view_parameters, len(particles.emitters))
        particles.draw_numbers(particles.members(view_parameters), view_parameters)
        self._target.read_into(self._read_specks, components=4, dtype="u4")
        return tuple(each.newest for each in particles.emitters)

    def answer(self) -> Hit | None:
        """Return the picked surface; None if the pointer hit nothing or `ask` was not called since the last
        answer.
        """
        if self._asked is None:
            return None
        (frame, pixel, levels), self._asked = self._asked, None
        self._effect_hit = self._found_effect(frame, pixel)
        numbers = np.frombuffer(self._read.read(), np.uint32).reshape(REGION, REGION, 4)
        found = nearest(numbers)
        if found is None:
            return None
        geometry, number, depth = int(found[0]) - 1, int(found[1]), float(found[2:3].view(np.float32)[0])
        return _hit(frame, pixel, (geometry, levels[geometry]), number, depth)

    @property
    def effect_hit(self) -> EffectHit | None:
        """The particle or ribbon that the last `answer` found; None if a surface is in front of it."""
        return self._effect_hit

    def _found_effect(self, frame: Frame, pixel: Array) -> EffectHit | None:
        if not frame.model.effects:
            return None
        found = nearest(np.frombuffer(self._read_specks.read(), np.uint32).reshape(REGION, REGION, 4))
        if found is None:
            return None
        emitter, point = int(found[0]) - 1, _unprojected(frame, pixel, float(found[2:3].view(np.float32)[0]))
        if emitter >= len(self._newest):
            return EffectHit(RibbonItem(emitter - len(self._newest)), point)
        newest = self._newest[emitter]
        return EffectHit(ParticleItem(emitter, newest - ((newest - int(found[1])) & WORD)), point)

    def release(self) -> None:
        """Release the target and its readback buffers."""
        release_framebuffers(self._target)
        for owned in (self._numbers, self._depth, self._read, self._read_specks):
            owned.release()


def around(pixel: Array, size: tuple[int, int]) -> Array:
    """Return the matrix [4, 4] from clip space to the clip space of the region centred at `pixel` [2]."""
    out = np.eye(4)
    middle = (np.floor(pixel) + 0.5) / size * 2 - 1
    scale = np.array(size) / REGION
    out[(0, 1), (0, 1)] = scale
    out[:2, 3] = -middle * scale
    return out


def nearest(numbers: Array) -> Array | None:
    """Return the four values [4] of the drawn pixel nearest to the centre of the region [R, R, 4]; None if
    nothing is drawn there.
    """
    rows, columns = np.nonzero(numbers[..., 0])
    if not len(rows):
        return None
    middle = REGION // 2
    closest = ((rows - middle) ** 2 + (columns - middle) ** 2).argmin()
    return np.asarray(numbers[rows[closest], columns[closest]])


def _hit(frame: Frame, pixel: Array, owner: tuple[int, int], primitive: int, depth: float) -> Hit:
    """Return the surface at `pixel`; `owner` are the numbers of its geometry and level."""
    model, (number, level) = frame.model, owner
    geometry = model.geometries[number]
    lod = geometry.lods[level]
    rows = corners(model, lod, primitive)
    points = posed(model, geometry, lod, rows, moves(frame.pose, frame.display.morphs))
    away = np.linalg.norm(on_screen(frame.matrices, points, frame.size)[:, :2] - pixel, axis=1)
    closest = int(np.nan_to_num(away, nan=np.inf).argmin())
    vertex = int(rows[closest])
    bones = len(model.skeleton) if model.skeleton else 0
    bound = influences(model, geometry, lod, np.array([vertex]), bones)
    bone = int(bound[0][0, bound[1][0].argmax()]) if bound else bones
    return Hit(
        geometry=number,
        level=level,
        number=primitive,
        stream=lod.streams[0],
        vertex=vertex,
        bone=bone if bone < bones else None,
        point=_unprojected(frame, pixel, depth),
        surface=_surface_point(frame, pixel, owner, rows, points),
        near=float(away[closest]),
    )


def _surface_point(
    frame: Frame, pixel: Array, owner: tuple[int, int], rows: Array, points: Array
) -> SurfacePoint:
    """Return the point at `pixel` of the primitive with the corners `rows` [C] at `points` [C, 3].

    `owner` are the numbers of its geometry and level.
    """
    whole = frame.matrices.projection @ frame.matrices.view
    x, y = (pixel / frame.size * 2 - 1).tolist()
    shares = surface_weights(points @ whole[:, :3].T + whole[:, 3], (x, y))
    return SurfacePoint(*owner, tuple(rows.tolist()), shares)


def _unprojected(frame: Frame, pixel: Array, depth: float) -> tuple[float, float, float]:
    """Unproject a pixel with its depth 0..1 to viewer space."""
    clip = np.append(np.append(pixel / frame.size, depth) * 2 - 1, 1.0)
    x, y, z, w = (float(value) for value in np.linalg.solve(frame.matrices.world_clip, clip))
    return x / w, y / w, z / w


def on_screen(matrices: Matrices, points: Array, size: tuple[int, int]) -> Array:
    """Project points [N, 3] in the file's axes to pixels from the lower left corner and depth 0..1.

    Points behind the camera and points that are not finite become NaN.
    """
    whole = matrices.projection @ matrices.view
    clip = points @ whole[:, :3].T + whole[:, 3]
    ahead = clip[:, 3:] > 0
    placed = clip[:, :3] / np.where(ahead, clip[:, 3:], 1.0) * 0.5 + 0.5
    return np.asarray(np.where(ahead, placed, np.nan) * (*size, 1.0))


def nearest_bone(
    skeleton: Skeleton, pose: Pose, matrices: Matrices, size: tuple[int, int], pixel: Array
) -> int | None:
    """Find the bone whose axis is nearest to `pixel` [2] on the screen; None if all bones are farther than
    `REACH` pixels. Among equally near bones the bone nearest to the camera is returned.
    """
    owners, heads, tails = bone_lines(skeleton, pose.world)
    start, end = on_screen(matrices, heads, size), on_screen(matrices, tails, size)
    along = end - start
    squared = np.maximum((along[:, :2] ** 2).sum(axis=1), 1e-12)
    part = np.clip(((pixel - start[:, :2]) * along[:, :2]).sum(axis=1) / squared, 0.0, 1.0)
    closest = start + along * part[:, None]
    away = np.linalg.norm(closest[:, :2] - pixel, axis=1)
    near = np.flatnonzero(away <= REACH)
    if not len(near):
        return None
    order = np.lexsort((closest[near, 2], np.round(away[near])))
    return int(owners[near[order[0]]])
