"""Loads a file in the background: reads it, decodes its images, measures the model."""

from __future__ import annotations

import time
import traceback
from collections.abc import Callable, Mapping

from msgspec import Struct, field

from viewer.app.tasks import Task
from viewer.arrays import Array
from viewer.errors import ViewerError
from viewer.render.mesh.morphs import RecordsByStreams, all_records
from viewer.scene.document import Document
from viewer.scene.looks import differ_in_look
from viewer.scene.material import Image
from viewer.scene.model import NO_MODEL, Model, pictured
from viewer.scene.texture_images import decode_textures
from viewer.storage.dependencies import depends_on
from viewer.storage.tested import waits_at_most
from viewer.storage.versions import Dependencies, versions_of
from viewer.view.clip_points import measure
from viewer.view.framing import posed_bounds
from viewer.view.lengths import dimensions

PROJECT_WAIT = 0.125
"""Seconds that the first picture waits for the list of a project's files. Files that are found later appear
in later pictures.
"""

Opener = Callable[[str], Document]


class LoadResult(Struct, frozen=True):
    """The result of loading one path: a document and its decoded images by texture number, or an error text.

    `extent` [2, 3] is the bounding box of the model's rest pose in viewer space (None: the model is already
    on the GPU in another look). `records` are the GPU records of its morphs. If `late`, referenced files may
    be missing or stale because the project's files were not listed or tested in time. `files` are the files
    that the document depends on, with their versions.
    """

    path: str
    document: Document | None = None
    images: Mapping[int, Image] = field(default_factory=dict)
    extent: Array | None = None
    records: RecordsByStreams = field(default_factory=dict)
    error: str = ""
    late: bool = False
    files: Dependencies = field(default_factory=dict)

    @property
    def sound(self) -> bool:
        """Whether the file, its animations, images and referenced models were all read completely."""
        document = self.document
        if document is None or not document.report.complete:
            return False
        undecoded = (
            n for n, each in enumerate(pictured(document.model)) if each.decode and n not in self.images
        )
        whole = all(each.report.complete for each in document.attached)
        named = document.model.references if document.model else ()
        return whole and all(each.complete for each in named) and next(undecoded, None) is None


def load(
    path: str, opener: Opener, uploaded: Model | None, task: Task, *, patient: bool = False
) -> LoadResult:
    """Read, decode and measure one file. If the model is already `uploaded` in another look, only what
    differs between the looks is measured. A `patient` reading waits until the project is listed.

    Every exception becomes the error text of the result, so no file can end the program.
    """
    try:
        task.report("reading")
        begun = time.time_ns()
        with waits_at_most(None if patient else PROJECT_WAIT) as waited:
            document = opener(path)
        files = versions_of(depends_on(document), begun)
        images = decode_textures(document, lambda: task.cancelled, task.report)
        task.report("measuring")
        model = document.model or NO_MODEL
        measure(model, document.bare.model if document.bare is not None else None)
        dressed = uploaded is not None and differ_in_look(uploaded, model)
        dimensions(model, uploaded if dressed else None)
        extent, records = (None, {}) if dressed else (posed_bounds(model), all_records(model))
    except ViewerError as error:
        return LoadResult(path, error=str(error))
    except OSError as error:
        return LoadResult(path, error=f"{path}: {error.strerror or error}")
    except MemoryError:
        return LoadResult(path, error=f"{path}: there is not enough memory to read it")
    except Exception as error:
        traceback.print_exc()
        return LoadResult(path, error=f"{path}: {type(error).__name__}: {error}")
    return LoadResult(path, document, images, extent, records, late=waited.late, files=files)
