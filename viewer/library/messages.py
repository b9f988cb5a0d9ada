"""Messages between a program and its worker processes: pickled values with their length, through a pipe."""

from __future__ import annotations

import pickle
from enum import IntEnum
from typing import IO, Any, NamedTuple

LENGTH = 8
"""Bytes of the length in front of a message."""
GRACE = 0.5
"""Seconds in which a task may close its `with` blocks after its process was asked to end."""


class Surroundings(NamedTuple):
    """What a file means depends on these: the current folder, the size in bytes of the largest file that is
    opened (None: the default), and the resource folders.
    """

    folder: str | None
    largest: int | None
    resources: tuple[str, ...]


class Setup(NamedTuple):
    """The first message to a worker: where it imports from, its limits and its surroundings.

    `seconds` for one file, None for no limit; `memory` in bytes; `nice` lowers its priority.
    """

    sys_path: tuple[str, ...]
    seconds: float | None
    memory: int
    nice: int
    surroundings: Surroundings


class Answer(IntEnum):
    """What a message of a worker says; the value of the message follows."""

    READY = 0
    DONE = 1
    FAILED = 2
    """Followed by the text of the error and the name of its class."""
    MEMORY = 3
    """The memory does not suffice, the worker ends."""
    UNABLE = 4
    """The task cannot be imported, the worker ends."""


def send(stream: IO[bytes], message: bytes) -> None:
    """Write one message; OSError if the other side is gone."""
    stream.write(len(message).to_bytes(LENGTH, "little") + message)
    stream.flush()


def receive(stream: IO[bytes]) -> bytes | None:
    """The next message; None at the end."""
    head = stream.read(LENGTH)
    if len(head) < LENGTH:
        return None
    size = int.from_bytes(head, "little")
    message = stream.read(size)
    return message if len(message) == size else None


def pickled(value: Any) -> bytes:
    """A value as a message."""
    return pickle.dumps(value, pickle.HIGHEST_PROTOCOL)
