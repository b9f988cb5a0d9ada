"""Tasks for worker processes: they do what their path says."""

from __future__ import annotations

import os
import signal
import sys
import time
from pathlib import Path
from typing import Any

from msgspec import Struct

from viewer.errors import GraphicsError
from viewer.family.registry import uses_plugins

done = 0


def obey(path: str, *more: Any) -> Any:
    """What a path with this beginning asks for; else the path itself and what came with it."""
    global done
    done += 1
    word, _, rest = path.partition(":")
    match word:
        case "pid":
            return os.getpid()
        case "count":
            return done
        case "sleep":
            time.sleep(float(rest.partition(":")[0]))
        case "spin":
            while True:  # a computation that never asks for signals has none of Python's steps
                sum(range(10**9))
        case "grow":
            return len(bytearray(int(rest)))
        case "die":
            os.kill(os.getpid(), int(rest))
        case "later":
            return die_if_used()
        case "exit":
            os._exit(int(rest))
        case "print":
            print("noise", flush=True)
            os.write(1, b"noise")
        case "read":
            return sys.stdin.read()
        case "graphics":
            raise GraphicsError("no OpenGL")
        case "wrong":
            raise KeyError(rest)
        case "file":
            return len(Path(rest).read_bytes())
        case "interrupt":
            os.kill(os.getpid(), signal.SIGINT)
        case "closure":
            return lambda: None
        case "nice":
            return os.nice(0)
        case "context":
            return (os.getcwd(), uses_plugins())
        case "hold":
            return hold(Path(rest))
    return (path, *more)


def die_if_used() -> str:
    """End the process unless this is its first file."""
    if done > 1:
        os.kill(os.getpid(), signal.SIGKILL)
    return "alive"


def hold(path: Path) -> None:
    """A file that is there as long as the task is performed; its removal takes a moment."""
    try:
        path.touch()
        time.sleep(60)
    finally:
        time.sleep(0.1)
        path.unlink()


class Longer(Struct, frozen=True):
    """A task with an option."""

    by: str

    def __call__(self, path: str) -> str:
        return path + self.by


class Unknown:
    """A task that a worker cannot import."""

    def __call__(self, path: str) -> str:
        return path

    def __reduce__(self) -> Any:
        return __import__, ("no_such_module",)
