"""`rigscope info`: what hangs on a model, as numbers and names."""

from __future__ import annotations

from typing import Any

from viewer.scene.attachments import Attachment, Collision, EventPoint, Light
from viewer.scene.camera import Camera
from viewer.scene.reference import ModelReference

Facts = dict[str, Any]


def reference(reference: ModelReference) -> Facts:
    """A model that emitters name."""
    return {
        "name": reference.name,
        "found": reference.path,
        "searched": reference.searched,
        "why": reference.trouble,
    }


def camera(camera: Camera) -> Facts:
    """A camera, as it is at first."""
    return {
        "name": camera.name,
        "position": camera.position,
        "target": camera.target,
        "fov": camera.fov,
        "roll": camera.roll,
        "moves": camera.motion is not None,
    }


def light(light: Light) -> Facts:
    """A light, as it is at first."""
    return {
        "type": light.type,
        "bone": light.bone,
        "position": light.position,
        "diffuse": light.diffuse,
        "ambient": light.ambient,
        "attenuation": light.attenuation,
    }


def event(event: EventPoint) -> Facts:
    """A point where events happen."""
    return {"name": event.name, "bone": event.bone, "position": event.position}


def attachment(attachment: Attachment) -> Facts:
    """A place where other models are put on."""
    return {
        "id": attachment.id,
        "name": attachment.name,
        "bone": attachment.bone,
        "position": attachment.position,
    }


def collision(collision: Collision) -> Facts:
    """How large the collision mesh is."""
    return {"vertices": len(collision.vertices), "triangles": len(collision.triangles)}


def box(box: Any) -> Facts | None:
    """The corners of a box [2, 3]."""
    return None if box is None else {"min": box[0], "max": box[1]}
