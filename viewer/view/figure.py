"""The figure of a person beside a model, which shows how large the model is."""

from __future__ import annotations

from weakref import WeakKeyDictionary

import numpy as np
from msgspec import Struct

from viewer.arrays import Array
from viewer.scene.display import Placement
from viewer.scene.maths import scale_of
from viewer.scene.model import Model
from viewer.view.framing import bounds_of, box_corners, placed_box, posed_bounds
from viewer.view.lengths import metres_per_unit

HEIGHT = 1.8
"""The height of the figure in metres."""
WIDTH = 0.2
"""Half the width of the figure as a share of its height."""
GAP = 0.06
"""The distance from the model to the figure as a share of the figure's height."""
HEAD, HEAD_WIDTH, HEAD_HEIGHT, TURNS = 0.93, 0.056, 0.07, 32
"""Four numbers of the head: the height of its middle, half its width, half its height, and the number of its
corners.
"""
TRUNK = (
    (0.885, 0.0, 0.030),
    (0.852, 0.0, 0.032),
    (0.836, 0.0, 0.052),
    (0.826, 0.0, 0.088),
    (0.812, 0.0, 0.116),
    (0.790, 0.0, 0.126),
    (0.740, 0.0, 0.116),
    (0.660, 0.0, 0.096),
    (0.610, 0.0, 0.088),
    (0.560, 0.0, 0.096),
    (0.510, 0.0, 0.104),
    (0.480, 0.0, 0.105),
)
LEG = (
    (0.482, 0.0, 0.105),
    (0.460, 0.006, 0.104),
    (0.380, 0.013, 0.095),
    (0.285, 0.022, 0.078),
    (0.265, 0.023, 0.077),
    (0.200, 0.023, 0.082),
    (0.100, 0.031, 0.064),
    (0.045, 0.033, 0.062),
    (0.030, 0.030, 0.080),
    (0.012, 0.028, 0.094),
    (0.000, 0.028, 0.096),
)
ARM = (
    (0.818, 0.100, 0.104),
    (0.808, 0.100, 0.128),
    (0.790, 0.102, 0.142),
    (0.740, 0.110, 0.150),
    (0.640, 0.122, 0.158),
    (0.600, 0.126, 0.160),
    (0.500, 0.140, 0.166),
    (0.470, 0.143, 0.168),
    (0.440, 0.142, 0.174),
    (0.410, 0.148, 0.174),
    (0.390, 0.156, 0.168),
)
"""The right sides of the trunk, a leg and an arm, as rows from top to bottom. A row has three numbers: its
height, and the distances from the middle at which it begins and ends. All numbers are shares of the figure's
height.
"""


class Figure(Struct, frozen=True):
    """A figure that stands at `place` and is `height` high, both in viewer space."""

    place: tuple[float, float, float]
    height: float


_FIGURES: WeakKeyDictionary[Model, tuple[Placement, Figure]] = WeakKeyDictionary()


def figure_beside(model: Model, placement: Placement) -> Figure:
    """Return the figure at the left side of a model in its rest pose, as the model sees it.

    The figure stands on the ground, or at the height of the model's lowest point if this point is below the
    ground.
    """
    known = _FIGURES.get(model)
    if known is None or known[0] != placement:
        low, high = posed_bounds(model, placement=placement)
        height = HEIGHT * scale_of(placement.of(model.to_world)) / metres_per_unit(model)
        x, y, z = high[0] + (GAP + WIDTH) * height, min(float(low[1]), 0.0), (low[2] + high[2]) / 2
        known = _FIGURES[model] = placement, Figure((float(x), y, float(z)), height)
    return known[1]


def figure_text() -> str:
    """Return the label of the figure: `1.8 m`."""
    return f"{HEIGHT:g} m"


def figure_points(figure: Figure) -> Array:
    """[8, 3] in viewer space: the corners of a box around the figure, however it is turned."""
    half = WIDTH * figure.height
    box = np.array(((-half, 0.0, -half), (half, figure.height, half)))
    return box_corners(box) + figure.place


def boxes_at_rest(model: Model, box: Array, placement: Placement, figured: bool) -> list[Array]:
    """Return the bounding box [2, 3] of the placed model; if it is `figured`, also the box of the figure
    beside it. `box` is the box of the model at rest, as the file places it; all boxes are in viewer space.

    The camera of the window clips none of these boxes, whatever the model's clips do.
    """
    boxes = [placed_box(model, box, placement)]
    return [*boxes, bounds_of(figure_points(figure_beside(model, placement)))] if figured else boxes


def figure_triangles() -> Array:
    """[N, 2] f32: the corners of the figure's triangles, to the right and up from the middle of its feet, as
    shares of its height.
    """
    right = np.concatenate([_strip(rows) for rows in (TRUNK, LEG, ARM)])
    return np.concatenate((right, right * (-1, 1), _head())).astype(np.float32)


def _strip(rows: tuple[tuple[float, float, float], ...]) -> Array:
    """[6 (R - 1), 2]: the triangles between R rows (height, first, last)."""
    table = np.array(rows)
    inner, outer = table[:, (1, 0)], table[:, (2, 0)]
    upper = np.stack((inner[:-1], outer[:-1], inner[1:]), axis=1)
    lower = np.stack((outer[:-1], outer[1:], inner[1:]), axis=1)
    return np.concatenate((upper, lower)).reshape(-1, 2)


def _head() -> Array:
    """[3 TURNS, 2]: the triangles of an ellipse."""
    angles = np.linspace(0.0, 2 * np.pi, TURNS + 1)
    rim = np.stack((np.cos(angles) * HEAD_WIDTH, np.sin(angles) * HEAD_HEIGHT), axis=1)
    middle = np.zeros((TURNS, 2))
    return np.stack((middle, rim[:-1], rim[1:]), axis=1).reshape(-1, 2) + np.array((0.0, HEAD))
