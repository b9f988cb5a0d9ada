"""The matrices of a camera, its frustum, and the camera file.

Matrices are row-major [4, 4] for column vectors. Eye space is OpenGL's: right-handed, looking along -Z. Only
a `MatrixCamera` has another eye space, which its matrices define.
"""

from __future__ import annotations

import json
import sys
from typing import Any

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from viewer.animation.effects.motion_reach import Sphere
from viewer.arrays import Array
from viewer.errors import FormatError
from viewer.scene.camera import FAR as FAR_PLANE
from viewer.scene.camera import NEAR as NEAR_PLANE
from viewer.scene.camera import Camera, MatrixCamera, Orbit

REACH = 12.0
"""How far around the scene the grid is drawn, in radii of the scene."""
NEAR = 0.02
"""The smallest near plane, as a share of the distance to the target."""
RATIO = 1e6
"""The highest ratio of far to near plane that a 24 bit depth buffer can resolve."""


class Matrices(Struct, frozen=True, eq=False):
    """The camera matrices for a pass.

    Each of the matrices converts coordinates: `view` [4, 4] from the file's axes to eye space, `world_view`
    [4, 4] from viewer space to eye space, `to_world` [4, 4] from the file's axes to viewer space,
    `projection` [4, 4] from eye space to GL clip space. `eye` [3] is the position of the camera in viewer
    space. If `mirrored`, front faces of the file are clockwise on the screen.
    """

    view: Array
    world_view: Array
    to_world: Array
    projection: Array
    eye: Array
    mirrored: bool

    @property
    def front_face(self) -> str:
        """`ccw` or `cw`: the winding of the file's front faces on the screen."""
        return "cw" if self.mirrored else "ccw"

    @property
    def world_clip(self) -> Array:
        """[4, 4]: the matrix from viewer space to clip space."""
        return np.asarray(self.projection @ self.world_view)

    @property
    def towards_viewer(self) -> tuple[Array, Array]:
        """`view` and `projection` [4, 4], changed so that z in eye space points towards the viewer; their
        product stays the same. This is necessary because the studio light shines along z, and matrix cameras
        often look along +z.
        """
        view, projection = self.view, self.projection
        along = projection[3, 2] if projection[3, :3].any() else projection[2, 2]
        if along < 0:
            return view, projection
        turn = np.diag((1.0, 1.0, -1.0, 1.0))
        return turn @ view, projection @ turn


def matrices(
    camera: Orbit | MatrixCamera, to_world: Array, size: tuple[int, int], extent: Array | None = None
) -> Matrices:
    """The matrices of `camera` for a picture of `size` (width, height).

    `to_world` [4, 4] converts from the file's axes to viewer space; `extent` [2, 3] is the box in viewer
    space that must not be clipped; a box that is not finite is ignored. The result is always finite.
    """
    to_world = np.asarray(to_world, np.float64)
    if isinstance(camera, MatrixCamera):
        return _matrices(camera, to_world)
    world_view = _view_matrix(camera)
    projection = _projection(camera, size, _depths(camera, extent))
    return _assemble(world_view @ to_world, to_world, world_view, projection, camera.position)


def stored_camera(camera: Camera, to_world: Array, size: tuple[int, int]) -> MatrixCamera:
    """Convert a camera of the file to matrices for a picture of `size` (width, height).

    FormatError if its numbers do not define a camera.
    """
    from pyrr import matrix44

    to_world = np.asarray(to_world, np.float64)
    eye, target = (to_world[:3, :3] @ point + to_world[:3, 3] for point in (camera.position, camera.target))
    back = eye - target
    if not np.isfinite(back).all() or not np.linalg.norm(back) > 0:
        raise FormatError(
            f"camera {camera.name} has no direction: its position and its target are equal or not finite",
            "camera",
        )
    up = np.array((0.0, 0.0, 1.0) if not back[[0, 2]].any() else (0.0, 1.0, 0.0))
    up = _rolled(up, back / np.linalg.norm(back), camera.roll)
    view_matrix = np.array(matrix44.create_look_at(eye, target, up, dtype=np.float64).T)
    near, far = camera.near, camera.far
    if not 0 < near < far < np.inf:
        near, far = NEAR_PLANE, FAR_PLANE
    aspect = max(size[0], 1) / max(size[1], 1)
    projection = _perspective(camera.angle(aspect), aspect, max(near, far / RATIO), far)
    return MatrixCamera((view_matrix @ to_world)[:3], projection)


