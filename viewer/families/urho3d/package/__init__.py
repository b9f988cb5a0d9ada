"""Urho3D packages: UPAK, ULZ4, RPAK and RLZ4."""
