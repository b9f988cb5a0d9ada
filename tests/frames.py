"""Frames for tests that state a pose themselves; the program makes its frames of views."""

from __future__ import annotations

from typing import Any

from viewer.animation.pose import Pose
from viewer.arrays import Array, Size
from viewer.render.frame import Frame
from viewer.render.mesh.mesh_resources import MeshResources
from viewer.scene.camera import MatrixCamera, Orbit
from viewer.scene.display import DisplayOptions, ModelDisplay
from viewer.scene.model import Model
from viewer.view.camera import Matrices, matrices
from viewer.view.framing import posed_bounds


def frame_for(
    drawn: MeshResources | Model | None,
    size: Size,
    pose: Pose | None,
    options: DisplayOptions,
    camera: Orbit | MatrixCamera,
    extent: Array | None = None,
    *,
    display: ModelDisplay | None = None,
    seen: Matrices | None = None,
    **more: Any,
) -> Frame:
    """The frame of a model or mesh; `extent` is the box of the model at rest unless it is given."""
    model = drawn.model if isinstance(drawn, MeshResources) else drawn or Model("")
    display = display or ModelDisplay()
    box = posed_bounds(model, placement=display.placement) if extent is None else extent
    whole = seen or matrices(camera, display.to_world(model), size, box)
    return Frame(model, pose, options, display, whole, size, box, **more)
