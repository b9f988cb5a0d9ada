"""Work beside the frames: the one way to do something while the window goes on.

`Tasks.submit` runs a function in a thread, `Tasks.spread` runs a generator in parts of frames,
`Tasks.next_frame` fetches what the GPU was asked for, and `Tasks.step` delivers what is finished between two
frames. A task with the key of an unfinished task replaces it; tasks of one lane run one after the other.
`Tasks.pause` is the wake-up time of the frame loop.

Other threads: watchdog's observers (`app/watch`), the film encoder (`export/film/encoder`, which works
without a window), and those that serve the worker processes (`library/workers`).
"""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable, Generator, Hashable
from heapq import heappop, heappush
from typing import Any

from viewer.arrays import damaged_numbers
from viewer.errors import CancelledError
from viewer.storage.reading import cancelled_by

PROGRESS_INTERVAL = 0.1
"""Seconds between two frames while tasks run: the interval at which their progress shows."""
YIELD, SHARE = 0.004, 0.2
"""Seconds of a frame that belong to the threads, at least, and as a share of the time between two frames.
Where a processor draws, frames take all the time, and a thread waits for the interpreter whenever it opened a
file.
"""
LONGEST_FRAME = 0.25
"""Seconds between two frames that count for their share: the window may have slept since."""
BUDGET = 0.012
"""Seconds of a frame for tasks that run in frames; the rest is left to the next frame."""
THREAD = "task"
"""The name of the threads."""
WAITING = ("waiting", None)

Work = Callable[["Task"], Any]
Then = Callable[["Task"], None]
Steps = Generator[float, None, None]


class Task:
    """Work under way. When `done`, it has a `value`, or the `error` that says why there is none.

    `progress` is the present step and its share (0 to 1; None if unknown).
    """

    def __init__(self, key: Hashable, lane: Hashable, work: Work | None, then: Then | None) -> None:
        self.key, self.lane = key, lane
        self.progress: tuple[str, float | None] = WAITING
        self.value: Any = None
        self.error = ""
        self.done = self.cancelled = False
        self._work, self._then = work, then
        self._ended = threading.Event()

    def report(self, step: str, share: float | None = None) -> None:
        """Set the progress, and let the frames go on; for the work, which a CancelledError ends if it is
        cancelled.
        """
        if self.cancelled:
            raise CancelledError("cancelled")
        self.progress = step, share
        time.sleep(0)

    def wait(self, seconds: float | None = None) -> bool:
        """Wait at most `seconds` (None: as long as needed) for the end of the work; return whether it has
        ended.
        """
        return self._ended.wait(seconds)

    def run(self) -> None:
        """Do the work, in its thread. Every exception becomes the `error`."""
        assert self._work is not None, "run once"
        try:
            with damaged_numbers(), cancelled_by(lambda: self.cancelled):
                self.value = self._work(self)
        except Exception as error:  # the window survives the files that it shows
            self.error = str(getattr(error, "strerror", None) or error) or type(error).__name__

    def finish(self) -> None:
        """End the work, of which nothing is kept but the value."""
        self._work = None
        self.done = not self.cancelled
        self._ended.set()

    def deliver(self) -> None:
        """Give the task to its receiver."""
        if self._then is not None:
            self._then(self)


class _Lane:
    """The tasks that wait for the thread of a lane, by priority and age, and the one that it runs."""

    def __init__(self) -> None:
        self.waiting: list[tuple[int, int, Task]] = []
        self.running: Task | None = None


