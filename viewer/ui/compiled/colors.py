"""The colours of a disassembly and of a register map. Texts in these colours are legible in the dark and in
the light theme.
"""

from __future__ import annotations

from viewer.arrays import Rgb
from viewer.scene.shader import PieceKind
from viewer.ui.kit.theme import ACCENT, FAINT, TEXT, Color, ThemeColors

VIOLET, TEAL, ORANGE, GREEN, ROSE = range(5)
DARK: tuple[Rgb, ...] = (
    (0.76, 0.64, 0.98),
    (0.40, 0.82, 0.78),
    (0.95, 0.70, 0.42),
    (0.60, 0.83, 0.50),
    (0.96, 0.58, 0.72),
)
LIGHT: tuple[Rgb, ...] = (
    (0.42, 0.22, 0.72),
    (0.00, 0.42, 0.42),
    (0.62, 0.30, 0.00),
    (0.16, 0.42, 0.08),
    (0.68, 0.12, 0.36),
)
MARKS: dict[PieceKind, ThemeColors | int] = {
    PieceKind.OPCODE: ACCENT,
    PieceKind.FLOW: VIOLET,
    PieceKind.DECLARATION: ROSE,
    PieceKind.REGISTER: TEXT,
    PieceKind.SWIZZLE: TEAL,
    PieceKind.MODIFIER: ORANGE,
    PieceKind.NUMBER: GREEN,
    PieceKind.COMMENT: FAINT,
    PieceKind.PLAIN: FAINT,
}


def marked(mark: PieceKind, light: bool) -> Color:
    """The colour of a piece of a disassembly line."""
    found = MARKS[mark]
    return found if isinstance(found, ThemeColors) else _hues(light)[found]


def owner(number: int, light: bool) -> Color:
    """The colour of a parameter in the register map; consecutive numbers have different colours."""
    index = number % (len(DARK) + 1)
    return _hues(light)[index - 1] if index else ACCENT


def _hues(light: bool) -> tuple[Rgb, ...]:
    return LIGHT if light else DARK
