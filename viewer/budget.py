"""Limits of bytes, items and time, which bound the work on a damaged file.

Real files stay far below every limit. A reader that reaches a limit reports this and keeps what it has read,
or raises FormatError before it allocates. Sizes of windows, outputs and samples are defined in the modules
that use them.
"""

from __future__ import annotations

from msgspec import Struct


class Budget(Struct, frozen=True):
    """The largest allowed numbers, grouped by subject."""

    # bytes
    file_bytes: int = 1 << 30
    """Largest size in bytes of a batch's journal, and of every file without a smaller limit."""
    model_bytes: int = 256 << 20
    """Largest size in bytes of an M2 model, of its `.anim` file, or of a project's baseline file."""
    part_bytes: int = 64 << 20
    """Largest size in bytes of an M2 view, of a model that another model names, of a thumbnail, or of all
    prefabs of a model.
    """
    text_bytes: int = 1 << 20
    """Largest size in bytes of a project's settings file or of a `resources.cfg`."""
    hashed_bytes: int = 1 << 20
    """Largest size in bytes of a shader container. The checksum of a larger container is not computed,
    because it would take more than a second.
    """

    # files
    listed_files: int = 200_000
    """Largest number of files listed in a resource location or in a folder walk."""
    listed_folders: int = 2_000
    """Largest number of folders visited in a folder walk."""
    location_files: int = 20_000
    """Largest number of files listed in each folder that is searched for the materials of an OGRE model."""
    locations: int = 512
    """Largest number of resource locations in all of the user's resource folders together."""
    upper_entries: int = 4_096
    """A folder above a model is listed if it has at most this many entries. In a larger folder each wanted
    name is looked up by itself.
    """
    project_seconds: float = 20.0
    """Largest number of seconds that the listing of a project's files may take."""
    project_archives: int = 32
    """Largest number of archives of a project that are searched, the nearest first."""
    guessed_files: int = 30_000
    """Largest number of files and folders below the guessed root of a project."""
    guessed_folders: int = 64
    """Largest number of folders of a guessed project. All of these folders are listed if one file is missing.
    """
    neighbour_projects: int = 200
    """Largest number of subfolders that are examined in the search for other projects."""
    neighbour_folders: int = 64
    """Largest number of neighbouring folders that are searched for the materials of an OGRE model."""
    scripts: int = 2_000
    """Largest number of material scripts that are read for an OGRE model."""
    archive_table: int = 1 << 20
    """Largest number of entries in a table of a game's archive."""
    archive_locales: int = 64
    """Largest number of languages of a file in an MPQ archive."""
    archive_heads: int = 4_096
    """Largest number of files without a name, in one archive, whose first bytes are read to find their
    suffixes.
    """
    listfile_bytes: int = 64 << 20
    """Largest size in bytes of a list of the names in an archive; real lists have up to 10 MB."""
    archive_entries: int = 1 << 18
    """Largest number of files in an archive; a larger archive is refused."""
    prefabs: int = 200
    """Largest number of prefabs that are searched for the materials of one model."""
    prefab_bytes: int = 16 << 20
    """Largest size in bytes of a prefab or scene. Larger XML and JSON files of a project are not scanned."""
    prefab_entries: int = 5_000
    """Largest number of directory entries visited in the search for prefabs."""
    prefab_materials: int = 1 << 16
    """Largest number of materials of one model component in a prefab."""
    name_letters: int = 1024
    """Largest number of characters of a resource's name in a source."""
    table_rows: int = 2_000_000
    """Largest number of rows of a game's table."""
    table_columns: int = 512
    """Largest number of columns of a game's table, because ImGui draws no more."""
    table_text_bytes: int = 128 << 20
    """Largest size in bytes of the texts of a game's table."""

    # pictures
    image_pixels: int = 1 << 26
    """Largest number of pixels of an image (8192 × 8192); a larger image is refused before decoding."""
    image_side: int = 1 << 14
    """Largest length in pixels of the longer side of a BLP image."""
    environment_pixels: int = 1 << 25
    """Largest number of pixels of the picture of an environment (8192 × 4096)."""

    # text formats
    markup_elements: int = 100_000
    """Largest number of elements of an XML or JSON file."""
    markup_parts: int = 250_000
    """Largest number of attributes of an XML file or values of a JSON file, counted by their punctuation
    before parsing.
    """
    nesting: int = 32
    """Largest number of levels of nested blocks, and of inherited materials, in a script; real scripts need
    five.
    """
    script_statements: int = 200_000
    """Largest number of statements of a material script; the largest real scripts have a few thousand."""
    statement_words: int = 1024
    """Largest number of words of a statement; the longest real statements list the pictures of an animated
    texture.
    """
    block_children: int = 256
    """Largest number of direct child blocks of a script's block; engines draw at most 32 textures
    in a pass.
    """
    attribute_values: int = 64
    """Largest number of values of a script's attribute after variables are replaced."""
    variable_nesting: int = 4
    """Largest number of levels of nested variables in a script."""

    # messages
    errors: int = 100
    """Largest number of messages of one kind about one file: broken chunks, errors in a script, or findings
    of a rule.
    """
    package_errors: int = 20
    """Largest number of broken files of a package that are reported one by one."""
    package_problems: int = 1000
    """Largest number of gaps and broken files of a package in the list of problems."""

    # meshes and clips
    vertex_elements: int = 256
    """Largest number of attributes of a vertex in a vertex buffer."""
    table_records: int = 8192
    """Largest number of records of an M2 table."""
    key_bones: int = 256
    """Largest number of entries in the key bone table of an M2."""
    key_tables: int = 1 << 15
    """Largest number of key tables that are read from an M2."""
    sequence_pairs: int = 1 << 20
    """Largest number of pairs of a sequence and a bone, or of a sequence and an event, in an M2."""
    events: int = 1 << 16
    """Largest total number of events in all sequences of an M2."""
    texture_choices: int = 256
    """Largest number of candidate files that are offered for one texture."""
    named_models: int = 16
    """Largest number of different models that one model names; real models name at most two."""
    checked_tracks: int = 1 << 17
    """Largest number of pairs of an animation and a bone that check rules read."""
    vertex_assignments: int = 32
    """Largest number of bones of one vertex that check rules read."""
    assigned_bones: int = 1 << 12
    """Largest number of bones whose handles are read by the check rules. OGRE refuses a skeleton with more
    than 256 bones.
    """

    # compiled shaders and scripts
    programs: int = 1 << 12
    """Largest number of disassembled programs of a shader file: more than the defines of one source can
    produce.
    """
    instructions: int = 1 << 16
    """Largest number of instructions of a shader program: more than the shader models allow."""
    operand_nesting: int = 4
    """Largest number of levels of nested relative indices in an operand."""
    container_parts: int = 64
    """Largest number of parts of a DXBC container."""
    signature_elements: int = 64
    """Largest number of elements of a shader's input or output signature."""
    shader_constants: int = 1024
    """Largest number of constants of a shader's constant table."""
    shader_name_bytes: int = 64
    """Largest size in bytes of a shader constant's name."""
    registers: int = 4096
    """Largest number of registers of a bank that the registers page examines: the size of the largest
    constant buffer.
    """
    script_classes: int = 1 << 14
    """Largest number of classes in a script's byte code."""
    literals: int = 1 << 15
    """Largest number of string literals found in byte code of an unknown layout."""
    literal_offsets: int = 8
    """Largest number of offsets inside a string literal at which another literal is searched for."""

    # effects
    emitters: int = 256
    """Largest number of emitters of a model that are drawn."""
    ramp_keys: int = 256
    """Largest number of keys of a ramp over a particle's life; real files have up to 20."""
    spline_points: int = 1024
    """Largest number of points of an emitter's spline."""
    spline_pieces: int = 256
    """Largest number of segments of a spline that are drawn."""
    ribbon_layers: int = 16
    """Largest number of texture layers of a ribbon."""
    ribbon_edges: int = 4096
    """Largest number of edges of a ribbon; real ribbons have about a hundred."""
    particles: int = 1 << 20
    """Largest number of particles of an emitter that are drawn, newest first."""
    carried_particles: int = 1 << 14
    """Largest number of drawn particles of a carried emitter. Each carrier draws its newest first."""
    carriers: int = 1 << 12
    """Largest number of particles, alive or dead, whose carried emitters are drawn, newest first."""
    particle_models: int = 256
    """Largest number of particles of an emitter that are drawn as models, newest first."""
    births_per_second: float = 1e6
    """Largest number of particles that an emitter creates per second."""
    lifespan: float = 3600.0
    """Largest number of seconds of a particle's life."""
    curve_seconds: float = 120.0
    """Largest length in seconds of a baked interval. Without the limit the interval could be years long,
    because loops of different lengths may have a common period of years.
    """
    curve_nodes: int = 2048
    """Largest number of samples in a baked table. Many tables may share the same keys."""

    # numbers
    effect_number: float = 1e6
    """Largest magnitude of an emitter's number, if the number has no limit of its own."""
    ribbon_number: float = 1e30
    """Largest magnitude of a ribbon's numbers: products of such numbers stay finite in float32."""
    material_number: float = 1e18
    """Largest magnitude of a material's numbers on the GPU: the product of two such numbers stays finite."""

    # the index and exported clips
    kept_names: int = 4096
    """Largest number of names of one kind that the index stores for a file. The number of messages has the
    same limit.
    """
    kept_letters: int = 256
    """Largest number of characters of a name or message in the index."""
    film_frames: int = 100_000
    """Largest number of frames of a film: about an hour at 30 frames per second."""
    loop_keys: int = 100_000
    """Largest number of keys of a short loop that is repeated in an exported clip."""
    sampled_keys: int = 1 << 19
    """Largest number of times × bones that are sampled for an exported clip: about a second of work."""


BUDGET = Budget()
"""The limits that every reader applies."""
