"""Read OGRE files into documents: a mesh with its skeleton, or only a skeleton."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import PurePath

from msgspec.structs import replace

from viewer.binary import Record, Span, StreamTree, Struct
from viewer.binary.whole_file import read_whole, root_span
from viewer.errors import FormatError, NeededFile, Report, Topic
from viewer.families.ogre.assignments import stored_assignments
from viewer.families.ogre.linked_skeletons import LINKED, open_linked
from viewer.families.ogre.manual_lods import with_manual_levels, with_material_names
from viewer.families.ogre.materials.library import DATABLOCKS_FIRST
from viewer.families.ogre.materials.material_choice import with_materials
from viewer.families.ogre.mesh import build_model, mesh_chunks, mesh_levels, mesh_submeshes
from viewer.families.ogre.mesh_layout import MESH_FILE, SKELETON_LINK
from viewer.families.ogre.names import BytesName
from viewer.families.ogre.next.layout import MESH as NEXT_MESH
from viewer.families.ogre.next.layout import MESH_FILE as NEXT_FILE
from viewer.families.ogre.next.layout import SUBMESH as NEXT_SUBMESH
from viewer.families.ogre.next.mesh import build_next_model, next_chunks, next_submeshes
from viewer.families.ogre.origin import mesh_tables, skeleton_tables, skeleton_tracks
from viewer.families.ogre.probe import is_mesh, is_skeleton, refuse
from viewer.families.ogre.skeleton import BoneHandles, build_animations, build_bones
from viewer.families.ogre.skeleton_layout import LINK, SKELETON_FILE
from viewer.families.ogre.versions import (
    MESH_VERSIONS,
    NEXT_LEGACY,
    NEXT_R0,
    NEXT_R1,
    NEXT_VERSIONS,
    SKELETON_VERSIONS,
    byte_order,
)
from viewer.family.format import OpenedFile
from viewer.scene.animation import Animation
from viewer.scene.document import Document, Origin
from viewer.scene.mesh.primitives import with_clouds
from viewer.scene.model import Model
from viewer.scene.names import path_key
from viewer.scene.skeleton import Skeleton

UNSEEN = (NEXT_R0, NEXT_R1, NEXT_LEGACY)
"""The versions that are known only from the engine's source code."""


def load_mesh(file: OpenedFile) -> Document:
    """Read a mesh, and its skeleton from the file beside it. FormatError for a file of another format."""
    path, data = file.path, file.data
    refuse(path, data)
    report = Report()
    record, root = _read(MESH_FILE, data, path, report)
    _check_version(record, MESH_VERSIONS, report)
    _note_unseen(record, report)
    if not mesh_chunks(record):
        _fail_empty("mesh", "mesh file", data, report)
    opened = _linked_skeleton(mesh_chunks(record), file, report)
    bones = opened[1] if opened else None
    model, clips = build_model(path.stem, record, bones, str(path), report)
    model = with_materials(model, mesh_submeshes(record), path, file.context, report)
    model = with_clouds(with_manual_levels(model, list(_manual_levels(record, file, bones, report))), report)
    _name_file(report, path)
    animations = _joined(clips.animations, opened[0].animations if opened else ())
    record.detach()
    return Document(
        path=str(path),
        format="OGRE mesh",
        version=_version(record, data),
        data=data,
        order=byte_order(data),
        root=root,
        content=model,
        report=report,
        origin=Origin(lambda: mesh_tables(root)),
        animations=animations,
        attached=(opened[0], *opened[0].attached) if opened else (),
        assignments=stored_assignments,
    )


