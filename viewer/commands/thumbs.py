"""`rigscope thumbs`: writes thumbnails of files to a folder, a sheet or a gallery."""

from __future__ import annotations

import os
from collections.abc import Sequence
from functools import partial

from msgspec.structs import replace

from viewer.commands.exit_status import UNREAD
from viewer.commands.options.apply_options import WEIGHTED, show_first
from viewer.commands.options.given_options import (
    THUMBNAIL_SIZE,
    Options,
    Values,
    is_for_many,
    options_of,
    pattern_of,
)
from viewer.commands.options.parser import UsageError
from viewer.commands.options.table import ONLY_MANY
from viewer.commands.output import notice, say, say_missing
from viewer.family.registry import suffixes
from viewer.library.file_sources import SourceFile, source_files
from viewer.library.outcome import Outcome
from viewer.library.thumbnails.thumbnail import ThumbnailTask, first_sight
from viewer.scene.reading_context import ReadingContext
from viewer.storage.image import PICTURES
from viewer.storage.package_path import is_file, on_disk
from viewer.storage.writing import replaced

SHEET, GALLERY = (".png",), (".html", ".htm")
UNWRITTEN = (*PICTURES, ".gif", ".tif", ".tiff", ".svg", ".pdf", ".apng", ".mp4", ".webm", ".zip")
"""Suffixes of file formats that cannot be written. An output with one of them is refused. An output with an
unknown suffix, such as `thumbs.v1.2`, is a folder.
"""


def thumbs(places: list[str], values: Values) -> int:
    """Write the thumbnails of all files in `places` to the chosen output; return the exit status.

    UsageError without a place or an output, FormatError if a single file cannot be read.
    """
    output = values.pop("output", None)
    if not places or output is None:
        raise UsageError("needs a PLACE, which is a file, a folder or a package, and -o OUT")
    values.setdefault("size", THUMBNAIL_SIZE)
    strict = values.pop("strict", None)
    batch = {name: values.pop(name) for name in ONLY_MANY if name in values}
    task = task_of(options_of(values))
    unread: list[Outcome] = []
    files = list(source_files(places, suffixes("model"), unread.append, task.context))
    for each in unread:
        say(each.line)
    if _is_single(files, places, output):
        return _write_one(places[0], output, task, strict)
    if not files:
        if unread:
            return UNREAD
        raise UsageError(f"there is no model in {', '.join(places)}")
    status = _write_many(files, output, task, batch, strict)
    return UNREAD if unread else status


def task_of(options: Options) -> ThumbnailTask:
    """The task that draws a thumbnail with these options."""
    context = options.context
    plain = options == Options(size=options.size, reading=options.reading)
    options = options._replace(shown={"grid": False, **options.shown})
    return ThumbnailTask(
        options.size,
        first_sight if plain else partial(show_first, options=options),
        options.distance,
        tuple(_files_of(options, context)),
        context,
        bool(options.animation),
    )


def _files_of(options: Options, context: ReadingContext) -> list[str]:
    """The paths in the options that are existing files."""
    clips = [found["name"] if (found := WEIGHTED.fullmatch(each)) else each for each in options.animation]
    named = (*options.animation, *clips, *(path for _, path in options.texture), options.camera_file)
    named = (*named, options.shown.get("environment", ""))
    return sorted({os.path.abspath(each) for each in named if each and is_file(each, context)})


def _is_single(files: list[SourceFile], places: list[str], output: str) -> bool:
    """Whether the output is the plain picture of a single file.

    Such an output ends in `.png`, or it is an existing file, because file managers choose the name of a
    thumbnail themselves.
    """
    if len(places) != 1 or [each.path for each in files] != places:
        return False
    return output.lower().endswith(".png") or (os.path.isfile(output) and not output.endswith(GALLERY))


def _write_one(path: str, output: str, task: ThumbnailTask, strict: bool | None) -> int:
    """Write the thumbnail of one file, in this process and without a cache; return the exit status."""
    made = writing(task, output)(path)
    with replaced(output, [on_disk(path)]) as file:
        file.write(made.png)
    for line in made.facts.errors:
        say(f"{path}: {line}")
    if made.instead:
        say(f"{path}: {'; '.join(made.instead)}")
    return say_missing(path, made.missing, strict)


def writing(task: ThumbnailTask, output: str) -> ThumbnailTask:
    """The task in a command that writes the picture `output`, which is then no texture of a model."""
    return replace(task, context=replace(task.context, outputs=(os.path.abspath(output),)))


def _write_many(
    files: Sequence[SourceFile], output: str, task: ThumbnailTask, values: Values, strict: bool | None
) -> int:
    """Write the thumbnails of files with the batch options in `values`; return the exit status.

    The name of the output chooses a folder, a sheet or a gallery. UsageError for an unknown suffix,
    ResourceError if a sheet would have too many pictures. Errors of `run_batch` pass through.
    """
    # imported late, because only batches need it
    from viewer.commands import batches
    from viewer.library.batch.output_names import plan_outputs, without_outputs, without_pictures
    from viewer.library.batch.pictures import Collection, Gallery, PictureFolder, Sheet, write_pictures
    from viewer.library.workers.pool import SECONDS

    seconds = values.get("time_limit", SECONDS)
    runner = batches.runner_of(values)
    suffix, many = os.path.splitext(output)[1].lower(), is_for_many(output)
    collection: Collection
    if suffix in GALLERY and not many:
        collection = Gallery(files, output, notice, task.context)
    elif suffix in SHEET and not many:
        task = writing(task, output)
        collection = Sheet(files, output, task)
    elif many or not (suffix in UNWRITTEN or os.path.isfile(output)):
        plan, force = plan_outputs(files, pattern_of(output, SHEET)), values.get("force", False)
        collection = PictureFolder(without_pictures(plan) if force else plan, force)
        context = without_outputs(task.context, plan, (on_disk(each.path) for each in files))
        task = replace(task, context=context)
    else:
        raise UsageError(
            f"-o {output}: the name of a sheet ends with .png, of a page with .html, of a folder with /"
        )
    with batches.Terminal() as terminal:
        ended = write_pictures(files, collection, task, runner, terminal, seconds=seconds, strict=strict)
    return batches.print_end(ended)
