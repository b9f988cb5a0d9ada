"""Reader and disassembler of DXBC containers (Direct3D 10 and 11) with programs of shader model 4."""

from viewer.families.urho3d.compiled.dxbc.container import MAGIC, WRONG_CHECKSUM, compiled

__all__ = ["MAGIC", "WRONG_CHECKSUM", "compiled"]
