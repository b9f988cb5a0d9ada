import numpy as np
import pytest

from viewer.gpu.shader import Composer
from viewer.gpu.target import RenderTarget
from viewer.render.overlays.axes import AxesOverlay, directions, strokes
from viewer.render.overlays.grid import Ground, GroundGrid, cell_size, ink
from viewer.render.shader_constants import SHADER_CONSTANTS
from viewer.scene.camera import VIEWS, MatrixCamera, Orbit
from viewer.view.camera import matrices

SIZE = (160, 120)
BOX = np.array(((-0.5, 0.0, -0.5), (0.5, 1.0, 0.5)))
DARK, LIGHT = (0.1, 0.1, 0.1, 1.0), (0.95, 0.95, 0.95, 1.0)


@pytest.fixture
def composer(ctx):
    made = Composer(ctx, constants=SHADER_CONSTANTS)
    yield made
    made.release()


def picture(composer, draw, background=DARK, depth=1.0):
    """What `draw` leaves on a plain background, [height, width, 4] numbers."""
    target = RenderTarget(composer.ctx, SIZE)
    target.framebuffer.clear(*background, depth=depth)
    draw(target.framebuffer)
    pixels = target.read().astype(int)
    target.release()
    return pixels


def ground(composer, camera, background=DARK, extent=BOX, depth=1.0):
    grid = GroundGrid(composer)
    seen = matrices(camera, np.eye(4), SIZE, extent)
    pixels = picture(composer, lambda to: grid.draw(Ground(seen, extent, background), to), background, depth)
    grid.release()
    return pixels


TOP = Orbit(target=(0, 0.5, 0), distance=4).seen_from("top")


