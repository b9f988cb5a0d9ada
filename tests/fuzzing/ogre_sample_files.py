"""The OGRE files behind the samples, by name."""

from __future__ import annotations

from tests.fuzzing.picture_files import pictures
from tests.ogre_files import rich_mesh, simple, wave
from tests.ogre_next_files import mesh_bytes as next_mesh_bytes
from tests.ogre_next_files import rich_mesh as next_rich_mesh
from tests.ogre_next_files import square as next_square_mesh
from tests.ogre_skeletons import rich_skeleton
from viewer.binary import Struct, stream
from viewer.families.ogre import extras_layout as extras
from viewer.families.ogre.versions import NEXT_R0, NEXT_R1, NEXT_R2, MeshVersion

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


DATABLOCKS = """hlms stone pbs : base
{
    diffuse_map Picture.png
    roughness 0.5
    metalness 0.25
    diffuse 8 0.5 0.25
    fresnel_coeff 0.3 0.3 0.3
    alpha_test greater 0.5
    detail_map0 Picture.png
    detail_blend_mode0 Multiply
    detail_offset_scale0 0 0.5 2 3
    uv_normal_map 0
    normal_map Picture.png
    cull_mode none
    transparency 0.5
    transparency_mode fade
}
hlms base pbs { specular 0.1 0.2 0.3
}
hlms paper unlit { diffuse_map 1 Add Picture.png }
"""
JSON = """{"samplers": {"S": {"u": "wrap", "v": "mirror", "min": "anisotropic", "max_anisotropic": 4}},
"macroblocks": {"M": {"cull_mode": "none", "polygon_mode": "solid", "depth_write": false}},
"blendblocks": {"B": {"src_blend_factor": "one", "dst_blend_factor": "zero"}},
"pbs": {"stone": {"macroblock": ["M", "M"], "blendblock": "B", "alpha_test": ["greater", 0.5, false],
"workflow": "metallic", "two_sided": true,
"diffuse": {"value": [2, 1, 1], "background": [1, 1, 1, 1], "texture": "Picture.png", "sampler": "S"},
"metalness": {"value": 0.8}, "roughness": {"value": 0.3, "texture": ["Picture.png", "x"]},
"normal": {"value": 1, "texture": "Picture.png", "uv": 0}, "emissive": {"value": [0, 1, 0]},
"detail_diffuse0": {"mode": "Overlay", "texture": "Picture.png", "offset": [0, 0.5], "scale": [2, 2]},
"fresnel": {"mode": "coloured_ior", "value": [1.5, 1.4, 1.3]},
"transparency": {"value": 0.5, "mode": "Transparent", "use_alpha_from_textures": true}}}}
"""


def next_meshes() -> Files:
    """A mesh of OGRE-Next with something of everything, in each version and in the other order."""
    texts = {"r2.mesh": NEXT_R2, "r1.mesh": NEXT_R1, "r0.mesh": NEXT_R0}
    return {name: next_rich_mesh(text=text) for name, text in texts.items()} | {
        "big.mesh": next_rich_mesh(">")
    }


def next_square() -> Files:
    """A mesh of OGRE-Next whose material is `stone`."""
    return {"square.mesh": next_mesh_bytes(next_square_mesh()), "Picture.png": pictures()["Colors.png"]}


def datablocks() -> Files:
    """Datablocks in a script, in JSON, and in JSON behind a script."""
    script = BASE + JSON
    return {
        "stone.material": DATABLOCKS.encode(),
        "stone.material.json": JSON.encode(),
        "both.material": script.encode(),
    }
