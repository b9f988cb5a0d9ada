"""The OGRE files behind the samples, by name."""

from __future__ import annotations

from tests.fuzzing.picture_files import pictures
from tests.ogre_files import rich_mesh, simple, wave
from tests.ogre_skeletons import rich_skeleton
from viewer.binary import Struct, stream
from viewer.formats.ogre import extras_layout as extras
from viewer.formats.ogre.versions import MeshVersion

Files = dict[str, bytes]


SCRIPT = """material stone : base
{
    technique
    {
        pass
        {
            scene_blend alpha_blend
            alpha_rejection greater_equal 128
            diffuse 1 0.5 0.25 1
            cull_hardware none
            texture_unit one
            {
                texture Picture.png
                tex_address_mode wrap clamp
                scroll_anim 0.25 -0.5
                wave_xform scale_x sine 1 0.5 0 0.25
                rotate 45
            }
            texture_unit two
            {
                anim_texture Picture.png 4 2.5
                colour_op_ex blend_manual src_texture src_current 0.5
            }
        }
    }
}
"""
BASE = """abstract material base
{
    set $light on
    technique { pass { lighting $light
            specular 0.3 0.3 0.26 40 } }
}
"""


def meshes() -> Files:
    """Every version, a file of the other order, and one that is animated by whole shapes."""
    found = {f"{version.name}.mesh": rich_mesh(version) for version in MeshVersion}
    big = {f"big_{version.name}.mesh": rich_mesh(version, ">") for version in (MeshVersion.V1_100,)}
    moved = (extras.ANIMATIONS, Struct(chunks=stream((extras.VERTEX_ANIMATION, wave(MeshVersion.V1_100)))))
    return found | big | {"wave.mesh": simple(moved)}


def neighbours() -> Files:
    """The skeleton that the meshes name, and their material."""
    return {"bones.skeleton": rich_skeleton(), "stone.material": (SCRIPT + BASE).encode()}


def linked_mesh() -> Files:
    """A mesh beside its skeleton and its material."""
    return {"linked.mesh": rich_mesh(MeshVersion.V1_100)}


def skeletons() -> Files:
    """Both orders, plain keys and the lists of TLBB, and a link."""
    return {
        "rich.skeleton": rich_skeleton(),
        "big.skeleton": rich_skeleton(">"),
        "linked.skeleton": rich_skeleton(link="rich.skeleton"),
    }


def scripts() -> Files:
    """A script with something of everything, and one that it inherits from."""
    return {"stone.material": (SCRIPT + BASE).encode()}


def square() -> Files:
    """A mesh whose material is `stone`."""
    return {"square.mesh": simple(), "Picture.png": pictures()["Colors.png"]}
