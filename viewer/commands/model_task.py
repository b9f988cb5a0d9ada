"""What a worker process does with one of many models: `render`, `bake` or `export` as for a single one."""

from __future__ import annotations

import os
from typing import Literal, NamedTuple

from msgspec import Struct

from viewer.commands.extraction import TargetFolder
from viewer.commands.one_output import bake_one, export_one, render_one, replaced_line
from viewer.commands.options import Options, Values, export_options
from viewer.commands.output import collected_lines
from viewer.render.standalone import keep_renderer

BatchVerb = Literal["render", "bake", "export"]
"""The verbs that write an output for each of many models."""


class Written(NamedTuple):
    """The exit status that the verb would have for this model alone, and the lines that it would print."""

    status: int
    lines: tuple[str, ...]


class ModelTask(Struct, frozen=True):
    """Writes the output of a model with the values of the verb's options.

    Mesa's software renderer draws with so many `threads`; 0: in the calling thread.
    """

    verb: BatchVerb
    values: Values
    threads: int = 0

    def __call__(self, path: str, files: tuple[str, ...], root: str, name: str) -> Written:
        """Open the files and write the output `name` below the folder `root`, which is made. ViewerError and
        OSError as for the verb.
        """
        os.environ.setdefault("LP_NUM_THREADS", str(self.threads))
        keep_renderer()
        output = TargetFolder(root, force=True).target(name)
        with collected_lines() as lines:
            status = self._write(files, output)
        return Written(status, tuple(line for line in lines if line != replaced_line(output)))

    def _write(self, files: tuple[str, ...], output: str) -> int:
        """The exit status of the verb."""
        if self.verb == "export":
            return export_one(files, *export_options(self.values), output)
        return (render_one if self.verb == "render" else bake_one)(files, Options(**self.values), output)
