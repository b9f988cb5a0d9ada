"""The rule for the sides of pictures, which the client loads only if they are powers of two."""

from __future__ import annotations

from collections.abc import Iterator

from viewer.check.check_context import CheckContext
from viewer.check.rule import Found, Rule
from viewer.scene.finding import Severity
from viewer.scene.items import TextureItem


def client_sizes(context: CheckContext) -> Iterator[Found]:
    """Report pictures of WoW models whose sides are no powers of two."""
    for picture in context.pictures if context.family == "WoW" else ():
        header = picture.header
        if header is None or all(
            side > 0 and not side & (side - 1) for side in (header.width, header.height)
        ):
            continue
        text = f"texture {picture.texture.name} has {header.width} × {header.height} pixels"
        yield Found(text, (TextureItem(picture.number),), file=picture.texture.path or "")


RULES = (
    Rule(
        "texture/client-size",
        Severity.WARNING,
        "The sides of a WoW texture are no powers of two",
        client_sizes,
        {"WoW": "The client does not load the texture: the geometry is drawn in plain white or green."},
        "Scale the picture to sides such as 256, 512 or 1024.",
        "texture skin.blp has 300 × 200 pixels",
        after="texture/power-of-two",
    ),
)
