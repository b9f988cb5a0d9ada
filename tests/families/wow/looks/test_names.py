"""Names that tables give to models and clips."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests import m2_files
from tests.creature_files import creature_tables, write_creature, write_tables
from tests.table_files import table_bytes
from viewer.library.index.facts import document_facts
from viewer.storage.documents import open_document

PATH = "Creature\\Made\\Made.mdx"
EFFECTS = [
    (1, "Fire Bolt", PATH),
    (2, "Other", "Spells\\Other.mdx"),
    (9, "Frost Bolt", PATH.replace("mdx", "mdl")),
]
OBJECTS = [(31, PATH), (32, "World\\Chest.mdx"), (45, PATH.upper())]


def effects() -> dict[str, bytes]:
    return {"SpellVisualEffectName.dbc": table_bytes(EFFECTS, 5)}


def objects() -> dict[str, bytes]:
    return {"GameObjectDisplayInfo.dbc": table_bytes(OBJECTS, 12)}


@pytest.mark.parametrize(
    ("tables", "names"),
    [
        (effects(), ("Fire Bolt", "Frost Bolt")),
        (objects(), ("object 31", "object 45")),
        (effects() | objects(), ("Fire Bolt", "Frost Bolt", "object 31", "object 45")),
        ({}, ()),
    ],
)
def test_effects_and_objects_have_names(
    tmp_path: Path, tables: dict[str, bytes], names: tuple[str, ...]
) -> None:
    document = open_document(write_creature(tmp_path, tables))
    assert document.displays.names == names and document.displays.worn is None


def test_the_index_has_names_and_display_ids(tmp_path: Path) -> None:
    facts = document_facts(open_document(write_creature(tmp_path, effects())))
    assert (facts.called, facts.display_ids) == ("Fire Bolt, Frost Bolt", ())
    write_tables(tmp_path / "DBFilesClient", creature_tables())
    facts = document_facts(open_document(tmp_path / "Creature" / "Made" / "Made.m2"))
    assert facts.display_ids == ("20", "21", "30", "40", "50")


def clips(*rows: tuple[int, str, int]) -> dict[str, bytes]:
    """AnimationData of 1.12.1: id, name and fallback of each row."""
    packed = [(id, name, 0, 0, 0, 0, fallback) for id, name, fallback in rows]
    return {"AnimationData.dbc": table_bytes(packed)}


def test_clips_are_called_as_in_the_games_table(tmp_path: Path) -> None:
    plain = open_document(write_creature(tmp_path, {}))
    first = plain.animations[0]
    id = int(first.facts["id"])
    document = open_document(write_creature(tmp_path, clips((id, "Idle", 4), (4, "Walk", 0))))
    assert first.name != "Idle" and document.animations[0].name == "Idle"
    assert "fallback Walk" in document.animations[0].tags and "fallback Walk" not in first.tags


def test_a_known_name_stays_and_a_circle_has_no_fallback(tmp_path: Path) -> None:
    document = open_document(write_creature(tmp_path, clips((0, "Stand", 0), (4, "", -1))))
    assert [each.name for each in document.animations] == [
        each.name for each in open_document(write_creature(tmp_path, {})).animations
    ]
    assert not any(tag.startswith("fallback") for each in document.animations for tag in each.tags)


def test_a_renamed_clip_is_still_the_clip_of_the_models_parts(tmp_path: Path) -> None:
    """Motions are looked up by the clip itself, which a new name must not replace."""
    tables = clips((0, "Idle", 0), (4, "Go", 0))
    speed = m2_files.keys(m2_files.WRATH, [([0], [3.0]), ([0], [5.0])])
    emitters = [{"type": 1, "blend": 4, "speed": speed}]
    document = open_document(write_creature(tmp_path, tables, m2_files.WRATH, particles=emitters))
    assert document.model is not None and document.animations[1].name == "Go"
    curves = [document.model.emitters[0].curves(each)["speed"] for each in document.animations[:2]]
    assert [each.values.tolist() for each in curves] == [[3.0], [5.0]]


def test_an_unusable_table_of_names_costs_a_line(tmp_path: Path) -> None:
    tables = {"AnimationData.dbc": table_bytes([(1, 2)]), "SpellVisualEffectName.dbc": b"WDBC"}
    document = open_document(write_creature(tmp_path, tables))
    found = [text for text in document.report.warnings if text.startswith("tables of the game: ")]
    assert len(found) == 2 and document.model is not None
