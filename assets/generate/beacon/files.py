"""Every file of Beacon, by its name below the resource root."""

from __future__ import annotations

import io

from PIL import Image

from generate.beacon import clips, model, skeleton
from generate.mesh import Mesh
from generate.paint import draw
from generate.rig import Rig
from generate.urho3d import pack_animation, pack_model, triggers

DISTANCES = (0.0, 7.0)
TEXTURE = 1024
BUMPS = 512
GLOW = 256
GROUND = "3a1a30"

PASSES = """    <pass name="base" />
    <pass name="litbase"{vs} psdefines="AMBIENT{more}" />
    <pass name="light"{vs}{ps} depthtest="equal" depthwrite="false" blend="add" />
    <pass name="depth" vs="Depth" ps="Depth" />
    <pass name="shadow" vs="Shadow" ps="Shadow" />
"""
TECHNIQUE = '<technique vs="LitSolid" ps="LitSolid" psdefines="DIFFMAP">\n{passes}</technique>\n'
MATERIAL = """<material>
    <technique name="Techniques/{technique}.xml" />
    <texture unit="diffuse" name="Textures/Beacon.png" />
    <texture unit="normal" name="Textures/BeaconNormal.png" />
{more}</material>
"""
WET = '    <parameter name="MatSpecColor" value="0.32 0.28 0.28 36" />\n'
POLISHED = """    <texture unit="emissive" name="Textures/BeaconGlow.png" />
    <parameter name="MatEmissiveColor" value="1 0.72 0.36" />
    <parameter name="MatSpecColor" value="0.5 0.46 0.4 60" />
"""


def urho3d() -> dict[str, bytes]:
    """Model, animations, material list, materials, techniques and textures."""
    rig = skeleton.build_rig()
    diffuse, bump, glow = draw(model.areas(rig), TEXTURE, GROUND)
    out = {
        "Models/Beacon.mdl": _model(rig),
        "Models/Beacon.txt": b"Materials/Beacon.xml\nMaterials/BeaconGear.xml\n",
        "Textures/Beacon.png": _png(diffuse),
        "Textures/BeaconNormal.png": _png(bump.resize((BUMPS, BUMPS), Image.Resampling.BOX)),
        "Textures/BeaconGlow.png": _png(glow.resize((GLOW, GLOW), Image.Resampling.BOX)),
    }
    for clip in clips.clips(rig):
        out[f"Models/{clip.name}.ani"] = pack_animation(rig, clip)
        if clip.events:
            out[f"Models/{clip.name}.xml"] = triggers(clip).encode()
    return out | {name: text.encode() for name, text in _paint().items()}


def _model(rig: Rig) -> bytes:
    def geometries(shut: float = 0.0, smile: float = 0.0) -> list[list[Mesh]]:
        skin = [model.skin(rig, detail, shut, smile) for detail in model.DETAILS]
        return [skin, [model.equipment(rig, detail, shut) for detail in model.DETAILS]]

    morphs = {"blink": geometries(shut=1), "smile": geometries(smile=1)}
    return pack_model(rig, geometries(), DISTANCES, morphs)


def _paint() -> dict[str, str]:
    """Materials, and the techniques they name: named as in Urho3D, so that the engine's techniques work as
    well.
    """
    bumpy = PASSES.format(vs=' vsdefines="NORMALMAP"', ps=' psdefines="NORMALMAP"', more=" NORMALMAP{more}")
    return {
        "Techniques/DiffNormal.xml": TECHNIQUE.format(passes=bumpy.format(more="")),
        "Techniques/DiffNormalEmissive.xml": TECHNIQUE.format(passes=bumpy.format(more=" EMISSIVEMAP")),
        "Materials/Beacon.xml": MATERIAL.format(technique="DiffNormal", more=WET),
        "Materials/BeaconGear.xml": MATERIAL.format(technique="DiffNormalEmissive", more=POLISHED),
    }


def _png(image: Image.Image) -> bytes:
    out = io.BytesIO()
    image.save(out, "PNG", optimize=True)
    return out.getvalue()
