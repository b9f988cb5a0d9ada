"""OGRE's side of the race: run by an interpreter that has the package `ogre-python`, and by nothing else.

    python race_ogre.py open MESH...                  CPU seconds of the first and the best opening of each
    python race_ogre.py draw MESH CLIP FRAMES         seconds of a frame, from a window of 1280 × 720 pixels

Prints JSON. The materials and textures lie beside the mesh.
"""

import json
import math
import os
import sys
import tempfile
import time

import Ogre

SIZE = 1280, 720
OPENINGS = 25
WARM = 20


def engine(system):
    """OGRE with one of its render systems, silent."""
    folder = os.path.join(os.path.dirname(Ogre.__file__), "OGRE")
    log = Ogre.LogManager()
    log.createLog(os.path.join(tempfile.gettempdir(), "race.log"), True, False, True)
    root = Ogre.Root("", "", "")
    for plugin in (f"RenderSystem_{system}", "Codec_STBI"):
        root.loadPlugin(os.path.join(folder, plugin))
    root.setRenderSystem(root.getAvailableRenderers()[0])
    root.initialise(False)
    return log, root


def open_all(paths):
    """[first, best] CPU seconds of each mesh that opens; the first includes its resource group."""
    kept = list(engine("Tiny"))
    kept.append(kept[1].createRenderWindow("race", 16, 16, False))
    meshes, skeletons = Ogre.MeshManager.getSingleton(), Ogre.SkeletonManager.getSingleton()
    groups = Ogre.ResourceGroupManager.getSingleton()
    found = {}
    for number, path in enumerate(paths):
        folder, name = os.path.split(os.path.abspath(path))
        group, times = f"group {number}", []
        start = time.thread_time()
        groups.createResourceGroup(group)
        groups.addResourceLocation(folder, "FileSystem", group)
        groups.initialiseResourceGroup(group)
        for _ in range(OPENINGS):
            try:
                mesh = meshes.load(name, group)
            except Exception:  # a mesh that OGRE refuses is not compared
                break
            times.append(time.thread_time() - start)
            skeleton = mesh.getSkeletonName()
            del mesh
            meshes.remove(name, group)
            if skeleton:
                skeletons.remove(skeleton, group)
            start = time.thread_time()
        if times:
            found[path] = [times[0], min(times[1:])]
    end(found)


def draw(path, clip, frames):
    """Seconds of a frame while a clip plays; swaps without waiting."""
    kept = engine("GL")
    root = kept[1]
    window = root.createRenderWindow("race", *SIZE, False)
    folder, name = os.path.split(os.path.abspath(path))
    groups = Ogre.ResourceGroupManager.getSingleton()
    groups.addResourceLocation(folder, "FileSystem", "General")
    groups.initialiseAllResourceGroups()
    scene = root.createSceneManager()
    scene.setAmbientLight(Ogre.ColourValue(0.4, 0.4, 0.4))
    mesh = Ogre.MeshManager.getSingleton().load(name, "General")
    entity, light, camera = scene.createEntity(name), scene.createLight("light"), scene.createCamera("camera")
    nodes = []
    for thing in (entity, light, camera):
        nodes.append(scene.getRootSceneNode().createChildSceneNode())
        nodes[-1].attachObject(thing)
    light.setType(Ogre.Light.LT_DIRECTIONAL)
    nodes[1].setDirection(Ogre.Vector3(-0.3, -0.5, -1))
    box = mesh.getBounds()
    centre, radius = box.getCenter(), box.getHalfSize().length()
    camera.setFOVy(Ogre.Radian(math.radians(45)))
    camera.setNearClipDistance(radius * 0.01)
    camera.setFarClipDistance(radius * 20)
    camera.setAspectRatio(SIZE[0] / SIZE[1])
    nodes[2].setPosition(Ogre.Vector3(centre.x, centre.y, centre.z + radius * 2.2))
    nodes[2].lookAt(centre, Ogre.Node.TS_WORLD)
    window.addViewport(camera).setBackgroundColour(Ogre.ColourValue(0.2, 0.2, 0.25))
    state = entity.getAnimationState(clip)
    state.setEnabled(True)
    for number in range(frames + WARM):
        if number == WARM:
            start = time.perf_counter()
        state.addTime(1 / 60)
        root.renderOneFrame()
    end((time.perf_counter() - start) / frames)


def end(answer):
    """Print it and leave at once: OGRE does not survive that its objects are freed."""
    print(json.dumps(answer))
    sys.stdout.flush()
    os._exit(0)


def main(words):
    """Measure what is asked for and print it."""
    if words[0] == "open":
        open_all(words[1:])
    else:
        draw(words[1], words[2], int(words[3]))


main(sys.argv[1:])
