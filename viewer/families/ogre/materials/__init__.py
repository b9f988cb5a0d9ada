"""OGRE material scripts and the choice of a model's materials."""
