"""Documents made of content, and what a rule finds in them."""

from __future__ import annotations

from typing import Any

import numpy as np

from tests.synthetic import QUAD, model_of, vertex_buffer
from viewer.binary.span import Span
from viewer.check.checking import check
from viewer.check.limits import NO_LIMITS
from viewer.check.rules import rule_named
from viewer.errors import Report
from viewer.family import registry
from viewer.scene.animation import Animation, Track
from viewer.scene.document import Content, Document
from viewer.scene.engine import EngineSearch
from viewer.scene.finding import Finding
from viewer.scene.material import Image, ImageHeader, Texture
from viewer.scene.model import Model
from viewer.scene.skeleton import Skeleton

BYTES = 1024
TURNED = (0, 0, np.sin(0.5), np.cos(0.5))
STRAIGHT = (0, 0, 0, 1)


def document_of(content: Content, *clips: Animation, format: str = "Urho3D model", **more: Any) -> Document:
    """A document of zeros."""
    known = registry.format_named(format)
    more.setdefault("engine", registry.engine_search(known) if known else EngineSearch())
    return Document(
        "made.mdl",
        format,
        "",
        bytes(BYTES),
        Span("made.mdl", 0, BYTES),
        content,
        more.pop("report", Report()),
        animations=clips,
        **more,
    )


def findings(rule: str, content: Content, *clips: Animation, **more: Any) -> list[Finding]:
    """What one rule finds in a document of this content, with these `limits`."""
    limits = more.pop("limits", NO_LIMITS)
    return check(document_of(content, *clips, **more), [rule_named(rule)], limits=limits)


def texts(rule: str, content: Content, *clips: Animation, **more: Any) -> list[str]:
    """The texts of `findings`."""
    return [each.text for each in findings(rule, content, *clips, **more)]


FLAT_NORMALS = np.tile(np.array((0, 0, 1), np.float32), (4, 1))
FLAT_BOUNDS = np.array(((-1, -1, 0), (1, 1, 0)), np.float32)
FLAT_UVS = QUAD[:, :2] / 2 + np.float32(0.5)


def square(**changed: Any) -> Model:
    """A square of two triangles with some columns of its vertices added or changed, or its indices, bounds
    or other fields. A column that is None is left out.
    """
    columns = {"position": QUAD, "normal": FLAT_NORMALS}
    known = ("position", "normal", "tangent", "uv0", "uv1")
    columns |= {name: changed.pop(name) for name in known if name in changed}
    kept = {name: column for name, column in columns.items() if column is not None}
    return model_of(vertex_buffer(**kept), **({"bounds": FLAT_BOUNDS} | changed))


def with_row(column: Any, row: int, *values: float) -> Any:
    """A copy of a column with another row."""
    changed = column.copy()
    changed[row] = values
    return changed


def picture(name: str, pixels: Any, alpha: bool = True, cost: int = 64) -> Texture:
    """A texture of these pixels [height, width, 4] u8."""
    height, width = pixels.shape[:2]
    header = ImageHeader("PNG", width, height, alpha, cost=cost)
    return Texture(name, name, header=lambda: header, decode_small=lambda side: Image((pixels,)))


def tangent_normals() -> Any:
    """[64, 64, 4] u8 the normal map of round bumps."""
    x, y = np.meshgrid(*(np.sin(np.linspace(0, 12, 64)) * 0.6,) * 2)
    vectors = np.stack((x, y, np.sqrt(1 - x * x - y * y), np.ones_like(x)), axis=2)
    return np.round((vectors + 1) * 127.5).astype(np.uint8)


def chain(*names: str, **changed: Any) -> Skeleton:
    """Bones one above the other, 1 apart, each the child of the one before."""
    count = len(names)
    positions = np.zeros((count, 3), np.float32)
    positions[1:, 1] = 1
    fields: dict[str, Any] = {
        "parents": np.arange(-1, count - 1, dtype=np.int32),
        "positions": positions,
        "rotations": np.tile(np.array((0, 0, 0, 1), np.float32), (count, 1)),
        "scales": np.ones((count, 3), np.float32),
    }
    return Skeleton(names, **(fields | changed))


def bound(skeleton: Skeleton) -> Any:
    """[B, 3, 4] inverse bind matrices of the pose of `chain`."""
    inverse = np.tile(np.eye(3, 4, dtype=np.float32), (len(skeleton), 1, 1))
    inverse[:, 1, 3] = -np.arange(len(skeleton))
    return inverse


def skinned(weights: Any, joints: Any = ((0, 1, 0, 0),) * 4, **fields: Any) -> Model:
    """A square whose four vertices have these weights and joints, of bones `a` and `b`."""
    buffer = vertex_buffer(
        position=QUAD,
        weights=np.array(weights, np.float32),
        joints=np.array(joints, np.uint8),
    )
    return model_of(buffer, **({"skeleton": chain("a", "b")} | fields))


def track(target: str, path: str, times: Any, values: Any) -> Track:
    """A track of keys."""
    return Track(target, path, np.array(times, np.float32), np.array(values, np.float32))


def clip(*tracks: Track, duration: float = 1.0, name: str = "Walk", source: str = "made.mdl") -> Animation:
    """An animation of tracks."""
    targets = tuple(dict.fromkeys(each.target for each in tracks))
    return Animation(name, duration, tracks, targets, source=source)


def nod(target: str = "head", times: Any = (0, 0.5, 1), last: Any = STRAIGHT) -> Track:
    """A rotation there and back."""
    return track(target, "rotation", times, (STRAIGHT, TURNED, last))


def told(rule: str, *tracks: Track, skeleton: Skeleton | None = None, **more: Any) -> list[str]:
    """The texts of a rule for a clip of these tracks beside a skeleton: hip, spine and head if none."""
    return texts(rule, skeleton or chain("hip", "spine", "head"), clip(*tracks, **more))
