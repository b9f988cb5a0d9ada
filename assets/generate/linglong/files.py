"""Every file of Linglong, by its name below the resource folder."""

from __future__ import annotations

import io

from PIL import Image

from generate.linglong import clips, coats, model, skeleton
from generate.ogre import pack_mesh, pack_skeleton, pack_tlbb_skeleton
from generate.paint import draw

TEXTURE = 1024
FINS = 256
GROUND = "17736f"

BASE = """// What all of Linglong's materials begin with.
abstract material Linglong/Base
{
    set $texture "Linglong.png"
    set $light on
    set $cull clockwise

    technique
    {
        pass
        {
            lighting $light
            cull_hardware $cull
            specular 0.30 0.30 0.26 40

            texture_unit Base
            {
                texture $texture
                filtering anisotropic
            }
        }
    }
}
"""
SCRIPT = """import Linglong/Base from "LinglongBase.material"

material Linglong/Skin : Linglong/Base
{
}

material Linglong/Fins : Linglong/Base
{
    set $texture "LinglongFins.png"
    set $cull none

    technique
    {
        pass
        {
            specular 0 0 0 1
            alpha_rejection greater_equal 128

            texture_unit Base
            {
                tex_address_mode wrap clamp
            }
        }
    }
}

// They burn: no light falls on them.
material Linglong/Flames : Linglong/Fins
{
    set $light off
}

material Linglong/Pearl : Linglong/Base
{
    set $texture "LinglongPearl.png"
    set $light off

    technique
    {
        pass
        {
            texture_unit Base
            {
                scroll_anim 0.25 0
            }
        }
    }
}
"""


def ogre() -> dict[str, bytes]:
    """Mesh, skeleton (once more as the game 天龙八部 has it), material scripts and textures."""
    rig = skeleton.build_rig()
    made = clips.clips(rig)
    poses = {
        "blink": [each.mesh for each in model.submeshes(rig, shut=1)],
        "smile": [each.mesh for each in model.submeshes(rig, smile=1)],
    }
    faces = {clip.name: clips.influences(clip.name) for clip in made}
    return {
        "models/Linglong.mesh": pack_mesh(model.submeshes(rig), "Linglong.skeleton", poses, faces),
        "models/Linglong.skeleton": pack_skeleton(rig, made),
        "models/LinglongTLBB.skeleton": pack_tlbb_skeleton(rig, made, chinese),
        "materials/scripts/Linglong.material": SCRIPT.encode(),
        "materials/scripts/LinglongBase.material": BASE.encode(),
        "materials/textures/Linglong.png": _png(draw(model.areas(), TEXTURE, GROUND)[0]),
        "materials/textures/LinglongFins.png": _png(coats.fins(FINS)),
        "materials/textures/LinglongPearl.png": _png(coats.pearl(FINS, FINS // 2)),
    }


def chinese(name: str) -> str:
    """The name of a clip or a bone."""
    return clips.CHINESE.get(name) or skeleton.chinese(name)


def _png(image: Image.Image) -> bytes:
    out = io.BytesIO()
    image.save(out, "PNG", optimize=True)
    return out.getvalue()
