"""The Urho3D files behind the samples, by name."""

from __future__ import annotations

import json
from functools import cache

import numpy as np

from tests import shader_files
from tests.fuzzing.picture_files import pictures
from tests.packages import post_files
from tests.synthetic import animation_bytes, model_bytes, post, track
from viewer.binary import Struct
from viewer.families.urho3d.elements import ELEMENT, POSITION, TEXCOORD, VEC2, VEC3
from viewer.families.urho3d.model_layout import LOD
from viewer.families.urho3d.package.writer import package_bytes

Files = dict[str, bytes]


MATERIAL = (
    '<material><technique name="Techniques/DiffAlpha.xml"/>'
    '<texture unit="diffuse" name="PICTURE"/><cull value="none"/>'
    '<parameter name="MatDiffColor" value="0.5 1 2 0.5"/><parameter name="UOffset" value="2 0 0 1"/>'
    "</material>"
)
TECHNIQUE = (
    '<technique vs="LitSolid" ps="LitSolid" psdefines="DIFFMAP">'
    '<pass name="base" blend="alpha" depthwrite="false"/><pass name="light" blend="addalpha"/></technique>'
)
"""What a model of one geometry is painted with."""


def models() -> Files:
    """Every magic; the headerless files before 2011-03 too, whose name alone tells what they are."""
    vertices, _ = post()
    legacy = Struct(vertex_count=len(vertices), mask=0x30B, morph_start=16, morph_count=4, vertices=vertices)
    oldest = model_bytes("UMDL", vertex_buffers=[legacy])
    return {
        "UMDL.mdl": oldest,
        "old.mdl": oldest[4:],
        "UMD2.mdl": model_bytes(),
        "UMD3.mdl": model_bytes("UMD3"),
        "bare.mdl": model_bytes(bones=[], morphs=[]),
    }


def neighbours() -> Files:
    """An animation that fits the models."""
    return {"UMD2_Bend.ani": animation_bytes()}


def animations() -> Files:
    """Both magics, with all channels and the variants of rbfx."""
    turned = {"position": [[0, 1, 0]] * 2, "rotation": [[1, 0, 0, 0]] * 2, "scale": [[1, 1, 1]] * 2}
    whole = track("base", [0, 1], **turned)
    values = np.zeros(2, np.dtype([("time", "<f4"), ("value", "<f4")]))
    variant = Struct(name="@/Light/Range", variant=3, interpolation=1, tension=0.0, key_count=2, keys=values)
    newer = {"magic": "UAN2", "version": 2, "variant_tracks": [variant]}
    return {
        "UANI.ani": animation_bytes(),
        "whole.ani": animation_bytes(tracks=[whole]),
        "UAN2.ani": animation_bytes(**newer),
    }


def packages() -> Files:
    """Every magic, and one without files."""
    listed = [("a/b.txt", b"letters " * 20), *post_files()[2:]]
    found = {f"{magic}.pak": package_bytes(listed, magic) for magic in ("UPAK", "ULZ4", "RPAK", "RLZ4")}
    return found | {"post.pak": package_bytes(post_files(), "ULZ4"), "empty.pak": package_bytes([])}


def shaders() -> Files:
    """Programs of both models, and the files of both older tools."""
    end = shader_files.words(shader_files.VS_3_0, shader_files.END)
    return {
        "Basic.vs3": shader_files.shader_bytes(),
        "Basic.vs4": shader_files.vs4_bytes(),
        "Basic.ps3": shader_files.shader_bytes(
            (shader_files.PS_3_0, *shader_files.TRANSFORM[1:]), stage=shader_files.PIXEL
        ),
        "Basic.ps4": shader_files.shader_bytes(
            shader_files.CONTAINER, 4, shader_files.PIXEL, [shader_files.buffered("Model", 5, 0, 48)]
        ),
        "old.vs3": shader_files.old_bytes({"": end, "SKINNED": end}),
        "oldest.vs2": shader_files.oldest_bytes({"": (4, end), "SKINNED": (9, end)}),
    }


def scripts() -> Files:
    """A compiled script, with classes and texts."""
    said = shader_files.text("rotation") + bytes(9) + shader_files.text("Update")
    classes = (("Mover", 0x200005), ("Rotator", 0x200005))
    return {
        "a.asc": shader_files.script_bytes(data=bytes(9) + said),
        "b.asc": shader_files.script_bytes(classes, bytes(3) + said * 3),
    }


