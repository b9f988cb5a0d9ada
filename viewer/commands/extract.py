"""`rigscope extract`: writes files of a package into a folder."""

from __future__ import annotations

import fnmatch
import os
import shutil
from collections.abc import Iterator, Sequence

from viewer.commands.exit_status import DONE, USAGE
from viewer.commands.options.given_options import Values
from viewer.commands.options.parser import UsageError
from viewer.commands.output import Progress, notice, outcome, print_lines, say_missing
from viewer.commands.package import LISTED, package_of
from viewer.commands.reading import context_of
from viewer.errors import FormatError, ResourceError, ViewerError, printable
from viewer.export.missing_lines import missing_lines
from viewer.library.batch.output_names import written_line
from viewer.library.extraction import ExtractionPlan, TargetFolder, plan
from viewer.library.model_parts import model_files
from viewer.scene import names
from viewer.scene.document import Document
from viewer.scene.package import Digest, Package
from viewer.scene.reading_context import ReadingContext
from viewer.storage.documents import open_document
from viewer.storage.package_path import on_disk, read_path
from viewer.storage.reading import too_large

MEGABYTE = 1_000_000


def extract(paths: list[str], values: Values) -> int:
    """Write the files of a package below a folder; return the exit status."""
    if values.get("with_parts"):
        force, strict = values.get("force", False), values.get("strict")
        return extract_models(paths, values["output"], force, context_of(values), strict)
    document = open_document(paths[0], context_of(values))
    refused = extract_files(document, paths[1:], values["output"], values.get("force", False))
    return outcome([document]) or (USAGE if refused else DONE)


def extract_models(
    paths: Sequence[str], folder: str, force: bool, context: ReadingContext, strict: bool | None = None
) -> int:
    """Write models below a folder, with the files that the models use; return the exit status. `paths` are
    models, or a package and names of models in the package. See `MissingLines.fails` for `strict`.
    """
    documents = list(_models(paths, context))
    files = {path: name for each in documents for path, name in model_files(each).items()}
    laid = plan(enumerate(files.values()))
    stored = list(files)
    target, written = TargetFolder(folder, force, on_disk(paths[0])), 0
    refused = [f"{printable(stored[number])}: not written, {why}" for number, why in laid.refused.items()]
    for number, name in laid.targets.items():
        try:
            target.write(name, iter((read_path(stored[number], context)[1],)))
        except (ViewerError, OSError) as error:
            refused.append(f"{printable(name)}: not written, {error}")
        else:
            written += 1
    for line in refused:
        notice(line)
    print_lines((written_line(written, len(files), "file", folder),))
    status = outcome(documents) or (USAGE if refused else DONE)
    for each in documents:
        status = say_missing(each.path, missing_lines(each), strict) or status
    return status


def _models(paths: Sequence[str], context: ReadingContext) -> Iterator[Document]:
    """Open the models: `paths` themselves, or the models with these names in the package `paths[0]`."""
    document = open_document(paths[0], context)
    if not isinstance(document.content, Package):
        yield document
        yield from (open_document(path, context) for path in paths[1:])
        return
    if not paths[1:]:
        raise UsageError("--with-parts needs the NAME of a model in the package")
    for number in wanted_files(document.content, paths[1:]):
        yield open_document(f"{paths[0]}{names.JOINT}{document.content.names[number]}", context)


def wanted_files(package: Package, wanted: Sequence[str]) -> list[int]:
    """Return the indices of the `wanted` files. If `wanted` is empty, return the indices of all files.

    An entry of `wanted` is a name, a folder such as `Models/`, or a pattern such as `*.mdl`. If an entry fits
    no name exactly, case and the direction of slashes are ignored. ResourceError if it matches no file.
    """
    if not wanted:
        return list(range(len(package)))
    found: dict[int, None] = {}
    for each in wanted:
        fitting = [number for number, name in enumerate(package.names) if _fits(name, each)]
        if not fitting:
            folded = each.replace("\\", "/").casefold()
            fitting = [number for number, name in enumerate(package.names) if _fits(name.casefold(), folded)]
        if not fitting:
            raise names.unknown("file", each, list(package.names)[:2000])
        found.update(dict.fromkeys(fitting))
    return sorted(found)


def _fits(name: str, wanted: str) -> bool:
    if wanted.endswith("/"):
        return name.startswith(wanted)
    return name == wanted or (any(c in wanted for c in "*?[") and fnmatch.fnmatchcase(name, wanted))


