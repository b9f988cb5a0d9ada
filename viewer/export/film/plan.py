"""The plan of a film: its frames, their times, what is drawn in them, and the file that they go to.

The verb `render` and the recordings of the window make their films by it. A single picture is a film of one
frame.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msgspec import Struct
from msgspec.structs import replace

from viewer.arrays import Size
from viewer.export.film.film import Film, is_sequence, usable_size
from viewer.view.film_length import length, loop_frames
from viewer.view.view_snapshot import ViewSnapshot


class FilmPlan(Struct, frozen=True, eq=False):
    """A film that can be drawn and written.

    Frame `number` of `numbers` shows the time `start` + `number` / `pace` of the clock, in seconds. `views`
    are what is drawn: one model, or the models of a comparison. In a `seamless` film their particles repeat
    with the loop. For `path`, `size`, `fps` and `alpha` see `Film`.
    """

    path: str
    size: Size
    fps: float
    alpha: bool
    numbers: range
    start: float
    pace: float
    views: tuple[ViewSnapshot, ...]
    seamless: bool

    @property
    def times(self) -> list[float]:
        """The time of each frame in seconds of the clock."""
        return [self.start + number / self.pace for number in self.numbers]

    @property
    def seams(self) -> list[str]:
        """Lines about what still jumps at the end of a seamless film."""
        if not self.seamless:
            return []
        # imported late, because few films are seamless
        from viewer.animation.effects.approximations import seams

        return [
            line
            for view in self.views
            for line in seams(
                view.model,
                view.playback.layers(view.playback.clock.time),
                view.display.effects.period,
            )
        ]

    def open(self) -> Film:
        """Begin to write the film; see `Film` for errors."""
        return Film(self.path, self.size, self.fps, first=self.numbers.start, alpha=self.alpha)


def plan_film(
    views: Iterable[ViewSnapshot],
    leader: ViewSnapshot,
    path: str,
    size: Size,
    *,
    fps: float,
    start: float,
    frames: tuple[int, int] | None = None,
    turntable: bool = False,
    seamless: bool = False,
    alpha: bool = False,
) -> FilmPlan:
    """Plan a film to `path`, or a picture if `path` can take only one.

    `frames` are the numbers of the first and the last frame; with None, the film is one loop of `leader`, and
    without frames if nothing moves there. The frames of a whole `seamless` loop are spread evenly over it. If
    the format requires even sides, an odd side of `size` grows by one pixel.
    """
    numbers, pace = range(1), fps
    if is_sequence(path):
        numbers = range(frames[0], frames[1] + 1) if frames else loop_frames(length(leader, turntable), fps)
    if seamless and numbers:
        pace = fps if frames else len(numbers) / _period(leader, turntable, numbers, fps)
        views = [_endless(view, _period(view, turntable, numbers, fps)) for view in views]
    return FilmPlan(path, usable_size(path, size), fps, alpha, numbers, start, pace, tuple(views), seamless)


def _period(view: ViewSnapshot, turntable: bool, numbers: Sequence[int], fps: float) -> float:
    """The duration in seconds of a loop. If nothing moves, the whole film counts as the loop."""
    return length(view, turntable) or len(numbers) / fps


def _endless(view: ViewSnapshot, period: float) -> ViewSnapshot:
    """The view with particles that repeat after `period` seconds."""
    display = view.display.copied()
    display.effects = replace(display.effects, period=period, cold=False)
    return replace(view, display=display)
