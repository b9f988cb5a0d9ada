"""Rigscope reads Inter-Quake Models: the sample of a family that others can install."""
