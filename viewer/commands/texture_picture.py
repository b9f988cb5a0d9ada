"""`rigscope render --image`, `--uv`: writes a texture of a model, with the layouts of its geometries."""

from __future__ import annotations

from collections.abc import Sequence

from viewer.arrays import Size
from viewer.commands.options.given_options import Options
from viewer.commands.options.parser import UsageError
from viewer.export.film.film import Film, is_sequence
from viewer.export.picture.texture import BARE, layout_size, texture_picture
from viewer.render.standalone import standalone_renderer
from viewer.scene import names
from viewer.scene.mesh.uv_layout import NONE, TextureUse, texture_at, texture_uses, used_textures
from viewer.scene.model import Model
from viewer.scene.texture_images import channels_of
from viewer.session.state import State
from viewer.storage.chosen_images import chosen_image
from viewer.view.texture_shot import uv_layers, whole_shot

NUMBER = "#"
"""Comes before the number of a texture or geometry, as in `#1`."""


def draw_texture(state: State, options: Options, size: Size | None, output: str) -> None:
    """Write the chosen texture to `output`. If `size` is None, the picture has the size of the texture.

    UsageError for options that a texture does not support, ResourceError for a name that does not exist,
    FormatError if the image cannot be read.
    """
    model = state.model
    if model is None or not (model.textures or model.geometries):
        raise UsageError("there is no texture to draw: no model with textures is among the files")
    _check(options, output)
    number = _texture(model, options)
    texture = texture_at(model, number)
    image = chosen_image(texture, state.view.textures.get(number), state.context)
    if image is None and not options.uv:
        raise UsageError(f"texture {texture.name} has no image; --uv draws its layout alone")
    level, stored = options.mip or 0, 1 if image is None else len(image.levels)
    if level >= stored:
        raise UsageError(f"the texture has no mip level {level}; it has {stored}, counted from 0")
    channels = options.channels or ("RGB" if options.uv else "RGBA")
    if image is not None and size is None and not options.uv:
        pixels = channels_of(image.levels[level], channels)
    else:
        layers = uv_layers(
            model, _uses(model, number, options), state.view.lod or 0, state.playback.clip_time()
        )
        texels = (1, 1) if image is None else image.size
        stored_size = BARE if image is None else image.levels[level].shape[1::-1]
        shot = whole_shot(number, level, channels, size or layout_size(stored_size), layers, texels)
        with standalone_renderer() as renderer:
            pixels = texture_picture(renderer, model, image, shot)
    height, width = pixels.shape[:2]
    with Film(output, (width, height), alpha=channels == "RGBA", view=False) as film:
        film.add(pixels)
        film.close()


def _check(options: Options, output: str) -> None:
    """UsageError for options that a texture does not support."""
    if is_sequence(output):
        raise UsageError(f"{output} is a film; a texture is one picture, such as OUT.png")
    if options.ui or options.compare is not None:
        raise UsageError("--image, --uv, --channels and --mip draw only a texture: omit --ui and --compare")
    if options.geometry and not options.uv:
        raise UsageError("--geometry chooses layouts: it needs --uv")


def _texture(model: Model, options: Options) -> int:
    """The number of the chosen texture; without a choice the first one that a geometry uses."""
    if options.image is None:
        chosen = _geometries(model, options)
        for number in used_textures(model):
            if not chosen or any(use.geometry in chosen for use in texture_uses(model, number)):
                return number
        return 0 if model.textures else NONE
    return _numbered("texture", options.image, [each.name for each in model.textures])


def _numbered(kind: str, text: str, known: Sequence[str]) -> int:
    """The number of a part by its name, or by its number after `#`. An exact name has priority."""
    number = text.removeprefix(NUMBER)
    if text not in known and text.startswith(NUMBER) and number.isdecimal() and int(number) < len(known):
        return int(number)
    return names.find_name(kind, text, known)


def _geometries(model: Model, options: Options) -> frozenset[int]:
    """The numbers of the chosen geometries; empty for all."""
    titles = [each.name or f"geometry {number}" for number, each in enumerate(model.geometries)]
    return frozenset(_numbered("geometry", name, titles) for name in options.geometry)


def _uses(model: Model, number: int, options: Options) -> tuple[TextureUse, ...]:
    """List how geometries use the texture: their layouts are drawn. Empty without the option `--uv`.

    UsageError if no chosen geometry uses the texture.
    """
    if not options.uv:
        return ()
    chosen = _geometries(model, options)
    uses = tuple(use for use in texture_uses(model, number) if not chosen or use.geometry in chosen)
    if not uses:
        which = "none of these geometries has" if chosen else "no geometry has"
        raise UsageError(f"{which} texture coordinates for texture {texture_at(model, number).name}")
    return uses
