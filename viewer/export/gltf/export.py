"""Exports a model as glTF."""

from __future__ import annotations

from viewer.arrays import damaged_numbers
from viewer.export.gltf.container import PictureFiles, embedding, write_glb, write_gltf
from viewer.export.gltf.materials import Place
from viewer.export.gltf.model import ExportSource, ModelWriter
from viewer.export.gltf.options import ExportOptions, Step


@damaged_numbers()
def export_gltf(
    source: ExportSource, options: ExportOptions, output: str, step: Step = lambda share: None
) -> list[str]:
    """Write `output`, a `.glb` or a `.gltf`; the messages say what was left out, mended or approximated.

    OSError if a file cannot be written; what `step` raises passes through, and nothing is written then.
    """
    textures = source.model.textures
    beside = PictureFiles(output, filter(None, (*source.paths.values(), *(each.path for each in textures))))
    place: Place | None = None
    if options.textures == "files":
        place = beside.place
    elif options.textures == "embed":
        place = embedding(lambda: writer.buffer)
    writer = ModelWriter(source, options, place)
    writer.write(step)
    beside.write()
    (write_glb if output.lower().endswith(".glb") else write_gltf)(writer.buffer, output)
    return writer.messages + beside.messages
