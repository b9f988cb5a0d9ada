"""The columns of the tables that name models, creatures, characters and their parts, by client.

A row of `TABLES` is a table and its columns in file order. A cell has four bytes. Most columns are the same
in all clients; `since` and `until` name the first and the last client that has a column.

Source: measured on tables of the clients 1.12.1 and 3.3.5a; the definitions of WoWDBDefs for 2.4.3.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache

from msgspec import Struct

from viewer.scene.table import ColumnType

CLIENTS = ("1.12.1", "2.4.3", "3.3.5a")
VANILLA, CRUSADE, WRATH = range(3)
LOCALES = ("enUS", "koKR", "frFR", "deDE", "zhCN", "zhTW", "esES", "esMX", "ruRU")
"""The languages of a localised text, in file order."""
LOCALE_COUNTS = (8, 16, 16)
"""The number of texts of a localised text, by client. A number with flags follows these texts."""
CELL = 4
"""The size of a cell in bytes."""


class DbcColumn(Struct, frozen=True):
    """One or `count` successive columns. `since` and `until` are numbers of CLIENTS. A `localised` column
    stands for a text in each language.
    """

    name: str
    type: ColumnType = "number"
    note: str = ""
    reference: str = ""
    count: int = 1
    since: int = VANILLA
    until: int = WRATH
    localised: bool = False

    def names(self, client: int) -> Iterator[tuple[str, ColumnType]]:
        """Yield name and type of each column of the file."""
        if self.localised:
            texts = LOCALE_COUNTS[client]
            for number in range(texts):
                suffix = LOCALES[number] if number < len(LOCALES) else str(number + 1)
                yield f"{self.name}_{suffix}", "text"
            yield f"{self.name}_flags", "flags"
        elif self.count == 1:
            yield self.name, self.type
        else:
            for number in range(self.count):
                yield f"{self.name}_{number + 1}", self.type


def text(name: str, note: str = "", count: int = 1, since: int = VANILLA, until: int = WRATH) -> DbcColumn:
    """Make a column of texts, each stored as its offset in the block of texts."""
    return DbcColumn(name, "text", note, "", count, since, until)


def decimal(name: str, note: str = "", count: int = 1, since: int = VANILLA, until: int = WRATH) -> DbcColumn:
    """Make a column of 32-bit floats."""
    return DbcColumn(name, "decimal", note, "", count, since, until)


def number(name: str, note: str = "", count: int = 1, since: int = VANILLA, until: int = WRATH) -> DbcColumn:
    """Make a column of signed whole numbers."""
    return DbcColumn(name, "number", note, "", count, since, until)


def reference(name: str, table: str, count: int = 1, since: int = VANILLA, until: int = WRATH) -> DbcColumn:
    """Make a column whose numbers refer to rows of another table, by the first column of that table."""
    return DbcColumn(name, "number", "", table, count, since, until)


def flags(name: str, note: str = "", count: int = 1, since: int = VANILLA, until: int = WRATH) -> DbcColumn:
    """Make a column of bits, which are shown in hexadecimal."""
    return DbcColumn(name, "flags", note, "", count, since, until)


ID = number("id", "number of the row, to which other tables refer")
RACE = reference("race", "ChrRaces")
SEX = number("sex", "0: male, 1: female")

TABLES: Mapping[str, tuple[DbcColumn, ...]] = {
    "AnimationData": (
        ID,
        text("name"),
        flags("weapon_flags", "which weapons are drawn"),
        flags("body_flags", "which parts of the body the animation moves"),
        number("unknown", "meaning unknown", until=CRUSADE),
        flags("flags", "bits of unknown meaning"),
        reference("fallback", "AnimationData"),
        number("behavior", "number of the behavior", since=WRATH),
        number("behavior_tier", "rank among animations of the same behavior", since=WRATH),
    ),
    "CharacterFacialHairStyles": (
        RACE,
        SEX,
        number("style", "number of the style"),
        flags("unused", "memory of the tool that wrote the file, without a meaning", count=3, until=CRUSADE),
        number("geoset", "variants in the geoset groups 100, 300, 200", count=3, until=VANILLA),
        number("geoset", "variants in the geoset groups 100, 300, 200, 1600, 1700", count=5, since=CRUSADE),
    ),
    "CharHairGeosets": (
        ID,
        RACE,
        SEX,
        number("style", "number of the style"),
        number("geoset", "geoset of the hair, 0: bald"),
        number("bald", "1: the scalp is shown"),
    ),
    "CharSections": (
        ID,
        RACE,
        SEX,
        number("section", "0: skin, 1: face, 2: facial hair, 3: hair, 4: underwear"),
        number("variation", "number of the face or style", until=CRUSADE),
        number("color", "number of the skin or hair color", until=CRUSADE),
        text("texture", "paths of the textures", count=3),
        flags("flags", "0x4: death knight, 0x8: NPC skin; before 3.3.5a 0x1: NPC skin"),
        number("variation", "number of the face or style", since=WRATH),
        number("color", "number of the skin or hair color", since=WRATH),
    ),
    "ChrRaces": (
        ID,
        flags("flags", "0x2: bare feet, 0x8: the beard of bald men is in hair style 1"),
        number("faction", "id of the faction"),
        number("exploration_sound", "id of the sound when an area is discovered"),
        reference("male_display", "CreatureDisplayInfo"),
        reference("female_display", "CreatureDisplayInfo"),
        text("prefix", "prefix of helmets, such as Hu"),
        decimal("speed", "factor of the running speed", until=CRUSADE),
        number("language", "id of the spoken language"),
        number("creature_type", "7: humanoid"),
        number("login_effect", "id of the spell when a character enters the world", until=VANILLA),
        number("combat_stun_spell", "id of the spell", until=VANILLA),
        number("resurrection_sickness", "id of the spell"),
        number("splash_sound", "id of the sound when a character falls into water"),
        number("starting_taxi_nodes", "a bit for each known flight master", until=VANILLA),
        text("file", "folder and name of the models"),
        number("cinematic", "id of the film at the start of the game"),
        number("alliance", "0: Alliance, 1: Horde, 2: neither", since=WRATH),
        DbcColumn("name", "text", "name in each language", localised=True),
        DbcColumn("female_name", "text", "name of a woman in each language", localised=True, since=CRUSADE),
        DbcColumn("male_name", "text", "name of a man in each language", localised=True, since=CRUSADE),
        text("facial_hair", "names of the facial features, male and female", count=2),
        text("hair", "name of the hair style"),
        number("expansion", "number of the first expansion with the race", since=CRUSADE),
    ),
    "CreatureDisplayInfo": (
        ID,
        reference("model", "CreatureModelData"),
        number("sound", "id of the sounds"),
        reference("extra", "CreatureDisplayInfoExtra"),
        decimal("scale", "factor of the size"),
        number("alpha", "0 to 255"),
        text("texture", "names beside the model, without a suffix", count=3),
        text("portrait", "name of the picture beside the model", since=CRUSADE),
        number("size_class", "class of the size"),
        number("blood", "id of the blood"),
        number("npc_sound", "id of the sounds when the creature is clicked"),
        reference("particle_color", "ParticleColor", since=CRUSADE),
        flags("geosets", "4 bits for each group of geosets", since=WRATH),
        number("effect_package", "id of the object's effects", since=WRATH),
    ),
    "CreatureDisplayInfoExtra": (
        ID,
        RACE,
        SEX,
        number("skin", "number of the skin color"),
        number("face", "number of the face"),
        number("hair_style", "number of the hair style"),
        number("hair_color", "number of the hair color"),
        number("facial_hair", "names of the facial features, male and female"),
        reference("item", "ItemDisplayInfo", count=10),
        reference("cape", "ItemDisplayInfo", since=CRUSADE),
        flags("flags", "bits of unknown meaning", since=CRUSADE),
        text("baked_texture", "name of the composed body texture"),
    ),
    "CreatureModelData": (
        ID,
        flags("flags", "bits of unknown meaning"),
        text("model", "path of the model; the file ends in .m2"),
        number("size_class", "class of the size"),
        decimal("scale", "factor of the size"),
        number("blood", "id of the blood"),
        number("footprint", "id of the footprint's texture"),
        decimal("footprint_length", "length of a footprint"),
        decimal("footprint_width", "width of a footprint"),
        decimal("footprint_particle_scale", "factor of the size of dust"),
        number("foley", "id of the sound that the creature's gear makes"),
        number("footstep_shake", "id of the camera shake at a footstep"),
        number("death_thud_shake", "id of the camera shake when the creature falls"),
        number("sound", "id of the sounds"),
        decimal("collision_width", "width of the collision box"),
        decimal("collision_height", "height of the collision box"),
        decimal("mount_height", "height of the rider's seat", since=CRUSADE),
        decimal("box_min", "x y z", count=3, since=CRUSADE),
        decimal("box_max", "x y z", count=3, since=CRUSADE),
        decimal("world_effect_scale", "factor of the size of effects in the world", since=WRATH),
        decimal("attached_effect_scale", "factor of the size of effects on the model", since=CRUSADE),
        decimal("missile_collision_radius", "radius in which missiles hit", since=WRATH),
        decimal("missile_collision_push", "distance by which missiles push the model", since=WRATH),
        decimal("missile_collision_raise", "height by which missiles raise the model", since=WRATH),
    ),
    "GameObjectDisplayInfo": (
        ID,
        text("model", "path of the model"),
        number("sound", "id of the sounds", count=10),
        decimal("box_min", "x y z", count=3, since=CRUSADE),
        decimal("box_max", "x y z", count=3, since=CRUSADE),
        number("effect_package", "id of the object's effects", since=WRATH),
    ),
    "HelmetGeosetVisData": (
        ID,
        flags(
            "hides",
            "a bit for each race whose hair is hidden; then for geosets 100, 200, 300, 700",
            count=5,
            until=VANILLA,
        ),
        flags(
            "hides", "a bit for each race, as in 1.12.1; then for geosets 1600, 1700", count=7, since=CRUSADE
        ),
    ),
    "ItemDisplayInfo": (
        ID,
        text("model", "names of the models", count=2),
        text("model_texture", "names of the textures of the models", count=2),
        text("icon", "names of the icons", until=VANILLA),
        text("icon", "names of the icons", count=2, since=CRUSADE),
        number("geoset", "variants of geosets that the item shows", count=3),
        flags("flags", "bits of unknown meaning"),
        number("spell_visual", "id of the visual effects"),
        number("sound_group", "id of the group of sounds"),
        reference("helmet_male", "HelmetGeosetVisData"),
        reference("helmet_female", "HelmetGeosetVisData"),
        text("texture", "arm (2), hand, torso (2), leg (2), foot; upper parts first", count=8),
        reference("item_visual", "ItemVisuals"),
        reference("particle_color", "ParticleColor", since=CRUSADE),
    ),
    "ItemVisualEffects": (ID, text("model", "path of the model")),
    "ItemVisuals": (ID, reference("effect", "ItemVisualEffects", count=5)),
    "ParticleColor": (
        number("id", "number of the row, to which other tables refer", since=CRUSADE),
        flags("start", "0xAARRGGBB", count=3, since=CRUSADE),
        flags("middle", "0xAARRGGBB", count=3, since=CRUSADE),
        flags("end", "0xAARRGGBB", count=3, since=CRUSADE),
    ),
    "SpellVisualEffectName": (
        ID,
        text("name"),
        text("model", "path of the model"),
        number("attachment", "number of the attachment point", until=VANILLA),
        decimal("area", "size of the affected area"),
        decimal("scale", "factor of the size", since=CRUSADE),
        decimal("min_scale", "smallest factor of the size", since=WRATH),
        decimal("max_scale", "largest factor of the size", since=WRATH),
    ),
}
"""The columns of each table."""


@cache
def known_tables() -> Mapping[str, str]:
    """The names of the tables, by their names in lower case."""
    return {name.casefold(): name for name in TABLES}


def columns_of(table: str, client: int) -> tuple[DbcColumn, ...]:
    """The columns of a known table in a client, in file order."""
    return tuple(each for each in TABLES[table] if each.since <= client <= each.until)


def referrers(table: str) -> tuple[str, ...]:
    """The names of the other known tables with references to `table`."""
    return tuple(
        name
        for name, columns in TABLES.items()
        if name != table and any(each.reference == table for each in columns)
    )
