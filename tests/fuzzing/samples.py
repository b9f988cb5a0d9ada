"""The small files that are mutated, by the tests' writers, from `assets`, and of a folder."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path

from msgspec import Struct, field

from tests.fuzzing import m2_sample_files as m2
from tests.fuzzing import ogre_sample_files as ogre
from tests.fuzzing import urho3d_sample_files as urho3d
from tests.fuzzing.axp_sample_files import axp_archives
from tests.fuzzing.iqm_sample_files import models as iqm_models
from tests.fuzzing.mpq_sample_files import archives
from tests.fuzzing.picture_files import blp_pictures, pictures
from tests.table_files import tables
from viewer.errors import FormatError, ResourceError
from viewer.storage.documents import open_document

ROOT = Path(__file__).resolve().parents[2]
LARGEST = 1 << 20
"""The size in bytes of the largest file of a folder that is mutated."""
MOST_FILES = 400
"""The number of files of a folder that are mutated for each format."""
Named = Mapping[str, bytes]


class Sample(Struct, frozen=True, eq=False):
    """A file to mutate. `beside` are the other files of its folder, by name; `folder` is where a real file
    lies, whose neighbours are linked. `opened` is the file that is opened when the mutated one is only read
    with it, such as a texture.
    """

    format: str
    name: str
    data: bytes
    beside: Named = field(default_factory=dict)
    opened: str = ""
    folder: Path | None = None

    @property
    def entry(self) -> str:
        """The name of the file that is opened."""
        return self.opened or self.name

    @property
    def text(self) -> bool:
        """Whether the file is a text, whose mutations keep to words and lines."""
        return self.name.endswith((".material", ".xml", ".json"))


def made(format: str, names: Named, beside: Named | None = None, opened: str = "") -> list[Sample]:
    """The samples of a family of files that lie in one folder."""
    others = dict(beside or {})
    return [Sample(format, name, data, others, opened) for name, data in names.items()]


MAKERS: dict[str, Callable[[], list[Sample]]] = {
    "mdl": lambda: made("mdl", urho3d.models(), urho3d.neighbours()),
    "ani": lambda: made("ani", urho3d.animations()),
    "pak": lambda: made("pak", urho3d.packages()),
    "mpq": lambda: made("mpq", archives()),
    "axp": lambda: made("axp", axp_archives()),
    "shader": lambda: made("shader", urho3d.shaders()),
    "script": lambda: made("script", urho3d.scripts()),
    "mesh": lambda: [
        *made("mesh", ogre.meshes()),
        *made("mesh", ogre.linked_mesh(), ogre.neighbours()),
    ],
    "ogre-next": lambda: made("ogre-next", ogre.next_meshes(), ogre.neighbours()),
    "skeleton": lambda: made("skeleton", ogre.skeletons()),
    "m2": lambda: [
        *made("m2", m2.models(), m2.textures()),
        *made("m2", m2.models_with_views(), m2.neighbours()),
    ],
    "skin": lambda: made("skin", m2.skins(), m2.without_effects()),
    "anim": lambda: [
        *made("anim", m2.keys(), m2.with_keys()),
        *made("anim", m2.keys(chunked=True), m2.with_keys()),
    ],
    "skel": lambda: made("skel", m2.skeletons()),
    "blp": lambda: made("blp", blp_pictures()),
    "dbc": lambda: made("dbc", tables()),
    "material": lambda: [
        *made("material", ogre.scripts(), ogre.square(), "square.mesh"),
        *made("material", ogre.datablocks(), ogre.next_square(), "square.mesh"),
        *made("material", urho3d.materials(), urho3d.square(), "Square.mdl"),
    ],
    "iqm": lambda: made("iqm", iqm_models()),
    "texture": lambda: [
        Sample("texture", name, data, urho3d.square(name), "Square.mdl") for name, data in pictures().items()
    ],
}
"""The formats and their samples."""

LARGE: dict[str, str] = {
    "mdl": "urho3d/Models/Beacon.mdl",
    "ani": "urho3d/Models/Beacon_Dance.ani",
    "mesh": "ogre/models/Linglong.mesh",
    "skeleton": "ogre/models/LinglongTLBB.skeleton",
    "m2": "m2/Creature/Puff/Puff.m2",
    "blp": "m2/Creature/Puff/PuffSpark.blp",
}
"""Samples of the project, seldom mutated: they take 10 to 100 times as long."""

SUFFIXES: dict[str, tuple[str, ...]] = {
    "mdl": (".mdl",),
    "ani": (".ani",),
    "pak": (".pak",),
    "mpq": (".mpq",),
    "axp": (".axp",),
    "shader": (".vs2", ".ps2", ".vs3", ".ps3", ".vs4", ".ps4"),
    "script": (".asc",),
    "mesh": (".mesh",),
    "ogre-next": (".mesh",),
    "skeleton": (".skeleton",),
    "m2": (".m2",),
    "skin": (".skin",),
    "anim": (".anim",),
    "skel": (".skel",),
    "blp": (".blp",),
    "dbc": (".dbc",),
    "iqm": (".iqm",),
}
"""The files of a folder that are samples of a format."""


@cache
def samples_of(format: str) -> tuple[Sample, ...]:
    """The small samples of a format."""
    return tuple(MAKERS[format]())


@cache
def large_sample(format: str) -> Sample | None:
    """The sample of `assets`, if the format has one."""
    if format not in LARGE:
        return None
    path = ROOT / "assets" / LARGE[format]
    return Sample(format, path.name, path.read_bytes(), folder=path.parent)


@cache
def _named(folder: str, format: str) -> dict[Path, bool]:
    """The files below a folder with a suffix of the format, the smallest first, and whether each opens."""
    suffixes = SUFFIXES.get(format, ())
    fitting = [each for each in sorted(Path(folder).rglob("*")) if each.suffix.lower() in suffixes]
    sizes = {each: each.stat().st_size for each in fitting if each.is_file()}
    smallest = sorted((each for each in sizes if sizes[each] <= LARGEST), key=lambda each: sizes[each])
    return {each: _opens(each) for each in smallest[:MOST_FILES]}


def _opens(path: Path) -> bool:
    """Whether a file opens: one of another program, or one that is too damaged, has nothing to mutate."""
    try:
        open_document(path)
    except (FormatError, ResourceError):
        return False
    return True


@cache
def corpus_samples(folder: str, format: str) -> tuple[Sample, ...]:
    """The files of a format below a folder, the smallest first."""
    opened = [path for path, opens in _named(folder, format).items() if opens]
    return tuple(
        Sample(format, each.name, each.read_bytes(), folder=each.resolve().parent) for each in opened
    )


def unopened(folder: str, format: str) -> tuple[Path, ...]:
    """The files below a folder that have a suffix of the format and cannot be opened."""
    return tuple(path for path, opens in _named(folder, format).items() if not opens)
