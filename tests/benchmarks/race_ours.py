"""Our side of the race: `python -m tests.benchmarks.race_ours`; words and answers as of race_ogre.py."""

from __future__ import annotations

import gc
import json
import sys
import time
from pathlib import Path

SIZE = (1280, 720)
OPENINGS = 25
WARM = 20


def open_all(paths: list[str]) -> dict[str, list[float]]:
    """[first, best] CPU seconds of each mesh that opens: bytes read, parsed and posed anew each time."""
    from viewer.errors import ViewerError
    from viewer.storage.documents import open_document

    found = {}
    for path in paths:
        times = []
        for _ in range(OPENINGS):
            gc.collect()
            gc.freeze()  # later collections then leave the processor's caches alone: OGRE has no collections
            start = time.thread_time()
            try:
                document = open_document(Path(path))
            except ViewerError:
                break
            times.append(time.thread_time() - start)
            del document  # as OGRE's mesh, after the time is taken
        if times:
            found[path] = [times[0], min(times[1:])]
    return found


def draw(path: str, clip: str, frames: int) -> float:
    """Seconds of a frame while a clip plays, in a window without multisampling; swaps without waiting.

    The studio light and the gradient are drawn, but no grid and no axes: OGRE draws none.
    """
    import moderngl
    from pyglet import gl
    from pyglet.window import Window

    from tests.frames import frame_for
    from viewer.animation.pose import Layer, pose
    from viewer.render.renderer import Renderer
    from viewer.scene.camera import Orbit
    from viewer.scene.display import DisplayOptions
    from viewer.scene.texture_images import decode_textures
    from viewer.storage.documents import open_document
    from viewer.view.framing import posed_bounds

    document = open_document(Path(path))
    model = document.model
    assert model is not None and model.skeleton is not None
    config = gl.Config(
        major_version=3, minor_version=3, forward_compatible=True, double_buffer=True, depth_size=24
    )
    window = Window(*SIZE, config=config, vsync=False)
    context = moderngl.create_context(require=330)
    renderer, extent = Renderer(context), posed_bounds(model)
    mesh = renderer.upload(model, decode_textures(document))
    radius = float(sum((high - low) ** 2 for low, high in zip(*extent, strict=True))) ** 0.5 / 2
    centre = tuple(float(low + high) / 2 for low, high in zip(*extent, strict=True))
    options = DisplayOptions(grid=False, axes=False)
    camera = Orbit((centre[0], centre[1], centre[2]), radius * 2.2, yaw=0, pitch=0, fov=45)
    animation = next(each for each in document.animations if each.name == clip)
    for number in range(frames + WARM):
        if number == WARM:
            start = time.perf_counter()
        posed = pose(model.skeleton, [Layer(animation, number / 60 % animation.duration)])
        renderer.draw(mesh, frame_for(mesh, SIZE, posed, options, camera, extent), context.screen)
        window.flip()
    return (time.perf_counter() - start) / frames


def main(words: list[str]) -> None:
    """Run one side and print what it took."""
    if words[0] == "open":
        print(json.dumps(open_all(words[1:])))
    else:
        print(json.dumps(draw(words[1], words[2], int(words[3]))))


if __name__ == "__main__":
    main(sys.argv[1:])
