"""The kinds of files: their use, their content, their icon."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from viewer.scene.animation import Animation
from viewer.scene.document import Content
from viewer.scene.material import Image
from viewer.scene.model import Model
from viewer.scene.package import Package
from viewer.scene.script import CompiledScript
from viewer.scene.shader import CompiledShader
from viewer.scene.skeleton import Skeleton

Role = Literal["model", "animation", "picture", "package", "part", "code"]
"""The uses of files. A `part` belongs to a model, whose reader finds it."""


class FileKind(Struct, frozen=True):
    """A kind of file. `icon` is a letter of the icon font, `content` the class of the content.

    `pictured`: files of this kind have thumbnails; every other kind shows its icon.
    """

    name: str
    icon: str
    role: Role
    content: type | None = None
    pictured: bool = True


MODEL = FileKind("model", "\uf1b2", "model", Model)
SKELETON = FileKind("skeleton", "\uf5d7", "part", Skeleton)
ANIMATION = FileKind("animation", "\uf008", "animation", Animation, pictured=False)
PICTURE = FileKind("picture", "\uf03e", "picture", Image)
PACKAGE = FileKind("package", "\uf187", "package", Package, pictured=False)
SHADER = FileKind("shader", "\uf1c9", "code", CompiledShader, pictured=False)
SCRIPT = FileKind("script", "\uf1c9", "code", CompiledScript, pictured=False)
PART = FileKind("part", "\uf12e", "part")

KINDS = (MODEL, SKELETON, ANIMATION, PICTURE, PACKAGE, SHADER, SCRIPT, PART)
"""All kinds, in the order in which lists sort them."""


def kind_of(content: Content) -> str:
    """The kind's name of a content; empty if it has no kind."""
    return next((each.name for each in KINDS if each.content and isinstance(content, each.content)), "")
