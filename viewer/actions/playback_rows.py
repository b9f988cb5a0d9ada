"""Time and what plays."""

from __future__ import annotations

from viewer.actions import playback as time
from viewer.actions.action import Action, always, animated, counting, following, playing, trimmed

PLAY = (
    Action("play", "Play", ("Space",), ("Animation",), time.toggle_play, animated, lambda s: s.clock.playing),
    Action("play_forwards", "Play forwards", (), ("Animation",), time.towards(1), animated),
    Action(
        "play_backwards", "Play backwards", ("Ctrl+Shift+Space",), ("Animation",), time.towards(-1), animated
    ),
    Action("previous_frame", "Previous frame", (",",), ("Animation",), time.step(-1), playing),
    Action("next_frame", "Next frame", (".",), ("Animation",), time.step(1), playing),
    Action("previous_key", "Previous key", ("Ctrl+Left", "Down"), ("Animation",), time.key(-1), playing),
    Action("next_key", "Next key", ("Ctrl+Right", "Up"), ("Animation",), time.key(1), playing),
    Action("first_frame", "First frame", ("Shift+Left",), ("Animation",), time.first, playing),
    Action("last_frame", "Last frame", ("Shift+Right",), ("Animation",), time.last, playing),
    Action("previous_animation", "Previous animation", ("[",), ("Animation",), time.neighbour(-1), animated),
    Action("next_animation", "Next animation", ("]",), ("Animation",), time.neighbour(1), animated),
    Action("rest_pose", "Rest pose", ("R",), ("Animation",), lambda s, post: s.choose(None), playing),
    Action("add_layer", "Add selected as a layer", (), ("Animation",), time.add_layer(False), time.another),
    Action("add_additive", "Add selected on top", (), ("Animation",), time.add_layer(True), time.another),
    Action("cross_fade", "Fade to selected", (), ("Animation",), time.cross_fade, time.another),
    Action("loop", "Loop", ("L",), ("Animation",), time.toggle_loop, always, lambda s: s.looped),
    Action(
        "pingpong",
        "To and fro",
        ("Shift+L",),
        ("Animation",),
        time.toggle_pingpong,
        always,
        lambda s: s.clock.loop == "pingpong",
    ),
    Action("range_start", "Begin here", ("I",), ("Animation", "Range"), time.trim(0), playing),
    Action("range_end", "End here", ("O",), ("Animation", "Range"), time.trim(1), playing),
    Action("range_reset", "Whole clip", ("Shift+I",), ("Animation", "Range"), time.untrim, trimmed),
    Action("slower", "Slower", ("-",), ("Animation", "Speed"), time.speed(-1)),
    Action("faster", "Faster", ("=", "+"), ("Animation", "Speed"), time.speed(1)),
    Action("normal_speed", "Normal speed", ("0",), ("Animation", "Speed"), time.speed(0)),
    Action("follow", "Follow the time", (), ("Animation", "Timeline"), time.toggle_follow, always, following),
    Action("frames", "Count frames", (), ("Animation", "Timeline"), time.toggle_frames, always, counting),
    Action("fit_timeline", "Whole clip in view", (), ("Animation", "Timeline"), time.fit_timeline, playing),
)
