"""Type names that all packages use, and the numpy error settings for arithmetic on a file's numbers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np

    Array = np.ndarray[Any, Any]
    """A numpy array. Docstrings state its shape and element type, for example `[V, 3] f32`."""
else:

    def __getattr__(name: str) -> Any:
        """Create `Array` at its first use, because most modules need it only in annotations, and should not
        import numpy for that.
        """
        if name != "Array":
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        import numpy as np

        return np.ndarray[Any, Any]


Size = tuple[int, int]
"""Width and height in pixels."""
Color = tuple[float, float, float, float]
"""Red, green, blue and alpha, each from 0 to 1."""
Rgb = tuple[float, float, float]


def ranks(keys: Sequence[Any]) -> Array:
    """The places [N] i8 of N keys in their ascending order; equal keys keep theirs."""
    import numpy as np

    found = np.empty(len(keys), np.int64)
    found[sorted(range(len(keys)), key=keys.__getitem__)] = np.arange(len(keys))
    return found


def damaged_numbers() -> np.errstate:
    """Return a context manager, also usable as a decorator, for arithmetic on a file's numbers, which may
    be damaged.

    Inside it an overflow gives infinity, an invalid operation gives NaN, and numpy does not warn. The
    program enters the context where work begins: in a frame, a background task, a worker, and in the
    functions that read, check, compare, draw and export a document. Functions that are only called inside
    the context do not enter it again.
    """
    import numpy as np

    return np.errstate(all="ignore")
