"""The pyglet window: events, frame pacing, framebuffer configuration. Only this room imports pyglet."""
