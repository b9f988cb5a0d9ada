"""`rigscope thumbs`: writes thumbnails of files to a folder, a sheet or a gallery."""

from __future__ import annotations

import os
from functools import partial

from viewer.commands.exit_status import DONE, UNREAD
from viewer.commands.options.apply_options import WEIGHTED, show_first
from viewer.commands.options.given_options import THUMBNAIL_SIZE, Options, Values, options_of
from viewer.commands.options.parser import UsageError
from viewer.commands.options.table import ONLY_MANY
from viewer.commands.output import say
from viewer.family.registry import suffixes
from viewer.library.file_sources import SourceFile, source_files
from viewer.library.outcome import Outcome
from viewer.library.thumbnails.thumbnail import ThumbnailTask, first_sight
from viewer.storage.package_path import is_file, on_disk
from viewer.storage.writing import replaced

LARGE_OUTPUTS = (".html", ".htm")


def thumbs(places: list[str], values: Values) -> int:
    """Write the thumbnails of all files in `places` to the chosen output; return the exit status.

    UsageError without a place or an output, FormatError if a single file cannot be read.
    """
    output = values.pop("output", None)
    if not places or output is None:
        raise UsageError("needs a PLACE, which is a file, a folder or a package, and -o OUT")
    values.setdefault("size", THUMBNAIL_SIZE)
    batch = {name: values.pop(name) for name in ONLY_MANY if name in values}
    task = task_of(options_of(values))
    unread: list[Outcome] = []
    files = list(source_files(places, suffixes("model"), unread.append))
    for each in unread:
        say(each.line)
    if _is_single(files, places, output):
        return _write_one(places[0], output, task)
    if not files:
        if unread:
            return UNREAD
        raise UsageError(f"there is no model in {', '.join(places)}")
    from viewer.commands.batch.thumbnails import write_many  # imported late, because only batches need it

    return write_many(files, output, task, batch) or (UNREAD if unread else DONE)


def task_of(options: Options) -> ThumbnailTask:
    """The task that draws a thumbnail with these options."""
    plain = options == Options(size=options.size)
    options = options._replace(shown={"grid": False, **options.shown})
    return ThumbnailTask(
        options.size,
        first_sight if plain else partial(show_first, options=options),
        options.distance,
        tuple(_files_of(options)),
    )


def _files_of(options: Options) -> list[str]:
    """The paths in the options that are existing files."""
    clips = [found["name"] if (found := WEIGHTED.fullmatch(each)) else each for each in options.animation]
    named = (*options.animation, *clips, *(path for _, path in options.texture), options.camera_file)
    return sorted({os.path.abspath(each) for each in named if each and is_file(each)})


def _is_single(files: list[SourceFile], places: list[str], output: str) -> bool:
    """Whether the output is the plain picture of a single file.

    Such an output ends in `.png`, or it is an existing file, because file managers choose the name of a
    thumbnail themselves.
    """
    if len(places) != 1 or [each.path for each in files] != places:
        return False
    return output.lower().endswith(".png") or (os.path.isfile(output) and not output.endswith(LARGE_OUTPUTS))


def _write_one(path: str, output: str, task: ThumbnailTask) -> int:
    """Write the thumbnail of one file, in this process and without a cache."""
    made = task(path)
    with replaced(output, [on_disk(path)]) as file:
        file.write(made.png)
    for line in made.facts.errors:
        say(f"{path}: {line}")
    return DONE
