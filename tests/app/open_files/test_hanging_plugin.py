"""A plugin that does not end, in the window."""

from __future__ import annotations

import builtins
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.app.conftest import Make, until
from tests.conftest import ROOT
from tests.plugins import POINTS, installed, points_bytes, write_plugin
from viewer.app.open_files import manager
from viewer.session.requests import Open

HANGS = POINTS + (
    "\nimport builtins\n"
    "def hanging(file):\n    builtins.made_started.set()\n    builtins.made_gate.wait(60)\n"
    "FAMILY = Family('Points', (Format('Points', ('.pts3',), probe, hanging),))"
)


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> Iterator[threading.Event]:
    """Set when the plugin reads a file; the plugin does not end before the window has ended."""
    started, gate = threading.Event(), threading.Event()
    monkeypatch.setattr(builtins, "made_started", started, raising=False)
    monkeypatch.setattr(builtins, "made_gate", gate, raising=False)
    yield started
    gate.set()


def test_neither_window_nor_end_waits_for_it(
    started: threading.Event, make: Make, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(manager, "PLUGIN_SECONDS", 0.1)
    path = tmp_path / "three.pts3"
    path.write_bytes(points_bytes())
    with installed(write_plugin(tmp_path / "site", {"pts3": "made_points:FAMILY"}, HANGS)):
        app = make()
        app.post(Open((str(path),)))
        until(app, lambda state: started.is_set())
        app.post(Open((str(ROOT / "assets/urho3d/Models/Beacon.mdl"),)))
        until(app, lambda state: state.document is not None)
        assert app.state.document is not None and app.state.document.format == "Urho3D model"
        assert any("the plugin made-points takes longer than" in each.text for each in app.state.messages)
        monkeypatch.setattr(manager, "PLUGIN_SECONDS", 60.0)
        app.post(Open((str(path),)))
        until(app, lambda state: app.loading)
