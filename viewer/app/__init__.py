"""The program between its files and a screen."""

from viewer.app.loop import App, Start
from viewer.app.stage import Surface

__all__ = ["App", "Start", "Surface"]
