"""A project with a kept index, and where the program looks for it."""

from __future__ import annotations

import os
import tempfile
from functools import cache
from pathlib import Path

import msgspec

from tests.fuzzing import ogre_sample_files as ogre
from viewer.families.ogre.materials.script_words import SCANNER
from viewer.storage import kept_files, project_store
from viewer.storage.cache_folder import FOLDER_VARIABLE
from viewer.storage.contents import scanned
from viewer.storage.project_folders import ProjectFolders, listed_folders
from viewer.storage.project_store import StoredProject
from viewer.storage.source import FolderSource

INDEX = ".cache/index"
"""The name of the index in its sample. The program finds it by the path of the project."""
MEMORY = Path("/dev/shm")
OLD = 1_500_000_000


@cache
def project_files() -> dict[str, bytes]:
    """A mesh whose scripts and pictures are far from it, and files that nothing uses."""
    files = {".git/config": b"", "more/a.txt": b"", "more/in/b.txt": b"", "far/x.zip": b"", INDEX: b""}
    for name, data in {**ogre.square(), **ogre.scripts()}.items():
        files[f"{'models' if name.endswith('.mesh') else 'far'}/{name}"] = data
    return files


@cache
def project_index() -> bytes:
    """The index of the project, without its checksum, so that what is damaged is also read."""
    with tempfile.TemporaryDirectory(dir=MEMORY if MEMORY.is_dir() else None) as name:
        for path, data in project_files().items():
            (Path(name) / path).parent.mkdir(parents=True, exist_ok=True)
            (Path(name) / path).write_bytes(data)
        age(Path(name))
        folders = dict(listed_folders(name, {}))
        listed = ProjectFolders(folders)
        scripts = sorted(each for each in listed.names if each.endswith(SCANNER.ends))
        words = [("", SCANNER.kind, scanned(SCANNER, FolderSource(name), scripts))]
        order = sorted(range(len(listed.names)), key=lambda at: listed.names[at].rpartition("/")[2])
        packed = b"".join(at.to_bytes(4, "little") for at in order)
        endings = [(SCANNER.ends, scripts)]
        return msgspec.msgpack.encode(
            StoredProject(project_store.LAYOUT, folders, words, listed.version, packed, endings)
        )


def age(root: Path) -> None:
    """Give all files and folders one time, so that the versions of the index are those of each copy."""
    for path in (*root.rglob("*"), root):
        os.utime(path, (OLD, OLD))


def put_index(root: Path, data: bytes) -> None:
    """Put an index, which may be damaged, where the program finds it for the project."""
    os.environ[FOLDER_VARIABLE] = str(root / ".cache")
    path = Path(kept_files.kept_path(project_store.FOLDER, project_store.kept_name(str(root), ())))
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(kept_files.checksum(data) + data)
    age(root)
