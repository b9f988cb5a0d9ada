"""Limits of the motion of particles, which the shaders share."""

from __future__ import annotations

NO_SOURCE = 0.001
"""A `z_source` closer to 0 than this counts as absent."""
MOST_EXPONENT = 60.0
"""The limit of an exponent: particles that grow faster are out of sight."""