def test_from_above_x_is_red_across_and_z_is_blue_downwards(composer):
    pixels = ground(composer, TOP)
    across, down = pixels[SIZE[1] // 2 - 1 : SIZE[1] // 2 + 1, 20, :3], pixels[20, 79:81, :3]
    assert (across[:, 0] > across[:, 2] + 60).all(), "red left of the middle"
    assert (down[:, 2] > down[:, 0] + 60).all(), "blue above the middle"


@pytest.mark.parametrize(("background", "brighter"), [(DARK, True), (LIGHT, False)])
def test_lines_stand_out_from_dark_and_light(composer, background, brighter):
    pixels = ground(composer, TOP, background)
    lines = pixels[..., :3].max(axis=-1) if brighter else pixels[..., :3].min(axis=-1)
    plain = round(background[0] * 255)
    assert ((lines > plain + 15) if brighter else (lines < plain - 15)).mean() > 0.05


def test_every_tenth_line_is_stronger(composer):
    orbit = Orbit(target=(0, 0.5, 0), distance=1.6, ortho=True, fov=60).seen_from("top")
    pixels = ground(composer, orbit, extent=BOX * 0.99)
    row = pixels[SIZE[1] // 2 + 4, :, 0]
    height = 2 * orbit.distance * orbit.slope / SIZE[1]
    at = {x: row[round(80 - 0.5 + x / height) + np.arange(-1, 2)].max() for x in (0.05, 0.2, 0.4, 1.0)}
    assert at[1.0] > at[0.2] > 28 and abs(at[0.2] - at[0.4]) < 25


def test_what_is_nearer_hides_the_ground(composer):
    pixels = ground(composer, TOP, depth=0.0)
    assert (pixels == pixels[0, 0]).all()


@pytest.mark.parametrize("extent", [None, BOX * np.nan, BOX * 0, BOX * 1e6, BOX * 1e-6], ids=str)
def test_any_extent_gives_a_ground_and_no_error(composer, extent):
    camera = Orbit(distance=4 * (1 if extent is None or not np.nan_to_num(extent).any() else extent[1, 1]))
    pixels = ground(composer, camera, extent=extent)
    assert len(np.unique(pixels.reshape(-1, 4), axis=0)) > 10


def test_the_ground_fades_with_distance(composer):
    far = ground(composer, Orbit(target=(0, 0, 0), distance=200, ortho=True).seen_from("top"))
    assert (far[:4] == far[0, 0]).all() and (far[58:62, 78:82] != far[0, 0]).any()


@pytest.mark.parametrize(
    ("camera", "low", "beneath"),
    [
        (Orbit(pitch=30.0), 0.0, True),
        (Orbit(pitch=30.0), -0.02, True),
        (Orbit(pitch=30.0), -0.5, False),
        (Orbit(pitch=-30.0), 0.0, False),
        (Orbit(pitch=30.0, ortho=True), 0.0, False),
    ],
)
def test_the_ground_is_beneath_what_stands_on_it_seen_from_above(camera, low, beneath):
    extent = BOX + np.array(((0, low, 0), (0, 0, 0)))
    assert Ground(matrices(camera, np.eye(4), SIZE, extent), extent).is_beneath is beneath


def test_what_is_left_out_of_the_ground_would_not_show(composer):
    """Where the polygon ends, even axes have faded."""
    camera = Orbit(target=(0, 0.5, 0), distance=12.0, ortho=True, fov=60).seen_from("top")
    row = np.abs(ground(composer, camera)[SIZE[1] // 2] - ground(composer, camera)[0, 0]).max(axis=-1)
    inside = np.flatnonzero(row > 0)
    assert inside[0] > 0 and inside[-1] < SIZE[0] - 1, "all of it is in the picture"
    assert row[inside[[0, -1]]].max() <= 2


@pytest.mark.parametrize(("radius", "cell"), [(0.9, 0.1), (0.05, 0.01), (4.9, 0.1), (5.1, 1.0), (90, 10)])
def test_cells_are_a_power_of_ten_below_the_model(radius, cell):
    assert cell_size(radius) == pytest.approx(cell)


def test_the_ink_depends_on_the_background():
    assert ink((1, 1, 1, 1)) < ink((1, 1, 1, 0)) < ink(None) == ink((0, 0, 0.2, 1))


def test_axes_point_where_the_view_shows_them():
    shown = directions(matrices(Orbit().seen_from("front"), np.eye(4), SIZE))
    assert np.allclose(shown, np.eye(3), atol=1e-9)
    shown = directions(matrices(Orbit().seen_from("left"), np.eye(4), SIZE))
    assert np.allclose(shown, [(0, 0, 1), (0, 1, 0), (-1, 0, 0)], atol=1e-9)


def test_axes_of_a_left_handed_camera_are_not_mirrored():
    mirror = np.diag((1.0, 1.0, -1.0, 1.0))
    given = MatrixCamera(
        np.array(((1.0, 0, 0, 0), (0, 1, 0, 0), (0, 0, 1, 5))),
        np.array(((2.0, 0, 0, 0), (0, 2, 0, 0), (0, 0, 1.01, -0.1), (0, 0, 1, 0))),
    )
    assert np.allclose(directions(matrices(given, mirror, SIZE)), np.eye(3), atol=1e-9)


@pytest.mark.parametrize("view", VIEWS)
@pytest.mark.parametrize("size", [(64, 64), (1280, 720), (300, 900)])
def test_the_axes_stay_within_the_upper_right_corner(view, size):
    items = strokes(directions(matrices(Orbit().seen_from(view), np.eye(4), size)), size)
    for ends in (items["start"], items["end"]):
        assert (ends + items["radius"][:, None] <= np.array(size) + 0.5).all()
        assert (ends > np.array(size) - 110).all()


def test_the_axis_towards_the_viewer_covers_the_others(composer):
    axes = AxesOverlay(composer)
    seen = matrices(Orbit().seen_from("front"), np.eye(4), SIZE)
    pixels = picture(composer, lambda to: axes.draw(seen, to, SIZE))
    axes.release()
    lit = np.argwhere(np.ptp(pixels[..., :3], axis=-1) > 60)
    middle = np.round(np.array(SIZE) - 24).astype(int)
    red, _, blue, _ = pixels[SIZE[1] - middle[1] + 3, middle[0]]
    assert blue > red + 60, "Z looks at the viewer"
    assert len(lit) and (lit[:, 0] < 60).all() and (lit[:, 1] > 100).all()
