"""The choice where a model opens that is dropped while two models are compared."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from tests.desktop import Desktop
from tests.synthetic import model_bytes
from viewer.scene.choices import CompareMode
from viewer.session.requests import Drop, Exchange, Open


@pytest.fixture
def compared(ctx: Any, tmp_path: Path) -> Any:
    """A desktop that compares a.mdl with b.mdl; c.mdl lies beside them."""
    paths = [tmp_path / f"{letter}.mdl" for letter in "abc"]
    for path in paths:
        path.write_bytes(model_bytes())
    desktop = Desktop(ctx, *paths[:2])
    desktop.state.show(0)
    documents = desktop.state.documents
    documents.comparison = replace(documents.comparison, mode=CompareMode.SIDE, other=str(paths[1]))
    desktop.third = str(paths[2])
    yield desktop
    desktop.close()


def drop(desktop: Any) -> None:
    desktop.app.post(Drop((desktop.third,)))
    desktop.settle()


def names(desktop: Any) -> list[str]:
    return [Path(each.path).name for each in desktop.state.documents.opened]


def test_a_third_model_asks_and_waits(compared: Any) -> None:
    drop(compared)
    assert compared.state.pending_files.dropped == compared.third and names(compared) == ["a.mdl", "b.mdl"]
    compared.press("Escape")
    assert not compared.state.pending_files.dropped and names(compared) == ["a.mdl", "b.mdl"]


@pytest.mark.parametrize(("old", "left"), [(0, ["c.mdl", "b.mdl"]), (1, ["a.mdl", "c.mdl"])])
def test_it_takes_the_place_of_the_chosen_model(compared: Any, old: int, left: list[str]) -> None:
    path = compared.state.documents.opened[old].path
    compared.app.post(Exchange(compared.third, path))
    compared.settle()
    assert names(compared) == left
    compare = compared.state.documents.compared
    assert compare is not None and {compare.path, compared.state.document.path} == {
        each.path for each in compared.state.documents.opened
    }


def test_the_buttons_post_what_they_say(compared: Any, desk: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    from imgui_bundle import imgui

    from viewer.ui.dialogs.dropped_dialog import dropped_dialog

    labels: list[str] = []
    button = imgui.button
    monkeypatch.setattr(imgui, "button", lambda *all: (labels.append(all[0]), button(*all))[1])
    desk.state.documents = compared.state.documents
    desk.state.pending_files.dropped = compared.third
    desk.show(dropped_dialog)
    desk.frames(3)
    assert {"Replace a.mdl###0", "Replace b.mdl###1"} <= {*labels}
    desk.key("ENTER")
    assert desk.posted == [Open((compared.third,))]


def test_without_a_comparison_nothing_is_asked(compared: Any) -> None:
    documents = compared.state.documents
    documents.comparison = replace(documents.comparison, mode=None)
    drop(compared)
    assert names(compared) == ["a.mdl", "b.mdl", "c.mdl"]
