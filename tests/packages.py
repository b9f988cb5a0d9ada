"""Packages for tests: small ones of our own, and the corpus' ninja with all that belongs to it."""

from __future__ import annotations

from pathlib import Path

from tests.synthetic import animation_bytes, model_bytes
from viewer.formats.urho3d.package_writer import package_bytes

MATERIAL = """<material><technique name="Techniques/Diff.xml"/>
<texture unit="diffuse" name="Textures/P.png"/></material>"""
POST = "Models/Post.mdl"


def png(color: tuple[int, int, int] = (200, 40, 40)) -> bytes:
    """A picture of one colour."""
    import io

    from PIL import Image

    out = io.BytesIO()
    Image.new("RGB", (4, 4), color).save(out, "PNG")
    return out.getvalue()


def post_files() -> list[tuple[str, bytes]]:
    """A model with a material, a texture and an animation."""
    return [
        (POST, model_bytes()),
        ("Models/Post_Bend.ani", animation_bytes()),
        ("Materials/Post.xml", MATERIAL.encode()),
        ("Textures/P.png", png()),
    ]


def write_package(folder: Path, magic: str = "UPAK", files: list[tuple[str, bytes]] | None = None) -> Path:
    """`Data.pak` with the files, or with those of `post_files`."""
    path = folder / "Data.pak"
    path.write_bytes(package_bytes(post_files() if files is None else files, magic))
    return path


def ninja_files(corpus: Path) -> list[tuple[str, bytes]]:
    """The ninja, its animations, material and texture."""
    root = corpus / "urho3d" / "Data"
    found = [path for path in sorted(root.rglob("*Ninja*")) if path.is_file()]
    return [(path.relative_to(root).as_posix(), path.read_bytes()) for path in found]


NINJA = "Models/NinjaSnowWar/Ninja.mdl"