def _rolled(up: Array, back: Array, degrees: float) -> Array:
    """[3]: `up` rolled to the left as seen by the camera, around the unit vector `back`."""
    if not np.isfinite(degrees):
        return up
    angle = np.radians(degrees)
    across = np.cross(up, back)
    level = np.cross(back, across)
    return np.asarray(level * np.cos(angle) - across * np.sin(angle))


def _matrices(camera: MatrixCamera, to_world: Array) -> Matrices:
    view = np.vstack((np.asarray(camera.view, np.float64), (0.0, 0.0, 0.0, 1.0)))
    world_view = view @ np.linalg.inv(to_world)
    eye = np.linalg.inv(world_view)[:3, 3]
    return _assemble(view, to_world, world_view, np.asarray(camera.projection, np.float64), eye)


def _assemble(view: Array, to_world: Array, world_view: Array, projection: Array, eye: Array) -> Matrices:
    """Make the `Matrices`, and determine whether they mirror. In OpenGL's clip space z points away from the
    eye, so that a projection itself mirrors. Therefore the model is mirrored if the determinant of the
    product of all matrices is positive.
    """
    mirrored = bool(np.linalg.slogdet(projection @ view)[0] > 0)
    return Matrices(view, world_view, to_world, projection, eye, mirrored)


def _view_matrix(camera: Orbit) -> Array:
    """[4, 4]: the matrix from viewer space to eye space.

    Its axes are calculated from the camera's angles, so that it is valid at the poles and at distance 0.
    """
    view_matrix = np.eye(4)
    view_matrix[:3, :3] = camera.axes
    view_matrix[:3, 3] = -camera.axes @ camera.position
    return view_matrix


def _depths(camera: Orbit, extent: Array | None) -> tuple[float, float]:
    """The distances of the near and the far plane. All points within `REACH` of the box `extent` lie between
    these planes.
    """
    center, radius = bounding_sphere(extent)
    reach = max(radius * REACH, camera.distance * NEAR)
    ahead = float(-camera.axes[2] @ (center - camera.position))
    if camera.ortho:
        return ahead - reach, ahead + reach
    far = max(ahead + reach, camera.distance * 2)
    return max(camera.distance * NEAR, far / RATIO), far


def _projection(camera: Orbit, size: tuple[int, int], depths: tuple[float, float]) -> Array:
    aspect = max(size[0], 1) / max(size[1], 1)
    if camera.ortho:
        half = camera.distance * camera.slope
        sides = (-half * aspect, half * aspect, -half, half)
        from pyrr import matrix44

        return np.array(matrix44.create_orthogonal_projection(*sides, *depths, dtype=np.float64).T)
    return _perspective(camera.angle, aspect, *depths)


def _perspective(angle: float, aspect: float, near: float, far: float) -> Array:
    """[4, 4]: the matrix from eye space to GL clip space. `angle` is the vertical field of view in degrees.

    pyrr has the same function, but importing pyrr takes longer than all camera work for the first picture.
    """
    slope = np.tan(np.radians(angle) / 2)
    projection = np.zeros((4, 4))
    projection[0, 0], projection[1, 1] = 1 / (slope * aspect), 1 / slope
    projection[2, 2:] = -(far + near) / (far - near), -2 * far * near / (far - near)
    projection[3, 2] = -1.0
    return projection


def bounding_sphere(extent: Array | None) -> tuple[Array, float]:
    """Centre [3] and radius of the sphere around a box [2, 3].

    The unit box is used if the box is None, empty or not finite.
    """
    box = np.asarray(extent if extent is not None else np.nan, np.float64)
    if not np.isfinite(box).all():
        return np.zeros(3), 1.0
    radius = float(np.linalg.norm(box[1] - box[0])) / 2
    return box.mean(axis=0), radius if radius > 0 else 1.0


