"""The World of Warcraft family: models and their parts, pictures, tables and archives."""

from __future__ import annotations

from viewer.families.wow import blp, dbc, edit
from viewer.families.wow.m2 import probe as m2
from viewer.families.wow.mpq import probe as mpq
from viewer.family.archive import ArchiveFormat
from viewer.family.family import Family
from viewer.family.format import EditRules, Format
from viewer.family.later import later
from viewer.family.looks import Looks
from viewer.family.picture import ImageDecoder
from viewer.scene import files
from viewer.scene.engine import EngineSearch

LOOKS = Looks(
    later("viewer.families.wow.looks.dressing:with_displays"),
    later("viewer.families.wow.looks.dressing:worn"),
    later("viewer.families.wow.looks.dressing:display_files"),
    later("viewer.families.wow.looks.models:model_of_row"),
    table_folder="DBFilesClient",
    table_suffix=dbc.SUFFIX,
    model_folders=("creature", "character", "item", "spells", "world"),
)
FORMATS = (
    Format(
        m2.MODEL,
        m2.SUFFIXES,
        m2.is_model,
        later("viewer.families.wow.m2.load:load_model"),
        magics=(m2.PLAIN, m2.CHUNKED),
        looks=LOOKS,
        edits=edit.MODEL,
    ),
    Format(
        "WoW M2 view",
        (".skin",),
        m2.is_skin,
        later("viewer.families.wow.m2.load:load_skin"),
        files.PART,
        (m2.SKIN_MAGIC,),
        edits=edit.VIEW,
    ),
    Format(
        m2.SKELETON,
        (m2.SKELETON_SUFFIX,),
        m2.is_skel,
        later("viewer.families.wow.m2.skel:load_skel"),
        files.PART,
        m2.SKELETON_CHUNKS[:1],
        edits=edit.SKELETON,
    ),
    Format(
        m2.KEYS,
        (m2.KEYS_SUFFIX,),
        m2.is_anim,
        later("viewer.families.wow.m2.clips.anim:load_anim"),
        files.PART,
        m2.KEY_CHUNKS,
        edits=EditRules(in_place=True),
    ),
    Format(
        "BLP picture",
        (blp.SUFFIX,),
        blp.is_blp,
        later("viewer.families.wow.blp.load:load_blp"),
        files.PICTURE,
        blp.MAGICS,
        gaps=True,
        engine="WoW",
        edits=EditRules(in_place=True),
    ),
    Format(
        "WoW table",
        (dbc.SUFFIX,),
        dbc.is_dbc,
        later("viewer.families.wow.dbc.load:load_table"),
        files.TABLE,
        (dbc.MAGIC,),
        looks=LOOKS,
        edits=edit.TABLE,
    ),
    Format(
        "MPQ archive",
        mpq.SUFFIXES,
        mpq.is_mpq,
        later("viewer.families.wow.mpq.load:load_mpq"),
        files.PACKAGE,
        mpq.IDS,
        mapped=True,
    ),
)
ARCHIVES = ArchiveFormat(mpq.has_header, later("viewer.families.wow.mpq.files:open_archive"), hashed=True)
PICTURES = ImageDecoder(
    "BLP",
    (blp.SUFFIX,),
    blp.is_blp,
    later("viewer.families.wow.blp.load:decode_blp"),
    later("viewer.families.wow.blp.load:decode_small_blp"),
    later("viewer.families.wow.blp.load:blp_header"),
)
ENGINE = EngineSearch(
    EngineSearch().own | {"case"},
    {".mdx": ".m2", ".mdl": ".m2", ".tga": ".blp"},
    effects={
        "texture": "The geometry is drawn in plain white or green.",
        ".skin file": "The model is not drawn.",
        ".skel file": "The model is not drawn.",
        "animation": "The sequence does not play.",
        "model": "The particles of the emitter are not drawn.",
        "": "The missing part is not loaded.",
    },
)
FAMILY = Family(
    "WoW",
    FORMATS,
    (ARCHIVES,),
    (later("viewer.families.wow.mpq.client:client_layout"),),
    (PICTURES,),
    later("viewer.families.wow.pages:pages"),
    later("viewer.families.wow.rules:rules"),
    ENGINE,
)
