"""The layout of an Inter-Quake Model, `.iqm`, version 2: a header that points at tables. All numbers are
little-endian. An offset counts bytes from the beginning of the file; offset 0 means that the table is absent.

Source: `iqm.txt`, `iqm.cpp` and `demo/demo.cpp` of the Inter-Quake Model development kit.
"""

from __future__ import annotations

import numpy as np

from viewer.plugin import Array, Fixed, Magic, Record, record_dtype

U16, U32, I32, F32 = (np.dtype(each) for each in ("<u2", "<u4", "<i4", "<f4"))
VEC3, QUATERNION, CHANNELS = np.dtype((F32, (3,))), np.dtype((F32, (4,))), np.dtype((F32, (10,)))
CORNERS = np.dtype((U32, (3,)))

MAGIC = b"INTERQUAKEMODEL\0"
VERSION = 2
CUSTOM = 0x10
"""The first type of a vertex array that has a name of its own."""
NO_TRIANGLE = 0xFFFFFFFF
LOOP = 1
CHANNEL_COUNT = 10
LARGEST = 65535
"""The largest number that a frame stores for a channel."""

TYPES = ("position", "uv", "normal", "tangent", "joints", "weights", "color")
"""The meaning of a vertex array by its type."""
FORMATS = ("i8", "u8", "i16", "u16", "i32", "u32", "f16", "f32", "f64")
"""The type of a vertex array's components by its format."""

MESH = record_dtype(
    ("name", U32, "offset of the name in the text"),
    ("material", U32, "offset of the material's name in the text, often the file name of a picture"),
    ("first_vertex", U32, "number of the first vertex"),
    ("num_vertexes", U32, "number of vertices"),
    ("first_triangle", U32, "number of the first triangle"),
    ("num_triangles", U32, "number of triangles"),
)
VERTEX_ARRAY = record_dtype(
    (
        "type",
        U32,
        "0: position, 1: texture coordinates, 2: normal, 3: tangent and its sign, 4: bone numbers, 5: bone "
        "weights, 6: colour; from 16 on custom, 16 + offset of the name in the text",
    ),
    ("flags", U32, "no flag has a meaning"),
    ("format", U32, "0: i8, 1: u8, 2: i16, 3: u16, 4: i32, 5: u32, 6: f16, 7: f32, 8: f64"),
    ("size", U32, "number of components of a vertex"),
    ("offset", U32, "offset of the values of all vertices, which follow each other without gaps"),
)
TRIANGLE = record_dtype(("vertices", CORNERS, "numbers of the vertices, clockwise seen from the front"))
NEIGHBOURS = record_dtype(
    ("triangles", CORNERS, "numbers of the triangles that share an edge; 0xFFFFFFFF: none")
)
JOINT = record_dtype(
    ("name", U32, "offset of the name in the text"),
    ("parent", I32, "number of the parent joint; negative for a root"),
    ("translate", VEC3, "base pose, local to the parent, model units"),
    ("rotate", QUATERNION, "base pose, local to the parent, x y z w"),
    ("scale", VEC3, "base pose, local to the parent"),
)
POSE = record_dtype(
    ("parent", I32, "number of the parent pose; negative for a root"),
    ("mask", U32, "one bit for each channel that the frames store: 3 translation, 4 rotation, 3 scale"),
    ("offset", CHANNELS, "value of each channel, to which the frame's number is added"),
    ("scale", CHANNELS, "factor of the frame's number for each channel"),
)
ANIM = record_dtype(
    ("name", U32, "offset of the name in the text"),
    ("first_frame", U32, "number of the first frame"),
    ("num_frames", U32, "number of frames"),
    ("framerate", F32, "frames in a second; 0 is read as 1"),
    ("flags", U32, "1: the last frame is followed by the first"),
)
BOUND = record_dtype(
    ("min", VEC3, "lowest corner of the posed vertices, model units"),
    ("max", VEC3, "highest corner of the posed vertices, model units"),
    ("xyradius", F32, "radius around the Z axis, model units"),
    ("radius", F32, "radius around the origin, model units"),
)
EXTENSION = record_dtype(
    ("name", U32, "offset of the name in the text"),
    ("num_data", U32, "size of the data, bytes"),
    ("ofs_data", U32, "offset of the data"),
    ("ofs_extensions", U32, "offset of the next extension; 0 in the last one"),
)

