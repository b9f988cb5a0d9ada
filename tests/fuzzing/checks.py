"""What is done with a mutated file, and what has to hold."""

from __future__ import annotations

import json
import random
import shutil
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import suppress
from itertools import islice
from pathlib import Path

from msgspec import Struct, field

from tests.damage import PRINTED, walk
from tests.gltf_files import gltf_parts
from tests.references import assert_references
from viewer.animation.pose import Layer, moves, pose
from viewer.check.checking import check
from viewer.commands.info.fact_table import json_pieces
from viewer.commands.info.info import facts
from viewer.commands.info.summary import summary
from viewer.commands.package import verify
from viewer.commands.tree import nested, text
from viewer.compare.diff.comparing import compare
from viewer.compare.diff.description import description
from viewer.compare.diff.spans import span_differences
from viewer.edit.operations import edited, rewritten, undone
from viewer.edit.paths import Node, labelled, node_at
from viewer.edit.rules import value_of
from viewer.edit.values import EditError
from viewer.errors import FormatError, ResourceError, printable
from viewer.export.gltf.export import export_gltf
from viewer.export.gltf.model import ExportSource
from viewer.export.gltf.options import ExportOptions
from viewer.export.posed_mesh import write_mesh
from viewer.scene.animation import Animation
from viewer.scene.camera import Orbit
from viewer.scene.display import ModelDisplay
from viewer.scene.document import Document
from viewer.scene.edits import Edit
from viewer.scene.material import ClipTime
from viewer.scene.model import Model, pictured
from viewer.scene.names import JOINT
from viewer.scene.package import Package
from viewer.scene.shader import CompiledShader
from viewer.scene.skeleton import BONELESS, Skeleton
from viewer.scene.texture_images import decode_textures
from viewer.storage.documents import open_document, open_undressed
from viewer.view.view_snapshot import billboard_axes

TIMES = (0.0, 0.3, -1.0, 1e6)
PLAYED = 6
"""The animations of a file that are posed."""
SPANS, ROWS = 500, 3
"""The spans that are looked at, and the rows of each table, unless the check is thorough."""
INSIDE = 4
"""The files of a package that are opened."""
PARSED = 1 << 20
"""The letters of JSON that are parsed: the objects of more take more memory than the program may."""
LINES, FIRST_LINES = 20_000, 300
"""The lines of a listing that are made, by a thorough check and by any other."""
LETTERS_BESIDE, LETTERS_PER_BYTE = 1 << 20, 256
"""A listing has at most so many letters, and so many more for each byte of the file."""


EDITED, MOST_SIBLINGS = 3, 200
"""The nodes of a file that are edited, and those of a list among which one is chosen."""
EXPORTED, MANY_BONES = 3, 1000
"""The clips of a file that are exported; of a skeleton with very many bones only the first is."""


class Progress(Struct):
    """How far an execution came. `stage` is the running one, `done` are those that had something to do."""

    stage: str = "open"
    refused: bool = False
    done: set[str] = field(default_factory=set)


def check_file(path: str, size: int, thorough: bool, progress: Progress) -> Document | None:
    """Open the file, and make its tree and its facts; None if it is refused. `thorough`: JSON too."""
    progress.stage = "open"
    try:
        document = open_document(path)
    except FormatError as error:
        assert error.file == path, f"the error names {error.file!r}"
        progress.refused = True
        return None
    progress.stage = "tree"
    check_tree(document, size, thorough)
    progress.stage = "info"
    check_facts(document, size, thorough)
    return document


def check_tree(document: Document, size: int, thorough: bool) -> None:
    """The tree tiles the file, and can be printed."""
    root = document.root
    assert (root.offset, root.size) == (0, len(document.data)), "the root does not cover the file"
    walk(root, 5000 if thorough else SPANS, None if thorough else ROWS)
    written(text(root), size, thorough)
    if thorough:
        check_origin(document)
    if thorough and size <= PRINTED:
        parse(nested(root))


