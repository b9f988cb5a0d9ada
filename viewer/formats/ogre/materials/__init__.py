"""OGRE material scripts: what they say, and which of it a model wears."""
