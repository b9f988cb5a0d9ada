"""Entries of a gallery, among them hostile ones."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path

from PIL import Image

from viewer.library.gallery.writer import GalleryWriter
from viewer.scene.files import UNMARKED, FileEntry, FileFacts, Mark

DAY = 86400 * 10**9
PLACE = "/library"
HOSTILE = '<img src=x onerror="window.harm=1">.mesh'


def entry(
    name: str,
    size: int = 1000,
    modified: int = 20_000 * DAY + DAY // 2,
    error: str = "",
    mark: Mark = UNMARKED,
    **facts: object,
) -> FileEntry:
    """A file below `PLACE`."""
    return FileEntry(
        f"{PLACE}/{name}",
        name,
        size,
        modified,
        FileFacts(**facts),  # type: ignore[arg-type]
        error,
        mark,
    )


ENTRIES = (
    entry(
        "orcs/Grunt.mesh",
        size=250_000,
        mark=Mark(4, True),
        format="OGRE mesh",
        version="v1.100",
        kind="model",
        bones=61,
        triangles=4200,
        vertices=2500,
        geometries=2,
        clips=2,
        length=2.5,
        materials=1,
        textures=2,
        bounds=(-1.0, 0.0, -0.5, 1.0, 2.0, 0.5),
        bone_names=("Bip01", "Bip01 Head", "L.Hand"),
        clip_names=("Walk", "Idle"),
        material_names=("Skin/Orc",),
        texture_names=("orc.tga", "orc_normal.tga"),
    ),
    entry(
        "orcs/Shaman.mesh",
        size=3 << 20,
        mark=Mark(3),
        modified=20_001 * DAY + DAY // 2,
        format="OGRE mesh",
        version="v1.41",
        kind="model",
        bones=60,
        triangles=5000,
        bone_names=("Bip01", "Jaw"),
        missing=(("texture", "robe.dds"), ("material", "Robe")),
        warnings=("the texture robe.dds is missing",),
    ),
    entry(
        "Campfire.m2",
        format="WoW M2 model",
        version="264",
        kind="model",
        triangles=120,
        morphs=7,
        emitters=3,
        ribbons=1,
        length=0.5,
        clip_names=("Stand",),
        texture_names=("fire.blp",),
        called="Camp Fire",
        display_ids=("31", "310"),
        missing=(("texture", ""),),
    ),
    entry("broken [1].mdl", size=12, format="Urho3D model", kind="model", errors=("the file ends here",)),
    entry(
        "unread.mdl",
        size=0,
        mark=Mark(0, True),
        error="takes longer than 60 s",
        errors=("takes longer than 60 s",),
    ),
    entry("Skin 10.blp", format="BLP picture", version="BLP2", kind="picture"),
    entry("Skin 9.blp", format="BLP picture", version="BLP2", kind="picture"),
    entry("模型/白骆驼.mesh", format="OGRE mesh", version="v1.8", kind="model", bones=3),
    entry(
        HOSTILE,
        format="OGRE mesh",
        kind="model",
        bone_names=("</script><script>window.harm=1</script>", 'a"b'),
        warnings=("<b>bold</b>",),
    ),
)


def png(shade: int) -> bytes:
    """A small picture."""
    data = BytesIO()
    Image.new("RGB", (8, 8), (shade % 256, shade // 256 % 256, 90)).save(data, "PNG")
    return data.getvalue()


def write_gallery(output: Path, entries: tuple[FileEntry, ...] = ENTRIES, title: str = "Models") -> Path:
    """A gallery in which every file without an error has a picture of its own."""
    gallery = GalleryWriter(str(output), title)
    for number, each in enumerate(entries):
        gallery.add(each, None if each.thumbnail_error else png(number))
    gallery.finish()
    return output
