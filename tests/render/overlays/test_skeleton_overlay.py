import time

import numpy as np
import pytest

from viewer.animation.pose import Pose, rest
from viewer.gpu.shader import Composer
from viewer.gpu.target import RenderTarget
from viewer.render.overlays.skeleton_overlay import SkeletonOverlay, bone_shapes, joint_sphere, octahedron
from viewer.render.shader_constants import SHADER_CONSTANTS
from viewer.scene.camera import Orbit
from viewer.scene.skeleton import Skeleton
from viewer.view.camera import matrices

SIZE = (120, 120)
LIMB = np.array((-1, 0, 1))
JOINTS = np.array(((0, 0, 0), (0, 1, 0), (0, 1, 2)), float)


def standing(joints):
    """World matrices [B, 3, 4] of unturned bones."""
    return np.concatenate((np.tile(np.eye(3), (len(joints), 1, 1)), np.asarray(joints)[:, :, None]), axis=2)


def test_bones_reach_from_parent_to_child_and_leaves_have_a_stub():
    bones = bone_shapes(LIMB, standing(JOINTS))
    assert np.allclose(bones["head"], [(0, 0, 0), (0, 1, 0), (0, 1, 2)])
    assert np.allclose(bones["tail"], [(0, 1, 0), (0, 1, 2), (0, 1, 2.7)])


def test_a_parent_may_come_after_its_child():
    bones = bone_shapes(np.array((1, -1)), standing([(0, 3, 0), (0, 1, 0)]))
    assert np.allclose(bones["head"][0], (0, 1, 0)) and np.allclose(bones["tail"][0], (0, 3, 0))


def test_thickness_goes_with_the_length():
    long, short = bone_shapes(np.array((-1, 0, 0)), standing([(0, 0, 0), (0, 1, 0), (0.5, 0, 0)]))["radius"][
        :2
    ]
    assert long == pytest.approx(2 * short)


def test_a_lone_bone_is_a_stub_along_its_own_y():
    bones = bone_shapes(np.array((-1,)), standing([(2, 0, 0)]))
    assert len(bones) == 1 and np.allclose(np.cross(bones["tail"] - bones["head"], (0, 1, 0)), 0)


def test_the_selected_bone_is_chosen_towards_each_of_its_children():
    bones = bone_shapes(
        np.array((-1, 0, 0, 1)), standing([(0, 0, 0), (1, 0, 0), (0, 1, 0), (2, 0, 0)]), selected=0
    )
    assert np.array_equal(np.abs(bones["head"]).sum(axis=1) == 0, bones["chosen"] == 1)
    assert bones["chosen"].sum() == 2


def test_sides_are_across_and_turn_with_the_bone():
    turned = standing(JOINTS)
    turned[0, :, :3] = [(0.6, 0, 0.8), (0, 1, 0), (-0.8, 0, 0.6)]
    bones = bone_shapes(LIMB, turned)
    along = bones["tail"] - bones["head"]
    assert np.allclose((bones["side"] * along).sum(axis=1), 0, atol=1e-6)
    assert not np.allclose(bones["side"][0], bone_shapes(LIMB, standing(JOINTS))["side"][0])


def test_damaged_bones_are_left_out():
    joints = JOINTS.copy()
    joints[2] = np.nan
    bones = bone_shapes(LIMB, standing(joints))
    assert np.allclose(bones["tail"][0], (0, 1, 0))
    for name in bones.dtype.names:
        assert np.isfinite(bones[name]).all()


def test_no_bones_are_no_shapes():
    assert not len(bone_shapes(np.empty(0, int), np.empty((0, 3, 4))))


def test_the_shapes_are_closed_around_the_bone():
    for mesh in (octahedron(), joint_sphere()):
        corners = mesh["corner"].reshape(-1, 3, 3)
        twice = {tuple(np.round(p, 4) + 0.0) for p in mesh["corner"]}
        edges = len(corners) * 3 // 2
        assert len(twice) - edges + len(corners) == 2, "Euler's formula"


def test_two_hundred_bones_take_a_fraction_of_a_millisecond():
    random = np.random.default_rng(1)
    parents = np.maximum(np.arange(200) - random.integers(1, 5, 200), -1)
    world = standing(random.random((200, 3)))
    assert min(_seconds(parents, world) for _ in range(20)) < 0.6e-3


def _seconds(parents, world):
    start = time.thread_time()
    bone_shapes(parents, world, 3)
    return time.thread_time() - start


