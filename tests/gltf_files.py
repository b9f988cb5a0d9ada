"""Reads glTF files as the specification says, without the code that writes them: positions at any time."""

from __future__ import annotations

import json
import struct
from pathlib import Path
from typing import Any

import numpy as np

DTYPES = {5120: "i1", 5121: "u1", 5122: "<i2", 5123: "<u2", 5125: "<u4", 5126: "<f4"}
WIDTHS = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4, "MAT4": 16}


def gltf_parts(path: Path) -> tuple[Any, bytes]:
    """The JSON of a file, without numbers that JSON does not have, and the buffer of a binary file."""
    data, rest = path.read_bytes(), b""
    if path.suffix == ".glb":
        magic, version, size, length, _ = struct.unpack_from("<5I", data)
        assert (magic, version, size) == (0x46546C67, 2, len(data)), "the head is wrong"
        data, rest = data[20 : 20 + length], data[20 + length + 8 :]
    return json.loads(data, parse_constant=_refuse), rest


def _refuse(name: str) -> Any:
    raise AssertionError(f"{name} is written")


class GltfFile:
    """One file: `json`, and arrays by the numbers of accessors."""

    def __init__(self, path: Path) -> None:
        self.json, self.binary = gltf_parts(path)
        if path.suffix != ".glb":
            self.binary = (path.parent / self.json["buffers"][0]["uri"]).read_bytes()
        self.locals = [self._rest(node) for node in self.json["nodes"]]
        self.parents = dict.fromkeys(range(len(self.locals)))
        for number, node in enumerate(self.json["nodes"]):
            self.parents |= dict.fromkeys(node.get("children", ()), number)

    def array(self, accessor: int) -> Any:
        """[N, components]; normalised integers as numbers up to 1."""
        item = self.json["accessors"][accessor]
        dtype, width = np.dtype(DTYPES[item["componentType"]]), WIDTHS[item["type"]]
        out = np.zeros((item["count"], width), dtype)
        if "bufferView" in item:
            out[:] = self._raw(item, dtype, item["count"] * width).reshape(-1, width)
        if "sparse" in item:
            sparse = item["sparse"]
            numbers = self._raw(
                sparse["indices"], np.dtype(DTYPES[sparse["indices"]["componentType"]]), sparse["count"]
            )
            out[numbers] = self._raw(sparse["values"], dtype, sparse["count"] * width).reshape(-1, width)
        return out / np.iinfo(dtype).max if item.get("normalized") else out

    def view(self, number: int) -> bytes:
        """The bytes of a part of the buffer."""
        view = self.json["bufferViews"][number]
        return self.binary[view.get("byteOffset", 0) :][: view["byteLength"]]

    def positions(self, clip: str | None = None, time: float = 0.0) -> list[Any]:
        """[V, 3] of each primitive in the order of the meshes' nodes, while a clip is at `time` seconds."""
        local = [dict(each) for each in self.locals]
        weights: dict[int, Any] = {}
        animation = next((each for each in self.json.get("animations", ()) if each["name"] == clip), None)
        for channel in animation["channels"] if animation else ():
            sampler, target = animation["samplers"][channel["sampler"]], channel["target"]
            value = self._sampled(sampler, time, target["path"])
            if target["path"] == "weights":
                weights[target["node"]] = value
            else:
                local[target["node"]][target["path"]] = value
        world = [self._world(number, local) for number in range(len(local))]
        found = []
        for number, node in enumerate(self.json["nodes"]):
            if "mesh" in node:
                mesh = self.json["meshes"][node["mesh"]]
                weight = weights.get(number, mesh.get("weights", ()))
                found += [
                    self._posed(each, node, world[number], world, weight) for each in mesh["primitives"]
                ]
        return found

    def _raw(self, item: Any, dtype: Any, count: int) -> Any:
        start = item.get("byteOffset", 0)
        return np.frombuffer(self.view(item["bufferView"]), dtype, count, start)

    @staticmethod
    def _rest(node: Any) -> Any:
        rest = {"translation": [0, 0, 0], "rotation": [0, 0, 0, 1], "scale": [1, 1, 1]}
        return {key: np.array(node.get(key, value), float) for key, value in rest.items()}

    def _world(self, number: int, local: Any) -> Any:
        x, y, z, w = local[number]["rotation"]
        assert abs(x * x + y * y + z * z + w * w - 1) < 1e-4
        turn = np.array(
            [
                [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
                [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
                [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
            ]
        )
        own = np.eye(4)
        own[:3, :3], own[:3, 3] = turn * local[number]["scale"], local[number]["translation"]
        parent = self.parents[number]
        return own if parent is None else self._world(parent, local) @ own

    def _sampled(self, sampler: Any, time: float, path: str) -> Any:
        times, values = self.array(sampler["input"])[:, 0].astype(float), self.array(sampler["output"])
        assert (np.diff(times) > 0).all()
        values = values.reshape(len(times), -1).astype(float)
        first = min(max(int(np.searchsorted(times, time, "right")) - 1, 0), len(times) - 1)
        second = min(first + 1, len(times) - 1)
        gap = times[second] - times[first]
        share = min(max((time - times[first]) / gap, 0.0), 1.0) if gap else 0.0
        if sampler.get("interpolation") == "STEP":
            share = 0.0
        if path == "rotation":
            return slerp(values[first], values[second], share)
        return values[first] + (values[second] - values[first]) * share

    def _posed(self, primitive: Any, node: Any, own: Any, world: Any, weights: Any) -> Any:
        attributes = primitive["attributes"]
        points = self.array(attributes["POSITION"]).astype(float)
        for weight, target in zip(weights, primitive.get("targets", ()), strict=True):
            points = points + weight * self.array(target["POSITION"])
        points = np.concatenate((points, np.ones((len(points), 1))), axis=1)
        if "skin" not in node:
            return (points @ own.T)[:, :3]
        skin = self.json["skins"][node["skin"]]
        inverse = self.array(skin["inverseBindMatrices"]).reshape(-1, 4, 4).swapaxes(1, 2)
        matrices = np.array([world[joint] for joint in skin["joints"]]) @ inverse
        joints, shares = self.array(attributes["JOINTS_0"]), self.array(attributes["WEIGHTS_0"])
        assert np.abs(shares.sum(axis=1) - 1).max() < 1e-5
        return np.einsum("vj,vjab,vb->va", shares, matrices[joints], points)[:, :3]


def slerp(first: Any, second: Any, share: float) -> Any:
    """Spherical interpolation, the shorter way."""
    cosine = float(first @ second)
    second, cosine = (-second, -cosine) if cosine < 0 else (second, cosine)
    angle = np.arccos(min(cosine, 1.0))
    if angle < 1e-6:
        return first + (second - first) * share
    return (np.sin((1 - share) * angle) * first + np.sin(share * angle) * second) / np.sin(angle)
