"""The Urho3D family: models, animations, materials, packages, compiled shaders and scripts."""
