"""Background tasks. All work of a window outside its frames runs as a `Task`.

`Tasks.submit` runs a function in a thread. `Tasks.spread` runs a generator in parts during frames.
`Tasks.next_frame` fetches results of the GPU. `Tasks.step` delivers finished tasks between two frames. A new
task cancels an unfinished task with the same key. Tasks of the same lane run one after the other.
`Tasks.pause` is the time after which the frame loop has to draw the next frame.

Four modules start other threads. `app/watch` compares files, `export/film/encoder` also encodes without a
window, `gpu/driver` loads OpenGL before tasks are imported, and `library/workers` has worker processes.
"""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable, Generator, Hashable
from heapq import heappop, heappush
from typing import Any

from viewer.arrays import damaged_numbers
from viewer.errors import CancelledError, words_of
from viewer.storage.reading import cancelled_by

PROGRESS_INTERVAL = 0.1
"""Seconds between two frames while tasks run, because the window shows their progress."""
YIELD, SHARE = 0.004, 0.2
"""In each frame the threads run for SHARE of the time since the last frame, but for at least YIELD seconds.
Otherwise drawing with a software renderer would use all the time, and a thread that opens a file would hardly
run.
"""
URGENT = 0.03
"""The longest time in seconds that a frame waits for an urgent task. Frames leave little time to threads:
without this wait a user who drags a slider would see the result several frames later.
"""
LONGEST_FRAME = 0.25
"""SHARE is applied to at most this time in seconds since the last frame. If the time is longer, the window
was idle.
"""
BUDGET = 0.012
"""Seconds per frame for the generators of `Tasks.spread`. Unfinished generators continue in the next frame.
"""
THREAD = "task"
"""The name of the task threads."""
WAITING = ("waiting", None)

Work = Callable[["Task"], Any]
Then = Callable[["Task"], None]
Steps = Generator[float, None, None]


class Task:
    """A background task. When it is `done`, it has a `value` or an `error` text. `thread` identifies its
    thread; it is 0 before the task runs.

    `progress` is the name of the current step and its finished share, 0 to 1; the share is None if unknown.
    """

    def __init__(self, key: Hashable, lane: Hashable, work: Work | None, then: Then | None) -> None:
        self.key, self.lane = key, lane
        self.urgent = self.first = False
        self.progress: tuple[str, float | None] = WAITING
        self.value: Any = None
        self.error = ""
        self.thread = 0
        self.done = self.cancelled = False
        self._work, self._then = work, then
        self._ended = threading.Event()

    def report(self, step: str, share: float | None = None) -> None:
        """Set the progress and let a frame run.

        The task's own work calls this method. CancelledError if the task is cancelled.
        """
        if self.cancelled:
            raise CancelledError("cancelled")
        self.progress = step, share
        time.sleep(0)

    def wait(self, seconds: float | None = None) -> bool:
        """Wait at most `seconds` (None: no limit) for the end of the task; return whether it has ended."""
        return self._ended.wait(seconds)

    def run(self) -> None:
        """Run the work in its thread. Every exception becomes the `error`."""
        assert self._work is not None, "a task runs only once"
        self.thread = threading.get_ident()
        try:
            with damaged_numbers(), cancelled_by(lambda: self.cancelled):
                self.value = self._work(self)
        except Exception as error:  # an error of a task must not end the program
            self.error = words_of(error) or type(error).__name__

    def finish(self) -> None:
        """End the task and free everything except its value."""
        self._work = None
        self.done = not self.cancelled
        self._ended.set()

    def deliver(self) -> None:
        """Call the task's receiver `then` with the task."""
        if self._then is not None:
            self._then(self)


class _Lane:
    """The waiting tasks of a lane, sorted by priority and age, and the running task."""

    def __init__(self) -> None:
        self.waiting: list[tuple[int, int, Task]] = []
        self.running: Task | None = None