def load_next_mesh(file: OpenedFile) -> Document:
    """Read a mesh of OGRE-Next, and its skeleton from the file beside it."""
    path, data = file.path, file.data
    report = Report()
    record, root = _read(NEXT_FILE, data, path, report)
    _check_version(record, NEXT_VERSIONS, report)
    _note_unseen(record, report)
    if not next_chunks(record):
        _fail_empty("mesh", "mesh file", data, report)
    opened = _linked_skeleton(next_chunks(record), file, report)
    model = build_next_model(path.stem, record, opened[1] if opened else None, report)
    model = with_materials(model, next_submeshes(record), path, file.context, report, DATABLOCKS_FIRST)
    model = with_clouds(model, report)
    _name_file(report, path)
    record.detach()
    return Document(
        path=str(path),
        format="OGRE-Next mesh",
        version=_version(record, data),
        data=data,
        order=byte_order(data),
        root=root,
        content=model,
        report=report,
        origin=Origin(lambda: mesh_tables(root, NEXT_MESH, NEXT_SUBMESH)),
        animations=opened[0].animations if opened else (),
        attached=(opened[0], *opened[0].attached) if opened else (),
    )


def _note_unseen(record: Struct, report: Report) -> None:
    """Add a note if no real file of this version was ever seen."""
    version = str(record.get("version", ""))
    if version in UNSEEN:
        report.note(
            f"no real file of version {version} was seen; it is read as the engine's source code says"
        )


def load_skeleton(file: OpenedFile) -> Document:
    """Read a skeleton with its animations, and the animations of linked skeletons.

    FormatError for a file of another format.
    """
    path, data = file.path, file.data
    refuse(path, data)
    return _skeleton(file)[0]


def _skeleton(file: OpenedFile) -> tuple[Document, BoneHandles | None]:
    path, data, report = file.path, file.data, Report()
    record, root = _read(SKELETON_FILE, data, path, report)
    _check_version(record, SKELETON_VERSIONS, report)
    bones = build_bones(record, report)
    if bones is None:
        _fail_empty("bone", "skeleton file", data, report)
    animations = build_animations(record, bones, str(path), report) if bones else ()
    _name_file(report, path)
    content: Skeleton | None = bones.skeleton if bones else None
    linked = list(_linked_animations(record, file, bones, report)) if bones else []
    known = {animation.name for animation in animations}
    for _, more in linked:
        animations += tuple(animation for animation in more if animation.name not in known)
        known |= {animation.name for animation in more}
    record.detach()
    document = Document(
        path=str(path),
        format="OGRE skeleton",
        version=_version(record, data),
        data=data,
        order=byte_order(data),
        root=root,
        content=content,
        report=report,
        origin=_origin(record, root, bones),
        animations=animations,
        attached=tuple(each for each, _ in linked),
    )
    return document, bones


def _origin(record: Struct, root: Span, bones: BoneHandles | None) -> Origin:
    """The spans of a skeleton file's items. `bones` are the bones that its tracks move."""
    names = bones.names if bones else {}
    return Origin(lambda: skeleton_tables(root, names), lambda: skeleton_tracks(record, names))


def _read(layout: Record, data: bytes, path: PurePath, report: Report) -> tuple[Struct, Span]:
    order = byte_order(data)
    record = read_whole(layout, data, path, report, order)
    return record, root_span(layout, record, data, path, report)


def _version(record: Struct, data: bytes) -> str:
    order = ", big-endian" if byte_order(data) == ">" else ""
    return f"{record.get('version', 'without a version')}{order}"


def _check_version(record: Struct, known: object, report: Report) -> None:
    version = record.get("version")
    if version is not None and str(version) not in known:  # type: ignore[operator]
        text = f"version {version} is unknown; the file is read as the newest version"
        report.warn(text, topic=Topic.VERSION)


def _fail_empty(what: str, where: str, data: bytes, report: Report) -> None:
    """Report that something is missing in a file, if no error explains this already. `what` is a noun for the
    missing thing. A file may end between any two chunks, but not before its first content.
    """
    if report.complete:
        report.fail(FormatError(f"the file has no {what}", where, len(data)))


def _linked_skeleton(
    chunks: StreamTree, file: OpenedFile, report: Report
) -> tuple[Document, BoneHandles] | None:
    """Read the skeleton whose name is in the chunks of a mesh. None if there is no such name, or if the file
    or its bones are missing; then the mesh does not move.
    """
    link = chunks.first(SKELETON_LINK)
    if link is None or not link.get("file"):
        return None
    found = open_linked(link.file, file, "skeleton", is_skeleton, report, required=True)
    if found is None:
        return None
    document, bones = _skeleton(found)
    report.adopt(document.report, str(found.path))
    if bones is None:
        whys = (error.why for error in document.report.errors)
        why = next(whys, "the file has no bones")
        report.need(
            NeededFile(
                "skeleton",
                str(link.file),
                found=str(found.path),
                required=True,
                state="unreadable",
                error=why,
            )
        )
    return (document, bones) if bones else None