@pytest.fixture
def stage(ctx):
    """A composer and the target to draw on."""
    composer, target = Composer(ctx, constants=SHADER_CONSTANTS), RenderTarget(ctx, SIZE)
    yield composer, target
    target.release()
    composer.release()


ROW = Skeleton(
    ("a", "b"),
    np.array((-1, 0), "i4"),
    np.array(((-1.0, 0, 0), (2, 0, 0))),
    np.tile((0.0, 0, 0, 1), (2, 1)),
    np.ones((2, 3)),
)


def picture(stage, camera, selected=None, background=0.5, skeleton=ROW, posed=None, clear=1.0):
    """The overlay on a plain picture, [height, width, 3], whose depth is `clear` already."""
    composer, target = stage
    overlay = SkeletonOverlay(composer)
    target.framebuffer.clear(background, background, background, 1, depth=clear)
    seen = matrices(camera, np.eye(4), SIZE, np.array(((-1.0, -1, -1), (1, 1, 1))))
    overlay.draw(skeleton, posed or rest(skeleton), seen, selected, target.framebuffer, SIZE)
    overlay.release()
    return target.read()[..., :3].astype(int)


FRONT = Orbit(distance=4).seen_from("front")
DEEP = 0.11


@pytest.mark.parametrize("ortho", [False, True])
@pytest.mark.parametrize("distance", [2.6, 4.0, 40.0])
def test_bones_show_through_what_lies_before_them(stage, ortho, distance):
    camera = Orbit(distance=distance, ortho=ortho).seen_from("front")
    assert (picture(stage, camera, clear=DEEP)[60, 60] != 128).any()


def test_the_skeleton_hides_itself_by_depth(stage):
    crossed = Skeleton(
        ("near", "tip", "far", "end"),
        np.array((-1, 0, -1, 2), "i4"),
        np.array(((-1.0, 0, 0.5), (2, 0, 0), (0.0, -1, -0.5), (0, 2, 0))),
        np.tile((0.0, 0, 0, 1), (4, 1)),
        np.ones((4, 3)),
    )
    for chosen, blue in ((0, True), (2, False)):
        pixels = picture(stage, FRONT, chosen, skeleton=crossed)
        crossing = pixels[58:63, 58:63]
        assert ((crossing[..., 2] > crossing[..., 0] + 30).mean() > 0.5) == blue


@pytest.mark.parametrize("background", [0.0, 1.0])
def test_bones_stand_out_from_black_and_white(stage, background):
    pixels = picture(stage, FRONT, background=background)
    assert (np.abs(pixels - round(background * 255)).max(axis=-1) > 100).sum() > 100


def test_the_selected_bone_has_the_accent_colour(stage):
    def blue(selected):
        pixels = picture(stage, FRONT, selected)
        return (pixels[..., 2] > pixels[..., 0] + 40).sum()

    assert blue(None) == 0 and blue(0) > 100


def test_a_far_skeleton_is_still_some_pixels_wide(stage):
    pixels = picture(stage, Orbit(distance=60).seen_from("front"), background=0.0)
    assert (pixels.max(axis=-1) > 60).sum() >= 6


def test_a_skeleton_without_bones_draws_nothing(stage):
    nothing = Skeleton((), np.empty(0, "i4"), np.empty((0, 3)), np.empty((0, 4)), np.empty((0, 3)))
    empty = np.empty((0, 3, 4))
    posed = Pose(np.empty((0, 3)), np.empty((0, 4)), np.empty((0, 3)), empty, empty)
    assert (picture(stage, FRONT, skeleton=nothing, posed=posed) == 128).all()


@pytest.mark.usefixtures("any_numbers")
def test_bones_of_any_numbers_warn_of_nothing_and_leave_out_what_cannot_be_drawn():
    joints = [(0, 0, 0), (0, 1, 0), (3e38, -3e38, 3e38), (np.inf, 0, 0), (np.nan, 0, 0), (1e300, 0, 0)]
    bones = bone_shapes(np.array((-1, 0, 0, 2, 3, 0)), standing(joints))
    assert np.allclose(bones["tail"][0], (0, 1, 0))
    assert np.isfinite(bones["tail"]).all() and np.isfinite(bones["radius"]).all()


def test_bones_of_a_group_are_chosen_the_other_way_and_the_selected_bone_wins():
    bones = bone_shapes(LIMB, standing(JOINTS), selected=0, group={0, 2})
    assert bones["chosen"].tolist() == [1, 0, -1]
