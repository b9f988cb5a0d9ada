"""Names for types that every room uses, and arithmetic on the numbers of files."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np

    Array = np.ndarray[Any, Any]
    """An array whose shape and element type the docstring says, such as `[V, 3] f32`."""
else:

    def __getattr__(name: str) -> Any:
        """Make `Array` at its first use: rooms that only name it do not import numpy."""
        if name != "Array":
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        import numpy as np

        return np.ndarray[Any, Any]


Size = tuple[int, int]
"""Width and height in pixels."""
Color = tuple[float, float, float, float]
"""Red, green, blue and alpha, 0 to 1."""


def damaged_numbers() -> np.errstate:
    """The scope of arithmetic on a file's numbers, which may be any; usable as a decorator.

    An overflow gives infinity, an invalid operation NaN, and numpy does not warn. Entered where work
    begins: a frame, a task beside the frame, a worker, and the functions that read, check, compare,
    draw and export a document. Code below them needs no scope of its own.
    """
    import numpy as np

    return np.errstate(all="ignore")
