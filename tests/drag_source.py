"""A program that drags files over a window by XDND, as file managers do: `python drag_source.py WINDOW`.

Each line of its input is a step: `enter TYPES` (the number of types of data that it offers), `position X Y`,
`leave`, `drop PATH`, or `close`, which asks the window to close as its cross does. It answers each step with
a line.
"""

from __future__ import annotations

import sys
import time
from ctypes import POINTER, byref, cast, create_string_buffer
from pathlib import Path
from typing import Any

from pyglet.libs.x11 import xlib as typed

xlib: Any = typed
XA_ATOM, PROP_MODE_REPLACE, SECONDS = 4, 0, 60.0


class DragSource:
    """A source with a window of its own, and the `target` window."""

    def __init__(self, target: int) -> None:
        self.display = xlib.XOpenDisplay(None)
        root = xlib.XDefaultRootWindow(self.display)
        self.window = xlib.XCreateSimpleWindow(self.display, root, 0, 0, 1, 1, 0, 0, 0)
        self.root, self.target = root, target

    def atom(self, name: str) -> int:
        return int(xlib.XInternAtom(self.display, name.encode(), False))

    def send(self, name: str, *data: int) -> None:
        self.post(name, self.window, *data)

    def post(self, name: str, *data: int) -> None:
        event = xlib.XEvent()
        event.xclient.type = xlib.ClientMessage
        event.xclient.display = cast(self.display, POINTER(xlib.Display))
        event.xclient.window = self.target
        event.xclient.message_type = self.atom(name)
        event.xclient.format = 32
        for number, value in enumerate(data):
            event.xclient.data.l[number] = value
        xlib.XSendEvent(self.display, self.target, False, xlib.NoEventMask, byref(event))
        xlib.XSync(self.display, False)

    def enter(self, count: int) -> None:
        """Offer `count` types of data; the list of files is the last of them."""
        types = [self.atom(f"application/x-{number}") for number in range(count - 1)]
        types.append(self.atom("text/uri-list"))
        many = count > 3
        if many:
            values = (xlib.Atom * count)(*types)
            data = cast(values, POINTER(xlib.c_ubyte))
            name = self.atom("XdndTypeList")
            xlib.XChangeProperty(self.display, self.window, name, XA_ATOM, 32, PROP_MODE_REPLACE, data, count)
        self.send("XdndEnter", 5 << 24 | many, *([] if many else types))

    def position(self, x: int, y: int) -> None:
        self.send("XdndPosition", 0, x << 16 | y, 0, self.atom("XdndActionCopy"))

    def drop(self, path: str) -> None:
        """Drop a file, and hand its address to the target."""
        selection = self.atom("XdndSelection")
        xlib.XSetSelectionOwner(self.display, selection, self.window, 0)
        self.send("XdndDrop", 0, 0)
        event, end = xlib.XEvent(), time.monotonic() + SECONDS
        while not xlib.XCheckTypedEvent(self.display, xlib.SelectionRequest, byref(event)):
            assert time.monotonic() < end, "the target asks for no data"
            time.sleep(0.01)
        asked, uri = event.xselectionrequest, f"{Path(path).as_uri()}\r\n".encode()
        data = cast(create_string_buffer(uri), POINTER(xlib.c_ubyte))
        xlib.XChangeProperty(
            self.display, asked.requestor, asked.property, asked.target, 8, PROP_MODE_REPLACE, data, len(uri)
        )
        answer = xlib.XEvent()
        answer.xselection.type = xlib.SelectionNotify
        answer.xselection.requestor, answer.xselection.selection = asked.requestor, asked.selection
        answer.xselection.target, answer.xselection.property = asked.target, asked.property
        xlib.XSendEvent(self.display, asked.requestor, False, xlib.NoEventMask, byref(answer))
        xlib.XSync(self.display, False)


def main() -> None:
    source = DragSource(int(sys.argv[1]))
    for line in sys.stdin:
        name, *words = line.split()
        if name == "enter":
            source.enter(int(words[0]))
        elif name == "position":
            source.position(int(words[0]), int(words[1]))
        elif name == "drop":
            source.drop(words[0])
        elif name == "close":
            source.post("WM_PROTOCOLS", source.atom("WM_DELETE_WINDOW"))
        else:
            source.send(words[0] if words else "XdndLeave")
        print("done", flush=True)


if __name__ == "__main__":
    main()
