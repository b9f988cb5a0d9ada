"""Urho3D shaders and scripts in compiled form: programs of Direct3D, and the byte code of AngelScript."""
