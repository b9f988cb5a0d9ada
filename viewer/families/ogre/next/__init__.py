"""Meshes of OGRE-Next, the successor of OGRE."""
