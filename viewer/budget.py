"""What a file may cost: limits of bytes, items and time that bound the work for a damaged file.

Real files stay far below every limit. A reader that meets one reports it and keeps what it has, or raises
FormatError before anything is allocated. Sizes of the window, of the output and of samples are no limits of a
file: they stay where they are used.
"""

from __future__ import annotations

from msgspec import Struct


class Budget(Struct, frozen=True):
    """The limits by subject: what is counted, and the largest number of it."""

    # bytes
    file_bytes: int = 1 << 30
    """Of one file, where the caller gives no limit; of a journal too."""
    model_bytes: int = 256 << 20
    """Of a model, of a file of its keys, of the known findings of a project."""
    part_bytes: int = 64 << 20
    """Of a view, of a named model, of all prefabs beside a model, of a thumbnail."""
    text_bytes: int = 1 << 20
    """Of a settings file of a project, of a search path's file."""
    hashed_bytes: int = 1 << 20
    """Of a shader container whose checksum is computed: less than a second of work."""

    # files
    listed_files: int = 200_000
    """Of one location or folder walk."""
    listed_folders: int = 2_000
    """Of one folder walk."""
    location_files: int = 20_000
    """Near an OGRE model, in each folder that its materials may lie in."""
    locations: int = 512
    """Of all given resource paths together."""
    neighbour_folders: int = 64
    """Beside an OGRE model's folder."""
    scripts: int = 2_000
    """Material scripts near an OGRE model."""
    archive_entries: int = 1 << 18
    """An archive with more files is refused."""
    prefabs: int = 200
    """Files that are searched for the materials of one model."""
    prefab_entries: int = 5_000
    """Directory entries of that search."""
    prefab_materials: int = 1 << 16
    """Of one component."""
    name_letters: int = 1024
    """Of a path in a source."""

    # pictures
    image_pixels: int = 1 << 26
    """8192 × 8192; a larger image is refused before a pixel is decoded."""
    image_side: int = 1 << 14
    """Pixels of a BLP's longer side."""

    # text formats
    markup_elements: int = 100_000
    """Of an XML or JSON file."""
    markup_parts: int = 250_000
    """Attributes or JSON values, counted by their punctuation before anything is built from them."""
    nesting: int = 32
    """Blocks inside blocks, and parents of parents; real scripts need five."""
    script_statements: int = 200_000
    """The largest real scripts have some thousands."""
    statement_words: int = 1024
    """The longest real statements list the pictures of an animation."""
    block_children: int = 256
    """Blocks directly inside a block; engines draw at most 32 textures in a pass."""
    attribute_values: int = 64
    """Values of an attribute with its variables."""
    variable_nesting: int = 4
    """Variables inside variables."""

    # messages
    errors: int = 100
    """Messages of one kind about one file: broken chunks, faults of a script, findings of a rule."""
    package_errors: int = 20
    """Broken files of a package that are reported one by one."""
    package_problems: int = 1000
    """Gaps and broken files of a package that are listed as problems."""

    # meshes and clips
    vertex_elements: int = 256
    """Of a vertex buffer."""
    table_records: int = 8192
    """Of an M2 table."""
    key_bones: int = 256
    """Numbers of an M2's key bones."""
    key_tables: int = 1 << 15
    """Tables of keys of an M2 that are followed."""
    sequence_pairs: int = 1 << 20
    """Pairs of a sequence and a bone or event of an M2."""
    events: int = 1 << 16
    """Of all sequences together."""
    texture_choices: int = 256
    """Files that fit one texture."""
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
    """Of a shader file that are disassembled: more than the defines of one source give."""
    instructions: int = 1 << 16
    """Of a program, more than any of these shader models allows."""
    operand_nesting: int = 4
    """Relative indices inside each other."""
    container_parts: int = 64
    """Of a DXBC container."""
    signature_elements: int = 64
    """Of a signature."""
    shader_constants: int = 1024
    """Of a constant table."""
    shader_name_bytes: int = 64
    """Of a constant's name."""
    registers: int = 4096
    """Of a bank that are examined: the size of the largest constant buffer."""
    script_classes: int = 1 << 14
    """Of a script's byte code."""
    literals: int = 1 << 15
    """Texts that are found in byte code of no known layout."""
    literal_offsets: int = 8
    """Offsets inside a text at which another text is searched."""

    # effects
    emitters: int = 256
    """Of a model that are drawn."""
    ramp_keys: int = 256
    """Of a ramp over a particle's life; files have up to 20."""
    spline_points: int = 1024
    """Of an emitter's spline."""
    spline_pieces: int = 256
    """Of a spline that are drawn."""
    ribbon_layers: int = 16
    """Textures on a ribbon."""
    ribbon_edges: int = 4096
    """Of one ribbon; real ribbons have about a hundred."""
    particles: int = 1 << 20
    """Of one emitter that are drawn: the newest ones."""
    carried_particles: int = 1 << 14
    """Of one carried emitter that are drawn: the newest of each carrier."""
    carriers: int = 1 << 12
    """Particles that carry an emitter, or did; the newest are kept."""
    particle_models: int = 256
    """Of one emitter that are drawn as models: the newest ones."""
    births_per_second: float = 1e6
    """Of an emitter."""
    lifespan: float = 3600.0
    """Seconds of a particle."""
    curve_seconds: float = 120.0
    """The longest baked interval: loops of different lengths may have a common period of years."""
    curve_nodes: int = 2048
    """Of one baked table; many tables may be made of the same keys."""

    # numbers
    effect_number: float = 1e6
    """The magnitude of an emitter's other numbers."""
    ribbon_number: float = 1e30
    """The magnitude of a ribbon's numbers, so that float32 can multiply them."""
    material_number: float = 1e18
    """The magnitude of a material's numbers on the GPU: products of two stay finite."""

    # the index and exported clips
    kept_names: int = 4096
    """Names of one kind, and messages, that the index keeps of a file."""
    kept_letters: int = 256
    """Of a name or message in the index."""
    film_frames: int = 100_000
    """An hour at 30 frames per second."""
    loop_keys: int = 100_000
    """Keys of a short loop repeated in one exported clip."""
    sampled_keys: int = 1 << 19
    """Times with keys, times bones, at which a clip is sampled: about a second of work."""


BUDGET = Budget()
"""The limits of every reader."""
