"""The program's icon in small sizes: the shapes of `assets/icon/rigscope.svg`, drawn with Pillow.

Only what that file uses is read: rectangles with round corners, circles, and paths of straight lines.
"""

from __future__ import annotations

import io
import re
from pathlib import Path
from xml.etree import ElementTree

from PIL import Image, ImageDraw

SVG = Path(__file__).resolve().parents[1] / "icon/rigscope.svg"
SIZES = (16, 24, 32, 48, 64, 128, 256)
FINE = 8
"""The pixels per side of which a pixel is the mean."""
COMMAND = re.compile(r"([MmLlHhVvZz])([^A-Za-z]*)")
NUMBER = re.compile(r"-?\d+(?:\.\d+)?")
Point = tuple[float, float]


def files() -> dict[str, bytes]:
    """`rigscope.ico`, with a PNG of each size."""
    with io.BytesIO() as file:
        largest = draw(SIZES[-1])
        smaller = [draw(size) for size in SIZES[:-1]]
        sizes = [(size, size) for size in SIZES]
        largest.save(file, "ICO", sizes=sizes, append_images=smaller)
        return {"rigscope.ico": file.getvalue()}


def draw(size: int) -> Image.Image:
    """The icon of `size` pixels per side."""
    root = ElementTree.parse(SVG).getroot()
    scale = size * FINE / float(root.get("width", "128"))
    picture = Image.new("RGBA", (size * FINE, size * FINE))
    for shape, style in shapes(root, {}):
        layer = Image.new("RGBA", picture.size)
        _shape(ImageDraw.Draw(layer), shape, style, scale)
        picture.alpha_composite(layer)
    return picture.resize((size, size), Image.Resampling.BOX)


def shapes(
    element: ElementTree.Element, style: dict[str, str]
) -> list[tuple[ElementTree.Element, dict[str, str]]]:
    """Every shape with its attributes and those of the groups around it."""
    style = style | element.attrib
    if element.tag.rpartition("}")[2] in ("rect", "circle", "path"):
        return [(element, style)]
    return [found for child in element for found in shapes(child, style)]


def _shape(pen: ImageDraw.ImageDraw, shape: ElementTree.Element, style: dict[str, str], scale: float) -> None:
    fill, stroke = (None if style.get(each, "none") == "none" else style[each] for each in ("fill", "stroke"))
    width = float(style.get("stroke-width", 1)) * scale if stroke else 0.0

    def number(name: str) -> float:
        return float(style.get(name, 0)) * scale

    match shape.tag.rpartition("}")[2]:
        case "rect":
            x, y = number("x"), number("y")
            box = (x, y, x + number("width") - 1, y + number("height") - 1)
            pen.rounded_rectangle(box, number("rx"), fill)
        case "circle":
            _circle(pen, (number("cx"), number("cy")), number("r") + width / 2, stroke or fill)
            if stroke:
                _circle(pen, (number("cx"), number("cy")), number("r") - width / 2, fill or (0, 0, 0, 0))
        case _:
            for points in lines(style["d"]):
                scaled = [(x * scale, y * scale) for x, y in points]
                if fill:
                    pen.polygon(scaled, fill)
                if stroke:
                    pen.line(scaled, stroke, round(width))
                    for end in (scaled[0], scaled[-1]):
                        _circle(pen, end, width / 2, stroke)


def _circle(
    pen: ImageDraw.ImageDraw, center: Point, radius: float, fill: str | tuple[int, ...] | None
) -> None:
    x, y = center
    pen.ellipse((x - radius, y - radius, x + radius - 1, y + radius - 1), fill)


def lines(path: str) -> list[list[Point]]:
    """The points of each part of a path of straight lines."""
    found: list[list[Point]] = []
    x = y = 0.0
    for command, text in COMMAND.findall(path):
        values = [float(each) for each in NUMBER.findall(text)]
        vertical, horizontal = command in "Vv", command in "Hh"
        pairs = [(0.0, each) if vertical else (each, 0.0) for each in values]
        if not (vertical or horizontal):
            pairs = list(zip(values[::2], values[1::2], strict=True))
        for dx, dy in pairs:
            if command.islower():
                x, y = x + dx, y + dy
            else:
                x, y = (x if vertical else dx), (y if horizontal else dy)
            if command in "Mm":
                found.append([])
            found[-1].append((x, y))
    return found
