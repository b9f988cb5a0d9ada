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
    """Bytes of a batch's journal, and of every file without a smaller limit."""
    model_bytes: int = 256 << 20
    """Bytes of an M2 model, of its `.anim` file, or of a project's baseline file."""
    part_bytes: int = 64 << 20
    """Bytes of an M2 view, of a model that another model names, of a thumbnail, or of all prefabs of a model.
    """
    text_bytes: int = 1 << 20
    """Bytes of a project's settings file or of a `resources.cfg`."""
    hashed_bytes: int = 1 << 20
    """Bytes of a shader container. The checksum of a larger one is not computed, because it would take more
    than a second.
    """

    # files
    listed_files: int = 200_000
    """Files listed in a resource location or in a folder walk."""
    listed_folders: int = 2_000
    """Folders visited in a folder walk."""
    location_files: int = 20_000
    """Files listed in each folder that is searched for the materials of an OGRE model."""
    locations: int = 512
    """Resource locations in all of the user's resource folders together."""
    upper_entries: int = 4_096
    """Entries of a listed folder above a model; of a larger one single names are asked for."""
    project_folders: int = 50_000
    """Folders listed in a project."""
    project_seconds: float = 20.0
    """Seconds in which the files of a project are listed."""
    project_archives: int = 32
    """Archives of a project that are searched, the nearest first."""
    guessed_files: int = 30_000
    """Files and folders below the guessed root of a project."""
    neighbour_projects: int = 200
    """Subfolders that are examined in the search for other projects."""
    neighbour_folders: int = 64
    """Neighbouring folders that are searched for the materials of an OGRE model."""
    scripts: int = 2_000
    """Material scripts that are read for an OGRE model."""
    archive_entries: int = 1 << 18
    """Files in an archive; a larger archive is refused."""
    prefabs: int = 200
    """Prefabs searched for the materials of one model."""
    prefab_entries: int = 5_000
    """Directory entries visited in the search for prefabs."""
    prefab_materials: int = 1 << 16
    """Materials of one model component in a prefab."""
    name_letters: int = 1024
    """Characters of a resource's name in a source."""

    # pictures
    image_pixels: int = 1 << 26
    """Pixels of an image (8192 × 8192); a larger image is refused before decoding."""
    image_side: int = 1 << 14
    """Pixels of the longer side of a BLP image."""

    # text formats
    markup_elements: int = 100_000
    """Elements of an XML or JSON file."""
    markup_parts: int = 250_000
    """Attributes of an XML file or values of a JSON file, counted by their punctuation before parsing."""
    nesting: int = 32
    """Levels of nested blocks, and of inherited materials, in a script; real scripts need five."""
    script_statements: int = 200_000
    """Statements of a material script; the largest real scripts have a few thousand."""
    statement_words: int = 1024
    """Words of a statement; the longest real statements list the pictures of an animated texture."""
    block_children: int = 256
    """Direct child blocks of a script's block; engines draw at most 32 textures in a pass."""
    attribute_values: int = 64
    """Values of a script's attribute after variables are replaced."""
    variable_nesting: int = 4
    """Levels of nested variables in a script."""

    # messages
    errors: int = 100
    """Messages of one kind about one file: broken chunks, errors in a script, or findings of a rule."""
    package_errors: int = 20
    """Broken files of a package that are reported one by one."""
    package_problems: int = 1000
    """Gaps and broken files of a package in the list of problems."""

    # meshes and clips
    vertex_elements: int = 256
    """Attributes of a vertex in a vertex buffer."""
    table_records: int = 8192
    """Records of an M2 table."""
    key_bones: int = 256
    """Entries in the key bone table of an M2."""
    key_tables: int = 1 << 15
    """Key tables that are read from an M2."""
    sequence_pairs: int = 1 << 20
    """Pairs of a sequence and a bone, or of a sequence and an event, in an M2."""
    events: int = 1 << 16
    """Events of all sequences of an M2 together."""
    texture_choices: int = 256
    """Candidate files that are offered for one texture."""
    named_models: int = 16
    """Different models that one model names; real models name at most two."""
    checked_tracks: int = 1 << 17
    """Pairs of an animation and a bone that check rules read."""
    vertex_assignments: int = 32
    """Bones of one vertex that check rules read."""
    assigned_bones: int = 1 << 12
    """Bones whose handles check rules read; OGRE refuses a skeleton with more than 256 bones."""

    # compiled shaders and scripts
    programs: int = 1 << 12
    """Disassembled programs of a shader file: more than the defines of one source can produce."""
    instructions: int = 1 << 16
    """Instructions of a shader program: more than the shader models allow."""
    operand_nesting: int = 4
    """Levels of nested relative indices in an operand."""
    container_parts: int = 64
    """Parts of a DXBC container."""
    signature_elements: int = 64
    """Elements of a shader's input or output signature."""
    shader_constants: int = 1024
    """Constants of a shader's constant table."""
    shader_name_bytes: int = 64
    """Bytes of a shader constant's name."""
    registers: int = 4096
    """Registers of a bank that the registers page examines: the size of the largest constant buffer."""
    script_classes: int = 1 << 14
    """Classes in a script's byte code."""
    literals: int = 1 << 15
    """String literals found in byte code of an unknown layout."""
    literal_offsets: int = 8
    """Offsets inside a string literal at which another literal is searched for."""

    # effects
    emitters: int = 256
    """Emitters of a model that are drawn."""
    ramp_keys: int = 256
    """Keys of a ramp over a particle's life; real files have up to 20."""
    spline_points: int = 1024
    """Points of an emitter's spline."""
    spline_pieces: int = 256
    """Segments of a spline that are drawn."""
    ribbon_layers: int = 16
    """Texture layers of a ribbon."""
    ribbon_edges: int = 4096
    """Edges of a ribbon; real ribbons have about a hundred."""
    particles: int = 1 << 20
    """Particles of an emitter that are drawn, newest first."""
    carried_particles: int = 1 << 14
    """Particles of a carried emitter that are drawn, newest first for each carrier."""
    carriers: int = 1 << 12
    """Particles that carry or carried an emitter, newest first."""
    particle_models: int = 256
    """Particles of an emitter that are drawn as models, newest first."""
    births_per_second: float = 1e6
    """Particles that an emitter creates per second."""
    lifespan: float = 3600.0
    """Seconds of a particle's life."""
    curve_seconds: float = 120.0
    """Seconds of the longest baked interval, because loops of different lengths may have a common period of
    years.
    """
    curve_nodes: int = 2048
    """Samples in a baked table. Many tables may share the same keys."""

    # numbers
    effect_number: float = 1e6
    """Magnitude of the other numbers of an emitter."""
    ribbon_number: float = 1e30
    """Magnitude of a ribbon's numbers: a product of these stays finite in float32."""
    material_number: float = 1e18
    """Magnitude of a material's numbers on the GPU: a product of two stays finite."""

    # the index and exported clips
    kept_names: int = 4096
    """Names of one kind, and messages, that the index stores for a file."""
    kept_letters: int = 256
    """Characters of a name or message in the index."""
    film_frames: int = 100_000
    """Frames of a film: about an hour at 30 frames per second."""
    loop_keys: int = 100_000
    """Keys of a short loop that is repeated in an exported clip."""
    sampled_keys: int = 1 << 19
    """Times × bones that are sampled for an exported clip: about a second of work."""


BUDGET = Budget()
"""The limits that every reader applies."""