def materials() -> Files:
    """A material, and its technique."""
    files = square()
    return {name: files[name] for name in ("Square.xml", "Techniques/DiffAlpha.xml")}


PLACED = "Models/Square.mdl"
"""The model that prefabs and scenes draw."""
DRAWN = {"Model": f"Model;{PLACED}", "Material": "Material;Materials/Placed.xml"}


def placed() -> Files:
    """A model without a list of materials, below a resource root, and the material of its scenes."""
    files = square("Textures/Picture.png")
    return {
        PLACED: files["Square.mdl"],
        "Materials/Placed.xml": files["Square.xml"],
        "Techniques/DiffAlpha.xml": files["Techniques/DiffAlpha.xml"],
        "Textures/Picture.png": files["Picture.png"],
    }


def prefabs() -> Files:
    """A prefab of Urho3D and one of rbfx, in XML and in JSON."""
    listed = [{"name": name, "value": value} for name, value in DRAWN.items()]
    newer = {"components": [{"_typeName": "AnimatedModel", "attributes": listed}]}
    return {
        "Objects/Square.xml": _node(_component("type", DRAWN)).encode(),
        "Objects/Square.prefab": _node(
            f"<components>{_component('_typeName', DRAWN, 'attributes')}</components>"
        ).encode(),
        "Prefabs/Square.json": json.dumps(_json_node(DRAWN)).encode(),
        "Prefabs/Newer.json": json.dumps(newer).encode(),
    }


def scenes() -> Files:
    """Scenes with nodes in nodes, of which one draws the model."""
    other = {"Model": "Model;Models/Other.mdl", "Material": "Material;Materials/Other.xml;"}
    inner = _node(_component("type", other)) * 3 + _node(_component("type", DRAWN))
    nested = {**_json_node(other), "children": [_json_node(DRAWN), _json_node(other)]}
    return {
        "Scenes/Level.xml": f'<?xml version="1.0"?>\n<scene id="1">{_node(inner)}</scene>'.encode(),
        "Scenes/Level.scene": f"<scene><nodes>{_node(inner)}</nodes></scene>".encode(),
        "Scenes/Level.json": json.dumps({"id": 1, "children": [nested]}).encode(),
    }


def _node(inner: str) -> str:
    return f'<node id="2"><attribute name="Name" value="thing" />{inner}</node>'


def _component(type: str, attributes: dict[str, str], inside: str = "") -> str:
    """A component in XML; `inside` is the element that holds its attributes, if any."""
    text = "".join(f'<attribute name="{name}" value="{value}" />' for name, value in attributes.items())
    text = f"<{inside}>{text}</{inside}>" if inside else text
    return f'<component {type}="StaticModel" id="3">{text}</component>'


def _json_node(attributes: dict[str, str]) -> dict[str, object]:
    return {"id": 2, "components": [{"type": "StaticModel", "id": 3, "attributes": attributes}]}


@cache
def square_model() -> bytes:
    """A square of one geometry, with what textures need."""
    buffer = Struct(
        vertex_count=4,
        elements=np.array([(VEC3, POSITION, 0, 0), (VEC2, TEXCOORD, 0, 0)], ELEMENT),
        morph_start=0,
        morph_count=0,
        vertices=np.array(
            [((x, y, 0), (x, y)) for x, y in ((0, 0), (1, 0), (1, 1), (0, 1))],
            [("position", "<f4", 3), ("uv0", "<f4", 2)],
        ),
    )
    indices = np.array((0, 1, 2, 0, 2, 3), "<u2")
    lods = np.zeros(1, LOD)
    lods["count"] = 6
    return model_bytes(
        vertex_buffers=[buffer],
        index_buffers=[Struct(index_count=6, index_size=2, indices=indices)],
        geometries=[Struct(bone_map=np.empty(0, "<u4"), lods=lods)],
        bones=[],
        morphs=[],
    )


def square(picture: str = "Picture.png") -> Files:
    """A small model and its material, which names the picture, and the usual picture."""
    return {
        "Square.mdl": square_model(),
        "Square.xml": MATERIAL.replace("PICTURE", picture).encode(),
        "Techniques/DiffAlpha.xml": TECHNIQUE.encode(),
        "Picture.png": pictures()["Colors.png"],
    }
