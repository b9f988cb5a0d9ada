"""The Urho3D family: models and animations."""

from __future__ import annotations

from viewer.formats.registry import Format
from viewer.formats.urho3d.load import is_animation, is_model, load_animation, load_model

FORMATS = (
    Format("Urho3D model", (".mdl",), is_model, load_model),
    Format("Urho3D animation", (".ani",), is_animation, load_animation),
)
