"""Disassembler of Direct3D 9 shader programs, shader models 2 and 3.

Source: Windows Driver Kit, "Shader Code Tokens" and `d3d9types.h`.
"""

from viewer.families.urho3d.compiled.d3d9.program import compiled, is_program

__all__ = ["compiled", "is_program"]
