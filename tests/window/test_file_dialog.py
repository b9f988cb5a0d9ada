"""The window's own file dialog with real keys: a path is typed, completed and opened."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

from tests.person import Person
from tests.synthetic import model_bytes

Start = Callable[..., Person]


def test_a_typed_path_is_completed_and_opened(start: Start, tmp_path: Path) -> None:
    folder = tmp_path / "Models"
    folder.mkdir()
    for name in ("Fox.mdl", "Hare.mdl"):
        (folder / name).write_bytes(model_bytes())
    (tmp_path / "settings.json").write_text(json.dumps({"version": 1, "dialogs": "own"}))
    person = start()
    person.waits("the window is empty", lambda f: f.get("documents") == [])
    person.focus("Rigscope")
    person.key("ctrl+o")
    person.waits("the dialog is open", lambda f: "###browser" in f["overlays"])
    person.tool("type", "--delay", "1", f"{tmp_path}/mod")
    person.waits("the folder is offered", lambda f: f["offered"] == ["Models"])
    person.key("Tab")
    person.waits("its files are offered", lambda f: f["offered"] == ["Fox.mdl", "Hare.mdl"])
    person.tool("type", "--delay", "1", "ha")
    person.key("Tab", "Return")
    person.waits("it is open", lambda f: f["documents"] == [str(folder / "Hare.mdl")] and not f["overlays"])
    person.leaves()
