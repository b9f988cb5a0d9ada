"""The public interface for Python. Its functions do what the verbs of the command line do, and return values.

A function takes paths or documents of `open_document`, and options. The options have the same names as on the
command line. The value of an option is a Python value (`size=(640, 480)`, `morph={"Smile": 0.5}`) or the text
of the command line (`size="640x480"`); None is an option that is not given.

The functions raise ViewerError for an unreadable file, an unknown name or a wrong value, and TypeError for an
unknown option. Work on many files reports its progress on stderr.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from typing import TYPE_CHECKING, Any, TypedDict, TypeVar

from msgspec import Struct

from viewer.arrays import Array, Color, Size, damaged_numbers
from viewer.errors import FormatError, GraphicsError, ResourceError, ViewerError
from viewer.scene.choices import BAKED_SUFFIXES, EXPORT_SUFFIXES, PICTURE_SUFFIXES, ExportChoices
from viewer.scene.difference import Change, Difference, Differences
from viewer.scene.document import Document
from viewer.scene.files import FileEntry, FileFacts
from viewer.scene.finding import Finding, Severity
from viewer.scene.reading_context import DEFAULT
from viewer.storage.documents import open_document

if TYPE_CHECKING:
    from typing import Unpack

    from viewer.commands.options.given_options import Options
    from viewer.commands.options.parser import Option
    from viewer.library.workers.batches import Runner
    from viewer.session.state import State

__all__ = [
    "Change",
    "Difference",
    "Differences",
    "Document",
    "FileEntry",
    "FileFacts",
    "Finding",
    "FormatError",
    "GraphicsError",
    "Picture",
    "ResourceError",
    "Severity",
    "Thumbnail",
    "ViewerError",
    "bake",
    "check",
    "diff",
    "export",
    "find",
    "open_document",
    "render",
    "show",
    "thumbnails",
]

Path = str | os.PathLike[str]
File = Path | Document
Result = TypeVar("Result")


class PoseOptions(TypedDict, total=False):
    """The options of `rigscope bake` that pose a model."""

    animation: str | Sequence[str]
    time: float
    loop: bool
    in_place: bool
    morph: Mapping[str, float]
    lod: int | None
    texture: Mapping[int, Path]
    geoset: int | Sequence[int]
    display: int | str
    character: str | Mapping[str, int]
    item: Mapping[str, int]
    seed: int
    emitter: int | Sequence[int]
    particles: bool
    cold: bool


class PictureOptions(PoseOptions, total=False):
    """The options of `rigscope render` for a picture. Colours are names, `#rrggbb` or RGBA from 0 to 1."""

    size: Size | str
    background: Color | str
    view: str
    yaw: float
    pitch: float
    distance: float
    camera: int | Path
    ortho: bool
    shading: str
    light: str
    environment: str
    environment_turn: float
    environment_strength: float
    environment_background: float
    occlusion: bool
    tone: str
    exposure: float
    shadow: bool
    wireframe: bool
    bone: str
    skeleton: bool
    root_motion: bool
    trail: str | Sequence[str]
    ghosts: str
    figure: bool
    grid: bool
    missing: str
    up: str
    samples: int


class FilmOptions(PictureOptions, total=False):
    """The options of a picture or a film."""

    frames: tuple[int, int] | str
    fps: float
    turntable: bool
    seamless: bool


class Picture(Struct, frozen=True):
    """A picture of a model, which a notebook shows.

    `pixels` is [height, width, 4] u8: red, green, blue and straight alpha, the top row first. `notes` are
    lines about what is missing or drawn differently from the file.
    """

    pixels: Array
    notes: tuple[str, ...] = ()

    @property
    def png(self) -> bytes:
        """The bytes of a PNG file."""
        from viewer.storage.own_picture import marked
        from viewer.storage.png import png_pieces

        return b"".join(marked(png_pieces(self.pixels)))

    def save(self, path: Path) -> None:
        """Write the picture as a PNG file; OSError if that fails."""
        from viewer.storage.image import save_png

        save_png(path, self.pixels, view=True)

    def _repr_png_(self) -> bytes:
        return self.png


class Thumbnail(Struct, frozen=True):
    """The thumbnail of a file, which a notebook shows. If there is no picture, `png` is empty and `error`
    says why. `facts` are None for an unreadable file.
    """

    path: str
    png: bytes
    facts: FileFacts | None
    error: str = ""

    def _repr_png_(self) -> bytes | None:
        return self.png or None


def show(*files: File, **options: Unpack[PictureOptions]) -> Picture:
    """Draw a model, with further files as its animations. `size` is 640×480 pixels by default.

    GraphicsError if no OpenGL is usable.
    """
    from viewer.commands.render import planned

    def drawn(state: State) -> Array:
        with closing(planned([state], chosen, "picture.png")[1]) as pictures:
            return next(pictures).copy()

    chosen = _options(options, {"size": (640, 480)})
    return Picture(*_with_model(files, chosen, "", drawn))


def render(*files: File, output: Path, **options: Unpack[FilmOptions]) -> tuple[str, ...]:
    """Write a picture or a film of a model, with further files as its animations, as `rigscope render` does.
    The suffix of `output` chooses the format. Return lines about what is missing or drawn differently from
    the file.

    GraphicsError if no OpenGL is usable; OSError if the output cannot be written.
    """
    from viewer.commands.render import draw

    chosen, name = _options(options), _name_of(output, PICTURE_SUFFIXES)
    return _with_model(files, chosen, name, lambda state: draw([state], chosen, name))[1]


def bake(*files: File, output: Path | None = None, **options: Unpack[PoseOptions]) -> dict[str, Array]:
    """Pose a model on the GPU. Return the arrays that `rigscope bake` writes to an .npz, by their names.

    Geometry k has `positions_k` and `normals_k` [V, 3] f4 in the file's axes, NaN in unused rows, and
    `indices_k` [I]. `bones` are [B, 3, 4] posed matrices; `emitter_k` and `ribbon_k` are records. If `output`
    is given, the arrays are also written to this .npz or .ply file.

    GraphicsError if no OpenGL is usable; OSError if the output cannot be written.
    """
    from viewer.commands.bake import posed, write

    chosen, name = _options(options), _name_of(output, BAKED_SUFFIXES) if output else ""
    baked, _ = _with_model(files, chosen, name, lambda state: write(state, name) if name else posed(state))
    return baked.arrays


def export(
    *files: File,
    output: Path,
    fps: float | None = None,
    textures: str = "embed",
    axes: str = "gltf",
    bake_pose: bool = False,
    materials: bool = True,
    **options: Unpack[PoseOptions],
) -> tuple[str, ...]:
    """Write a model as glTF (.glb, .gltf), or its posed mesh (.obj, .ply), as `rigscope export` does. A glTF
    has all clips, or only the clips of `animation`. Return lines about what is missing, left out or
    approximated.

    OSError if the output cannot be written.
    """
    from viewer.commands.export import exported_clips, write

    choices, chosen = ExportChoices(fps, textures, axes, bake_pose, materials), _options(options)
    name = _name_of(output, EXPORT_SUFFIXES)
    pose = chosen if choices.is_posed(name) else chosen._replace(animation=())

    def written(state: State) -> list[str]:
        return write(state, exported_clips(state, chosen, choices, name), choices, name)

    lines, notes = _with_model(files, pose, name, written)
    return tuple(dict.fromkeys((*lines, *notes)))


def check(
    *places: Path,
    select: Sequence[str] = (),
    ignore: Sequence[str] = (),
    config: Path | None = None,
    baseline: Path | None = None,
    separate: bool = False,
    jobs: int | None = None,
) -> tuple[Finding, ...]:
    """Find what is wrong with files, folders, packages and patterns, as `rigscope check` does. The findings
    are in the order of the files.

    Findings that the baseline lists are left out. `config` is the settings file, "" for no settings; by
    default each file uses the nearest settings file. An unreadable file gives a finding. See `thumbnails` for
    `jobs`.
    """
    from viewer.commands.check import CheckOptions, check_run, report_of

    known, settings = (None if each is None else os.fspath(each) for each in (baseline, config))
    options = CheckOptions(tuple(select), tuple(ignore), None, known, settings, separate)
    report = report_of(check_run([os.fspath(each) for each in places], options, DEFAULT), _runner(jobs))
    return tuple(each for file in report.files for each in file.findings)


def diff(one: File, other: File, tolerance: float | None = None) -> Differences:
    """Find the differences from one file to the other by meaning, as `rigscope diff` does.

    Positions count as equal if they differ by at most `tolerance`, in units of the file `one`. The default is
    1/100000 of the size of `one`.
    """
    from viewer.compare.diff.comparing import compare

    return compare(_document(one), _document(other), tolerance)


def find(query: str, *places: Path, jobs: int | None = None) -> tuple[FileEntry, ...]:
    """Search folders, packages and patterns for files, as `rigscope find` does.

    The user's index keeps the facts of files. Unreadable files and folders are left out. ViewerError for a
    wrong query. See `thumbnails` for `jobs`.
    """
    from viewer.commands.find import named_paths, search
    from viewer.library.index.index import Index
    from viewer.library.outcome import Outcome

    unread: list[Outcome] = []
    listed = [
        os.path.abspath(each)
        for place in places
        for each in named_paths(os.fspath(place), unread.append, DEFAULT)
    ]
    with closing(Index()) as index:
        return tuple(search(index, listed, query, _runner(jobs), unread.append, facts=True))


def thumbnails(
    *places: Path, jobs: int | None = None, **options: Unpack[PictureOptions]
) -> Iterator[Thumbnail]:
    """Yield a thumbnail of each model in files, folders, packages and patterns, as `rigscope thumbs` draws
    it. `size` is 256×256 pixels by default. Thumbnails in the user's cache come first.

    `jobs` is the number of worker processes that draw; by default this process draws. A script that starts
    workers needs `if __name__ == "__main__":` around its work.
    """
    from viewer.commands.options.given_options import THUMBNAIL_SIZE
    from viewer.commands.thumbs import task_of
    from viewer.family.registry import suffixes
    from viewer.library.file_sources import source_files
    from viewer.library.outcome import Outcome
    from viewer.library.thumbnails.batch import draw_thumbnails
    from viewer.library.thumbnails.cache import ThumbnailCache

    task = task_of(_options(options, {"size": THUMBNAIL_SIZE}))
    unread: list[Outcome] = []
    files = source_files([os.fspath(each) for each in places], suffixes("model"), unread.append, DEFAULT)
    for outcome in draw_thumbnails(files, task, _runner(jobs), ThumbnailCache()):
        made = outcome.value
        yield Thumbnail(outcome.path, made.png if made else b"", made.facts if made else None, outcome.why)
    yield from (Thumbnail(each.path, b"", None, each.why) for each in unread)


def _name_of(output: Path, suffixes: Sequence[str]) -> str:
    """Return the name of the output file. UsageError if the suffix of the name is not one of `suffixes`, or
    if the name is a pattern for several files.
    """
    from viewer.commands.options.given_options import is_for_many
    from viewer.commands.options.parser import UsageError

    name = os.fspath(output)
    if is_for_many(name) or not name.lower().endswith(tuple(suffixes)):
        raise UsageError(f"output {name}: the name must end with {' or '.join(suffixes)}")
    return name


def _with_model(
    files: Sequence[File], options: Options, output: str, work: Callable[[State], Result]
) -> tuple[Result, tuple[str, ...]]:
    """Call `work` with the State of a model and its animations. Return the result of `work` and its notes."""
    from viewer.commands.one_output import one_model, written
    from viewer.commands.output import collected_messages

    results: list[Result] = []
    with damaged_numbers(), collected_messages() as messages:
        documents = [_document(each) for each in files]
        paths = [str(each.path) for each in documents]
        state = one_model(documents, options)
        written([state], paths, options, output, lambda: results.append(work(state)))
    return results[0], tuple(dict.fromkeys(each.text for each in messages))


def _document(file: File) -> Document:
    return file if isinstance(file, Document) else open_document(os.fspath(file))


def _runner(jobs: int | None) -> Runner:
    from viewer.library.workers.batches import LocalRunner, SameProcess

    return SameProcess() if jobs is None else LocalRunner(jobs)


def _options(given: Mapping[str, Any], defaults: Mapping[str, Any] | None = None) -> Options:
    """Make the options of the command line. TypeError for an unknown option, UsageError for a value whose
    text is wrong.
    """
    from viewer.commands.options.given_options import options_of
    from viewer.commands.options.parser import flag_name
    from viewer.commands.options.table import PICTURE, POSE, SEQUENCE

    known = {option.name: option for option in (*POSE, *PICTURE, *SEQUENCE)}
    old = {flag_name(flag): (each.name, value) for each in known.values() for flag, value in each.old}
    unknown = next((name for name in given if name not in known and name not in old), None)
    if unknown is not None:
        raise TypeError(f"unknown option {unknown!r}; the options are {', '.join(known)}")
    values = dict(old[name] for name, value in given.items() if name in old and value)
    values |= {
        name: _value(known[name], value)
        for name, value in given.items()
        if name in known and value is not None
    }
    return options_of({**(defaults or {}), **values})


def _value(option: Option, given: Any) -> Any:
    """The value of an option, checked; a tuple if the option is repeatable."""
    from viewer.commands.options.parser import UsageError

    try:
        if not option.metavar:
            return {True: True, False: False}[given]
        if not option.repeat:
            return option.convert(_text(option, given))
        single = isinstance(given, str | os.PathLike) or not isinstance(given, Iterable)
        parts = given.items() if isinstance(given, Mapping) else (given,) if single else given
        return tuple(option.convert(_text(option, each)) for each in parts)
    except ValueError as error:
        raise UsageError(f"{option.name}: {error}") from None
    except (TypeError, KeyError, AttributeError):
        raise UsageError(f"{option.name}: {given!r} is not {option.metavar or 'True or False'}") from None


def _text(option: Option, given: Any) -> Any:
    """The text of a value on the command line. The numbers of a colour are no text there."""
    from viewer.commands.options.option_types import word_of

    if isinstance(given, Mapping):
        return ",".join(f"{key}={value}" for key, value in given.items())
    if type(given) in (tuple, list):
        return option.mark.join(_text(option, each) for each in given) if option.mark else given
    return os.fspath(given) if isinstance(given, os.PathLike) else word_of(given)
