"""The OGRE family: meshes of OGRE and OGRE-Next, skeletons, materials, and AXP archives."""