class Tasks:
    """All background tasks of a window. Call its methods in the thread of the frames.

    `request_frame` is called, from any thread, when `step` has results to deliver; it must cause a frame.
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
        self,
        key: Hashable,
        work: Work,
        then: Then | None = None,
        lane: Hashable = None,
        priority: int = 0,
        urgent: bool = False,
    ) -> Task:
        """Run `work(task)` in a thread and pass the finished task to `then` between two frames.

        Tasks of a `lane` run one after the other: the lowest `priority` first, then the oldest. A task
        without a lane has its own thread. Frames wait up to `URGENT` seconds for an `urgent` task.
        """
        task = self._new(key, ("key", key) if lane is None else lane, work, then)
        task.urgent = urgent
        self._count += 1
        with self._lock:
            begins = task.lane not in self._lanes
            heappush(self._lanes.setdefault(task.lane, _Lane()).waiting, (priority, self._count, task))
        if begins:
            self._begin(task.lane)
        return task

    def spread(
        self, key: Hashable, step: str, steps: Steps, then: Then | None = None, first: bool = False
    ) -> Task:
        """Run a generator in parts during frames, after the generators that were added before. The generators
        that are `first` run before the others.

        The generator yields its finished share, 0 to 1. A generator whose next part takes long yields the
        same share twice: it then continues in the next frame. `step` is the name of the task in the progress
        display. A cancelled generator is closed.
        """
        task = self._new(key, None, None, then)
        task.progress = step, 0.0
        task.first = first
        after = sum(each.first for each, _ in self._spread) if first else len(self._spread)
        self._spread.insert(after, (task, steps))
        return task

    def next_frame(self, key: Hashable, then: Then) -> Task:
        """Call `then` at the next step, when the GPU has finished the present frame and its results can be
        read.
        """
        task = self._new(key, None, None, then)
        task.finish()
        self._done.append(task)
        return task

    def cancel(self, task: Task) -> None:
        """Discard a task.

        If the task is running, a new thread continues its lane. The thread of the cancelled task ends when
        the task next reports progress or opens a file.
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
        """Whether a task is unfinished or its result is not delivered yet."""
        return bool(self._unfinished)

    @property
    def pause(self) -> float | None:
        """Seconds until the next frame is due; None if no frame is due without an event.

        The value is 0 if a task is finished or a generator runs during frames.
        """
        if self._done or self._spread:
            return 0.0
        due = None if self._due is None else max(self._due - time.perf_counter(), 0.0)
        if self.busy:
            return PROGRESS_INTERVAL if due is None else min(due, PROGRESS_INTERVAL)
        return due

    def request_frame_in(self, seconds: float) -> None:
        """Request a frame in at most `seconds`. Any earlier frame fulfils the request."""
        due = time.perf_counter() + seconds
        self._due = due if self._due is None else min(self._due, due)

    def wait(self, seconds: float) -> None:
        """Wait at most `seconds` until a further task finishes.

        Return at once if a generator runs during frames.
        """
        if not self._spread:
            self._news.wait(seconds)
            self._news.clear()

    def step(self) -> None:
        """Let the threads run for a moment, deliver results and continue the generators.

        Call this method once a frame.
        """
        self._due = None
        if not self._done and len(self._unfinished) > len(self._spread):
            passed = min(time.perf_counter() - self._stepped, LONGEST_FRAME)
            urgent = any(task.urgent for task in self._unfinished.values())
            self.wait(max(YIELD, SHARE * passed, URGENT if urgent else 0.0))
        self.deliver()
        self._go_on()
        self._stepped = time.perf_counter()

    def deliver(self) -> None:
        """Pass the finished tasks to their receivers."""
        while self._done:
            task = self._done.popleft()
            if not task.cancelled:
                del self._unfinished[task.key]
                task.deliver()

    def close(self) -> None:
        """Cancel all tasks without waiting for the threads."""
        for task in reversed([*self._unfinished.values()]):
            self.cancel(task)

    def _new(self, key: Hashable, lane: Hashable, work: Work | None, then: Then | None) -> Task:
        if key in self._unfinished:
            self.cancel(self._unfinished[key])
        task = self._unfinished[key] = Task(key, lane, work, then)
        return task

    def _go_on(self) -> None:
        """Run the generators of `spread` for `BUDGET` seconds."""
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
        """Start a thread for a lane; it ends with the lane's last task."""
        threading.Thread(target=self._run, args=(lane,), name=THREAD, daemon=True).start()

    def _run(self, lane: Hashable) -> None:
        """Run the tasks of a lane in its thread, until the lane is empty or the running task is cancelled."""
        while (task := self._next(lane)) is not None:
            task.run()
            with self._lock:
                task.finish()
                if task.cancelled:
                    return
                self._lanes[lane].running = None
                self._done.append(task)
            del task  # drop the reference, so that the receiver alone keeps the value
            self._news.set()
            self.request_frame()

    def _next(self, name: Hashable) -> Task | None:
        """Return the lane's next task and mark it as running.

        After the last task return None and remove the lane.
        """
        with self._lock:
            lane = self._lanes[name]
            while lane.waiting:
                task = heappop(lane.waiting)[2]
                if not task.cancelled:
                    lane.running = task
                    return task
            del self._lanes[name]
            return None
