"""Limits of bytes, items and time, which bound the work for a damaged file.

Real files stay far below every limit. A reader that reaches one reports it and keeps what it has, or raises
FormatError before it allocates. Sizes of the window, of the output and of samples are not here: they are
defined where they are used.
"""

from __future__ import annotations

from msgspec import Struct


class Budget(Struct, frozen=True):
    """The largest allowed numbers, by subject."""

    # bytes
    file_bytes: int = 1 << 30
    """Bytes of a file without another limit, and of a journal."""
    model_bytes: int = 256 << 20
    """Bytes of a model, of a file of its keys, of a project's known findings."""
    part_bytes: int = 64 << 20
    """Bytes of a view, of a named model, of all prefabs of a model, of a thumbnail."""
    text_bytes: int = 1 << 20
    """Bytes of a project's settings file, of a search path's file."""
    hashed_bytes: int = 1 << 20
    """Bytes of a shader container with a computed checksum: less than a second of work."""

    # files
    listed_files: int = 200_000
    """Files of a resource location or a folder walk."""
    listed_folders: int = 2_000
    """Folders of a folder walk."""
    location_files: int = 20_000
    """Files in each folder near an OGRE model that may hold its materials."""
    locations: int = 512
    """Resource locations of all given paths together."""
    neighbour_folders: int = 64
    """Folders beside that of an OGRE model."""
    scripts: int = 2_000
    """Material scripts near an OGRE model."""
    archive_entries: int = 1 << 18
    """Files of an archive; one with more is refused."""
    prefabs: int = 200
    """Prefabs that are searched for the materials of one model."""
    prefab_entries: int = 5_000
    """Directory entries of that search."""
    prefab_materials: int = 1 << 16
    """Materials of one component."""
    name_letters: int = 1024
    """Letters of a path in a source."""

    # pictures
    image_pixels: int = 1 << 26
    """Pixels of an image, 8192 × 8192; a larger one is refused before decoding."""
    image_side: int = 1 << 14
    """Pixels of a BLP's longer side."""

    # text formats
    markup_elements: int = 100_000
    """Elements of an XML or JSON file."""
    markup_parts: int = 250_000
    """Attributes or JSON values, counted by their punctuation before parsing."""
    nesting: int = 32
    """Levels of blocks inside blocks, and of parents of parents; real scripts need five."""
    script_statements: int = 200_000
    """Statements of a script; the largest real scripts have some thousands."""
    statement_words: int = 1024
    """Words of a statement; the longest real ones list the pictures of an animation."""
    block_children: int = 256
    """Direct child blocks of a block; engines draw at most 32 textures in a pass."""
    attribute_values: int = 64
    """Values of an attribute after its variables are replaced."""
    variable_nesting: int = 4
    """Levels of variables inside variables."""

    # messages
    errors: int = 100
    """Messages of one kind about one file: broken chunks, faults of a script, findings of a rule."""
    package_errors: int = 20
    """Broken files of a package that are reported one by one."""
    package_problems: int = 1000
    """Gaps and broken files of a package that are listed as problems."""

    # meshes and clips
    vertex_elements: int = 256
    """Elements of a vertex buffer."""
    table_records: int = 8192
    """Records of an M2 table."""
    key_bones: int = 256
    """Numbers of an M2's key bones."""
    key_tables: int = 1 << 15
    """Tables of keys that are read from an M2."""
    sequence_pairs: int = 1 << 20
    """Pairs of a sequence and a bone or event of an M2."""
    events: int = 1 << 16
    """Events of all sequences together."""
    texture_choices: int = 256
    """Candidate files for one texture."""
    named_models: int = 16
    """Different models that a model names; real models name at most two."""
    checked_tracks: int = 1 << 17
    """Animations times bones that the rules read."""
    vertex_assignments: int = 32
    """Bones of one vertex that the rules read."""
    assigned_bones: int = 1 << 12
    """Bones whose handles the rules read; OGRE refuses a skeleton of more than 256."""

    # compiled shaders and scripts
    programs: int = 1 << 12
    """Disassembled programs of a shader file: more than the defines of one source give."""
    instructions: int = 1 << 16
    """Instructions of a program: more than these shader models allow."""
    operand_nesting: int = 4
    """Levels of relative indices inside each other."""
    container_parts: int = 64
    """Parts of a DXBC container."""
    signature_elements: int = 64
    """Elements of a signature."""
    shader_constants: int = 1024
    """Constants of a constant table."""
    shader_name_bytes: int = 64
    """Bytes of a constant's name."""
    registers: int = 4096
    """Examined registers of a bank: the size of the largest constant buffer."""
    script_classes: int = 1 << 14
    """Classes of a script's byte code."""
    literals: int = 1 << 15
    """Texts found in byte code of an unknown layout."""
    literal_offsets: int = 8
    """Offsets inside a text at which another text is searched."""

    # effects
    emitters: int = 256
    """Drawn emitters of a model."""
    ramp_keys: int = 256
    """Keys of a ramp over a particle's life; files have up to 20."""
    spline_points: int = 1024
    """Points of an emitter's spline."""
    spline_pieces: int = 256
    """Drawn pieces of a spline."""
    ribbon_layers: int = 16
    """Textures on a ribbon."""
    ribbon_edges: int = 4096
    """Edges of a ribbon; real ribbons have about a hundred."""
    particles: int = 1 << 20
    """Drawn particles of an emitter: the newest ones."""
    carried_particles: int = 1 << 14
    """Drawn particles of a carried emitter: the newest ones of each carrier."""
    carriers: int = 1 << 12
    """Particles that carry or carried an emitter: the newest ones."""
    particle_models: int = 256
    """Particles of an emitter that are drawn as models: the newest ones."""
    births_per_second: float = 1e6
    """Particles that an emitter creates in a second."""
    lifespan: float = 3600.0
    """Seconds of a particle's life."""
    curve_seconds: float = 120.0
    """Seconds of the longest baked interval: loops of different lengths may have a common period of years."""
    curve_nodes: int = 2048
    """Nodes of a baked table; many tables may share their keys."""

    # numbers
    effect_number: float = 1e6
    """The magnitude of an emitter's other numbers."""
    ribbon_number: float = 1e30
    """The magnitude of a ribbon's numbers, so that float32 can multiply them."""
    material_number: float = 1e18
    """The magnitude of a material's numbers on the GPU: products of two stay finite."""

    # the index and exported clips
    kept_names: int = 4096
    """Names of one kind, and messages, that the index keeps for a file."""
    kept_letters: int = 256
    """Letters of a name or message in the index."""
    film_frames: int = 100_000
    """Frames of a film: about an hour at 30 frames per second."""
    loop_keys: int = 100_000
    """Keys of a short loop repeated in one exported clip."""
    sampled_keys: int = 1 << 19
    """Sampled times × bones of a clip: about a second of work."""


BUDGET = Budget()
"""The limits of every reader."""
