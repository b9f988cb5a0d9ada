"""The small files that are mutated, by the tests' writers, from `assets`, and of a folder."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

from msgspec import Struct

from tests.damage import NOTHING
from tests.fuzzing import m2_sample_files as m2
from tests.fuzzing import ogre_sample_files as ogre
from tests.fuzzing import urho3d_sample_files as urho3d
from tests.fuzzing.axp_sample_files import axp_archives
from tests.fuzzing.index_sample_files import INDEX, project_files, project_index
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
    beside: Named = NOTHING
    opened: str = ""
    folder: Path | None = None

    @property
    def entry(self) -> str:
        """The name of the file that is opened."""
        return self.opened or self.name

    @property
    def text(self) -> bool:
        """Whether the file is a text, whose mutations keep to words and lines."""
        return self.name.endswith((".material", ".xml", ".json", ".prefab", ".scene"))


class Together(NamedTuple):
    """Files of one folder to mutate, by name, with those that lie beside them and the one that is opened."""

    names: Named
    beside: Named = NOTHING
    opened: str = ""


class Format(Struct, frozen=True):
    """A format: of 100 executions about `share` are of it, so that all formats take about the same time.

    `make` makes the small samples. The files of a folder with one of the `suffixes` are samples, too. `large`
    is a sample of the project, seldom mutated: it takes 10 to 100 times as long.
    """

    share: int
    make: Callable[[], Sequence[Together]]
    suffixes: str = ""
    large: str = ""


def _scripts() -> list[Together]:
    return [
        Together(ogre.scripts(), ogre.square(), "square.mesh"),
        Together(ogre.datablocks(), ogre.next_square(), "square.mesh"),
        Together(urho3d.materials(), urho3d.square(), "Square.mdl"),
    ]


def _textures() -> list[Together]:
    return [Together({name: data}, urho3d.square(name), "Square.mdl") for name, data in pictures().items()]


def _index() -> list[Together]:
    return [Together({INDEX: project_index()}, project_files(), "models/square.mesh")]


FORMATS: dict[str, Format] = {
    "mdl": Format(
        8,
        lambda: [Together(urho3d.models(), urho3d.neighbours())],
        ".mdl",
        "urho3d/Models/Beacon.mdl",
    ),
    "ani": Format(13, lambda: [Together(urho3d.animations())], ".ani", "urho3d/Models/Beacon_Dance.ani"),
    "pak": Format(9, lambda: [Together(urho3d.packages())], ".pak"),
    "mpq": Format(2, lambda: [Together(archives())], ".mpq"),
    "axp": Format(1, lambda: [Together(axp_archives())], ".axp"),
    "shader": Format(9, lambda: [Together(urho3d.shaders())], ".vs2 .ps2 .vs3 .ps3 .vs4 .ps4"),
    "script": Format(10, lambda: [Together(urho3d.scripts())], ".asc"),
    "mesh": Format(
        4,
        lambda: [Together(ogre.meshes()), Together(ogre.linked_mesh(), ogre.neighbours())],
        ".mesh",
        "ogre/models/Linglong.mesh",
    ),
    "ogre-next": Format(2, lambda: [Together(ogre.next_meshes(), ogre.neighbours())], ".mesh"),
    "skeleton": Format(
        8, lambda: [Together(ogre.skeletons())], ".skeleton", "ogre/models/LinglongTLBB.skeleton"
    ),
    "m2": Format(
        4,
        lambda: [Together(m2.models(), m2.textures()), Together(m2.models_with_views(), m2.neighbours())],
        ".m2",
        "m2/Creature/Puff/Puff.m2",
    ),
    "skin": Format(3, lambda: [Together(m2.skins(), m2.without_effects())], ".skin"),
    "anim": Format(
        2,
        lambda: [Together(m2.keys(chunked), m2.with_keys()) for chunked in (False, True)],
        ".anim",
    ),
    "skel": Format(2, lambda: [Together(m2.skeletons())], ".skel"),
    "blp": Format(6, lambda: [Together(blp_pictures())], ".blp", "m2/Creature/Puff/PuffSpark.blp"),
    "dbc": Format(3, lambda: [Together(tables())], ".dbc"),
    "iqm": Format(4, lambda: [Together(iqm_models())], ".iqm"),
    "material": Format(4, _scripts),
    "prefab": Format(4, lambda: [Together(urho3d.prefabs(), urho3d.placed(), urho3d.PLACED)]),
    "scene": Format(4, lambda: [Together(urho3d.scenes(), urho3d.placed(), urho3d.PLACED)]),
    "index": Format(4, _index),
    "texture": Format(6, _textures),
}


@cache
def samples_of(format: str) -> tuple[Sample, ...]:
    """The small samples of a format."""
    return tuple(
        Sample(format, name, data, each.beside, each.opened)
        for each in FORMATS[format].make()
        for name, data in each.names.items()
    )


@cache
def large_sample(format: str) -> Sample | None:
    """The sample of `assets`, if the format has one."""
    path = ROOT / "assets" / FORMATS[format].large
    return Sample(format, path.name, path.read_bytes(), folder=path.parent) if path.is_file() else None


@cache
def corpus_samples(folder: str, format: str) -> tuple[Sample, ...]:
    """The files of a format below a folder, the smallest first."""
    return tuple(
        Sample(format, each.name, each.read_bytes(), folder=each.resolve().parent)
        for each in corpus_files(folder, format)
        if _opens(each)
    )


@cache
def corpus_files(folder: str, format: str) -> list[Path]:
    """The files below a folder with a suffix of the format, the smallest first."""
    suffixes = FORMATS[format].suffixes.split()
    fitting = [each for each in sorted(Path(folder).rglob("*")) if each.suffix.lower() in suffixes]
    sizes = {each: each.stat().st_size for each in fitting if each.is_file()}
    return sorted((each for each in sizes if sizes[each] <= LARGEST), key=sizes.__getitem__)[:MOST_FILES]


def _opens(path: Path) -> bool:
    """Whether a file opens: one of another program, or one that is too damaged, has nothing to mutate."""
    try:
        open_document(path)
    except (FormatError, ResourceError):
        return False
    return True
