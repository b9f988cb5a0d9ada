"""Where Blender puts the vertices of glTF files; run by an interpreter that has `bpy`, not by ours.

    python blender.py JOBS.json RESULT.npz

JOBS.json lists [file, [[clip or null, seconds], …], the same file without clips]; RESULT.npz gets for job j
and moment m in glTF's axes `j_m` [V, 3], the vertices of all meshes in the order of their names, and
`j_m_joints` [B, 3], where the bones begin; of the job the names `j_bones`, `j_clips` and `j_morphs`, and the
seconds `j_lengths` of the clips.
"""

from __future__ import annotations

import json
import sys
from typing import Any

import bpy  # type: ignore[import-not-found]
import numpy as np


def opened(path: str) -> tuple[list[Any], list[Any]]:
    """The meshes and the armatures of a file."""
    bpy.ops.wm.read_factory_settings(use_empty=True)
    bpy.ops.import_scene.gltf(filepath=path, merge_vertices=False)
    shapes = {bone.custom_shape for each in bpy.data.objects if each.pose for bone in each.pose.bones}
    objects = [each for each in bpy.context.scene.objects if each not in shapes]
    meshes = sorted((each for each in objects if each.type == "MESH"), key=lambda each: each.name)
    return meshes, [each for each in objects if each.type == "ARMATURE"]


def animated() -> list[Any]:
    """The animation data of all objects and of their shape keys."""
    keys = [each for each in bpy.data.shape_keys if each.animation_data]
    return [each.animation_data for each in (*bpy.data.objects, *keys) if each.animation_data]


def resting(armatures: list[Any]) -> list[Any]:
    """The poses of the bones of a file without clips."""
    return [{bone.name: bone.matrix_basis.copy() for bone in each.pose.bones} for each in armatures]


def play(clip: str | None, armatures: list[Any], rest: list[Any]) -> None:
    """Let all objects follow a clip; Blender leaves bones that it does not move as they were."""
    for armature, pose in zip(armatures, rest, strict=True):
        for bone in armature.pose.bones:
            bone.matrix_basis = pose[bone.name]
    for data in animated():
        data.action = None
        for track in data.nla_tracks:
            track.mute = True
            if track.name == clip:
                data.action = track.strips[0].action
                data.action_slot = track.strips[0].action_slot


def positions(meshes: list[Any], seconds: float) -> Any:
    """[V, 3] in glTF's axes."""
    scene = bpy.context.scene
    frame = seconds * scene.render.fps
    scene.frame_set(int(frame), subframe=frame - int(frame))
    graph = bpy.context.evaluated_depsgraph_get()
    found = [np.zeros((0, 3))]
    for each in meshes:
        evaluated = each.evaluated_get(graph)
        mesh = evaluated.to_mesh()
        points = np.empty(3 * len(mesh.vertices))
        mesh.vertices.foreach_get("co", points)
        matrix = np.array(evaluated.matrix_world)
        found.append(points.reshape(-1, 3) @ matrix[:3, :3].T + matrix[:3, 3])
        evaluated.to_mesh_clear()
    return in_gltf(np.concatenate(found))


def in_gltf(points: Any) -> Any:
    """[N, 3] points of Blender in glTF's axes."""
    x, y, z = points.T
    return np.stack((x, z, -y), axis=1)


def joints(armatures: list[Any]) -> Any:
    """[B, 3]: where the bones of the pose begin, in glTF's axes."""
    heads = [each.matrix_world @ bone.head for each in armatures for bone in each.pose.bones]
    return in_gltf(np.array(heads, np.float64).reshape(-1, 3))


def lengths() -> dict[str, float]:
    """The seconds of the clips by their names."""
    found: dict[str, float] = {}
    for each in animated():
        for track in each.nla_tracks:
            end = track.strips[0].action.frame_range[1] / bpy.context.scene.render.fps
            found[track.name] = max(found.get(track.name, 0.0), float(end))
    return found


def main(jobs: str, result: str) -> None:
    """Do all jobs."""
    out: dict[str, Any] = {}
    with open(jobs, encoding="utf-8") as file:
        listed = json.load(file)
    for job, (path, moments, still) in enumerate(listed):
        rest = resting(opened(still)[1])
        meshes, armatures = opened(path)
        clips = lengths()
        out[f"{job}_clips"], out[f"{job}_lengths"] = (
            np.array(list(clips), str),
            np.array(list(clips.values())),
        )
        out[f"{job}_bones"] = np.array([bone.name for each in armatures for bone in each.pose.bones], str)
        keys = [each.data.shape_keys.key_blocks[1:] for each in meshes if each.data.shape_keys]
        out[f"{job}_morphs"] = np.array([key.name for each in keys for key in each], str)
        for number, (clip, seconds) in enumerate(moments):
            play(clip, armatures, rest)
            out[f"{job}_{number}"] = positions(meshes, seconds)
            out[f"{job}_{number}_joints"] = joints(armatures)
    np.savez(result, **out)


main(*sys.argv[1:])