class Tasks:
    """All work of a window beside its frames. Its methods are called in the thread of the frames.

    `request_frame` asks for a frame, from any thread: it is called when `step` has something to deliver.
    """

    def __init__(self, request_frame: Callable[[], None] = lambda: None) -> None:
        self.request_frame = request_frame
        self._lock = threading.Lock()
        self._unfinished: dict[Hashable, Task] = {}
        self._lanes: dict[Hashable, _Lane] = {}
        self._done: deque[Task] = deque()
        self._spread: deque[tuple[Task, Steps]] = deque()
        self._news = threading.Event()
        self._count = 0
        self._due: float | None = None
        self._stepped = time.perf_counter()

    def submit(
        self, key: Hashable, work: Work, then: Then | None = None, lane: Hashable = None, priority: int = 0
    ) -> Task:
        """Run `work(task)` in a thread, and give the finished task to `then` between two frames.

        Tasks of a `lane` run one after the other: the lowest `priority` first, then the oldest. A task
        without a lane has a thread of its own.
        """
        task = self._new(key, ("key", key) if lane is None else lane, work, then)
        self._count += 1
        with self._lock:
            begins = task.lane not in self._lanes
            heappush(self._lanes.setdefault(task.lane, _Lane()).waiting, (priority, self._count, task))
        if begins:
            self._begin(task.lane)
        return task

    def spread(self, key: Hashable, step: str, steps: Steps, then: Then | None = None) -> Task:
        """Run a generator in parts of frames, after those before it; it yields the share that is done. `step`
        is its name in the progress.

        A share that comes twice leaves the rest of the frame free, because the next part is long. A cancelled
        generator is closed.
        """
        task = self._new(key, None, None, then)
        task.progress = step, 0.0
        self._spread.append((task, steps))
        return task

    def next_frame(self, key: Hashable, then: Then) -> Task:
        """Call `then` at the next step, for what the GPU finishes with the present frame."""
        task = self._new(key, None, None, then)
        task.finish()
        self._done.append(task)
        return task

    def cancel(self, task: Task) -> None:
        """Deliver nothing of a task. If it is running, another thread takes over its lane: its thread ends at
        the next report, or file that it opens.
        """
        if self._unfinished.get(task.key) is task:
            del self._unfinished[task.key]
        with self._lock:
            task.cancelled = True
            lane = self._lanes.get(task.lane)
            running = lane is not None and lane.running is task
            if lane is not None and running:
                lane.running = None
                if not lane.waiting:
                    del self._lanes[task.lane]
                    lane = None
        if not running:
            task.finish()
        elif lane is not None:
            self._begin(task.lane)
        for spread in [each for each in self._spread if each[0] is task]:
            self._spread.remove(spread)
            spread[1].close()

    @property
    def busy(self) -> bool:
        """Whether tasks are not delivered yet."""
        return bool(self._unfinished)

    @property
    def pause(self) -> float | None:
        """Seconds until the next frame is due: 0 if there is something to deliver or to go on with; None: not
        before an event.
        """
        if self._done or self._spread:
            return 0.0
        due = None if self._due is None else max(self._due - time.perf_counter(), 0.0)
        if self.busy:
            return PROGRESS_INTERVAL if due is None else min(due, PROGRESS_INTERVAL)
        return due

    def request_frame_in(self, seconds: float) -> None:
        """Ask for a frame in `seconds` at the latest; the next frame cancels it."""
        due = time.perf_counter() + seconds
        self._due = due if self._due is None else min(self._due, due)

    def wait(self, seconds: float) -> None:
        """Wait at most `seconds` until another task is finished; not while tasks go on in frames."""
        if not self._spread:
            self._news.wait(seconds)
            self._news.clear()

    def step(self) -> None:
        """Call once a frame: leave time to the threads, deliver results, continue tasks in frames."""
        self._due = None
        if not self._done and len(self._unfinished) > len(self._spread):
            passed = min(time.perf_counter() - self._stepped, LONGEST_FRAME)
            self.wait(max(YIELD, SHARE * passed))
        self.deliver()
        self._go_on()
        self._stepped = time.perf_counter()

    def deliver(self) -> None:
        """Give the finished tasks to their receivers."""
        while self._done:
            task = self._done.popleft()
            if not task.cancelled:
                del self._unfinished[task.key]
                task.deliver()

    def close(self) -> None:
        """Cancel everything, without waiting for the threads."""
        for task in reversed([*self._unfinished.values()]):
            self.cancel(task)

    def _new(self, key: Hashable, lane: Hashable, work: Work | None, then: Then | None) -> Task:
        if key in self._unfinished:
            self.cancel(self._unfinished[key])
        task = self._unfinished[key] = Task(key, lane, work, then)
        return task

    def _go_on(self) -> None:
        """Continue the tasks in frames for a part of the frame."""
        end = time.perf_counter() + BUDGET
        while self._spread and time.perf_counter() < end:
            task, steps = self._spread[0]
            share = next(steps, None)
            if share is None:
                self._spread.popleft()
                task.finish()
                del self._unfinished[task.key]
                task.deliver()
            elif share == task.progress[1]:
                return
            else:
                task.progress = task.progress[0], share

    def _begin(self, lane: Hashable) -> None:
        """Start a thread for a lane, which ends with its last task."""
        threading.Thread(target=self._run, args=(lane,), name=THREAD, daemon=True).start()

    def _run(self, lane: Hashable) -> None:
        """In a thread: do the tasks of a lane, until it is empty or the running one is cancelled."""
        while (task := self._next(lane)) is not None:
            task.run()
            with self._lock:
                task.finish()
                if task.cancelled:
                    return
                self._lanes[lane].running = None
                self._done.append(task)
            del task  # its receiver alone holds the value
            self._news.set()
            self.request_frame()

    def _next(self, name: Hashable) -> Task | None:
        """The next task of a lane, which is running now; None, and no lane, after the last one."""
        with self._lock:
            lane = self._lanes[name]
            while lane.waiting:
                task = heappop(lane.waiting)[2]
                if not task.cancelled:
                    lane.running = task
                    return task
            del self._lanes[name]
            return None