HEADER = Record(
    "header",
    Magic("magic", (MAGIC,), note="ends with a zero"),
    Fixed("version", U32, note="2; version 1 stores rotations without w"),
    Fixed("filesize", U32, note="size of the file, bytes"),
    Fixed("flags", U32, note="no flag has a meaning"),
    Fixed("num_text", U32, note="size of the text, bytes"),
    Fixed("ofs_text", U32, note="offset of the text"),
    Fixed("num_meshes", U32, note="number of meshes"),
    Fixed("ofs_meshes", U32, note="offset of the meshes"),
    Fixed("num_vertexarrays", U32, note="number of vertex arrays"),
    Fixed("num_vertexes", U32, note="number of vertices in each vertex array"),
    Fixed("ofs_vertexarrays", U32, note="offset of the list of vertex arrays"),
    Fixed("num_triangles", U32, note="number of triangles"),
    Fixed("ofs_triangles", U32, note="offset of the triangles"),
    Fixed("ofs_adjacency", U32, note="offset of the triangles' neighbours"),
    Fixed("num_joints", U32, note="number of joints; 0 if the file has only animations"),
    Fixed("ofs_joints", U32, note="offset of the joints"),
    Fixed("num_poses", U32, note="number of poses, one for each joint"),
    Fixed("ofs_poses", U32, note="offset of the poses"),
    Fixed("num_anims", U32, note="number of animations"),
    Fixed("ofs_anims", U32, note="offset of the animations"),
    Fixed("num_frames", U32, note="number of frames of all animations"),
    Fixed("num_framechannels", U32, note="numbers in a frame: the bits of all masks"),
    Fixed("ofs_frames", U32, note="offset of the frames"),
    Fixed("ofs_bounds", U32, note="offset of the bounds"),
    Fixed("num_comment", U32, note="size of the comment, bytes"),
    Fixed("ofs_comment", U32, note="offset of the comment"),
    Fixed("num_extensions", U32, note="number of extensions"),
    Fixed("ofs_extensions", U32, note="offset of the first extension"),
)

LETTER = np.dtype("S1")
TEXT = Array("text", LETTER, "num_text", note="names, each ends with a zero; the first is empty")
MESHES = Array("meshes", MESH, "num_meshes", note="parts of the model, each with one material")
VERTEX_ARRAYS = Array("vertex_arrays", VERTEX_ARRAY, "num_vertexarrays", note="one for each attribute")
TRIANGLES = Array("triangles", TRIANGLE, "num_triangles", note="triangles of all meshes")
ADJACENCY = Array("adjacency", NEIGHBOURS, "num_triangles", note="neighbours of each triangle")
JOINTS = Array("joints", JOINT, "num_joints", note="the skeleton; engines expect parents before children")
POSES = Array("poses", POSE, "num_poses", note="how the frames store each joint")
ANIMS = Array("anims", ANIM, "num_anims", note="animations")
FRAMES = Array("frames", U16, "num_frames * num_framechannels", note="channels of all poses, frame by frame")
BOUNDS = Array("bounds", BOUND, "num_frames", note="bounds of the model in each frame")
COMMENT = Array("comment", LETTER, "num_comment", note="text for people")
EXTENSIONS = Array("extensions", EXTENSION, "num_extensions", note="a linked list with data of tools")

TABLES = Record(
    "tables",
    *(TEXT, MESHES, VERTEX_ARRAYS, TRIANGLES, ADJACENCY, JOINTS, POSES, ANIMS, FRAMES, BOUNDS, COMMENT),
    EXTENSIONS,
)
"""The tables, in the order of their offsets in the header. A file may store them in any order."""
