"""Real clicks, keys and typing in a gallery."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.chromium import Chromium, Page
from tests.gallery_entries import ENTRIES, HOSTILE, PLACE, png
from viewer.library.gallery.writer import GalleryWriter
from viewer.scene.files import FileEntry, FileFacts


def titles(page: Page) -> list[str]:
    return list(page.run("[...document.querySelectorAll('.title')].map(each => each.textContent)"))


def text(page: Page, selector: str) -> str:
    return str(page.run(f"document.querySelector({json.dumps(selector)}).innerText"))


def is_open(page: Page) -> bool:
    return not page.run("document.querySelector('#details').hidden")


def test_typing_finds_and_escape_shows_all_again(page: Page) -> None:
    page.key("/")
    page.type("bones>60")
    assert titles(page) == ["Grunt.mesh"]
    assert text(page, "#count").startswith("1 of 9 files")
    page.key("Escape")
    assert len(titles(page)) == len(ENTRIES)


def test_a_mistake_is_marked_and_the_files_stay(page: Page) -> None:
    page.key("/")
    page.type("orcs (x")
    assert "the bracket is not closed" in text(page, "#mistake")
    assert text(page, "#mistake mark") == "("
    assert titles(page)


def test_numbers_in_names_are_sorted_by_value(page: Page) -> None:
    shown = titles(page)
    assert shown.index("Skin 9.blp") < shown.index("Skin 10.blp")


def test_sorting_by_bones_shows_most_bones_first(page: Page) -> None:
    page.run("document.querySelector('#sort').focus()")
    page.type("b")  # as a list of choices is used by keys
    page.run("document.activeElement.blur()")
    assert titles(page)[:3] == ["Grunt.mesh", "Shaman.mesh", "白骆驼.mesh"]
    page.click("#direction")
    assert titles(page)[-1] == "Grunt.mesh"


def test_arrows_select_enter_opens_and_escape_closes(page: Page) -> None:
    for key in ("End", "ArrowLeft", "ArrowRight", "Home", "ArrowRight", "Enter"):
        page.key(key)
    assert is_open(page)
    assert text(page, "#details h2") == titles(page)[1]
    page.key("ArrowRight")
    assert text(page, "#details h2") == titles(page)[2]
    page.key("Escape")
    assert not is_open(page)


def test_a_click_shows_all_facts(page: Page) -> None:
    page.click('.tile[title="orcs/Grunt.mesh"]')
    said = text(page, "#details")
    counts = ("4,200", "2,500", "61", "2.5 s", "2 × 2 × 1", "244 KB")
    assert [each for each in (*counts, "v1.100", "L.Hand", "orc.tga", "Skin/Orc") if each not in said] == []
    assert f"{PLACE}/orcs/Grunt.mesh" in said


def test_what_is_missing_and_wrong_is_shown(page: Page) -> None:
    page.click('.tile[title="orcs/Shaman.mesh"]')
    assert "texture: robe.dds" in text(page, "#details .box")
    page.click('.tile[title="unread.mdl"]')
    assert "takes longer than 60 s" in text(page, "#details .box.error")


def test_a_name_in_the_details_finds_the_files_that_have_it(page: Page) -> None:
    page.click('.tile[title="orcs/Grunt.mesh"]')
    page.run("[...document.querySelectorAll('.name')].find(each => each.textContent === 'Bip01').id = 'bone'")
    page.run("document.querySelector('#bone').scrollIntoView()")
    page.click("#bone")
    assert titles(page) == ["Grunt.mesh", "Shaman.mesh"]


def test_a_filter_is_a_query(page: Page) -> None:
    page.click('.chip[data-query="has:particles"]')
    assert page.run("document.querySelector('#search').value") == "has:particles"
    assert titles(page) == ["Campfire.m2"]


def test_nothing_found_is_said_and_all_can_be_shown(page: Page) -> None:
    page.key("/")
    page.type("nowhere")
    assert "No file matches" in text(page, ".nothing")
    page.click(".nothing button")
    assert len(titles(page)) == len(ENTRIES)


def test_the_search_is_in_the_address(page: Page) -> None:
    page.key("/")
    page.type("orcs")
    address = page.run("location.href")
    page.key("Escape")
    assert len(titles(page)) == len(ENTRIES)
    page.run(f"location.href = {json.dumps(address)}")
    page.until("document.querySelectorAll('.tile').length == 2")
    assert titles(page) == ["Grunt.mesh", "Shaman.mesh"]


def test_the_keys_are_shown(page: Page) -> None:
    page.key("?")
    assert page.run("document.querySelector('dialog').open")
    assert "search" in text(page, "dialog")
    page.key("Escape")
    assert not page.run("document.querySelector('dialog').open")


# themes and sizes


def ground(page: Page) -> str:
    return str(page.run("getComputedStyle(document.body).backgroundColor"))


def test_the_theme_is_that_of_the_system_until_one_is_chosen(page: Page, gallery: Path) -> None:
    light = ground(page)
    page.prefer("dark")
    page.settle()
    dark = ground(page)
    assert light != dark
    page.click("#theme")  # light
    assert ground(page) == light
    page.load(gallery.as_uri())
    assert ground(page) == light


def test_a_phone_has_no_sideways_scrolling_and_the_details_cover_it(page: Page) -> None:
    page.resize(390, 844)
    page.settle()
    assert page.run("document.documentElement.scrollWidth") == 390
    left = "[...document.querySelectorAll('.tile')].map(each => each.getBoundingClientRect().x)"
    assert len(set(page.run(left))) > 1
    page.click('.tile[title="Campfire.m2"]')
    assert page.run("document.querySelector('#details').getBoundingClientRect().width") == 390
    before = text(page, "#details h2")
    page.click('#details button[title="Next"]')
    assert text(page, "#details h2") != before
    page.click('#details button[title="Close"]')
    assert not is_open(page)


# safety


def test_texts_of_files_stay_texts(page: Page) -> None:
    assert HOSTILE in titles(page)
    page.click(f".tile[title={json.dumps(HOSTILE)}]")
    said = text(page, "#details")
    assert HOSTILE in said and "</script>" in said and "<b>bold</b>" in said
    assert page.run("window.harm") is None


def test_nothing_is_asked_but_the_files_of_the_gallery(page: Page, gallery: Path) -> None:
    page.run("Promise.all([...document.images].map(each => each.decode()))")
    folder = gallery.parent.as_uri()
    assert any(address.endswith(".png") for address in page.requests)
    assert {address.startswith((folder, "about:")) for address in page.requests} == {True}


# many files


@pytest.fixture(scope="module")
def crowd(browser: Chromium, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    """10 000 files with 300 different pictures."""
    output = tmp_path_factory.mktemp("crowd") / "many.html"
    gallery = GalleryWriter(str(output), "Many")
    pictures = [png(number) for number in range(300)]
    bones = tuple(f"Bone{number}" for number in range(8))
    facts = [FileFacts(kind="model", bones=count, bone_names=bones[: count % 8]) for count in range(90)]
    for number in range(10_000):
        name = f"{number // 100:02}/model{number}.mesh"
        gallery.add(FileEntry(name, name, number, 0, facts[number % 90]), pictures[number % 300])
    gallery.finish()
    page = browser.open(output.as_uri())
    yield page
    page.close()


def test_of_many_files_only_those_in_sight_are_loaded(crowd: Page) -> None:
    crowd.settle()
    assert text(crowd, "#count").startswith("10,000 files")
    assert crowd.run("document.querySelectorAll('.tile').length") < 60
    assert len([address for address in crowd.requests if address.endswith(".png")]) < 60


def test_the_end_of_many_files_is_one_key_away(crowd: Page) -> None:
    crowd.key("End")
    assert titles(crowd)[-1] == "model9999.mesh"
    top = "document.querySelector('#wall').scrollTop"
    end = crowd.run(top)
    crowd.wheel(400, 400, -20_000)
    crowd.until(f"{top} < {end} - 10000")
    crowd.settle()
    assert 0 < crowd.run("document.querySelectorAll('.tile').length") < 60


def test_many_files_are_searched_at_once(crowd: Page) -> None:
    begun = time.monotonic()
    assert crowd.run("rigscopeGallery.find('bone:bone5* bones>50 not model1').length") > 0
    assert time.monotonic() - begun < 10.0
