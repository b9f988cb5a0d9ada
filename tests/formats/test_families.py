"""All families of formats as one."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from assets.generate.blp import raw_blp
from tests import m2_files, ogre_files
from tests.synthetic import write_pair
from viewer.errors import FormatError
from viewer.formats import FORMATS, open_document, suffixes

ROOT = Path(__file__).resolve().parents[2]
CODE = """
import sys
from viewer.formats import open_document
open_document(sys.argv[1])
print(*sorted({name.split(".")[2] for name in sys.modules if name.startswith("viewer.formats.")}))
"""


def test_a_file_needs_nothing_of_families_behind_its_own(tmp_path: Path) -> None:
    command = [sys.executable, "-c", CODE, str(write_pair(tmp_path))]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["registry", "urho3d"]


DECODED = """
import sys
from viewer.formats import open_document
document = open_document(sys.argv[1])
print(document.model.textures[0].decode().levels[0].shape)
"""


def test_a_mesh_of_ogre_shows_a_blp(tmp_path: Path) -> None:
    (tmp_path / "box.mesh").write_bytes(ogre_files.simple())
    (tmp_path / "box.material").write_text(
        "material stone { technique { pass { texture_unit { texture skin.blp } } } }"
    )
    (tmp_path / "skin.blp").write_bytes(raw_blp(np.full((2, 4, 4), 255, np.uint8)))
    command = [sys.executable, "-c", DECODED, str(tmp_path / "box.mesh")]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "(2, 4, 4)"


@pytest.mark.parametrize(
    ("data", "why"),
    [(b"", "is empty"), (b"ODD!" + bytes(80), "the format is unknown: the file begins with 4F 44 44 21")],
)
def test_what_is_not_recognised_is_told_by_its_beginning(tmp_path: Path, data: bytes, why: str) -> None:
    (tmp_path / "x.mdl").write_bytes(data)
    with pytest.raises(FormatError, match=why):
        open_document(tmp_path / "x.mdl")


@pytest.mark.parametrize("suffix", [".mesh", ".skeleton", ".mdl", ".txt"])
def test_what_the_bytes_say_counts_for_more_than_a_name(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"model{suffix}"
    path.write_bytes(m2_files.model())
    assert open_document(path).format == "WoW M2 model"


def test_every_format_is_looked_through_each_time() -> None:
    assert [each.name for each in FORMATS] == [each.name for each in FORMATS]
    assert {".mdl", ".mesh", ".m2", ".blp"} <= set(suffixes())
    assert len(set(suffixes())) == len(suffixes()), "each once"