class Extraction:
    """Writes files of a package into `folder`.

    `errors` are the errors in the package. `refused` lists the name of each file that was not written, with
    the reason.
    """

    def __init__(
        self, path: str, package: Package, folder: str, force: bool, context: ReadingContext
    ) -> None:
        self._path, self._package, self._context = path, package, context
        self._folder, self._force = folder, force
        self.errors: list[FormatError] = []
        self.refused: list[tuple[str, str]] = []
        self.written = self.total = 0

    def run(self, numbers: Sequence[int], end: int) -> None:
        """Write the files with these indices; the package ends at the offset `end`.

        UsageError if the files need more bytes than the limit or the free disk space.
        """
        package = self._package
        laid = plan((number, package.names[number]) for number in numbers)
        self.total = len(laid.targets) + len(laid.refused)
        size = int(package.sizes[list(laid.targets)].sum())
        most = self._context.unpacked_limit(os.path.getsize(on_disk(self._path)))
        possible = _possible(package, list(laid.targets), end)
        if possible > most:
            raise UsageError(f"{self._path}: nothing is written, because {too_large(possible, most)}")
        target = TargetFolder(self._folder, self._force, on_disk(self._path))
        free = shutil.disk_usage(self._folder).free
        if size > free:
            raise UsageError(f"{self._folder}: not enough space, {size:,} bytes needed, {free:,} free")
        for number, why in laid.refused.items():
            self.errors.append(self._error(number, f"refused, {why}"))
        for number in laid.outdone[:LISTED]:
            name = printable(package.names[number])
            notice(f"{name}: left out, because a later file has the same name")
        if len(laid.outdone) > LISTED:
            notice(
                f"{len(laid.outdone) - LISTED:,} more files left out, because later files have the same names"
            )
        progress = Progress(max(size // MEGABYTE, 1), noun="MB")
        try:
            self._write(laid, target, progress)
        finally:
            progress.clear()

    def _write(self, laid: ExtractionPlan, folder: TargetFolder, progress: Progress) -> None:
        done = 0
        for number, target in laid.targets.items():
            summed = _Summed(self._package.read(number), self._package.digest)
            try:
                folder.write(target, iter(summed))
            except FormatError as error:
                self._fail(number, error)
            except ResourceError as error:
                self.refused.append((target, str(error)))
            else:
                self.written += 1
                self._compare(number, summed.value)
            done += int(self._package.sizes[number])
            progress.reach(done // MEGABYTE)

    def _compare(self, number: int, value: int) -> None:
        stated = self._package.checksum_of(number)
        if stated not in (None, value):
            why = f"written, but its checksum is {value:08X}; the package states {stated:08X}"
            self.errors.append(self._error(number, why))

    def _fail(self, number: int, error: FormatError) -> None:
        error.file, error.why = (
            self._path,
            f"{printable(self._package.names[number])}: not written, {error.why}",
        )
        self.errors.append(error)

    def _error(self, number: int, why: str) -> FormatError:
        name, offset = printable(self._package.names[number]), int(self._package.offsets[number])
        return FormatError(f"{name}: {why}", f"entries[{number}]", offset, self._path)


def _possible(package: Package, numbers: list[int], end: int) -> int:
    """Return the largest possible unpacked size in bytes.

    A file whose packed bytes cannot contain its stated size is not counted, because it is refused later.
    """
    sizes, offsets = package.sizes[numbers], package.offsets[numbers]
    held = (end - offsets) * (package.expansion if package.compressed else 1)
    return int(sizes[sizes <= held].sum())


class _Summed:
    """Yields the pieces of a file and computes their checksum."""

    def __init__(self, pieces: Iterator[bytes], digest: Digest) -> None:
        self._pieces, self._digest = pieces, digest
        self.value = 0

    def __iter__(self) -> Iterator[bytes]:
        for piece in self._pieces:
            self.value = self._digest(piece, self.value)
            yield piece


def extract_files(document: Document, wanted: Sequence[str], folder: str, force: bool) -> int:
    """Write the wanted files of a package, print the result and return the number of files not written.

    Each failed file adds an error to the document's report.
    """
    package = package_of(document)
    numbers = wanted_files(package, wanted)
    extraction = Extraction(document.path, package, folder, force, document.context)
    extraction.run(numbers, len(document.data))
    asked = {f"entries[{number}]" for number in numbers}
    report = document.report
    report.errors[:] = [each for each in report.errors if each.path.partition("/")[0] not in asked]
    report.errors += extraction.errors
    for name, why in extraction.refused:
        notice(f"{name}: not written, {why}")
    print_lines((written_line(extraction.written, extraction.total, "file", folder),))
    return len(extraction.refused)
