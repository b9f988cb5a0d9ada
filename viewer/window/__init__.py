"""The pyglet window: events, frame pacing, framebuffer configuration. Only this package imports pyglet."""