def parse(pieces: Iterable[str]) -> None:
    """Read the pieces of a JSON text; of a long text they are only made."""
    kept: list[str] = []
    letters = 0
    for piece in pieces:
        letters += len(piece)
        if letters <= PARSED:
            kept.append(piece)
    if letters <= PARSED:
        json.loads("".join(kept))


def check_facts(document: Document, size: int, thorough: bool) -> None:
    """Numbers name parts that exist, errors have their place, and all can be printed."""
    assert_references(document)
    for error in document.report.errors:
        assert error.file and error.offset >= 0, f"an error without a place: {error}"
    content = document.content
    if thorough and isinstance(content, Package) and len(content) <= 64:
        verify(document)
        open_inside(document.path, content)
    if thorough and isinstance(content, CompiledShader):
        assert all(line.text for program in content.programs for line in program.lines)
    found = facts(document)
    assert 0 <= found["unexplained_bytes"] <= len(document.data)
    written(summary(found), size, thorough)
    if thorough and size <= PRINTED:
        parse(json_pieces(found))


def check_origin(document: Document) -> None:
    """A byte leads to the spans that hold it, and to an item whose span holds it."""
    size = len(document.data)
    for offset in {0, size // 3, size // 2, size - 1} if size else ():
        chain = document.root.at(offset)
        assert chain and all(span.offset <= offset < span.end for span in chain)
        item = document.origin.item(offset)
        place = document.origin.span(item) if item is not None else None
        assert place is None or place.offset <= offset < place.end, f"{item} is not at {offset}"
    assert document.origin.tracks is not None


def open_inside(path: str, package: Package) -> None:
    """Open the first files of a package as `PACKAGE::name`."""
    for number in range(min(len(package), INSIDE)):
        with suppress(FormatError, ResourceError):
            open_document(f"{path}{JOINT}{package.names[number]}")


def written(lines: Iterable[str], size: int, all_lines: bool) -> None:
    """The lines can be printed, and are of a length in proportion to the file."""
    made = islice(lines, LINES if all_lines else FIRST_LINES)
    letters = sum(len(printable(line)) for line in made)
    assert letters <= LETTERS_BESIDE + LETTERS_PER_BYTE * size, f"{letters} letters of {size} bytes"


def check_poses(document: Document) -> bool:
    """Pose the first animations at odd times, and place every camera; False without a skeleton."""
    content = document.content
    model = content if isinstance(content, Model) else document.model
    skeleton = content if isinstance(content, Skeleton) else model.skeleton if model else None
    if skeleton is None:
        return False
    axes = billboard_axes(skeleton, model, ModelDisplay(), Orbit())
    for animation in document.animations[:PLAYED]:
        assert len(animation.events) >= 0
        for time in TIMES:
            pose(skeleton, [Layer(animation, time)], axes)
            for camera in model.cameras[:PLAYED] if model else ():
                camera.at(ClipTime(time, animation, time))
    pose(skeleton, [Layer(each, 0.5) for each in document.animations[:2]], axes)
    return True


def decode(document: Document) -> int | None:
    """Decode the textures; the number of their pixels, or None if there are none to decode."""
    if not any(texture.decode for texture in pictured(document.model)):
        return None
    images = decode_textures(document)
    return sum(image.size[0] * image.size[1] for image in images.values())


def check_findings(document: Document) -> None:
    """Each finding of the rules says something, and its offset lies in its file."""
    sizes = {each.path: len(each.data) for each in (document, *document.attached)}
    for found in check(document):
        assert found.text, f"{found.rule}: nothing is said"
        size = sizes.get(found.file)
        if found.offset is not None and size is not None:
            assert 0 <= found.offset <= size, f"{found.rule}: {found.offset} of {size} bytes"


def check_comparison(original: Document, document: Document) -> None:
    """Each difference has a name, and each span that differs a place; there is a text for git."""
    found = compare(original, document)
    assert found.summary and all(each.name for each in found.found), "a difference without a name"
    assert found.same == (not found.found), "the summary is not that of the differences"
    for span in span_differences(original, document):
        assert span.offset is not None or span.other_offset is not None, f"{span.path} is nowhere"
    assert any(description(document)), "nothing for git to compare"


def check_edits(path: str, numbers: random.Random) -> int | None:
    """Edits of random nodes are refused, or read again and undone; None if the document has no values."""
    document = open_undressed(path)
    with suppress(EditError):
        assert rewritten(document) == document.data
    found = list(islice(valued(document, numbers), EDITED))
    for node in found:
        there = node_at(document.root, node.path).span
        assert (there.offset, there.size) == (node.span.offset, node.span.size), "the path leads elsewhere"
        old = value_of(document, node)
        new = numbers.choice(
            (old, f"{old}x", "0", "1", "-1", "4294967295", "1e30", "", "a longer text", "ü龙")
        )
        try:
            made = edited(document, [Edit(node.path, new or "")], incomplete=numbers.random() < 0.8)
        except (EditError, ResourceError):
            continue
        assert undone(made.document, made.undo).data == document.data, "undo gives other bytes"
        for each in made.changes:
            now = node_at(made.document.root, each.path)
            assert value_of(made.document, now) == each.after, "another value is read"
    return len(found) or None


def valued(document: Document, numbers: random.Random) -> Iterator[Node]:
    """Yield random nodes of a tree that have a value."""
    for _ in range(4 * EDITED):
        node = Node(document.root, "")
        while len(node.span.passing_children):
            spans = node.span.passing_children
            number = numbers.randrange(min(len(spans), MOST_SIBLINGS))
            label, span = next(islice(labelled(spans), number, None))
            node = node.child(label, span)
        if node.path and value_of(document, node) is not None:
            yield node


def check_export(document: Document, folder: Path, numbers: random.Random) -> bool:
    """Export the model with its first clips, as glTF and as a posed mesh; False without one.

    Each message is one line, what is written can be read, and nothing else is left in the folder.
    """
    model = document.model
    if model is None:
        return False
    options = ExportOptions(
        fps=numbers.choice((None, None, 30.0)),
        textures=numbers.choice(("embed", "files", "none")),
        keep_axes=numbers.random() < 0.5,
    )
    place = Path(tempfile.mkdtemp(dir=folder))
    try:
        few = 1 if model.skeleton is not None and len(model.skeleton) > MANY_BONES else EXPORTED
        told = _written(model, document.animations[:few], options, place, numbers)
        assert all("\n" not in line for line in told), "a message of several lines"
        assert not [each for each in place.iterdir() if each.name.startswith(".")], "an unfinished file"
    finally:
        shutil.rmtree(place)
    return True


def _written(
    model: Model,
    clips: tuple[Animation, ...],
    options: ExportOptions,
    folder: Path,
    numbers: random.Random,
) -> list[str]:
    if numbers.random() < 0.2:
        layers = [Layer(each, 0.3) for each in clips[:1]]
        motion = moves(pose(model.skeleton or BONELESS, layers), {})
        output = folder / numbers.choice(("out.obj", "out.ply"))
        return write_mesh(ExportSource(model, motion=motion), options, str(output))
    output = folder / numbers.choice(("out.glb", "out.gltf"))
    told = export_gltf(ExportSource(model, clips), options, str(output))
    check_gltf(output)
    return told


def check_gltf(path: Path) -> None:
    """The parts of the file are inside its buffer, and its clips name what exists."""
    content, _ = gltf_parts(path)
    size = sum(each["byteLength"] for each in content.get("buffers", ()))
    views = content.get("bufferViews", ())
    assert all(each["byteOffset"] + each["byteLength"] <= size for each in views), "a view is outside"
    counts = {name: len(each) for name, each in content.items() if isinstance(each, list)}
    for clip in content.get("animations", ()):
        for each in clip["samplers"]:
            assert max(each["input"], each["output"]) < counts["accessors"], "a sampler without keys"
        assert all(each["target"]["node"] < counts["nodes"] for each in clip["channels"]), "no such node"
