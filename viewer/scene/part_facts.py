"""The facts of a model's parts, as `rigscope info --json` prints them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from viewer.scene.animation import Animation, match
from viewer.scene.camera import Camera
from viewer.scene.emitter import Emitter, ModelReference, Ribbon
from viewer.scene.material import Material, Texture
from viewer.scene.model import Attachment, EventPoint, Geometry, Light, Lod, Model, Morph
from viewer.scene.needs import used_textures
from viewer.scene.skeleton import Skeleton

Facts = dict[str, Any]
Describe = Callable[[int, Any], Facts]
"""Returns the facts of a part from its number and the part itself."""


def geometry(model: Model, number: int, geometry: Geometry) -> Facts:
    """The facts of a geometry. The finest level of detail is counted."""
    first = geometry.lods[0] if geometry.lods else None
    streams = first.streams if first else ()
    return {
        "name": geometry.name,
        "vertices": used_vertices(model, first) if first else 0,
        "indices": first.count if first else 0,
        "primitive": first.primitive.value if first else None,
        "attributes": [
            {"semantic": each.semantic, "type": each.type, "components": each.components}
            for stream in streams
            for each in model.vertex_buffers[stream].elements
        ],
        "bone_map": geometry.bone_map,
        "geoset": geometry.geoset,
        "shown": geometry.shown,
        "material": None if geometry.material is None else model.materials[geometry.material].name,
        "center": geometry.center,
        "strategy": model.lod_strategy,
        "lods": [
            {
                "distance": lod.distance if model.lod_strategy == "distance" else None,
                "value": lod.distance,
                "indices": lod.count,
                "primitive": lod.primitive.value,
            }
            for lod in geometry.lods
        ],
    }


def used_vertices(model: Model, lod: Lod) -> int:
    """Count the distinct vertices that a level of detail draws."""
    if lod.indices is None:
        return lod.count
    indices = model.index_buffers[lod.indices].data[lod.start : lod.start + lod.count]
    return int(np.count_nonzero(np.bincount(indices))) if len(indices) else 0


def bone(model: Model, bone: int, name: str) -> Facts:
    """The facts of a bone."""
    skeleton = model.skeleton
    if skeleton is None:
        return {}
    inverse = skeleton.inverse_bind
    hitbox = skeleton.hitboxes[bone] if bone < len(skeleton.hitboxes) else None
    return {
        "name": name,
        "parent": skeleton.parents[bone],
        "position": skeleton.positions[bone],
        "rotation": skeleton.rotations[bone],
        "scale": skeleton.scales[bone],
        "pivot": None if skeleton.pivots is None else skeleton.pivots[bone],
        "inverse_bind": None if inverse is None else inverse[bone],
        "hitbox": {"radius": hitbox.radius, "box": hitbox.box} if hitbox else None,
    }


def blend_mode(skeleton: Skeleton) -> str | None:
    """How clips that play together are blended: `average` or `cumulative`; None if the file does not say."""
    if skeleton.sheared:
        return None
    return "cumulative" if skeleton.cumulative else "average"


def animation(model: Model, number: int, animation: Animation) -> Facts:
    """The facts of an animation. `matched` is the number of its tracks that move bones of the model."""
    found = match(animation, model.skeleton.names) if model.skeleton else None
    return {
        "name": animation.name,
        "id": animation.facts.get("id"),
        "variation": animation.facts.get("variation"),
        "flags": animation.facts.get("flags"),
        "speed": animation.facts.get("speed"),
        "blend": animation.facts.get("blend"),
        "tags": animation.tags,
        "bounds": box(animation.bounds),
        "source": animation.source,
        "length": animation.duration,
        "tracks": len(animation.targets),
        "keyframes": animation.keyframes,
        "moves_vertices": animation.moves_vertices,
        "matched": len(found.bones) if found else None,
        "unmatched": found.unmatched if found else [],
        "events": [{"time": event.time, "name": event.name} for event in animation.events],
    }


def box(box: Any) -> Facts | None:
    """The minimum and maximum corner of a box [2, 3]; None if there is no box."""
    return None if box is None else {"min": box[0], "max": box[1]}


def material(model: Model, number: int, material: Material) -> Facts:
    """The facts of a material."""
    return {
        "name": material.name,
        "found": material.found,
        "searched": material.searched,
        "by": material.by,
        "blend": material.blend,
        "roughness": material.surface.roughness if material.surface else None,
        "metalness": material.surface.metalness if material.surface else None,
        "textures": [model.textures[texture].name for texture in material.units.values()],
    }


def textures(model: Model) -> Describe:
    """Textures. If the file gives a texture no type, the name of the first texture unit that uses the texture
    is the type.
    """
    types: dict[int, str] = {}
    used = used_textures(model)
    for material in model.materials:
        for unit, texture in material.units.items():
            types.setdefault(texture, unit)

    def describe(number: int, texture: Texture) -> Facts:
        """The facts of a texture."""
        return {
            "name": texture.name,
            "type": types.get(number) if texture.kind is None else texture.kind,
            "found": texture.path,
            "searched": texture.searched,
            "by": texture.by,
            "used": number in used,
        }

    return describe


def emitter(model: Model, number: int, emitter: Emitter) -> Facts:
    """The facts of an emitter."""
    known = emitter.texture < len(model.textures)
    return {
        "type": emitter.type,
        "bone": emitter.bone,
        "position": emitter.position,
        "texture": model.textures[emitter.texture].name if known else emitter.texture,
        "blend": emitter.blend,
        "flags": emitter.flags,
        "shape": emitter.shape.name if emitter.shape else None,
        "carries": emitter.carries.name if emitter.carries else None,
        "parameters": dict(emitter.parameters),
    }


def ribbon(ribbon: Ribbon) -> Facts:
    """The facts of a ribbon."""
    return {
        "bone": ribbon.bone,
        "position": ribbon.position,
        "textures": ribbon.textures,
        "blend": [layer.blend for layer in ribbon.layers],
        "parameters": dict(ribbon.parameters),
    }


def morph(morph: Morph) -> Facts:
    """The facts of a morph."""
    return {"name": morph.name, "vertices": morph.vertices, "weight": morph.weight}


def reference(reference: ModelReference[Model]) -> Facts:
    """The facts of a model that an emitter uses as a particle."""
    return {
        "name": reference.name,
        "found": reference.path,
        "searched": reference.searched,
        "why": reference.trouble,
    }


def camera(camera: Camera) -> Facts:
    """The facts of a camera at the start of its animation."""
    return {
        "name": camera.name,
        "position": camera.position,
        "target": camera.target,
        "fov": camera.fov,
        "roll": camera.roll,
        "moves": camera.motion is not None,
    }


def light(light: Light) -> Facts:
    """The facts of a light at the start of its animation."""
    return {
        "type": light.type,
        "bone": light.bone,
        "position": light.position,
        "diffuse": light.diffuse,
        "ambient": light.ambient,
        "attenuation": light.attenuation,
    }


def event(event: EventPoint) -> Facts:
    """The facts of a point of the model at which events occur."""
    return {"name": event.name, "bone": event.bone, "position": event.position}


def attachment(attachment: Attachment) -> Facts:
    """The facts of an attachment point for other models."""
    return {
        "id": attachment.id,
        "name": attachment.name,
        "bone": attachment.bone,
        "position": attachment.position,
    }
