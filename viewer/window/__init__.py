"""The pyglet window: events, frame pacing, framebuffer configuration. The only room that imports pyglet."""
