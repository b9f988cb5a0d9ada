"""All voices list the same needs and say the same of each: info, JSON, Properties, Problems, badge and
check.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from imgui_bundle import ImVec2

from tests.conftest import ROOT
from tests.fuzzing.samples import samples_of
from tests.labels import drawn_labels
from tests.packages import png
from tests.synthetic import model_bytes
from viewer.check.checking import check
from viewer.commands.info.info import facts
from viewer.errors import ViewerError, printable
from viewer.scene.document import Document
from viewer.scene.needs import faulty, needs_of, summary, unmet
from viewer.scene.texture_images import decode_textures
from viewer.session.state import State
from viewer.storage.documents import open_document
from viewer.ui.needs import shown_needs
from viewer.ui.problems.problem_rows import problem_rows
from viewer.ui.properties import document as page
from viewer.ui.properties.displays import DisplayList
from viewer.ui.view.missing_textures import MissingTexturesBadge

MODELS = (".mdl", ".mesh", ".m2", ".skeleton", ".ani", ".skel")
POINTER = b"version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 12345\n"
Key = tuple[str, str]


def assert_agreement(desk: Any, document: Document, monkeypatch: pytest.MonkeyPatch) -> set[Key]:
    """The needs that the engine does not find, after every voice said the same of them."""
    decode_textures(document)
    needs = needs_of(document, errors=document.unreadable_images)
    flagged = {(need.kind, need.name): need for need in needs if need.rule}
    told = facts(document)
    listed = {(each["kind"], each["name"]): each for each in told["needs"]}
    assert [*listed] == [(need.kind, need.name) for need in needs]
    assert {key for key, each in listed.items() if each["rule"]} == {*flagged}
    assert {key for key, each in listed.items() if each["state"] != "found"} == {
        (need.kind, need.name) for need in unmet(needs)
    }
    found = [each for each in check(document) if each.need]
    assert {each.need for each in found} == {*flagged}
    spoken = [each.need for each in found if each.rule == flagged[each.need].rule]
    assert len(spoken) == len(set(spoken)), "one need is one finding"
    lines = [each["text"] for each in told["messages"]]
    said = faulty(document, needs).values()
    assert all((need.text in lines) != (need in said) for need in flagged.values())
    desk.state = State()
    desk.state.put(document)
    rows = [row for row in problem_rows(desk.state) if row.need is not None]
    assert sorted((row.need.kind, row.need.name) for row in rows) == sorted(flagged)
    texts: list[str] = []
    monkeypatch.setattr(page, "wrapped", lambda text, *more: texts.append(text))
    desk.show(page.DocumentPage(document, DisplayList()))
    shown = [printable(need.fault) for need in flagged.values()][: page.MOST_NEEDS]
    assert [text for text in texts if text in shown][: len(shown)] == shown
    if document.model is not None:
        badge = MissingTexturesBadge()
        desk.show(lambda state, post: badge(state, post, ImVec2(0, 0), ImVec2(4000, 300)) and None)
        assert (summary(unmet(needs)) in drawn_labels(desk)) == bool(unmet(needs))
    assert shown_needs(desk.state, document) == needs
    return {*flagged}


def models_below(folder: Path) -> Iterator[Document]:
    for path in sorted(folder.rglob("*")):
        if path.suffix.lower() in MODELS and path.is_file():
            try:
                yield open_document(path)
            except ViewerError:
                continue


def test_the_voices_agree_on_what_is_there(desk: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    for document in models_below(ROOT / "assets"):
        assert_agreement(desk, document, monkeypatch)


@pytest.mark.parametrize("format", ["mdl", "mesh", "ogre-next", "m2", "skel", "material", "texture"])
def test_the_voices_agree_on_small_files(
    desk: Any, tmp_path: Path, format: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number, sample in enumerate(samples_of(format)):
        folder = tmp_path / str(number)
        folder.mkdir()
        for name, data in {**sample.beside, sample.name: sample.data}.items():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_bytes(data)
        assert_agreement(desk, open_document(folder / sample.entry), monkeypatch)


def test_the_voices_agree_on_what_is_wrong(
    desk: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    names = (
        "here.png",
        "CASE.png",
        "C:\\x\\far.png",
        "pointer.png",
        "empty.png",
        "page.png",
        "cut.png",
        "gone.png",
    )
    units = ("diffuse", "normal", "specular", "emissive", "environment", "5", "6", "7")
    unit = '<texture unit="{}" name="{}"/>'
    text = "".join(unit.format(*pair) for pair in zip(units, names, strict=True))
    files = {
        "here.png": png(),
        "case.png": png(),
        "far.png": png(),
        "pointer.png": POINTER,
        "empty.png": b"",
        "page.png": b"<!DOCTYPE html><title>404</title>",
        "cut.png": png()[:40],
        "M.xml": f"<material>{text}</material>".encode(),
        "Post.txt": b"M.xml",
        "Post.mdl": model_bytes(),
    }
    for name, data in files.items():
        (tmp_path / name).write_bytes(data)
    document = open_document(tmp_path / "Post.mdl")
    states = {need.name: (need.state, need.rule) for need in needs_of(document)}
    assert states["cut.png"] == ("found", ""), "only decoding shows the damage"
    flagged = assert_agreement(desk, document, monkeypatch)
    states = {
        need.name: (need.state, need.rule, need.help)
        for need in needs_of(document, errors=document.unreadable_images)
    }
    assert states == {
        "M.xml": ("found", "", ""),
        "here.png": ("found", "", ""),
        "CASE.png": ("found", "name/case", "lenient"),
        "C:\\x\\far.png": ("found", "name/absolute", "lenient"),
        "pointer.png": ("pointer", "texture/unreadable", ""),
        "empty.png": ("unreadable", "texture/unreadable", ""),
        "page.png": ("unreadable", "texture/unreadable", ""),
        "cut.png": ("unreadable", "texture/unreadable", ""),
        "gone.png": ("missing", "texture/missing", ""),
    }
    assert len(flagged) == 7


@pytest.mark.parametrize("folder", ["urho3d", "ogre", "m2", "needs", "first-sight", "projects", "reports"])
def test_the_voices_agree_on_real_files(
    desk: Any, corpus: Path, folder: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for document in models_below(corpus / folder):
        assert_agreement(desk, document, monkeypatch)
