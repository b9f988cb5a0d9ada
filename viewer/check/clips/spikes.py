"""The rule for keys that pop: rotations that leave their neighbours for one key."""

from __future__ import annotations

from collections.abc import Iterator

from viewer.animation.motion.key_outliers import key_outliers
from viewer.check.check_context import CheckContext
from viewer.check.clips.clip import clips
from viewer.check.rule import Found, Rule, rounded
from viewer.errors import counted
from viewer.scene.finding import Severity


def spikes(context: CheckContext) -> Iterator[Found]:
    """Report rotations that leave their neighbours for one key, without the bones that the settings leave
    out.
    """
    for clip in clips(context):
        found = key_outliers(clip.animation, context.limits.unjudged_bones or ())
        rows = [row for row in found.rows() if row.pops]
        if not rows:
            continue
        worst = rows[0]
        what = "leaves its neighbours" if len(rows) == 1 else "leave their neighbours"
        text = (
            f"{counted(len(rows), 'key')} {what}, {worst.bone} by {worst.angle:.0f}° at "
            f"{rounded(worst.time)} s"
        )
        named = {row.bone: row.key for row in reversed(rows)}
        tracks = [track for track in clip.tracks if track.path == "rotation" and track.target in named]
        tracks.sort(key=lambda track: track.target != worst.bone)
        yield clip.found(text, clip.items(tracks, worst.key))


RULES = (
    Rule(
        "animation/spike",
        Severity.NOTE,
        "A bone leaves its motion for one key",
        spikes,
        {"": "The bone pops: it turns away and back within two frames."},
        "Look at the curve of this bone: set the key between its neighbours, or delete it. If the motion is "
        "meant to be as sharp, leave the bone out in the settings.",
        "clip 'Walk': 1 key leaves its neighbours, Hand by 40° at 0.5 s",
    ),
)
