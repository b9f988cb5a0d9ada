#!/usr/bin/env python3
"""Makes the sample models and the icon: `python3 dev.py assets`, or this file with the folder to write into.

All samples are original, calculated work; see README.md. The same numpy version gives the same bytes.
"""

from __future__ import annotations

import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent)]

from generate import chime, icon  # noqa: E402
from generate.beacon import files as beacon  # noqa: E402
from generate.linglong import files as linglong  # noqa: E402
from generate.puff import files as puff  # noqa: E402


def main(folder: Path) -> None:
    """Write every sample below `folder`."""
    families = {
        "urho3d": beacon.urho3d(),
        "ogre": linglong.ogre() | chime.ogre(),
        "m2": puff.m2(),
        "icon": icon.files(),
    }
    written = {f"{family}/{name}": data for family, made in families.items() for name, data in made.items()}
    for name, data in written.items():
        place = folder / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(data)
        print(f"{len(data):9,d}  {name}")
    print(f"{sum(map(len, written.values())):9,d}")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else HERE)
