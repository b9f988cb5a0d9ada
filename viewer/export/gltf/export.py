"""Exports a model as glTF."""

from __future__ import annotations

from viewer.arrays import damaged_numbers
from viewer.export.gltf.container import PictureFiles, embedding, write_glb, write_gltf
from viewer.export.gltf.materials import StorePicture
from viewer.export.gltf.model import ExportSource, ModelWriter
from viewer.export.gltf.options import ExportOptions, ExportStep


@damaged_numbers()
def export_gltf(
    source: ExportSource, options: ExportOptions, output: str, step: ExportStep = lambda share: None
) -> list[str]:
    """Write `output`, a `.glb` or a `.gltf`.

    Returns messages about parts that were left out, corrected or approximated. Raises OSError if a file
    cannot be written. If `step` raises an exception, the export writes no file and lets the exception pass.
    """
    textures = source.model.textures
    beside = PictureFiles(output, filter(None, (*source.paths.values(), *(each.path for each in textures))))
    store_picture: StorePicture | None = None
    if options.textures == "files":
        store_picture = beside.add
    elif options.textures == "embed":
        store_picture = embedding(lambda: writer.buffer)
    writer = ModelWriter(source, options, store_picture)
    writer.write(step)
    beside.write()
    (write_glb if output.lower().endswith(".glb") else write_gltf)(writer.buffer, output)
    return writer.messages + beside.messages
