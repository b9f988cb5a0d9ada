"""A folder of models at the real window: the wall, its pictures, and the way back to the view."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from tests.person import Person
from tests.synthetic import model_bytes
from tests.window.test_comparison import choose

Start = Callable[..., Person]


def test_a_model_is_found_on_the_wall_and_opened(start: Start, tmp_path: Path) -> None:
    folder = tmp_path / "models"
    for name in ("Apple.mdl", "Pear.mdl", "more/Zut.mdl"):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(model_bytes())
    person = start(folder, "--samples", 0)
    person.waits("the files are listed", lambda f: f.get("files", {}).get("listed") == 3)
    person.waits("the list is in front", lambda f: f["panels"]["files"])
    person.waits("the first is open", lambda f: f["documents"] == [str(folder / "Apple.mdl")])
    person.focus("Apple.mdl")
    person.key("ctrl+b")
    person.waits("the pictures are drawn", lambda f: f["files"]["wall"] and f["files"]["drawn"] == 3)
    person.waits("letters go to the query", lambda f: f["files"]["takes_text"])
    for letter in "pear":
        person.key(letter)
    person.waits("one file is found", lambda f: f["files"]["query"] == "pear" and f["files"]["found"] == 1)
    assert not person.facts["overlays"], "letters are no actions here"
    person.key("Return")
    found = str(folder / "Pear.mdl")
    person.waits("it is open", lambda f: f["documents"] == [found] and not f["files"]["wall"])
    person.key("ctrl+b")
    person.waits("the cursor is on it", lambda f: f["files"]["wall"] and f["files"]["cursor"] == found)
    person.key("Escape")
    person.waits("the query is empty", lambda f: f["files"]["query"] == "" and f["files"]["found"] == 3)
    person.key("Escape")
    person.waits("the view is back", lambda f: not f["files"]["wall"] and f["panels"]["files"])
    person.key("Right")
    person.waits("the next is open", lambda f: f["documents"] == [str(folder / "more" / "Zut.mdl")])
    person.leaves()


def test_keys_lead_from_the_find_field_of_the_files_to_a_result(start: Start, tmp_path: Path) -> None:
    folder = tmp_path / "models"
    folder.mkdir()
    paths = [folder / f"{name}.mdl" for name in ("Apple", "Pear", "Pearl")]
    for path in paths:
        path.write_bytes(model_bytes())
    person = start(folder, "--samples", 0)
    person.waits("the first is open", lambda f: f.get("documents") == [str(paths[0])] and not f["loading"])
    person.waits("the list is in front", lambda f: f["panels"]["files"] and f["files"]["listed"] == 3)
    person.focus("Apple.mdl")
    person.key("ctrl+f")
    person.waits("the field is active", lambda f: f["typing"])
    person.tool("type", "pear")
    person.key("Return")
    person.waits("the first match is open", lambda f: f["documents"] == [str(paths[1])] and not f["loading"])
    person.focus("Pear.mdl")
    person.key("ctrl+f")
    person.waits("the field is active", lambda f: f["typing"])
    person.key("Down")
    person.waits("the list has the keys", lambda f: not f["typing"])
    person.key("Down", "Return")
    person.waits("the second match is open", lambda f: f["documents"] == [str(paths[2])])
    person.leaves()


def test_tabs_are_closed_reopened_and_walked_by_keys(start: Start, tmp_path: Path) -> None:
    paths = [tmp_path / f"{name}.mdl" for name in ("Apple", "Pear", "Plum")]
    for path in paths:
        path.write_bytes(model_bytes())
    person = start(*paths, "--samples", 0)
    every = [str(path) for path in paths]
    person.waits("all are open", lambda f: f.get("documents") == every and not f["loading"])
    person.focus("Apple.mdl")
    person.key("ctrl+Tab", "ctrl+Tab")
    person.focus("Plum.mdl")  # the title of the window says so
    person.key("ctrl+Tab")
    person.focus("Apple.mdl")
    person.key("ctrl+shift+Tab")
    person.focus("Plum.mdl")
    assert person.facts["panels"]["outline"], "Tab hides the panels"
    person.key("ctrl+w", "ctrl+w")
    person.waits("two are closed", lambda f: f["documents"] == every[:1])
    person.key("ctrl+shift+t")
    person.waits("one is back", lambda f: f["documents"] == every[:2])
    person.focus("Pear.mdl")
    person.key("ctrl+shift+t")
    person.waits("both are back", lambda f: f["documents"] == every)
    person.focus("Plum.mdl")


def test_export_on_the_wall_writes_the_selected_files(start: Start, tmp_path: Path) -> None:
    folder, out = tmp_path / "models", tmp_path / "out"
    folder.mkdir()
    out.mkdir()
    for name in ("Apple", "Pear", "Plum"):
        (folder / f"{name}.mdl").write_bytes(model_bytes())
    person = start(folder, "--samples", 0)
    person.waits("the files are listed", lambda f: f.get("files", {}).get("listed") == 3 and f["documents"])
    person.focus("Apple.mdl")
    person.key("ctrl+b")
    person.waits("the wall is shown", lambda f: f["files"]["wall"] and f["files"]["takes_text"])
    person.key("End", "shift+Left")
    person.waits("two are selected", lambda f: len(f["files"]["selected"]) == 2)
    person.key("ctrl+e")
    person.waits("the dialog is open", lambda f: f["overlays"])
    person.key("Return")
    person.waits("a folder is asked for", lambda f: f["typing"] and len(f["overlays"]) == 2)
    person.tool("type", "--delay", 10, str(out))
    person.key("Return")
    person.waits(
        "the export has ended",
        lambda f: any(each.startswith("2 files written to ") for each in f["messages"]),
    )
    assert sorted(each.name for each in out.iterdir()) == ["Pear.glb", "Plum.glb"]
    person.leaves()


def test_keys_are_for_the_view_after_the_wall_of_a_file_that_was_opened_alone(
    start: Start, tmp_path: Path
) -> None:
    for name in ("Apple", "Pear"):
        (tmp_path / f"{name}.mdl").write_bytes(model_bytes())
    person = start(tmp_path / "Apple.mdl", "--samples", 0)
    person.waits("it is open", lambda f: f.get("documents") and f["panels"].get("outline"))
    person.focus("Apple.mdl")
    x, y, width, height = person.facts["picture"]
    person.click(x + width - 20, y + height / 2)
    person.key("ctrl+b")
    person.waits("letters go to the query", lambda f: f["files"]["takes_text"] and f["files"]["listed"] == 2)
    person.key("Escape")
    person.waits("the view is back", lambda f: not f["files"]["wall"] and f["panels"]["files"])
    person.key("w")
    person.waits("the key is one of the view", lambda f: f["wireframe"] or f["files"]["query"])
    assert person.facts["files"]["query"] == ""
    person.leaves()


def test_a_listed_file_is_added_to_the_view_and_undone(start: Start, tmp_path: Path) -> None:
    folder = tmp_path / "models"
    folder.mkdir()
    for name in ("Apple", "Pear"):
        (folder / f"{name}.mdl").write_bytes(model_bytes())
    person = start(folder, "--samples", 0)
    apple, pear = str(folder / "Apple.mdl"), str(folder / "Pear.mdl")
    person.waits("the first is open", lambda f: f.get("documents") == [apple] and not f["loading"])
    person.focus("Apple.mdl")
    person.key("ctrl+b")
    person.waits("the wall shows", lambda f: f["files"]["wall"] and f["files"]["drawn"] == 2)
    person.key("End")
    person.waits("the second is chosen", lambda f: f["files"]["cursor"] == pear)
    choose(person, "Add selected files")
    person.waits("it is added", lambda f: f["added"] == [pear] and not f["files"]["wall"])
    assert person.facts["documents"] == [apple]
    person.key("ctrl+z")
    person.waits("it is removed", lambda f: f["added"] == [])
    person.leaves()


def test_models_of_the_command_line_open_together(start: Start, tmp_path: Path) -> None:
    paths = [tmp_path / f"{name}.mdl" for name in ("Apple", "Pear")]
    for path in paths:
        path.write_bytes(model_bytes())
    person = start(*paths, "--together", "--samples", 0)
    person.waits("both are in one tab", lambda f: f.get("added") == [str(paths[1])])
    assert person.facts["documents"] == [str(paths[0])]
    person.focus("Apple.mdl")
    person.leaves()
