"""Small Inter-Quake Models, the files of the sample plugin."""

from __future__ import annotations

import sys

import numpy as np

from tests.plugins import SAMPLE

if str(SAMPLE) not in sys.path:
    sys.path.append(str(SAMPLE))


def models() -> dict[str, bytes]:
    """A figure, the figure without what may be absent, and its animations alone."""
    from tests.plugin_iqm.samples import alone, data  # the path to the plugin is known by now

    still = {"joints": (), "frames": np.empty((0, 0, 10)), "clips": (), "bounds": ()}
    plain = {"adjacency": (), "extensions": (), **still}
    return {"Figure.iqm": data(), "Plain.iqm": data(**plain), "Wave.iqm": alone()}