def _manual_levels(
    record: Struct, file: OpenedFile, bones: BoneHandles | None, report: Report
) -> Iterator[tuple[float, Model]]:
    """For each manual level of detail, yield the level's value and the model in its mesh file. Each file is
    read once. Missing files are left out and reported.
    """
    models: dict[BytesName, Model | None] = {}
    for level in mesh_levels(record):
        if not level.manual:
            continue
        if level.manual not in models:
            models[level.manual] = _manual_level(level.manual, file, bones, report)
        model = models[level.manual]
        if model is not None:
            yield level.value, model


def _manual_level(
    name: BytesName, file: OpenedFile, bones: BoneHandles | None, report: Report
) -> Model | None:
    """Read the mesh file `name` as a model. Report a file that is missing or no mesh, and return None."""
    found = open_linked(name, file, "level of detail", is_mesh, report)
    if found is None:
        return None
    own = Report()
    record, _ = _read(MESH_FILE, found.data, found.path, own)
    model = build_model(found.path.stem, record, bones, str(found.path), own)[0]
    report.adopt(own, str(found.path))
    return with_material_names(model, [str(submesh.material) for submesh in mesh_submeshes(record)])


def _linked_animations(
    record: Struct, file: OpenedFile, bones: BoneHandles, report: Report
) -> Iterator[tuple[Document, tuple[Animation, ...]]]:
    """Yield each linked skeleton once, with its animations. The tracks of the animations move the bones of
    the linking skeleton that have the same handles.
    """
    named, files = set[BytesName](), {path_key(str(file.path))}
    for link in (record.get("chunks") or ()) and record.chunks.all(LINK):
        if link.get("scale") is None or link.file in named:
            continue
        named.add(link.file)
        found = open_linked(link.file, file, LINKED, is_skeleton, report, Topic.LINK)
        if found is None or path_key(str(found.path)) in files:
            continue
        files.add(path_key(str(found.path)))
        linked, data = found.path, found.data
        own = Report()
        other, root = _read(SKELETON_FILE, data, linked, own)
        moved = build_animations(other, bones, str(linked), own, float(link.scale))
        report.adopt(own, str(linked))
        yield _clip_document(linked, data, other, root, own, moved, bones), moved


def _clip_document(
    path: PurePath,
    data: bytes,
    record: Struct,
    root: Span,
    report: Report,
    animations: tuple[Animation, ...],
    linked: BoneHandles,
) -> Document:
    bones = build_bones(record, report)
    record.detach()
    return Document(
        path=str(path),
        format="OGRE skeleton",
        version=_version(record, data),
        data=data,
        order=byte_order(data),
        root=root,
        content=bones.skeleton if bones else None,
        report=report,
        origin=_origin(record, root, linked),
        animations=animations,
    )


def _name_file(report: Report, path: PurePath) -> None:
    for error in report.errors:
        error.file = error.file or str(path)


def _joined(vertex: tuple[Animation, ...], skeletal: tuple[Animation, ...]) -> tuple[Animation, ...]:
    """Join vertex and skeletal animations. Two animations with the same name become one animation that moves
    bones and vertices, because the engine plays both.
    """
    rest = {animation.name: animation for animation in vertex}
    both = []
    for animation in skeletal:
        other = rest.pop(animation.name, None)
        both.append(animation if other is None else _merged(animation, other))
    return (*both, *rest.values())


def _merged(skeletal: Animation, vertex: Animation) -> Animation:
    return replace(
        skeletal,
        duration=max(skeletal.duration, vertex.duration),
        keyframes=skeletal.keyframes + vertex.keyframes,
        morph_tracks=vertex.morph_tracks,
        shape_tracks=vertex.shape_tracks,
    )