def camera_from_json(text: str) -> MatrixCamera | Orbit:
    """Parse a camera: the matrices `{"view": 3×4, "projection": 4×4}`, row-major, as lists of rows or as flat
    lists; or the fields of an `Orbit`, such as `{"distance": 3, "target": [0, 1, 0], "yaw": 35}`.

    FormatError, with the name of the field, if it is not JSON or the numbers are not usable.
    """
    try:
        data = json.loads(text)
    except ValueError as error:
        raise FormatError(f"the camera is not JSON: {error}", "camera", getattr(error, "pos", 0)) from None
    except RecursionError:
        raise FormatError("the camera is nested too deeply", "camera") from None
    if not isinstance(data, dict):
        raise FormatError("a camera must be an object with view and projection, or with a distance", "camera")
    if "distance" in data:
        return _orbit(data)
    view, projection = _matrix(data, "view", 3), _matrix(data, "projection", 4)
    if not np.linalg.det(view[:, :3]) or not np.linalg.det(projection):
        raise FormatError("the camera's matrices have no inverse", "camera")
    return MatrixCamera(view, projection)


def _orbit(data: dict[str, Any]) -> Orbit:
    """The orbit camera with the fields of a JSON object. FormatError for an unknown field or a bad value."""
    for name, value in data.items():
        if name not in Orbit.__struct_fields__:
            known = ", ".join(Orbit.__struct_fields__)
            raise FormatError(f"is unknown; the fields of a camera are {known}", f"camera/{name}")
        numbers = np.array(value, np.float64) if _is_numeric(value) else None
        if name == "ortho":
            valid = isinstance(value, bool)
        elif name == "target":
            valid = numbers is not None and numbers.shape == (3,)
        else:
            valid = numbers is not None and numbers.shape == ()
        if not valid:
            wanted = {"ortho": "true or false", "target": "3 finite numbers"}.get(name, "a finite number")
            raise FormatError(f"is not {wanted}", f"camera/{name}")
    if data["distance"] <= 0:
        raise FormatError("is not above 0", "camera/distance")
    target = {"target": tuple(map(float, data["target"]))} if "target" in data else {}
    return replace(Orbit(), **{**data, **target})


def _is_numeric(value: object) -> bool:
    """Whether a JSON value is a finite number or a flat list of finite numbers."""
    listed = value if isinstance(value, list) else [value]
    numbers = [each for each in listed if isinstance(each, int | float) and not isinstance(each, bool)]
    return len(numbers) == len(listed) and all(abs(each) <= sys.float_info.max for each in numbers)


def camera_json(camera: Orbit | MatrixCamera) -> str:
    """Write a camera as JSON, see `camera_from_json`. An orbit camera has only the fields that differ from
    the default.
    """
    if isinstance(camera, MatrixCamera):
        return json.dumps({"view": camera.view.tolist(), "projection": camera.projection.tolist()})
    first = Orbit()
    fields = {name: getattr(camera, name) for name in Orbit.__struct_fields__}
    changed = {name: value for name, value in fields.items() if value != getattr(first, name)}
    return json.dumps({"distance": camera.distance, **changed})


def _matrix(data: dict[str, Any], name: str, rows: int) -> Array:
    """[rows, 4]: the numbers of a field of the camera file. FormatError if they are not finite or have
    another shape.
    """
    if name not in data:
        raise FormatError("is missing", f"camera/{name}")
    try:
        values = np.array(data[name], np.float64)
    except (TypeError, ValueError, OverflowError, RecursionError):
        raise FormatError("has values that are not numbers", f"camera/{name}") from None
    if values.shape not in ((rows, 4), (rows * 4,)):
        raise FormatError(f"is not {rows} rows of 4 numbers", f"camera/{name}")
    if not np.isfinite(values).all():
        raise FormatError("has numbers that are not finite", f"camera/{name}")
    return values.reshape(rows, 4)


class Frustum(Struct, frozen=True, eq=False):
    """The six planes that bound the visible space. A point [x, y, z, 1] is inside if its products with all
    `planes` [6, 4] are positive; `lengths` [6] are the lengths of the planes' normals.
    """

    planes: Array
    lengths: Array

    def excludes(self, sphere: Sphere) -> bool:
        """Whether the whole sphere is outside the frustum; False if its numbers are not finite."""
        distances = self.planes[:, :3] @ sphere.centre + self.planes[:, 3]
        return bool((distances < -sphere.radius * self.lengths).any())


def frustum(view: Array, projection: Array) -> Frustum:
    """Compute the frustum of the matrices `view` and `projection` [4, 4], in the space from which `view`
    converts.
    """
    clip = np.asarray(projection, np.float64) @ np.asarray(view, np.float64)
    planes = np.concatenate((clip[3] + clip[:3], clip[3] - clip[:3]))
    return Frustum(planes, np.linalg.norm(planes[:, :3], axis=1))
